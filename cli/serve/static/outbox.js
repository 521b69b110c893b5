// A player's acts wait here until the hall has answered each: an act is kept before it is sent, and
// sent again with the same id, so that it lands once. Without the hall it is shown as a code that
// the desk scans. What waits belongs to this address of the hall, and is sent for this player alone.
// A form of anybody else waits in its tab while the hall is away, and is then posted as a form is.

import { BACK, isOfHall, isThere, lost } from "./following.js";
import { CARRIED, drawId, hasKey, headersOf, markOf, postMarked } from "./marks.js";
import { LOG, at, within } from "./paths.js";
import { drawn } from "./qr.js";

const WAITING = `tourney-outbox-${LOG}`;
const MOST = 40; // more than anybody says in a day
const PATIENCE_MS = 8000;
const AGAIN_MS = [1000, 3000, 8000, 20000];
const LATER = [401, 408, 425, 429, 500, 502, 503, 504]; // an answer that settles nothing
const CODE_MAX = 380; // what the hall takes as an address
let sending = false;
let tries = 0;
let timer = 0;

function stored(key, otherwise) {
  try { return JSON.parse(localStorage.getItem(key)) ?? otherwise; } catch { return otherwise; }
}

function store(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; }
}

const waiting = () => stored(WAITING, []);
const change = (id, work) => store(WAITING, waiting().flatMap((each) => (each.id === id ? work(each) : [each])));

// --- kept, and sent

export function keep(path, fields, said) { // false where it cannot be kept, and is sent as any form
  const who = stored(CARRIED, {});
  const all = waiting(), body = new URLSearchParams(fields);
  const same = all.find((each) => each.id === body.get("id"));
  if (who.player && !body.get("for")) body.set("for", who.by);
  if (same && same.body === String(body)) return true; // a double click
  if (same || !body.get("id")) body.set("id", drawId());
  const entry = { id: body.get("id"), path, body: String(body), to: body.get("to") || "/", said, at: Date.now() };
  return all.length < MOST && store(WAITING, [...all, entry]);
}

async function post(entry, header = "Tourney-Outbox") {
  const aborting = new AbortController(), late = setTimeout(() => aborting.abort(), PATIENCE_MS);
  const headers = { ...headersOf(stored(CARRIED, {}), entry.path, entry.body), [header]: "1" };
  try {
    return await fetch(at(entry.path), { method: "POST", body: entry.body, headers, redirect: "manual", signal: aborting.signal });
  } finally { clearTimeout(late); }
}

async function whyNot(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const shown = page.querySelector(".problems") || page.querySelector("main");
  const lines = shown ? [...shown.querySelectorAll("p, li, h2")].map((line) => line.textContent.trim()) : [];
  return lines.filter(Boolean).join("; ").slice(0, 500) || `the hall answered ${answer.status}`;
}

async function sendAll() { // whether everything was answered
  for (const entry of waiting().filter((each) => !each.refused)) {
    let answer;
    try { answer = await post(entry); } catch { return false; }
    if (!isOfHall(answer)) {
      change(entry.id, (each) => [{ ...each, why: "Another program answered instead of the hall: check that this phone is on the hall's network, and signed in to it." }]);
      return false;
    }
    if (answer.ok && answer.headers.get("tourney-act") === entry.id) {
      change(entry.id, () => []);
      if (window.wake) window.wake(); // the page's own script fetches it again
    } else if (LATER.includes(answer.status)) {
      const why = answer.status === 401 ? "Sign in again to send it." : "";
      change(entry.id, (each) => [{ ...each, why }]);
      return false;
    } else {
      const refused = await whyNot(answer);
      change(entry.id, (each) => [{ ...each, refused }]);
    }
    show();
  }
  return true;
}

export async function send() {
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  try {
    const isDone = await sendAll();
    tries = isDone ? 0 : tries + 1;
    if (!isDone) timer = setTimeout(send, AGAIN_MS[Math.min(tries, AGAIN_MS.length) - 1]);
  } finally { sending = false; show(); }
}

// --- forms that the browser posts itself, such as an official's: they wait in their own tab

const TAB = `tourney-forms-${LOG}`; // in order; `sentAt` is set until its answer is on a page
const OPEN_PATHS = ["/in", "/out"]; // what is typed there is a secret, and kept nowhere
let isChecking = false;

function forms() {
  try { return JSON.parse(sessionStorage.getItem(TAB)) || []; } catch { return []; }
}

function storeForms(all) {
  try { sessionStorage.setItem(TAB, JSON.stringify(all)); } catch { /* it is posted, and not kept */ }
}

const dropForm = (id) => storeForms(forms().filter((entry) => entry.id !== id));

function summaryOf(form, pressed) { // the line that was typed, or the button and what was filled in
  const line = form.elements.namedItem("line");
  if (line && line.value.trim()) return line.value.trim();
  const fields = [...form.elements].filter((field) => field.matches("input:not([type=hidden], [type=radio]), input:checked, textarea"));
  const table = form.elements.namedItem("table");
  const words = fields.map((field) => (field.type === "radio" ? field.parentElement.querySelector("span").textContent : field.value).trim());
  const typed = [table && table.type === "hidden" ? table.value : "", ...words].filter(Boolean).join(", ");
  return [pressed ? pressed.textContent.trim() : "", typed].filter(Boolean).join(": ") || "what you entered";
}

function fieldsOf(form, pressed) { // what the form would post by that button
  const fields = new FormData(form);
  if (pressed && pressed.name) fields.set(pressed.name, pressed.value);
  return fields;
}

const pathOf = (form) => within(new URL(form.getAttribute("action") || location, document.baseURI).pathname);

function entryOf(form, pressed) {
  const path = pathOf(form), body = new URLSearchParams(fieldsOf(form, pressed));
  const summary = summaryOf(form, pressed), by = stored(CARRIED, {}).by || "";
  const before = forms().find((entry) => entry.id === body.get("id"));
  const isNew = !body.get("id") || (before && before.body !== String(body)); // else it is a double click
  const id = isNew ? drawId() : body.get("id");
  if (form.method === "post") body.set("id", id);
  return { id, path, method: form.method, body: String(body), summary, by, at: Date.now(), sentAt: 0 };
}

function postForm(entry) { // the browser goes to the answer
  const isLine = entry.path === "/line"; // only the pages of lines name the form that they answer
  storeForms(forms().flatMap((other) => (other.id !== entry.id ? [other] : isLine ? [{ ...entry, sentAt: Date.now() }] : [])));
  if (entry.method === "get") return location.assign(at(`${entry.path}?${entry.body}`));
  if (location.search.includes("done=")) history.replaceState(null, "", location.pathname); // it is of another line
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: at(entry.path), hidden: true });
  for (const [name, value] of new URLSearchParams(entry.body)) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  if (!postMarked(stored(CARRIED, {}), form, null)) form.submit();
  return form.remove();
}

async function postOrWait(form, pressed, entry) {
  if (isChecking) return; // a double click
  isChecking = true;
  storeForms([...forms().filter((other) => other.id !== entry.id), entry]);
  const isHere = await isThere();
  isChecking = false;
  if (isHere) return postForm(entry);
  lost();
  const line = form.elements.namedItem("line");
  if (line) line.select(); // it stays to be read, and the next one takes its place
  return show();
}

// The form of a table's row: its script gets the answer, and nothing if no hall gives one.
export async function postRow(form, pressed) {
  try {
    const answer = await post(entryOf(form, pressed), "Tourney-Row");
    return isOfHall(answer) && !LATER.includes(answer.status) ? answer : null;
  } catch { return null; }
}

export function handOver(form, pressed) { // it is posted as a form is, or waits in this tab
  return postOrWait(form, pressed, entryOf(form, pressed));
}

// A page that answers a line takes it off the list. The next one goes, unless this page asks for
// something; a form that was posted without an answer is sent again only by its button.
function answerForms() {
  const answered = document.querySelector("[data-answers]"), by = stored(CARRIED, {}).by || "";
  const isDone = new URLSearchParams(location.search).has("done");
  const latest = Math.max(...forms().map((entry) => entry.sentAt));
  const isAnswer = ({ id, sentAt }) => sentAt && (answered ? answered.dataset.answers === id : isDone && sentAt === latest);
  storeForms(forms().filter((entry) => entry.by === by && !isAnswer(entry)));
  if (!answered) postNext();
}

async function postNext() {
  const next = forms().find((entry) => !entry.sentAt);
  if (next && !isChecking && await isThere()) postForm(next);
}

function formRow(entry) {
  const item = element("li", ""), clock = new Date(entry.at).toLocaleTimeString([], { timeStyle: "short" });
  const state = entry.sentAt ? "Sent, but not answered" : "Waiting for the desk";
  const next = entry.sentAt ? "If you send it again, it is still entered only once." : "It is sent when the desk answers.";
  item.append(element("p", `${state}: ${entry.summary} (${clock}). ${next}`));
  item.append(button(entry.sentAt ? "Send it again" : "Send it now", async () => {
    if (await isThere()) postForm(entry); else lost();
  }));
  item.append(" ", button(entry.sentAt ? "Drop it" : "Do not send", () => { dropForm(entry.id); show(); }));
  return item;
}

// --- shown

function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...properties });
}

function button(text, work) {
  const made = element("button", text, { type: "button" });
  made.addEventListener("click", work);
  return made;
}

export function codeFor(entry) { // the address that a desk's phone opens; empty where there is none
  const who = stored(CARRIED, {});
  if (!hasKey(who)) return "";
  const fields = new URLSearchParams(entry.body);
  for (const name of ["to", "at", "for"]) fields.delete(name);
  const said = `do=${entry.path.slice("/do/".length)}&link=${who.link}&browser=${who.browser}&${fields}`;
  const mark = markOf(who, "/carried", said);
  const address = `${location.origin}${at("/carried")}?${said}&mark=${mark}`;
  return address.length - location.origin.length <= CODE_MAX ? address : "";
}

function row(entry) {
  const item = element("li", ""), clock = new Date(entry.at).toLocaleTimeString([], { timeStyle: "short" });
  if (entry.refused) {
    item.append(element("p", `Refused: ${entry.said} (${clock}). ${entry.refused}`, { className: "breach" }));
    item.append(button("OK", () => { change(entry.id, () => []); show(); }));
    return item;
  }
  item.append(element("p", `Waiting to be sent: ${entry.said} (${clock}). ${entry.why || ""}`));
  const address = codeFor(entry);
  if (address) {
    const code = element("details", "");
    code.append(element("summary", "Show as a code"), element("p", "The desk scans it and enters it for you."), drawn(address));
    code.open = opened.has(entry.id);
    code.addEventListener("toggle", () => (code.open ? opened.add(entry.id) : opened.delete(entry.id)));
    item.append(code);
  }
  item.append(button("Do not send", () => { change(entry.id, () => []); show(); }));
  return item;
}

const opened = new Set();

function show() {
  const all = waiting();
  let place = document.getElementById("outbox");
  if (!place) {
    place = element("section", "", { id: "outbox" });
    place.setAttribute("aria-label", "Waiting to be sent");
    place.setAttribute("role", "status");
    document.querySelector("main").before(place);
  }
  const rows = [...all.map(row), ...(isChecking ? [] : forms().map(formRow))];
  const list = element("ul", "");
  list.append(...rows);
  place.replaceChildren(...(rows.length ? [list] : []));
  place.hidden = !rows.length;
}

// --- who this phone speaks for, and forms

async function learnWho() {
  try {
    const answer = await fetch(at("/api/v1/carry"), { cache: "no-store" });
    if (!isOfHall(answer)) throw new Error("another program answered");
    if (answer.status === 200) store(CARRIED, await answer.json());
    else if (answer.status === 204) localStorage.removeItem(CARRIED);
  } catch { /* the hall is away: as it was known last */ }
  const who = stored(CARRIED, {});
  if (who.by && who.marked && !who.only_reads && !hasKey(who)) {
    const text = "This browser can only read, because it has lost its key. Open the link on your badge in this browser again.";
    document.querySelector("main").before(element("p", text, { className: "notable", role: "status", id: "only-reads" }));
  }
}

function labelOf(field) {
  const label = field.closest("label");
  return label ? label.querySelector("span").textContent.trim() : field.getAttribute("aria-label") || field.name;
}

function filledIn(form) { // what was chosen and counted, the winner first
  const to = form.dataset.to ? ` against ${form.dataset.to}` : "", winner = form.elements.namedItem("outcome");
  const isSaid = winner && winner.value && winner.selectedOptions;
  const first = `${isSaid ? winner.selectedOptions[0].textContent : "Result"}${to}`;
  const choices = [...form.querySelectorAll("select")].filter((field) => field.value && field !== winner).map((field) => {
    const [name] = labelOf(field).split(":");
    const [value] = field.selectedOptions[0].textContent.split(":");
    return field.name === "ending" ? value : `${name} ${value}`;
  });
  const numbers = [...form.querySelectorAll("fieldset")].map((group) => {
    const legend = group.querySelector("legend"), [name] = (legend ? legend.textContent : "").split(/[:,]/);
    const values = [...group.querySelectorAll("input")].filter((field) => field.value).map((field) =>
      `${labelOf(field)} ${field.value}`);
    return values.length ? `${name}: ${values.join(", ")}` : "";
  });
  const parts = [...choices, ...numbers].filter(Boolean);
  return parts.length || isSaid ? [first, ...parts].join("; ") : "";
}

function actOf(form, pressed) { // the act in words, while it waits
  const given = (pressed && pressed.dataset.said) || form.dataset.said;
  const button = pressed ? pressed.textContent.trim() : "";
  return given || filledIn(form) || button || "what you entered";
}

// A result is asked for once more, by the hall's next page; without the hall it is asked for here.
async function askAgain(form, pressed) {
  const fields = new URLSearchParams(fieldsOf(form, pressed));
  if (await isThere()) return location.assign(`${form.action}?${fields}`);
  const act = actOf(form, pressed), name = fields.get("ask");
  if (fields.has("say")) fields.set("outcome", fields.get("say"));
  for (const word of ["ask", "say"]) fields.delete(word);
  const asking = element("div", "", { className: "report" });
  asking.append(
    element("h2", "Is that right?"),
    element("p", act, { className: "result" }),
    element("p", "The hall cannot be reached: what you send waits on this phone until it can."),
    button("Yes, send it", () => {
      keep(`/do/${name}`, [...fields, ["id", ""], ["to", "/me"]], act);
      form.reset(); // what waits is no longer being typed, so the page may be fetched again
      asking.replaceWith(form);
      show();
      send();
    }),
    " ",
    button("No, go back", () => asking.replaceWith(form)));
  return form.replaceWith(asking);
}

async function submitted(event) {
  const form = event.target, pressed = event.submitter;
  const who = stored(CARRIED, {}), by = who.player ? who.by : "";
  if (by && form.dataset.match && pressed && form.method === "get" && !event.defaultPrevented) {
    event.preventDefault();
    return askAgain(form, pressed);
  }
  const path = pathOf(form);
  if (event.defaultPrevented || form.method === "dialog") return undefined;
  const fields = fieldsOf(form, pressed);
  const isText = [...fields.values()].every((each) => typeof each === "string");
  const isPost = form.method === "post";
  if (isPost && by && path.startsWith("/do/") && isText && keep(path, fields, actOf(form, pressed))) {
    event.preventDefault();
    const { id, to } = waiting().at(-1);
    show();
    await send();
    if (!waiting().some((each) => each.id === id)) location.assign(at(to));
    return undefined;
  }
  if (isPost && (OPEN_PATHS.includes(path) || !isText)) {
    if (postMarked(who, form, pressed)) event.preventDefault();
    return undefined;
  }
  event.preventDefault();
  return postOrWait(form, pressed, entryOf(form, pressed));
}

document.addEventListener("submit", submitted);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") send(); });
window.addEventListener("pageshow", (event) => { if (event.persisted) send(); });
window.addEventListener("online", send);
window.addEventListener(BACK, () => { send(); postNext(); });
window.addEventListener("storage", show);
show();
learnWho().then(() => { answerForms(); show(); return send(); });
