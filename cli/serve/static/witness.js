// Every phone a witness: it keeps the newest signed head of each log, and checks that the events of
// the server go on from it (verdict.js says what each answer means). That shows a store that was
// changed or put back. A changed server would send another script than this one, so a head is also
// to be compared elsewhere: see the page /head. The six words are for those who compare by eye.

import { LOG, at } from "./paths.js";
import { tr } from "./texts.js";
import { CALM, verdict } from "./verdict.js";
import { headOf, keyOf } from "./heads.js";
import { placeOf, wordsOf } from "./words.js";

const EVERY_MS = 30000;
const LOGS_MAX = 30;
const TOLD_MAX = 50;
const HEADS = "tourney-heads", TOLD = "tourney-told";
const line = document.getElementById("witness");
const words = document.getElementById("words");
const told = new Set();
let newest = 0; // event of the posting that the page's news named last

class Away extends Error {} // the server cannot be reached: the page says so itself

function say(text, kind = "about") {
  line.textContent = text;
  line.className = kind;
  line.hidden = !text || (kind === "about" && "quiet" in line.dataset);
}

async function sayIn(said, about, kind) { // the hall has just answered, so it has the other sentences, too
  let text = tr("Ask the desk about this tournament's log.");
  try {
    const isCalm = said.every((name) => name in CALM);
    text = isCalm ? said.map((name) => CALM[name](about)).join(" ") : (await import("./warnings.js")).inWords(said, about);
  } catch { /* it is away again */ }
  say(text, kind);
}

function stored(name) { // what was kept; {damaged: true} if it cannot be read, null without storage
  let text;
  try { text = localStorage.getItem(name); } catch { return null; }
  try {
    const value = JSON.parse(text ?? "{}");
    return value && typeof value === "object" && !Array.isArray(value) ? value : { damaged: true };
  } catch { return { damaged: true }; }
}

function store(name, value) {
  try { localStorage.setItem(name, JSON.stringify(value)); return true; } catch { return false; }
}

// The newest last; the first to go is a log that this browser was never signed in to.
function keep(kept, origin, value) {
  const all = { ...kept };
  delete all[origin];
  const before = Object.entries(all);
  while (before.length >= LOGS_MAX) {
    const stranger = before.findIndex(([, entry]) => !(entry && entry.own));
    before.splice(Math.max(stranger, 0), 1);
  }
  return store(HEADS, Object.fromEntries([...before, [origin, value]]));
}

export async function send(path, value) {
  const headers = { "Content-Type": "application/json" };
  try { return await fetch(at(path), { method: "POST", headers, body: JSON.stringify(value) }); } catch { return null; }
}

async function notice(answer, value) { // once for each head, so that a room is no crowd
  const key = `${answer.origin} ${answer.key} ${value.kept.split("\n").slice(0, 3).join(" ")}`;
  const before = stored(TOLD) || {};
  if (told.has(key) || before[key]) return;
  told.add(key);
  if ((await send("/api/v1/kept", value))?.ok) {
    store(TOLD, Object.fromEntries([...Object.entries(before), [key, 1]].slice(-TOLD_MAX)));
  }
}

function sizeOf(entry) {
  try { return headOf(entry.note, entry.keys.map(keyOf)).size; } catch { return 0; }
}

async function ask(kept) {
  const sizes = Object.fromEntries(Object.entries(kept).map(([origin, entry]) => [origin, sizeOf(entry)]));
  const first = await fetched(Math.max(0, ...Object.values(sizes).slice(-1)));
  const own = sizes[first.origin] || 0;
  if (own === first.asked) return first;
  const second = await fetched(own);
  if (second.origin !== first.origin) throw new Error(tr("another tournament was opened just now"));
  return second;
}

export async function fetched(size) {
  let answer, value;
  const path = size ? `/api/v1/witness?kept=${size}` : "/api/v1/witness";
  try { answer = await fetch(at(path), { cache: "no-store" }); } catch { throw new Away(); }
  if (answer.status === 404) throw new Away(); // the tournament is closed here
  try { value = await answer.json(); } catch { throw new Error(tr("it is not JSON")); }
  if (!answer.ok) throw new Error(value.told || value.detail || `${answer.status}`);
  return { ...value, asked: size };
}

async function showWords(posting) {
  if (!words || !posting) return;
  const text = await wordsOf(posting);
  if (posting.size < newest) return;
  words.querySelector("span").textContent = placeOf(posting);
  words.querySelector("strong").textContent = text;
  words.hidden = false;
}

export async function look() {
  const found = stored(HEADS), kept = found && !found.damaged ? found : {};
  const answer = await ask(kept);
  let meaning = verdict(answer, kept);
  if (answer.takeover || (kept[answer.origin] || {}).acts || meaning.said.includes("other-key")) meaning = await (await import("./succession.js")).judgedHere(answer, kept, meaning);
  // Events are gone, and no key that this browser knew took over: six words are compared.
  const isGone = meaning.said.some((name) => /^(no-voice-)?(fewer|other)$/.test(name));
  if (isGone || stored("tourney-restored")?.[answer.origin]) meaning = await (await import("./restored.js")).reconsidered(answer, kept, meaning, isGone);
  const said = [...meaning.said];
  if (meaning.keep && (found === null || !keep(kept, answer.origin, meaning.keep))) said.push("stores-nothing");
  else if (found && found.damaged) said.unshift("kept-damaged");
  // What is reported leaves at once; a server that never answers it keeps no line from being shown.
  const reports = [meaning.fork && send("/api/v1/forks", meaning.fork), meaning.notice && notice(answer, meaning.notice)];
  await sayIn(said, meaning.about, meaning.kind);
  await showWords(meaning.posting);
  await Promise.all(reports);
  const { acts, due, wanted } = stored(`tourney-acts-${LOG}`) || {}; // own acts, to offer or to fetch
  if (due || wanted || (acts && meaning.about.since) || said.includes("taken-over-lost")) await (await import("./receipts.js")).goOn(answer, meaning);
}

async function tryToLook() {
  if (document.visibilityState !== "visible") return;
  try { await look(); } catch (error) {
    if (error instanceof Away) return;
    await sayIn(["unreadable"], { fault: error.message }, "notable");
  }
}

// The words change with the tables that they belong to; the next look checks the posting.
window.addEventListener("posting", ({ detail }) => { newest = detail.size; showWords(detail).catch(() => {}); });
if (line) {
  document.addEventListener("visibilitychange", tryToLook);
  window.addEventListener("pageshow", (event) => { if (event.persisted) tryToLook(); });
  for (const name of ["hall-back", "beyond"]) window.addEventListener(name, tryToLook);
  setInterval(tryToLook, EVERY_MS);
  tryToLook();
}
