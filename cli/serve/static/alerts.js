// A new table of the player: the page's title and icon change until the page is touched, a screen
// reader hears it, and the phone vibrates and plays a short sound if its owner has allowed that here.

import { tr } from "./texts.js";

const ALLOWED = "tourney-alerts"; // the choice is kept on this phone
const SEEN = "tourney-table"; // the table that this tab announced last
const TONES = [[660, 0], [880, 0.18]]; // hertz, and when each begins in seconds
const TONE_SECONDS = 0.16;
const VIBRATION_MS = [200, 100, 200];
const title = document.title;
const icon = document.querySelector("link[rel=icon]");
const plainIcon = icon ? icon.getAttribute("href") : "";
let sound = null; // a browser lets a page play only once it was touched

function read(storage, key) {
  try { return storage.getItem(key) || ""; } catch { return ""; }
}

function write(storage, key, value) {
  try { storage.setItem(key, value); } catch { /* the choice holds on this page */ }
}

let isAllowed = read(localStorage, ALLOWED) === "yes";
let announced = read(sessionStorage, SEEN);

const live = document.createElement("p");
live.id = "table-news";
live.className = "unseen";
live.setAttribute("role", "status");
live.setAttribute("aria-live", "polite");
document.body.append(live);

function unlock() {
  if (!isAllowed || typeof AudioContext === "undefined") return;
  sound = sound || new AudioContext();
  if (sound.state === "suspended") sound.resume();
}

function play() {
  if (!isAllowed) return;
  if (navigator.vibrate) navigator.vibrate(VIBRATION_MS);
  if (!sound || sound.state !== "running") return;
  for (const [hertz, begins] of TONES) {
    const tone = sound.createOscillator(), loudness = sound.createGain();
    const start = sound.currentTime + begins;
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(0.3, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(loudness).connect(sound.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
  document.body.dataset.played = String(Number(document.body.dataset.played || 0) + 1);
}

function mark(text) {
  document.title = text ? `\u25cf ${text}` : title;
  if (icon) icon.setAttribute("href", text ? icon.dataset.news : plainIcon);
}

export function announceTable(part) {
  const table = part.querySelector("[data-table]");
  const key = table ? table.dataset.table : "";
  if (key === announced) return;
  const isFirst = !announced && !document.body.dataset.followed;
  announced = key;
  write(sessionStorage, SEEN, key);
  if (!key || isFirst) return; // it is what the player opened the page for
  const { news } = table.dataset;
  live.textContent = news;
  mark(news);
  play();
}

function addToggle() {
  const box = document.createElement("input"), label = document.createElement("label");
  const text = document.createElement("span");
  box.type = "checkbox";
  box.checked = isAllowed;
  text.textContent = tr("Sound and vibration for a new table");
  label.className = "toggle";
  label.append(box, text);
  box.addEventListener("change", () => {
    isAllowed = box.checked;
    write(localStorage, ALLOWED, isAllowed ? "yes" : "no");
    unlock();
    if (sound && isAllowed) sound.resume().then(play);
    else play();
  });
  const place = document.createElement("section");
  place.setAttribute("aria-label", tr("Alerts"));
  place.append(label);
  document.querySelector("main").after(place);
}

for (const name of ["pointerdown", "keydown"]) {
  document.addEventListener(name, () => { mark(""); unlock(); });
}
if (location.pathname.endsWith("/me")) addToggle();
setTimeout(() => { document.body.dataset.followed = "1"; }, 0); // after the first look of the page
