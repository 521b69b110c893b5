// What waits in this browser is shown on every page: acts of a player (acts.js), and forms of anybody
// else in their tab (forms.js). A page loads what it needs of the two, while the hall is there.

import { isOfClosed, isOfHall } from "./following.js";
import { CARRIED, hasKey, headersOf, postMarked } from "./marks.js";
import { LOG, at, store, stored, within } from "./paths.js";
import { element, tr } from "./texts.js";

export const ACTS = `tourney-outbox-${LOG}`; // in localStorage: they are this phone's
export const KEPT = `tourney-acts-${LOG}`; // own acts with their receipts (receipts.js)
export const TAB = `tourney-forms-${LOG}`; // in sessionStorage
export const isLater = (answer) => [401, 408, 425, 429, 500, 502, 503, 504].includes(answer.status) || isOfClosed(answer); // it settles nothing
export const OPEN_PATHS = ["/in", "/out"]; // what is typed there is a secret, and kept nowhere
const PATIENCE_MS = 8000;
export const rows = { acts: () => [], forms: elsewhere }; // that are shown: each module puts its own here

export const carried = () => stored(CARRIED, {}); // who this browser is signed in as

export async function post(entry, header = "Tourney-Outbox") {
  const aborting = new AbortController(), late = setTimeout(() => aborting.abort(), PATIENCE_MS);
  const headers = { ...headersOf(carried(), entry.path, entry.body), [header]: entry.again || "1" };
  try {
    return await fetch(at(entry.path), { method: "POST", body: entry.body, headers, redirect: "manual", signal: aborting.signal });
  } finally { clearTimeout(late); }
}

export function fieldsOf(form, pressed) { // what the form would post by that button
  const fields = new FormData(form);
  if (pressed && pressed.name) fields.set(pressed.name, pressed.value);
  return fields;
}

export const pathOf = (form) => within(new URL(form.getAttribute("action") || location, document.baseURI).pathname);

// --- shown

export const clockOf = ({ at: time }) => new Date(time).toLocaleTimeString([], { timeStyle: "short" });

export function show() {
  let place = document.getElementById("outbox");
  if (!place) {
    place = element("section", "", { id: "outbox" });
    place.setAttribute("aria-label", tr("Waiting to be sent"));
    place.setAttribute("role", "status");
    document.querySelector("main").before(place);
  }
  const all = [...rows.acts(), ...rows.forms()], list = element("ul", "");
  list.append(...all);
  place.replaceChildren(...(all.length ? [list] : []));
  place.hidden = !all.length;
}

// --- who this browser speaks for, and where a form goes

async function learnWho() {
  try {
    const answer = await fetch(at("/api/v1/carry"), { cache: "no-store" });
    if (!isOfHall(answer)) throw new Error();
    if (answer.status === 200) store(CARRIED, await answer.json());
    else if (answer.status === 204) localStorage.removeItem(CARRIED);
  } catch { /* the hall is away: as it was known last */ }
  const who = carried();
  if (who.by && who.marked && !who.only_reads && !hasKey(who)) {
    const text = tr("This browser can only read, because it has lost its key. Open the link on your badge in this browser again.");
    document.querySelector("main").before(element("p", text, { className: "notable", role: "status", id: "only-reads" }));
  }
}

// A form that waits, such as a search, is sent from the pages that have what keeps forms.
function elsewhere() {
  return stored(TAB, [], "sessionStorage").map(({ summary }) =>
    element("li", tr("Waiting for the desk: {form}. Open another page to send it.", { form: summary })));
}

// A player's own page has what keeps acts, any other page what keeps forms; acts that wait need theirs.
async function needed() {
  const isOwn = carried().player && document.querySelector('script[src="static/acts.js"]');
  const hasActs = isOwn || stored(ACTS, []).length;
  const [acts, forms] = await Promise.all([hasActs && import("./acts.js"), !isOwn && import("./forms.js")]);
  show();
  return { acts, forms };
}

const isAct = (form, pressed, path) => carried().player
  && (form.method === "get" ? form.dataset.match && pressed : path.startsWith("/do/"));

async function submitted(event) {
  const form = event.target, pressed = event.submitter;
  if (event.defaultPrevented) return;
  const path = pathOf(form), isPost = form.method === "post";
  const isText = [...fieldsOf(form, pressed).values()].every((each) => typeof each === "string");
  if (path === "/out") localStorage.removeItem(KEPT);
  if (isPost && (OPEN_PATHS.includes(path) || !isText)) {
    if (postMarked(carried(), form, pressed)) event.preventDefault();
    return;
  }
  event.preventDefault();
  try {
    if (isAct(form, pressed, path) && await (await import("./acts.js")).takeAct(form, pressed)) return;
    (await import("./forms.js")).handOver(form, pressed);
  } catch { // the hall went away before the page was whole: it goes as any form
    if (!isPost || !postMarked(carried(), form, pressed)) form.submit();
  }
}

const quietly = (work) => work.catch(() => {}); // the hall is away: as it is, until it is back

document.addEventListener("submit", submitted);
window.addEventListener("storage", () => quietly(needed()));
quietly(needed());
quietly(learnWho().then(needed).then(({ acts, forms }) => {
  if (forms) forms.answerForms();
  show();
  return acts && acts.send();
}));
