// Warn that an older copy of the log was restored at this address, let the owner of this browser compare
// six words once, and accept the log after that. Loaded only after such a restore.

import { fromBase64 } from "./heads.js";
import { LOG, store, stored } from "./paths.js";
import { button, element, tr } from "./texts.js";
import { goesOn, readHead, treeOf, verdict } from "./verdict.js";
import { fetched, look, send } from "./witness.js";
import { wordsOf } from "./words.js";

const PLACES = "tourney-restored"; // by log: the place whose six words were compared
const KEPT = `tourney-acts-${LOG}`; // own acts of a player's phone (receipts.js)
const SHOWN_MS = 600000; // no user closes a banner on a screen

// --- said at once, when the news ends before what this page shows

export function tell({ seen, here }) {
  const text = tr("An older copy of this tournament was restored at the desk: it has {here} log entries, and this page showed {seen}. You see what the desk has now.", { seen, here });
  const said = document.getElementById("beyond") || element("p", "", { id: "beyond", className: "notable" });
  said.setAttribute("role", "status");
  said.textContent = text;
  document.getElementById("news").after(said);
  if (document.body.dataset.screen) document.body.dataset.position = String(here);
  window.dispatchEvent(new Event("beyond"));
  window.dispatchEvent(new Event("resize")); // a screen has less room for its rows
  setTimeout(() => { said.remove(); window.dispatchEvent(new Event("resize")); }, SHOWN_MS);
}

// --- believed only after six words were compared

// The verdict on an answer that was asked for from a place on, once the owner compared the words of that
// place; null if the events do not continue it.
export function accepted(answer, kept, place) {
  try { if (!goesOn(treeOf(place), treeOf(answer), answer.proof)) return null; } catch { return null; }
  const others = { ...kept };
  delete others[answer.origin];
  const found = verdict(answer, others);
  const said = ["restored", ...found.said.filter((name) => !["this-is", "also-keeps", "begins"].includes(name))];
  return { ...found, said };
}

function panel(...content) {
  const place = document.getElementById("restored") || element("section", "", { id: "restored", className: "news" });
  place.setAttribute("aria-label", tr("Restored from an older copy"));
  place.replaceChildren(...content);
  document.querySelector("main").before(place);
  window.dispatchEvent(new Event("resize"));
}

function choices(...buttons) { // one below the other where there is no room: a gap is between them
  const row = element("div", "");
  row.style.cssText = "display: flex; flex-wrap: wrap; gap: var(--s2)";
  row.append(...buttons);
  return row;
}

async function ask(origin, place) {
  if (document.getElementById("restored")) return; // it is asked already
  const words = await wordsOf({ origin, ...place });
  panel(
    element("p", tr("The desk was restored from an older copy. Compare these six words with those on the desk:")),
    element("p", "", { className: "result" }),
    choices(button(tr("The words are the same"), () => {
      store(PLACES, { ...stored(PLACES, {}), [origin]: place });
      if (stored(KEPT, {}).acts) store(KEPT, { ...stored(KEPT, {}), due: true }); // now they are offered
      document.getElementById("restored").remove();
      look();
    }), button(tr("They differ"), () => panel(element("p",
      tr("Do not use this page. Show it to the head judge: this is not the log of the desk."), { className: "breach" })))),
  );
  document.querySelector("#restored .result").append(element("strong", words), element("small", ` (${tr("log entry {size}", place)})`));
}

async function placeOf(entry) { // the place of the desk's words; null without one
  const answer = await send("/api/v1/restored", { kept: entry.note, renewed: entry.renewed || [] });
  if (!answer || !answer.ok) return null;
  const { size, root } = await answer.json();
  return Number.isSafeInteger(size) && size > 0 && fromBase64(root).length === 32 ? { size, root } : null;
}

// Reconsider a verdict about missing events: accepted if the words were compared, else a question.
export async function reconsidered(answer, kept, meaning, isGone) {
  const { origin } = answer, place = stored(PLACES, {})[origin];
  if (place) {
    const found = accepted(await fetched(place.size), kept, place);
    if (found) {
      const { [origin]: _, ...rest } = stored(PLACES, {}), head = found.keep && readHead(found.keep);
      if (head && head.size >= place.size) store(PLACES, rest); // the head says it from now on
      return found;
    }
  }
  const entry = kept[origin];
  if (!(place || isGone) || !entry) return meaning;
  const asked = await placeOf(entry);
  if (asked && goesOn(treeOf(asked), treeOf(answer), (await fetched(asked.size)).proof)) await ask(origin, asked);
  return isGone ? meaning : { ...meaning, kind: "breach", said: ["other", "show"], keep: undefined }; // nor from that place on
}
