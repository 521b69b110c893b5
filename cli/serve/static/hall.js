// Fetches the page's part again when there is news of it; counts the clock on; finds a name.
"use strict";

const part = document.getElementById("part");
const news = document.getElementById("news");
const search = document.getElementById("search");
const find = document.getElementById("find");
const name = part.dataset.part;
const SILENT_MS = 40000; // two heartbeats and a half
let position = Number(part.dataset.position || 0);
let stream = null;
let heard = Date.now();
let tag = "";

function show(text) {
  news.textContent = text;
  news.hidden = !text;
}

function filter() {
  const wanted = find ? find.value.trim().toLowerCase() : "";
  for (const row of part.querySelectorAll("tbody tr")) {
    row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
  }
}

async function fetchPart() {
  const headers = tag ? { "If-None-Match": tag } : {};
  try {
    const answer = await fetch(`/parts/${name}`, { headers, cache: "no-store" });
    if (answer.status === 200) {
      tag = answer.headers.get("ETag") || "";
      part.innerHTML = await answer.text(); // made and escaped by the server of this page
      filter();
      startClock();
    }
    show("");
  } catch {
    show("The desk cannot be reached. What you see may be old.");
  }
}

function listen() {
  if (stream) stream.close();
  heard = Date.now();
  stream = new EventSource(`/api/v1/stream?after=${position}`);
  stream.onopen = () => { heard = Date.now(); show(""); };
  stream.onmessage = (message) => {
    heard = Date.now();
    const said = JSON.parse(message.data);
    position = said.position;
    if (said.parts.includes(name)) fetchPart();
  };
  stream.onerror = () => show("The desk cannot be reached. What you see may be old.");
}

// A phone that slept lost its stream without an error.
function wake() {
  if (document.visibilityState === "visible") {
    listen();
    fetchPart();
  }
}

let ticking = 0;
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

if (name) {
  if (search) search.hidden = false;
  if (find) find.addEventListener("input", filter);
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  setInterval(() => { if (Date.now() - heard > SILENT_MS) wake(); }, 5000);
  startClock();
  listen();
}
