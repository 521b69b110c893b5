// A player's acts wait here until the hall has answered each: an act is kept before it is sent, and
// sent again with the same id, so that it lands once. Without the hall it is shown as a code that
// the desk scans. What waits belongs to this address of the hall, and is sent for this player alone.

import { BACK, isOfHall, isThere } from "./following.js";
import { drawId, hasKey, markOf } from "./marks.js";
import { ACTS, KEPT, carried, clockOf, fieldsOf, pathOf, post, rows, show } from "./outbox.js";
import { at, store, stored } from "./paths.js";
import { drawn } from "./qr.js";
import { button, element, tr } from "./texts.js";

const MOST = 40; // more than anybody says in a day
const AGAIN_MS = [1000, 3000, 8000, 20000];
const CODE_MAX = 380; // what the hall takes as an address
const opened = new Set();
let sending = false, isAsked = false;
let tries = 0;
let timer = 0;

const waiting = () => stored(ACTS, []);
const change = (id, work) => store(ACTS, waiting().flatMap((each) => (each.id === id ? work(each) : [each])));

if (!stored(KEPT, null)) store(KEPT, { wanted: true }); // what was sent before the scripts ran has receipts, too

// --- kept, and sent

export function keep(path, fields, said) { // false if it cannot be kept, and is sent as any form
  const who = carried();
  const all = waiting(), body = new URLSearchParams(fields);
  const same = all.find((each) => each.id === body.get("id"));
  if (who.player && !body.get("for")) body.set("for", who.by);
  if (same && same.body === String(body)) return true; // a double click
  if (same || !body.get("id")) body.set("id", drawId());
  const entry = { id: body.get("id"), path, body: String(body), to: body.get("to") || "/", said, at: Date.now() };
  return all.length < MOST && store(ACTS, [...all, entry]);
}

async function sendAll() { // whether everything was answered
  let isDone = true;
  for (const entry of waiting().filter((each) => !each.refused)) {
    let answer;
    try { answer = await post(entry); } catch { // the desk may have answered it, and died
      change(entry.id, (each) => [{ ...each, again: "again" }]);
      return false;
    }
    if (!isOfHall(answer)) {
      change(entry.id, (each) => [{ ...each, why: tr("Another program answered instead of the hall: check that this phone is on the hall's network, and signed in to it.") }]);
      return false;
    }
    let settled;
    try { settled = await (await import("./answered.js")).settledBy(entry, answer); } catch { return false; } // it is sent again
    change(entry.id, (each) => (settled.isDone ? [] : [{ ...each, ...settled.more }]));
    if (settled.isDone && window.wake) window.wake(); // the page's own script fetches it again
    if (settled.stops) return false;
    isDone &&= !settled.waits;
    show();
  }
  return isDone;
}

export async function send() {
  isAsked = true; // acts that are added while others are sent follow them
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  try {
    let isDone = true;
    while (isAsked) {
      isAsked = false;
      isDone = await sendAll();
    }
    tries = isDone ? 0 : tries + 1;
    if (!isDone) timer = setTimeout(send, AGAIN_MS[Math.min(tries, AGAIN_MS.length) - 1]);
  } finally { sending = false; show(); }
}

// --- shown

export function codeFor(entry) { // the address that a desk's phone opens; empty where there is none
  const who = carried();
  if (!hasKey(who)) return "";
  const fields = new URLSearchParams(entry.body);
  for (const name of ["to", "at", "for"]) fields.delete(name);
  const said = `do=${entry.path.slice("/do/".length)}&link=${who.link}&browser=${who.browser}&${fields}`;
  const mark = markOf(who, "/carried", said);
  const address = `${location.origin}${at("/carried")}?${said}&mark=${mark}`;
  return address.length - location.origin.length <= CODE_MAX ? address : "";
}

function row(entry) {
  const item = element("li", ""), about = { act: entry.said, time: clockOf(entry), reason: entry.refused || entry.why || "" };
  if (entry.refused) {
    item.append(element("p", tr("Refused: {act} ({time}). {reason}", about), { className: "breach" }));
    item.append(button(tr("OK"), () => { change(entry.id, () => []); show(); }));
    return item;
  }
  item.append(element("p", tr("Waiting to be sent: {act} ({time}). {reason}", about)));
  const address = codeFor(entry);
  if (address) {
    const code = element("details", "");
    code.append(element("summary", tr("Show as a code")), element("p", tr("The desk scans it and enters it for you.")), drawn(address));
    code.open = opened.has(entry.id);
    code.addEventListener("toggle", () => (code.open ? opened.add(entry.id) : opened.delete(entry.id)));
    item.append(code);
  }
  item.append(button(tr("Do not send"), () => { change(entry.id, () => []); show(); }));
  return item;
}

// --- said

function labelOf(field) {
  const label = field.closest("label");
  return label ? label.querySelector("span").textContent.trim() : field.getAttribute("aria-label") || field.name;
}

function filledIn(form) { // what was chosen and counted, the winner first
  const opponent = form.dataset.to, winner = form.elements.namedItem("outcome");
  const isSaid = winner && winner.value && winner.selectedOptions;
  const result = isSaid ? winner.selectedOptions[0].textContent : tr("Result");
  const first = opponent ? tr("{result} against {opponent}", { result, opponent }) : result;
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
  return given || filledIn(form) || button || tr("what you entered");
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
    element("h2", tr("Is that right?")),
    element("p", act, { className: "result" }),
    element("p", tr("What you send waits on this phone until the hall can be reached.")),
    button(tr("Yes, send it"), () => {
      keep(`/do/${name}`, [...fields, ["id", ""], ["to", "/me"]], act);
      form.reset(); // what waits is no longer being typed, so the page may be fetched again
      asking.replaceWith(form);
      show();
      send();
    }),
    " ",
    button(tr("No, go back"), () => asking.replaceWith(form)));
  return form.replaceWith(asking);
}

export async function takeAct(form, pressed) { // false if it cannot be kept, and goes as any form
  if (form.method === "get") {
    await askAgain(form, pressed);
    return true;
  }
  if (!keep(pathOf(form), fieldsOf(form, pressed), actOf(form, pressed))) return false;
  const { id, to } = waiting().at(-1);
  show();
  await send();
  if (!waiting().some((each) => each.id === id)) location.assign(at(to));
  return true;
}

rows.acts = () => waiting().map(row);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") send(); });
window.addEventListener("pageshow", (event) => { if (event.persisted) send(); });
window.addEventListener("online", send);
window.addEventListener(BACK, send);
