// A player's page: fetches itself again when there is news, unless something is being typed on it.
import { announceTable } from "./alerts.js";
import { countOn, follow, isOfClosed, lost, say } from "./following.js";
import { at, within } from "./paths.js";
import { tr } from "./texts.js";

const part = document.getElementById("part");
const CHANGED = tr("This page has changed. To see the changes, send what you entered, or reload the page without it.");
const SPREAD_MS = 2000; // a hall of phones does not ask at once
let position = Number(part.dataset.position || 0);
let shown = position; // up to which event the page shows the log
let waiting = 0;

function isTouched(field) {
  if (field.type === "hidden") return false;
  if (field.tagName === "SELECT") return !field.options[field.selectedIndex].defaultSelected && field.selectedIndex > 0;
  return field === document.activeElement || field.value !== field.defaultValue;
}

async function fetchPage() {
  try {
    const answer = await fetch(at(within(location.pathname)) + location.search, { cache: "no-store" });
    if (isOfClosed(answer)) return void lost();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (location.search && page.querySelector(".problems")) { // it asks about a table of before
      history.replaceState(null, "", location.pathname);
      return void fetchPage();
    }
    const fresh = page.getElementById("part");
    if (!fresh) return;
    const latest = Number(fresh.dataset.position || 0);
    if ([...part.querySelectorAll("input, textarea, select")].some(isTouched)) {
      say(latest === shown ? "" : CHANGED);
      return;
    }
    shown = latest;
    const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
    part.replaceChildren(...fresh.childNodes); // made and escaped by the server of this page
    for (const each of part.querySelectorAll("details[id]")) {
      if (open.includes(each.id)) each.open = true;
    }
    say("");
    countOn(part);
    fetchAtEnd();
    announceTable(part);
  } catch {
    lost();
  }
}

// A button that works for some seconds is removed from the page afterwards.
let ending = 0;

function fetchAtEnd() {
  clearTimeout(ending);
  const timed = part.querySelector("[data-until]");
  if (timed) ending = setTimeout(fetchPage, Number(timed.dataset.until) * 1000 + 500);
}

// However much news there is, the page is fetched within SPREAD_MS of the first of it.
function later() {
  if (!waiting) waiting = setTimeout(() => { waiting = 0; fetchPage(); }, Math.random() * SPREAD_MS);
}

// What is sent twice by a double click is one act by its id; other buttons wait for the answer.
document.addEventListener("submit", (event) => {
  setTimeout(() => {
    if (event.defaultPrevented) return; // it is kept in the outbox
    for (const each of event.target.querySelectorAll("button")) {
      if (each !== event.submitter) each.disabled = true;
    }
  });
});
countOn(part);
fetchAtEnd();
announceTable(part);
follow({
  path: () => at(`/api/v1/stream?after=${position}`),
  news: (message) => {
    position = JSON.parse(message.data).position;
    later();
  },
  again: fetchPage,
});
setTimeout(() => import("./moved.js").catch(() => {}), 3000); // fetched before the desk is lost
