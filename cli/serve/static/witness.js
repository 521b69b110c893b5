// Every phone a witness: it keeps the newest signed head of the log, and checks that the next one
// goes on from it. That shows a store that was changed or put back; a changed server would send
// another script than this one, so a head is also to be compared elsewhere: see the page /head.

import { sameBytes } from "./ed25519.js";
import { fromBase64, headOf, isConsistent, keyOf, keysAfter } from "./heads.js";

const EVERY_MS = 30000;
const LOGS_MAX = 8;
const place = document.getElementById("witness");

function say(text, kind = "about") {
  if (!place) return;
  place.textContent = text;
  place.className = kind;
  place.hidden = !text;
}

function kept() {
  try { return JSON.parse(localStorage.getItem("tourney-heads")) || {}; } catch { return {}; }
}

function keep(origin, value) {
  const all = { ...kept() };
  delete all[origin];
  const newest = Object.entries({ ...all, [origin]: value }).slice(-LOGS_MAX);
  try { localStorage.setItem("tourney-heads", JSON.stringify(Object.fromEntries(newest))); } catch { /* nothing is kept here */ }
}

async function ask(path) {
  const answer = await fetch(path, { cache: "no-store" });
  const value = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(value.detail), { status: answer.status });
  return value;
}

async function goesOn(one, other) { // whether the larger of two heads goes on from the smaller
  const [old, now] = one.size <= other.size ? [one, other] : [other, one];
  if (old.size === now.size) return isConsistent(old, now, []);
  try {
    const { proof } = await ask(`/api/v1/consistency?from=${old.size}&to=${now.size}`);
    return isConsistent(old, now, proof.map(fromBase64));
  } catch (error) {
    if (error.status === 404) return false; // the hall has fewer events than this phone saw
    throw error;
  }
}

async function report(before, now, renewed) {
  const body = JSON.stringify({ kept: before.note, seen: now.note, renewed });
  const headers = { "Content-Type": "application/json" };
  try { await fetch("/api/v1/forks", { method: "POST", headers, body }); } catch { /* said next time */ }
}

export async function look() {
  const value = await ask("/api/v1/head");
  const announced = value.keys.map(keyOf);
  const now = headOf(value.note, announced);
  const before = kept()[now.origin];
  if (!before) {
    keep(now.origin, { note: value.note, keys: value.keys, renewed: value.renewed });
    return say(`This browser keeps the log's signed head from now on: ${now.size} events.`);
  }
  const known = headOf(before.note, before.keys.map(keyOf));
  if (!await goesOn(known, now)) {
    await report(known, now, before.renewed || []);
    return say(
      `This is another history of the event than the one that this browser saw. It saw ${known.size} events; `
      + `the hall's ${now.size} do not go on from them. Show this to the head judge.`, "breach");
  }
  const strangers = value.keys.filter((each) => !before.keys.includes(each));
  const trusted = strangers.length ? keysAfter(before.keys.map(keyOf), now.origin, value.renewed || []) : [];
  const isRenewed = strangers.every((text) => trusted.some((each) => sameBytes(each.bytes, keyOf(text).bytes)));
  if (!isRenewed) {
    return say(
      "The log signs with another key than before, and the key before did not sign for it: ask the "
      + "desk whether it was lost.", "notable");
  }
  const renewed = strangers.length ? "The log's key was renewed, and the key before signed for the new one. " : "";
  say(`${renewed}This browser checked the log: ${now.size} events go on from the ${known.size} that it saw.`);
  if (now.size > known.size) keep(now.origin, { note: value.note, keys: value.keys, renewed: value.renewed });
}

async function tryToLook() {
  if (document.visibilityState !== "visible") return;
  try { await look(); } catch (error) {
    if (error.status && error.status !== 404) say(`The hall gives no signed head: ${error.message}`, "notable");
    else if (!(error instanceof TypeError) && !error.status) say(`The hall's signed head does not hold: ${error.message}`, "breach");
  }
}

if (place) {
  document.addEventListener("visibilitychange", tryToLook);
  window.addEventListener("pageshow", (event) => { if (event.persisted) tryToLook(); });
  setInterval(tryToLook, EVERY_MS);
  tryToLook();
}
