// On a published page: holds a head that somebody kept to the log that is published beside it.

import { sameBytes } from "./ed25519.js";
import { headOf, keyOf } from "./heads.js";
import { tr } from "./texts.js";
import { treeRoot } from "./trees.js";

const HASH_BYTES = 32;
const form = document.getElementById("check");
const field = document.getElementById("kept");
const found = document.getElementById("found");

function say(text, kind) {
  found.textContent = text;
  found.className = kind;
  found.hidden = !text;
}

async function read(name) {
  const answer = await fetch(name, { cache: "no-store" });
  if (!answer.ok) throw new Error(tr("{name} is missing next to this page", { name }));
  return answer;
}

async function check() {
  const keys = form.dataset.keys.split(" ").map(keyOf);
  const hashes = new Uint8Array(await (await read("log.jsonl.hashes")).arrayBuffer());
  const own = headOf(await (await read("checkpoint")).text(), keys);
  const count = hashes.length / HASH_BYTES;
  const leaves = Array.from({ length: count }, (_, i) => hashes.subarray(HASH_BYTES * i, HASH_BYTES * (i + 1)));
  if (own.size !== count || !sameBytes(treeRoot(leaves), own.root)) {
    return say(tr("The files next to this page do not match each other: reload the page in a moment."), "breach");
  }
  const kept = headOf(`${field.value.replaceAll("\r\n", "\n").trim()}\n`, keys);
  if (kept.origin !== own.origin) return say(tr("This is the head of another tournament."), "notable");
  if (kept.size > count) {
    return say(tr("This head covers {size} log entries, but only {count} are published here: try again later.", { size: kept.size, count }), "notable");
  }
  if (sameBytes(treeRoot(leaves.slice(0, kept.size)), kept.root)) {
    return say(tr("This head matches: the log that is published here begins with these {size} log entries.", { size: kept.size }), "good");
  }
  return say(
    tr("This head is from a different history than the log that is published here, and the log's own key signed both. Show it to the head judge, and keep it."),
    "breach");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try { await check(); } catch (error) { say(tr("This head is not valid: {fault}", { fault: error.message }), "breach"); }
});
form.hidden = false;
if (location.hash) {
  field.value = decodeURIComponent(location.hash.slice(1));
  form.requestSubmit();
}
