// What the hall's answer to a player's act settles. Fetched with the first answer, since only then the hall is there.

import { KEPT, isLater } from "./outbox.js";
import { store, stored } from "./paths.js";
import { tr } from "./texts.js";

const TOO_EARLY = 425; // the act that it answers waits elsewhere: nothing else waits for it

async function whyNot(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const shown = page.querySelector(".problems") || page.querySelector("main");
  const lines = shown ? [...shown.querySelectorAll("p, li, h2")].map((line) => line.textContent.trim()) : [];
  return lines.filter(Boolean).join("; ").slice(0, 500) || tr("the hall answered {status}", { status: answer.status });
}

// Its receipt comes at a later look. Until then the phone keeps the act, without names. A report that
// its player undid is offered to no desk.
function keepSent(entry) {
  const kept = stored(KEPT, {}), match = new URLSearchParams(entry.body).get("match");
  const isTaken = entry.path === "/do/take-back"
    && (({ act: { line } }) => line.includes('"type":"ResultReported"') && line.includes(`"match":${match},`));
  const acts = isTaken && kept.acts ? { acts: kept.acts.filter((each) => !isTaken(each)) } : {};
  store(KEPT, { ...kept, ...acts, wanted: true, sent: [...(kept.sent || []), { ...entry, said: "", covered: undefined }] });
}

// Return whether the act is done, or has to wait (and stops those behind it), and `more` to be kept with it.
export async function settledBy(entry, answer) {
  if (answer.ok && answer.headers.get("tourney-act") === entry.id) {
    if (answer.headers.get("tourney-events") !== "0") keepSent(entry);
    return { isDone: true };
  }
  if (answer.status === TOO_EARLY) return { waits: true, more: { why: await whyNot(answer) } };
  if (isLater(answer)) return { stops: true, more: { why: answer.status === 401 ? tr("Sign in again to send it.") : "" } };
  return { more: { refused: await whyNot(answer) } };
}
