// What a phone checks of a log by itself: signed heads (C2SP), and that one goes on from another
// (RFC 9162). Tried with the project's vectors by tests/cli/serve/phones/test_phone_proof.py.

import { isSigned, sameBytes } from "./ed25519.js";
import { bytesOf, hex, join, sha256 } from "./sha2.js";
import { tr } from "./texts.js";

export function nodeHash(left, right) { return sha256(join(new Uint8Array([1]), left, right)); }

export function isConsistent(old, now, proof) { // heads with size and root; RFC 9162 2.1.4.2
  if (!(old.size > 0 && old.size <= now.size)) return false;
  if (old.size === now.size) return !proof.length && sameBytes(old.root, now.root);
  if (proof.some((each) => each.length !== 32)) return false;
  const path = Number.isInteger(Math.log2(old.size)) ? [old.root, ...proof] : [...proof];
  if (!path.length) return false;
  let place = old.size - 1, last = now.size - 1;
  while (place % 2) { place = (place - 1) / 2; last = Math.floor(last / 2); }
  let before = path[0], after = path[0];
  for (const each of path.slice(1)) {
    if (!last) return false;
    if (place % 2 || place === last) {
      before = nodeHash(each, before);
      after = nodeHash(each, after);
      while (place && place % 2 === 0) { place /= 2; last = Math.floor(last / 2); }
    } else {
      after = nodeHash(after, each);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return !last && sameBytes(before, old.root) && sameBytes(after, now.root);
}

export function fromBase64(text) {
  const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  if (toBase64(bytes) !== text) throw new Error(tr("the base64 text is not in its normal form"));
  return bytes;
}

export function toBase64(bytes) { return btoa(String.fromCharCode(...bytes)); }

export function keyOf(text) { // NAME+ID+BASE64, of Ed25519 alone
  const [, name, id, encodedKey] = /^([^+\s]+)\+([0-9a-f]{8})\+(.+)$/u.exec(text) || [];
  const bytes = encodedKey ? fromBase64(encodedKey) : [];
  if (bytes.length !== 33 || bytes[0] !== 1) throw new Error(tr("this is not a key of a log"));
  const digest = sha256(join(bytesOf(`${name}\n`), bytes)).subarray(0, 4);
  if (hex(digest) !== id) throw new Error(tr("the key does not match its id"));
  return { name, id: digest, bytes: bytes.subarray(1) };
}

export function headOf(note, keys) { // the head of a note that one of these keys signed; or an Error
  const split = note.lastIndexOf("\n\n");
  const text = note.slice(0, split + 1), block = note.slice(split + 2);
  const [, origin, size, encodedRoot] = /^([^\n]+)\n(0|[1-9][0-9]{0,15})\n([^\n]+)\n$/u.exec(text) || [];
  if (split < 0 || !origin || !block.endsWith("\n")) throw new Error(tr("this is not a signed head"));
  const hash = fromBase64(encodedRoot);
  if (hash.length !== 32) throw new Error(tr("the root does not have 32 bytes"));
  for (const line of block.slice(0, -1).split("\n")) {
    const [, name, value] = /^\u2014 (\S+) (\S+)$/u.exec(line) || [];
    if (!name) throw new Error(tr("a line below the note is not a signature"));
    const signature = fromBase64(value);
    const key = keys.find((each) => each.name === name && sameBytes(each.id, signature.subarray(0, 4)));
    if (!key || name !== origin) continue;
    if (!isSigned(key.bytes, signature.subarray(4), bytesOf(text))) throw new Error(tr("the signature by {name} is wrong", { name }));
    return { origin, size: Number(size), root: hash, note };
  }
  throw new Error(tr("no known key signed this head of {origin}", { origin }));
}
