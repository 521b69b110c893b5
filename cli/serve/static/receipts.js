// A player's own acts with their receipts, without names, until the final head or sign-out. A phone
// offers them to a log without them. Loaded only while a receipt is missing or must be offered.

import { drawId, markOf } from "./marks.js";
import { KEPT, carried } from "./outbox.js";
import { at, store, stored } from "./paths.js";
import { element, tr, trMany } from "./texts.js";
import { look } from "./witness.js";

const GONE = /^(no-voice-)?(fewer|other)$/u; // verdicts about missing events
const MOST = 20;
const PATH = "/api/v1/offers";
const AGAIN_MS = 1200;

// The stored object: `acts` with their receipts, `wanted` while a receipt may be missing, `due` while
// the acts must be offered.
const all = () => stored(KEPT, {});

function say(text, className = "about") {
  const place = document.getElementById("offered") || element("p", "", { id: "offered" });
  place.setAttribute("role", "status");
  place.textContent = text;
  place.className = className;
  document.querySelector("main").before(place);
}

async function fetchOwn() { // receipts of the latest acts
  const who = carried(), kept = all();
  if (!who.player) return;
  const acts = kept.by === who.by ? kept.acts || [] : []; // another person signed in on this phone
  const answer = await fetch(at(`/api/v1/receipts?have=${acts.map((each) => each.key).join(",")}`), { cache: "no-store" });
  if (!answer.ok) return;
  const value = await answer.json();
  if (value.final) return void localStorage.removeItem(KEPT);
  const held = [...acts.filter(({ key }) => !value.undone.includes(key)), ...value.acts].slice(-MOST);
  store(KEPT, { ...kept, log: who.log, by: who.by, acts: held, wanted: !value.covered });
  if (value.acts.length) return look(); // the head that covers them is kept, too
  if (!value.covered) setTimeout(() => fetchOwn().catch(() => {}), AGAIN_MS);
}

export async function goOn(answer, { kind, said }) { // after a look at the log that this hall shows
  const isGone = said.some((name) => GONE.test(name));
  if (said.includes("taken-over-lost") || (all().due && !isGone)) await offerAll(answer);
  else if (kind === "about") await fetchOwn();
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
