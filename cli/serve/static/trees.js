// The root of a tree of hashes (RFC 9162), which the page of a published log makes of all its entries.

import { nodeHash } from "./heads.js";
import { join, sha256 } from "./sha2.js";

export function leafHash(data) { return sha256(join(new Uint8Array([0]), data)); }

export function treeRoot(leaves) { // of the hashes of leaves
  const whole = []; // whole subtrees, the largest first, as [height, hash]
  for (const leaf of leaves) {
    let height = 0, hash = leaf;
    while (whole.length && whole.at(-1)[0] === height) { hash = nodeHash(whole.pop()[1], hash); height++; }
    whole.push([height, hash]);
  }
  return whole.length ? whole.map((each) => each[1]).reduceRight((right, left) => nodeHash(left, right)) : sha256(new Uint8Array());
}
