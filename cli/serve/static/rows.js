// The tables of the round on the desk's page: a result by two taps or by keys, without a new page.
// A table's number, then a letter, then Enter. Without the hall the form waits as any form does.
import { countOn } from "./following.js";
import { handOver, postRow } from "./forms.js";
import { TYPED, page } from "./staff.js";
import { tr } from "./texts.js";

const go = document.getElementById("go");
let target = null;

const keyed = (root) => [...root.querySelectorAll("[data-key]")];
const byKey = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`);
const isEdited = (piece) => piece.contains(document.activeElement)
  || [...piece.querySelectorAll("form.entry input, form.act input")].some((field) => field.checked !== field.defaultChecked || (field.type !== "hidden" && field.value !== field.defaultValue))
  || piece.querySelector("details[open]");

function say(text) {
  const place = document.getElementById("row-said");
  if (place) place.textContent = text;
}

// Replaces the pieces that have changed; a piece that is being edited stays.
function merge(html, { entered = "" } = {}) {
  const now = document.getElementById("now"), box = document.createElement("template");
  box.innerHTML = html; // made and escaped by the server of this page
  const rows = box.content.querySelector("#rows"), mine = document.getElementById("rows");
  const names = (list) => (list ? [...list.children].map((row) => row.dataset.key).join() : "");
  const position = box.content.querySelector("[data-position]").dataset.position;
  if (rows && names(rows) !== names(mine)) {
    const typed = document.getElementById("go") === document.activeElement;
    now.replaceChildren(...box.content.childNodes);
    begin();
    if (typed) document.getElementById("go")?.focus();
  } else {
    for (const piece of keyed(box.content)) {
      const old = byKey(piece.dataset.key);
      if (!old || old.isEqualNode(piece)) continue;
      if (piece.dataset.key !== entered && isEdited(old)) continue;
      old.replaceWith(piece);
    }
  }
  for (const field of document.querySelectorAll("input[name=seen]")) {
    const piece = field.closest("li[data-key]");
    if (!field.closest(".said") && !(piece && isEdited(piece))) field.value = position;
  }
  countOn(now);
}

async function enter(form, pressed) {
  if (form.dataset.sending) return;
  form.dataset.sending = "1";
  const row = form.closest("[data-key]"), answer = await postRow(form, pressed);
  delete form.dataset.sending;
  if (!answer || answer.status === 428) { // it waits, or must be confirmed first
    handOver(form, pressed);
    return;
  }
  const text = await answer.text();
  const refusal = form.querySelector(".problems");
  refusal.hidden = answer.ok;
  if (!answer.ok) { refusal.textContent = text; return; }
  merge(text, { entered: row.dataset.key });
  say("");
  if (go) { aim(""); document.getElementById("go").value = ""; }
}

function aim(number) {
  if (target) target.classList.remove("aimed");
  target = number ? document.querySelector(`#rows > [data-table="${CSS.escape(number)}"]`) : null;
  if (!target) return;
  target.classList.add("aimed");
  target.scrollIntoView({ block: "nearest" });
}

function choose(letter) {
  const way = target && target.querySelector(`input[data-letter="${CSS.escape(letter)}"]`);
  if (!way) return;
  way.checked = true;
  say(tr("Table {table}: {result}. Enter confirms.", { table: target.dataset.table, result: way.parentElement.querySelector("span").textContent }));
}

function read(field) {
  const [, number, letter] = field.value.toLowerCase().match(/^\s*(\d*)\s*([a-z]?)/);
  aim(number);
  if (number && !target) say(tr("No table {number} in this round.", { number }));
  else if (!letter) say("");
  if (letter) choose(letter);
}

function confirm(field) {
  if (!target) { field.select(); return; } // what is typed next takes its place
  const form = target.querySelector("form.entry");
  if (form && form.querySelector("input[type=radio]:checked")) form.requestSubmit();
  else (target.querySelector("[data-field], input[type=radio], button, a") || target).focus();
}

function begin() {
  const field = document.getElementById("go"), label = document.getElementById("go-label");
  if (!field) return;
  label.hidden = false;
  field.addEventListener("input", () => read(field));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); confirm(field); }
    if (event.key === "Escape") { field.value = ""; read(field); }
  });
}

// The row of a link gets the fields of every other result.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.other-ways"), row = link && link.closest("[data-key]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const after = document.querySelector("[data-position]").dataset.position;
  try {
    const answer = await fetch(`${link.href}&part=&after=${after}`, { cache: "no-store" });
    if (!answer.ok) throw new Error("no part");
    merge(await answer.text(), { entered: row.dataset.key });
    byKey(row.dataset.key).querySelector("input[type=radio], [data-field]")?.focus();
  } catch { location.assign(link.href); }
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form.entry")) return;
  event.preventDefault();
  enter(event.target, event.submitter);
}, true);

document.addEventListener("keydown", (event) => {
  const field = document.getElementById("go");
  if (!field || event.ctrlKey || event.metaKey || event.altKey || event.target.matches(TYPED)) return;
  if (/^\d$/.test(event.key)) { field.value = ""; field.focus(); }
});

page.merge = merge;
begin();
