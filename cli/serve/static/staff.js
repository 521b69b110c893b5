// Says how a line is read while it is typed, and fetches again what follows the log.
import { countOn, follow, lost } from "./following.js";
import { digestOf } from "./marks.js";
import { at, within } from "./paths.js";
import { tr } from "./texts.js";

const line = document.getElementById("line");
const palette = document.getElementById("palette");
const reading = document.getElementById("reading");
const now = document.getElementById("now");
export const TYPED = "input:not([type=radio], [type=checkbox]), textarea, select";
const PAUSE_MS = 150;
const REST_MS = 1000; // many results at once are one look
let waiting = 0, looking = 0, looked = 0;

// The answer to a form takes the address of its page, so that going back to it, or loading it
// again, asks for the page and sends nothing twice.
const own = document.querySelector("main form input[name=at]");
if (own && within(location.pathname) === "/line") {
  const [path, query] = own.value.split("?"), words = new URLSearchParams(query);
  words.delete("done");
  history.replaceState(null, "", at(String(words) ? `${path}?${words}` : path));
}

export const page = { merge: null, fetched: () => {} }; // what a page's own script does with what is fetched

function seen() {
  const field = document.querySelector("form:not(.said form) input[name=seen]");
  return field ? field.value : "0";
}

// A badge that is scanned in has its secret in it: the hall gets its SHA-256, which is on record.
const unsaid = (text) => text.replace(/\S*\/in#([\w-]+)/g, (_, secret) => `badge:${digestOf(secret)}`);

document.addEventListener("submit", (event) => {
  for (const field of event.target.querySelectorAll("input:not([type=hidden]), textarea")) {
    if (field.value.includes("/in#")) field.value = unsaid(field.value);
  }
}, true);

async function read() {
  const typed = unsaid(line.value);
  const body = new URLSearchParams({ line: typed, seen: seen() });
  try {
    const answer = await fetch(at("/line/reading"), { method: "POST", body });
    if (!answer.ok) throw new Error();
    if (unsaid(line.value) === typed) reading.textContent = await answer.text();
  } catch {
    reading.textContent = tr("This line cannot be read now.");
  }
}

// The tables that are shown are the ones that a line typed from now on is held to.
async function fetchNow({ isWhole = false } = {}) {
  const inPieces = now && now.querySelector("[data-key]");
  if (!now || (!inPieces && now.contains(document.activeElement))) return;
  looked = Date.now();
  const words = new URLSearchParams(location.search);
  for (const word of ["done", "line"]) words.delete(word);
  words.set("part", "");
  if (inPieces && !isWhole) words.set("after", now.querySelector("[data-position]").dataset.position);
  try {
    const answer = await fetch(`${at(within(location.pathname))}?${words}`, { cache: "no-store" });
    if (!answer.ok) return;
    if (inPieces) page.merge(await answer.text());
    else {
      now.innerHTML = await answer.text(); // made and escaped by the server of this page
      const position = now.querySelector("[data-position]").dataset.position;
      for (const field of document.querySelectorAll("input[name=seen]")) {
        if (!field.closest(".said")) field.value = position;
      }
    }
    page.fetched();
    countOn(now);
  } catch {
    lost();
  }
}

function lookSoon() {
  const rest = Math.max(0, looked + REST_MS - Date.now());
  if (!looking) looking = setTimeout(() => { looking = 0; fetchNow(); }, rest);
}

if (line) {
  line.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(read, PAUSE_MS); });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches(TYPED);
    const isCalled = (event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !isTyping);
    if (isCalled && palette) {
      event.preventDefault();
      palette.open = true;
      line.focus();
      line.select();
    }
    if (event.key === "Escape" && event.target === line && palette) { palette.open = false; palette.querySelector("summary").focus(); }
  });
}
if (now) {
  countOn(now);
  follow({ path: () => at(`/api/v1/stream?after=${seen()}`), news: lookSoon, again: fetchNow });
  setInterval(() => fetchNow({ isWhole: true }), 60000); // the clock of the tables
  setTimeout(() => import("./moved.js").catch(() => {}), 3000); // fetched before the desk is lost
}
// A page that was gone back to has forms that were sent already.
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
