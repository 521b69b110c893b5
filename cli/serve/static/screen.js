// Turns the sheets of a screen, fetches again when there is news, counts the clock on.
"use strict";

const part = document.getElementById("part");
const news = document.getElementById("news");
const screenNumber = document.body.dataset.screen;
const TURN_MS = Number(part.dataset.turn) * 1000;
const SILENT_MS = 40000; // two heartbeats and a half
let stream = null;
let heard = Date.now();
let sheet = 0;
let ticking = 0;

function show(text) {
  news.textContent = text;
  news.hidden = !text;
}

async function fetchSheet(wanted) {
  try {
    const answer = await fetch(`/screen/${screenNumber}/part?sheet=${wanted}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    part.innerHTML = await answer.text(); // made and escaped by the server of this page
    sheet = wanted;
    startClock();
    show("");
  } catch {
    show("The desk cannot be reached. What you see may be old.");
  }
}

function turn() {
  fetchSheet(Number(part.firstElementChild.dataset.next));
}

function listen() {
  if (stream) stream.close();
  heard = Date.now();
  stream = new EventSource(`/screen/${screenNumber}/stream`);
  stream.onopen = () => { heard = Date.now(); fetchSheet(sheet); };
  stream.onmessage = () => { heard = Date.now(); fetchSheet(sheet); };
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

startClock();
listen();
setInterval(turn, TURN_MS);
setInterval(() => { if (Date.now() - heard > SILENT_MS) listen(); }, 5000);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") listen();
});
