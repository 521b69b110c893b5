// A player's page: fetches itself again when there is news, unless something is being typed on it.
"use strict";

const part = document.getElementById("part");
const news = document.getElementById("news");
const SILENT_MS = 40000; // two heartbeats and a half
const SPREAD_MS = 2000; // a hall of phones does not ask at once
let position = Number(part.dataset.position || 0);
let stream = null;
let heard = Date.now();
let waiting = 0;
let ticking = 0;

function show(text) {
  news.textContent = text;
  news.hidden = !text;
}

function isTouched(field) {
  if (field.type === "hidden") return false;
  if (field.tagName === "SELECT") return !field.options[field.selectedIndex].defaultSelected && field.selectedIndex > 0;
  return field === document.activeElement || field.value !== field.defaultValue;
}

async function fetchPage() {
  if ([...part.querySelectorAll("input, textarea, select")].some(isTouched)) {
    show("There is news. It is shown when you have sent this, or loaded the page again.");
    return;
  }
  try {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("part");
    if (!fresh) return;
    const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
    part.replaceChildren(...fresh.childNodes); // made and escaped by the server of this page
    for (const each of part.querySelectorAll("details[id]")) {
      if (open.includes(each.id)) each.open = true;
    }
    show("");
    startClock();
  } catch {
    show("The desk cannot be reached. What you see may be old.");
  }
}

// However much news there is, the page is fetched within SPREAD_MS of the first of it.
function later() {
  if (!waiting) waiting = setTimeout(() => { waiting = 0; fetchPage(); }, Math.random() * SPREAD_MS);
}

function listen() {
  if (stream) stream.close();
  heard = Date.now();
  stream = new EventSource(`/api/v1/stream?after=${position}`);
  stream.onopen = () => { heard = Date.now(); };
  stream.onmessage = (message) => {
    heard = Date.now();
    position = JSON.parse(message.data).position;
    later();
  };
  stream.onerror = () => show("The desk cannot be reached. What you see may be old.");
}

// A phone that slept lost its stream without an error.
function wake() {
  if (document.visibilityState === "visible") {
    listen();
    fetchPage();
  }
}

function startClock() {
  clearInterval(ticking);
  const digits = part.querySelector("[data-left]");
  if (!digits) return;
  const ends = Date.now() + Number(digits.dataset.left) * 1000;
  const tick = () => {
    const left = Math.ceil((ends - Date.now()) / 1000);
    const whole = Math.abs(left);
    const seconds = String(whole % 60).padStart(2, "0");
    digits.textContent = `${left < 0 ? "-" : ""}${Math.floor(whole / 60)}:${seconds}`;
  };
  tick();
  ticking = setInterval(tick, 500);
}

// What is sent twice by a double click is one act by its id; other buttons wait for the answer.
document.addEventListener("submit", (event) => {
  setTimeout(() => {
    if (event.defaultPrevented) return; // kept on this phone
    for (const each of event.target.querySelectorAll("button")) {
      if (each !== event.submitter) each.disabled = true;
    }
  });
});
document.addEventListener("visibilitychange", wake);
window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
setInterval(() => { if (Date.now() - heard > SILENT_MS) wake(); }, 5000);
startClock();
listen();
