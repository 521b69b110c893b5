// The desk has another address: another computer took over, or its own number changed. A page that lost its
// desk takes the code of the new address (cli/serve/ports/numbers.py). It goes to that address with the data of
// this browser: acts and forms that wait, own results, the head that it keeps, and the key of its marks.
//
// First it checks the log there like the log of its desk: its events continue the head that this browser keeps,
// or a key that the browser knew signed a take-over. Such a key must also sign the address, for this question.
// So a stranger gets nothing, neither with a copy of the log nor by passing on the answers of the desk. The data
// is behind the # of the address, which no browser sends.
//
// The new page trusts no part of it (`arrive`), because a stranger can make such an address as well. It signs in
// only after a yes to the name that the desk gave, and acts count only with the key of their person.
// Pages fetch this script some seconds after they were opened: without the hall they could not.

import { isSigned, sameBytes } from "./ed25519.js";
import { fromBase64, headOf, keyOf } from "./heads.js";
import { drawId, hasKey, keys } from "./marks.js";
import { ACTS, KEPT, OPEN_PATHS, TAB, carried } from "./outbox.js";
import { LOG, at, store, stored, within } from "./paths.js";
import { hex, hmac256 } from "./sha2.js";
import { judged, keysAfter, sealed } from "./succession.js";
import { button, element, tr, trMany } from "./texts.js";
import { readHead, verdict } from "./verdict.js";
import { inWords } from "./warnings.js";
import { fetched } from "./witness.js";

const HEADS = "tourney-heads"; // as witness.js keeps them
const DEFAULT = ":8600"; // the port that a code omits
const LOST_MS = 8000, PATIENCE_MS = 8000;
const ANSWER_MAX = 200000, BURDEN_MAX = 100000, KEYS_MAX = 50, ACTS_MAX = 40, FORMS_MAX = 300, RECEIPTS_MAX = 20;
const BELIEVED = ["this-is", "checked", "added", "key-renewed", "key-further", "taken-over", "taken-over-lost"];
const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ", TYPED = "0123456789abcdefghijklmnopqrstuvwxyz.:-_/[]";

// --- the code

function checkOf(short) {
  const total = [...short].reduce((sum, letter) => (sum * 31 + TYPED.indexOf(letter) + 1) % 1021, 0);
  return LETTERS[Math.floor(total / 32)] + LETTERS[total % 32];
}

export function addressOf(typed) { // the address that a code names, without a path; "" for a wrong code
  const [, long = "", check = ""] = /^(\S+?)[\s-]+([2-9a-z]{2})$/iu.exec(typed.trim()) || [];
  const short = long.toLowerCase().replace(/^http:\/\//u, "");
  const [, scheme = "http://", host, port] = /^(https:\/\/)?([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/u.exec(short) || [];
  if (!host || checkOf(short) !== check.toUpperCase()) return "";
  try { return new URL(`${scheme}${host}${port || DEFAULT}`).origin; } catch { return ""; }
}

// --- asked there

async function answerOf(origin, size) { // of this tournament's own place, or of the root; null without one
  const nonce = drawId() + drawId().slice(0, 8);
  for (const base of [`/e/${LOG}/`, "/"]) {
    const aborting = new AbortController(), late = setTimeout(() => aborting.abort(), PATIENCE_MS);
    const how = { cache: "no-store", credentials: "omit", redirect: "error", referrerPolicy: "no-referrer", signal: aborting.signal };
    try {
      const answer = await fetch(`${origin}${base}api/v1/moved?kept=${size}&nonce=${nonce}`, how);
      const text = answer.ok ? await answer.text() : "";
      const value = text.length <= ANSWER_MAX && JSON.parse(text);
      if (value && value.log) return { ...value, base, nonce };
    } catch { /* not there */ } finally { clearTimeout(late); }
  }
  return null;
}

function judgedBy(log, name, entry) { // the verdict on a log, and whether this browser may believe it
  const kept = { [name]: entry }, meaning = judged(log, kept, verdict(log, kept));
  const isOpen = Boolean(log.head) && log.key === "open" && meaning.kind !== "breach";
  return { ...meaning, isSure: isOpen && meaning.said.every((each) => BELIEVED.includes(each)) };
}

// Whether a key that this browser knew, or one that such a key signed for, signed this address for this question.
function isDesk({ log, address, sig, nonce }, { entry, size }, origin) {
  try {
    if (new URL(address).origin !== origin || log.head.renewed.length > KEYS_MAX) return false;
    const former = log.takeover ? fromBase64(JSON.parse(log.takeover.line).data.public) : [];
    const shown = log.head.keys.slice(0, KEYS_MAX).map(keyOf), said = sealed(`${address}\n${nonce}`, log.origin.slice("tourney/".length), "address");
    const known = keysAfter(entry.keys.map(keyOf), log.origin, log.head.renewed, size).filter(({ bytes }) => !sameBytes(bytes, former));
    return known.some(({ bytes }) => shown.some((key) => sameBytes(key.bytes, bytes)) && isSigned(bytes, fromBase64(sig), said));
  } catch { return false; }
}

function ownHead() { // the log of this page, and what this browser keeps of it
  const [name, entry] = Object.entries(stored(HEADS, {})).find(([origin]) => origin.startsWith(`tourney/${LOG}`)) || [];
  const head = entry && readHead(entry);
  return head ? { name, entry, size: head.size } : null;
}

async function goTo(typed) { // why not, in words
  const origin = addressOf(typed), own = ownHead(), about = { address: origin };
  if (!origin) return tr("This code is not right. Compare each character: it is an address, a dash and two letters or digits, such as {example}.", { example: "192.168.1.9-NF" });
  if (location.protocol === "https:" && origin.startsWith("http:")) return tr("This page is encrypted, so the browser does not let it ask an address that is not. Open {address} yourself, then the link on your badge.", about);
  if (!own) return tr("This browser keeps no signed head of this tournament, so it cannot check another address. Open {address} yourself, then the link on your badge.", about);
  const answer = await answerOf(origin, own.size);
  if (!answer) return tr("No desk of this tournament answers at {address}. Nothing was sent there.", about);
  if (answer.log.origin !== own.name) return tr("Another tournament is at {address}. Nothing was sent there.", about);
  const { isSure, said, about: found } = judgedBy(answer.log, own.name, own.entry);
  if (!isSure) return `${origin}: ${inWords(said, found || {})} ${tr("Nothing was sent there.")}`;
  const isLost = said.includes("taken-over-lost"); // the act is earlier than the head of this browser
  if (!isDesk(answer, isLost ? { ...own, size: 0 } : own, origin)) return tr("The log at {address} is right, but its desk did not sign this address: it may be a copy. Nothing was sent there.", about);
  const burden = burdenOf(own);
  if (burden.length > BURDEN_MAX) return tr("The entries that wait here are too long for an address. Open {address} yourself, then the link on your badge, and type them there.", about);
  location.assign(`${origin}${answer.base}in#moved.${burden}`);
  return "";
}

function burdenOf({ name, entry }) {
  const who = carried(), { link, browser, key } = keys()[who.log] || {}, { note, keys: known, renewed } = entry;
  const own = hasKey(who) ? { link, browser, key } : null;
  const acts = own ? stored(ACTS, []).filter((each) => !each.refused) : [];
  const { by = "", acts: results = [], sent: answered = [] } = own ? stored(KEPT, {}) : {};
  const sent = answered.filter(isAct).slice(-ACTS_MAX); // answered, and without a receipt so far
  const typed = own ? stored(TAB, [], "sessionStorage") : []; // a search is typed again
  const forms = typed.filter(({ method }) => method === "post").map((each) => ({ ...each, summary: each.summary.slice(0, 500) }));
  const whole = { log: name, head: { note, keys: known, renewed }, own, acts, by, results, sent, forms };
  const written = () => encodeURIComponent(JSON.stringify(whole));
  while (whole.results.length && written().length > BURDEN_MAX) whole.results = whole.results.slice(1); // the oldest
  return written();
}

// --- the field of a page that lost its desk

function ask() {
  const form = element("form", "", { className: "act" }), said = element("p", "", { id: "moved-said", role: "status", hidden: true });
  const label = element("label", "", { className: "field wide" });
  const field = element("input", "", { id: "moved-code", autocomplete: "off", autocapitalize: "none", spellcheck: false, maxLength: 80, required: true });
  label.append(element("span", tr("The desk has another address? Type its code")), field);
  form.append(label, element("p", tr("The new desk and its screens show the code."), { className: "hint" }),
    element("button", tr("Go there"), { type: "submit", className: "main" }), said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.hidden = false;
    said.className = "about";
    said.textContent = tr("Checking the log there.");
    said.textContent = await goTo(field.value) || said.textContent;
    said.className = "notable";
  });
  const place = element("section", "", { id: "moved" });
  place.append(form);
  document.querySelector("main").before(place);
}

function watch() { // the banner that following.js shows
  const news = document.getElementById("news");
  let waiting = 0;
  const look = () => {
    const isLost = !news.hidden && news.textContent === news.dataset.away;
    if (isLost && !waiting) waiting = setTimeout(ask, LOST_MS);
    if (isLost) return;
    clearTimeout(waiting);
    waiting = 0;
    document.getElementById("moved")?.remove();
  };
  if (!news) return;
  new MutationObserver(look).observe(news, { attributes: true, childList: true });
  look();
}

if (within(location.pathname) !== "/in") watch();

// --- the new page

const isText = (value, most) => typeof value === "string" && value.length <= most;
const isList = (value, most, work) => Array.isArray(value) && value.length <= most && value.every((each) => Boolean(each) && work(each));

const isEntry = ({ id, body, at: time }) => /^[\w-]{8,48}$/u.test(id) && isText(body, BURDEN_MAX) && Number.isSafeInteger(time);
const isAct = (each) => isEntry(each) && /^\/do\/[\w-]{1,40}$/u.test(each.path) && isText(each.said, 500)
  && /^\/[\w/-]{0,60}$/u.test(each.to) && !each.to.startsWith("//");
const isForm = (each) => isEntry(each) && /^(\/[\w-]{1,40}){1,4}$/u.test(each.path) && !OPEN_PATHS.includes(each.path)
  && isText(each.summary, 500) && isText(each.by, 10) && Number.isSafeInteger(each.sentAt);

function checked(text) { // what came behind the #, of the right form and of this tournament
  try {
    const { log, head, own, acts, by, results, sent = [], forms = [] } = text.length <= BURDEN_MAX && JSON.parse(decodeURIComponent(text));
    const isHead = isText(head.note, 4000) && isList(head.keys, KEYS_MAX, (each) => isText(each, 400))
      && isList(head.renewed, KEYS_MAX, ({ line, root }) => isText(line, 4000) && isText(root, 44));
    const isOwn = own === null || (Number.isSafeInteger(own.link) && own.link > 0 && /^[0-9a-f]{16}$/u.test(own.browser) && /^[0-9a-f]{64}$/u.test(own.key));
    const isLog = /^tourney\/[0-9a-f]{32}$/u.test(log) && log.startsWith(`tourney/${LOG}`);
    const isRest = isList(acts, ACTS_MAX, isAct) && isList(sent, ACTS_MAX, isAct) && isList(forms, FORMS_MAX, isForm) && isText(by, 10) && isList(results, RECEIPTS_MAX, ({ key, act }) => isText(key, 100) && typeof act === "object");
    if (isLog && isHead && isOwn && isRest) return { log, head, own, acts, by, results, sent, forms };
  } catch { /* said below */ }
  throw new Error(tr("This address is damaged, or it is for another tournament. Open the link on your badge."));
}

const only = (...names) => (each) => Object.fromEntries(names.map((name) => [name, each[name]]));

const proofBy = (own, more = {}) => (nonce) => ({
  held: `${own.link}.${own.browser}`, ...more,
  proof: hex(hmac256(Uint8Array.from(own.key.match(/../g), (pair) => parseInt(pair, 16)), nonce)),
});

function agreed({ name, by }, before, count) { // whether the person at this browser says yes
  const place = element("section", "", { id: "moved", className: "report" });
  const said = [tr("You come from another address of this tournament, as {name}.", { name: name || by })];
  if (count) said.push(trMany("{count} entry that waits is sent then.", "{count} entries that wait are sent then.", count));
  if (before) said.push(tr("Until now this browser is signed in here as another person ({before}).", { before }));
  said.push(tr("Say yes only if you typed the code of this address yourself, just now, and if this is your name."));
  place.append(...said.map((text) => element("p", text)));
  document.querySelector("main").before(place);
  return new Promise((done) => {
    const end = (isYes) => () => { place.remove(); done(isYes); };
    const yes = button(tr("Yes, that is me"), end(true));
    yes.className = "main";
    for (const made of [yes, button(tr("No, do not sign in"), end(false))]) {
      const line = element("p", "");
      line.append(made);
      place.append(line);
    }
  });
}

function keepHead({ log, head }, answer, { keep }) { // by the keys that this desk shows; what is kept here already stays
  const all = stored(HEADS, {}), { note, keys: shown, renewed } = answer.head;
  let value = keep;
  try { value ||= { note: headOf(head.note, shown.map(keyOf)) && head.note, keys: shown, renewed, event: answer.event, own: false }; } catch { value = { note, keys: shown, renewed, event: answer.event, own: false }; }
  if (!all[log]) store(HEADS, { ...all, [log]: value });
}

export async function arrive(text) {
  const came = checked(text), known = readHead(came.head);
  const answer = await fetched(known ? known.size : 0), meaning = judgedBy(answer, came.log, { ...came.head, event: "", own: false });
  if (!known || answer.origin !== came.log || !meaning.isSure) {
    throw new Error(tr("The data in this address does not fit the log of this desk. Open the link on your badge, and ask the desk."));
  }
  if (!came.own) {
    keepHead(came, answer, meaning);
    return location.replace(at("/pairings"));
  }
  const { keepSignedIn, proved } = await import("./proofs.js");
  const [who, session] = await Promise.all([proved(proofBy(came.own, { ask: "1" })), fetch(at("/api/v1/carry"), { cache: "no-store" })]);
  const now = session.status === 200 ? await session.json() : {};
  const isTheirs = ({ body }) => new URLSearchParams(body).get("for") === who.by;
  const plain = only("id", "path", "body", "to", "said", "at");
  const forms = came.forms.filter(({ by }) => by === who.by).map(only("id", "path", "body", "summary", "by", "at", "sentAt")).map((each) => ({ ...each, method: "post" }));
  const isSame = now.link === came.own.link, acts = came.acts.filter(isTheirs).map(plain), sent = came.sent.filter(isTheirs).map(plain);
  if (!isSame && !await agreed(who, now.by, acts.length + sent.length + forms.length)) return null;
  const found = await proved(proofBy(came.own));
  keepHead(came, answer, meaning);
  keepSignedIn(found, came.own.key);
  const added = (waiting, others) => [...waiting, ...others.filter(({ id }) => !waiting.some((each) => each.id === id))];
  store(ACTS, added(stored(ACTS, []), acts).slice(0, ACTS_MAX));
  store(TAB, added(stored(TAB, [], "sessionStorage"), forms), "sessionStorage");
  const kept = stored(KEPT, {}), hasResults = came.by === found.by && came.results.length && !kept.acts;
  const due = meaning.said.includes("taken-over-lost"), results = hasResults ? { log: found.log, by: found.by, acts: came.results, due } : {};
  if (hasResults || sent.length) store(KEPT, { ...kept, ...results, sent: [...(kept.sent || []), ...sent], wanted: true });
  return location.replace(at(found.to));
}
