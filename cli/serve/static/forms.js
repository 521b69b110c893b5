// Forms that the browser posts itself, such as an official's: while the hall is away they wait in
// their own tab, and are then posted as a form is, in the order in which they were typed.

import { BACK, isOfHall, isThere, lost } from "./following.js";
import { drawId, hiddenForm, postMarked } from "./marks.js";
import { TAB, carried, clockOf, fieldsOf, isLater, pathOf, post, rows, show } from "./outbox.js";
import { at, store, stored } from "./paths.js";
import { button, element, tr } from "./texts.js";

let isChecking = false;

const forms = () => stored(TAB, [], "sessionStorage"); // `sentAt` is set until its answer is on a page
const storeForms = (all) => store(TAB, all, "sessionStorage"); // if it cannot, it is posted and not kept
const dropForm = (id) => storeForms(forms().filter((entry) => entry.id !== id));

function summaryOf(form, pressed) { // the line that was typed, or the button and what was filled in
  const line = form.elements.namedItem("line");
  if (line && line.value.trim()) return line.value.trim();
  const fields = [...form.elements].filter((field) => field.matches("input:not([type=hidden], [type=radio]), input:checked, textarea"));
  const table = form.elements.namedItem("table");
  const words = fields.map((field) => (field.type === "radio" ? field.parentElement.querySelector("span").textContent : field.value).trim());
  const typed = [table && table.type === "hidden" ? table.value : "", ...words].filter(Boolean).join(", ");
  return [pressed ? pressed.textContent.trim() : "", typed].filter(Boolean).join(": ") || tr("what you entered");
}

function entryOf(form, pressed) {
  const path = pathOf(form), body = new URLSearchParams(fieldsOf(form, pressed));
  const summary = summaryOf(form, pressed), by = carried().by || "";
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
  const form = hiddenForm(entry.path, new URLSearchParams(entry.body));
  if (!postMarked(carried(), form, null)) form.submit();
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
    return isOfHall(answer) && !isLater(answer) ? answer : null;
  } catch { return null; }
}

export function handOver(form, pressed) { // it is posted as a form is, or waits in this tab
  return postOrWait(form, pressed, entryOf(form, pressed));
}

// A visitor who is signed out, such as the owner by a new start of the server, reads that on the page
// of the refusal; what they sent stays until another visitor signs in.
// A page that answers a line takes it off the list. The next one goes, unless this page asks for
// something; a form that was posted without an answer is sent again only by its button.
export function answerForms() {
  const answered = document.querySelector("[data-answers]"), by = carried().by || "";
  const isDone = new URLSearchParams(location.search).has("done");
  const latest = Math.max(...forms().map((entry) => entry.sentAt));
  const isAnswer = ({ id, sentAt }) => sentAt && (answered ? answered.dataset.answers === id : isDone && sentAt === latest);
  storeForms(forms().filter((entry) => (!by || entry.by === by) && !isAnswer(entry)));
  if (!answered) postNext();
}

async function postNext() {
  const by = carried().by || "", next = forms().find((entry) => !entry.sentAt && entry.by === by);
  if (next && !isChecking && await isThere()) postForm(next);
}

function formRow(entry) {
  const item = element("li", ""), out = document.querySelector("[data-signed-out]");
  const about = { form: entry.summary, time: clockOf(entry) };
  const [said, next, again, drop] = entry.sentAt
    ? [tr("Sent, but not answered: {form} ({time}).", about), tr("If you send it again, it is still entered only once."), tr("Send it again"), tr("Drop it")]
    : [tr("Waiting for the desk: {form} ({time}).", about), tr("It is sent when the desk answers."), tr("Send it now"), tr("Do not send")];
  item.append(
    element("p", `${said} ${out ? out.dataset.signedOut : next}`),
    button(again, async () => { if (await isThere()) postForm(entry); else lost(); }),
    " ",
    button(drop, () => { dropForm(entry.id); show(); }));
  return item;
}

rows.forms = () => (isChecking ? [] : forms().map(formRow));
window.addEventListener(BACK, postNext);
