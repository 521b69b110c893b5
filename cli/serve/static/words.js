// Six words of a head, derived by the browser itself as ledger/proof/notes.py does.

import { bytesOf, sha256 } from "./sha2.js";
import { tr } from "./texts.js";

const REPEATED = 16384;
const WORDS = 6, WORD_BITS = 11;
let list = null;
const made = new Map();

export function wordsIn(words, { origin, size, root }) { // of a head; `root` in base64
  let digest = sha256(bytesOf(`${origin}\n${size}\n${root}\n`));
  for (let i = 0; i < REPEATED; i++) digest = sha256(digest);
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return Array.from({ length: WORDS }, (_, i) => words[parseInt(bits.slice(i * WORD_BITS, (i + 1) * WORD_BITS), 2)]);
}

export const placeOf = (posting) => posting.round
  ? tr("Round {round}, event {size}", posting) : tr("Before round 1, event {size}", posting);

export async function wordsOf(posting) {
  const key = `${posting.origin} ${posting.size} ${posting.root}`;
  if (!made.has(key)) {
    if (!list) {
      const answer = await fetch(new URL("words.txt", import.meta.url));
      if (!answer.ok) throw new Error(tr("the list of words is missing"));
      list = (await answer.text()).trim().split("\n");
    }
    made.set(key, wordsIn(list, posting).join(" "));
  }
  return made.get(key);
}
