// Marks: each act of this browser has one, which others who hear the connection cannot make. What is
// kept here is the key of the marks, not the link's secret (proofs.js); `ledger/books/links.py` says
// how they are made.

import { LOG, at, within } from "./paths.js";
import { bytesOf, hex, hmac256, join, sha256 } from "./sha2.js";

export const CARRIED = `tourney-carry-${LOG}`; // who this browser is signed in as
const KEYS = "tourney-keys"; // by log: the link, this browser's id, and its key
export const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

const fromHex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));

export function keys() {
  try { return JSON.parse(localStorage.getItem(KEYS)) || {}; } catch { return {}; }
}

export function keepKeys(all) {
  try { localStorage.setItem(KEYS, JSON.stringify(all)); } catch { /* this browser will only read */ }
}

export function drawId() { return hex(crypto.getRandomValues(new Uint8Array(12))); }

export function digestOf(secret) { return hex(sha256(bytesOf(secret))); }

export function forgetKey(log) {
  const all = keys();
  delete all[log];
  keepKeys(all);
}

export function hasKey(who) { // whether this browser has the key of who it is signed in as
  const own = keys()[who.log];
  return Boolean(own && own.link === who.link && own.browser === who.browser);
}

export function markOf(who, path, body) { // "" where there is no key
  if (!hasKey(who)) return "";
  const { link, browser, key } = keys()[who.log], fields = new URLSearchParams(body);
  const head = [who.log, link, browser, path, fields.get("id") || "", fields.get("seen") || "", ""].join("\n");
  return hex(hmac256(fromHex(key), join(bytesOf(head), bytesOf(body))));
}

export function headersOf(who, path, body) {
  const mark = markOf(who, path, body);
  return mark ? { ...FORM, "Tourney-Mark": mark } : FORM;
}

export function hiddenForm(path, fields) { // a form of the page that the browser can post
  const form = Object.assign(document.createElement("form"), { method: "post", action: at(path), hidden: true });
  for (const [name, value] of fields) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  return form;
}

// A form of a page is posted by the browser itself, so that its answer is a page as any other: the
// body that the mark covers is one field of it, and the mark the other.
export function postMarked(who, form, pressed) { // false where the form goes as it is
  const path = within(new URL(form.getAttribute("action"), document.baseURI).pathname);
  if (path === "/in" || !hasKey(who)) return false;
  const fields = new FormData(form);
  if (pressed && pressed.name) fields.set(pressed.name, pressed.value);
  if ([...fields.values()].some((value) => typeof value !== "string")) return false;
  const body = new URLSearchParams(fields);
  if (!body.get("id")) body.set("id", drawId());
  const sent = hiddenForm(path, [["marked", String(body)], ["mark", markOf(who, path, String(body))]]);
  if (path === "/out") forgetKey(who.log);
  sent.submit();
  sent.remove();
  return true;
}
