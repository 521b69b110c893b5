// A player's own acts with their receipts, without names, until the final head or sign-out. A phone
// offers them to a log without them. Loaded only while a receipt is missing or must be offered.

import { drawId, markOf } from "./marks.js";
import { ACTS, KEPT, carried } from "./outbox.js";
import { at, store, stored } from "./paths.js";
import { element, tr, trMany } from "./texts.js";
import { look } from "./witness.js";

const GONE = /^(no-voice-)?(fewer|other)$/u; // verdicts about missing events
const MOST = 20;
const PATH = "/api/v1/offers";
const AGAIN_MS = 1200;
let waiting = 0; // the timer until the next question for receipts

// The stored object: `acts` with their receipts, `sent` acts that were answered without one so far,
// `wanted` while a receipt may be missing or `sent` has any, `due` while the acts must be offered.
const all = () => stored(KEPT, {});

function say(text, className = "about") {
  const place = document.getElementById("offered") || element("p", "", { id: "offered" });
  place.setAttribute("role", "status");
  place.textContent = text;
  place.className = className;
  document.querySelector("main").before(place);
}

// Acts that the desk answered just before it was lost: each is sent again, before what was entered
// since, and lands once by its id.
async function sendAgain(missing) {
  if (!missing.length) return;
  const before = stored(ACTS, []), isNew = ({ id }) => !before.some((each) => each.id === id);
  const entries = missing.filter(isNew).map((each) => ({ ...each, again: "again", said: tr("what you entered") }));
  store(ACTS, [...entries, ...before]);
  await (await import("./acts.js")).send();
}

function coveredSize({ log }) { // events under the head that this browser keeps
  const entry = stored("tourney-heads", {})[`tourney/${log}`];
  return entry ? Number(entry.note.split("\n")[1]) || 0 : 0;
}

const fieldOf = ({ body }, name) => new URLSearchParams(body).get(name);

// Own acts, each once, without reports that their player undid since, and lists that another one replaced.
function openOf(sent, { by }) {
  const isReplaced = (each, later) => later.id === each.id || (each.path === "/do/list" && later.path === "/do/list")
    || (each.path === "/do/report" && later.path === "/do/take-back" && fieldOf(later, "match") === fieldOf(each, "match"));
  const isOver = (each, place) => sent.slice(place + 1).some((later) => isReplaced(each, later));
  return sent.filter((each, place) => fieldOf(each, "for") === by && !isOver(each, place)).slice(-MOST);
}

async function fetchOwn(answer, isSure) { // receipts of the latest results, and what the desk lacks
  const who = carried(), kept = all();
  if (!who.player) return;
  const acts = kept.by === who.by ? kept.acts || [] : []; // another person signed in on this phone
  const sent = openOf(kept.sent || [], who), idsOf = (entries) => entries.map(({ id }) => id);
  const asked = `have=${acts.map((each) => each.key).join(",")}&sent=${idsOf(sent).join(",")}`;
  const reply = await fetch(at(`/api/v1/receipts?${asked}`), { cache: "no-store" });
  if (!reply.ok) return;
  const value = await reply.json(), size = coveredSize(who);
  if (value.final) return void localStorage.removeItem(KEPT);
  const held = isSure ? [...acts.filter(({ key }) => !value.undone.includes(key)), ...value.acts].slice(-MOST) : acts;
  const receiptOf = ({ id }) => held.find(({ act }) => act.line.includes(`-${id}"`));
  const missing = sent.filter(({ id }) => value.missing.includes(id));
  // Without a receipt, such as a call: once it was under a signed head, and this phone has looked again.
  const isCovered = (each) => value.covered && sent.includes(each) && !missing.includes(each) && !receiptOf(each);
  const isSettled = (each) => isSure && (receiptOf(each) ? receiptOf(each).act.place < size : isCovered(each) && each.covered);
  const done = idsOf([...missing, ...sent.filter(isSettled)]);
  const news = isSure ? idsOf(sent.filter((each) => isCovered(each) && !each.covered)) : [];
  const open = openOf(all().sent || [], who).filter(({ id }) => !done.includes(id))
    .map((each) => (news.includes(each.id) ? { ...each, covered: true } : each));
  const due = Boolean(all().due) || missing.some(receiptOf);
  const isSent = sendAgain(missing.filter((each) => !receiptOf(each))); // they wait there before they are forgotten here
  store(KEPT, { ...all(), log: who.log, by: who.by, acts: held, sent: open, due, wanted: !value.covered || open.length > 0 });
  await isSent;
  if (due) await offerAll(answer);
  if (isSure && (value.acts.length || news.length)) return look(); // the head that covers them is kept, too
  clearTimeout(waiting);
  if (!value.covered) waiting = setTimeout(() => fetchOwn(answer, isSure).catch(() => {}), AGAIN_MS);
}

export async function goOn(answer, { kind, said }) { // after a look at the log that this hall shows
  const isGone = said.some((name) => GONE.test(name));
  if (said.includes("taken-over-lost") || (all().due && !isGone)) await offerAll(answer);
  const isReplaced = said.includes("replaced"); // what it lacks is at the desk that took over
  if (!isGone && !isReplaced && kind !== "breach") await fetchOwn(answer, kind === "about");
}

async function offerAll(answer) {
  const kept = { ...all(), due: Boolean((all().acts || []).length) };
  if (stored(KEPT, null)) store(KEPT, kept);
  if (!kept.due) return;
  const who = carried();
  if (!answer.signed_in || who.by !== kept.by) {
    say(tr("The restored copy does not know this phone. Open the link on your badge again, or go to the desk: your acts wait in this phone."), "notable");
    return;
  }
  const body = JSON.stringify({ nonce: drawId(), acts: kept.acts.map(({ act }) => act) });
  const headers = { "Content-Type": "application/json", "Tourney-Mark": markOf(who, PATH, body) };
  const sent = await fetch(at(PATH), { method: "POST", headers, body });
  const value = await sent.json();
  if (!sent.ok) return say(value.told || value.detail || "", "notable");
  const waits = value.acts.filter(({ state }) => state === "waits").length;
  const refused = [...new Set(value.acts.filter(({ state }) => state === "refused").map(({ why }) => why))];
  store(KEPT, { ...all(), due: false });
  const said = waits ? trMany("{count} act of yours is with the desk again, which decides on it.",
    "{count} acts of yours are with the desk again, which decides on them.", waits) : "";
  if (said || refused.length) say([said, ...refused].filter(Boolean).join(" "), refused.length ? "notable" : "about");
}
