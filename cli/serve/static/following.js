// News of the log, on a page that is seen: a tab in the background has no stream, since a browser
// opens six connections to a host at most. A phone that slept lost its stream without an error, so
// it is opened again when the page is seen, and when nothing was heard for two heartbeats and a half.
// While the hall is away a banner is shown, and the hall is tried until it answers. The page has the
// sentences of the banner: one for a hall that does not answer, one for a tournament that was closed.

import { at } from "./paths.js";

const SILENT_MS = 40000;
const LOOK_MS = 5000;
const ASK_MS = 2500;
const PATIENCE_MS = 3000;
const SPREAD_MS = 2000; // a hall of phones does not fetch at once
export const BACK = "hall-back"; // the event of a window whose hall answers again
let isClosed = false; // whether the hall answered last that it does not serve this tournament now
let asking = 0; // the timer that asks for the hall while it is away

export function say(text) {
  const news = document.getElementById("news");
  if (!news) return;
  news.textContent = text;
  news.hidden = !text;
}

// Not the sign-in page of a network, nor a proxy: their answers do not have this header.
export const isOfHall = (answer) => answer.headers.get("tourney") === "hall";
export const isOfClosed = (answer) => answer.headers.get("tourney-event") === "closed";

export async function isThere() { // whether the hall answers now
  const aborting = new AbortController(), late = setTimeout(() => aborting.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(at("/static/hall.svg"), { cache: "no-store", signal: aborting.signal });
    isClosed = isOfClosed(answer);
    return answer.ok && isOfHall(answer);
  } catch {
    isClosed = false;
    return false;
  } finally { clearTimeout(late); }
}

async function look() { // whether the hall answers; the banner gives the reason why the page is not followed
  const isHere = await isThere(), news = document.getElementById("news");
  if (asking && news) say(isClosed ? news.dataset.closed : news.dataset.away);
  return isHere;
}

export function lost() { // show the banner until the hall answers
  if (asking) return;
  asking = setInterval(async () => {
    if (document.visibilityState === "visible" && await look()) returned();
  }, ASK_MS);
  look();
}

function returned() {
  if (!asking) return;
  clearInterval(asking);
  asking = 0;
  say("");
  window.dispatchEvent(new Event(BACK));
}

function showNotice({ text, at }) { // the announcement; without a text it has ended
  const notice = document.getElementById("notice");
  if (!notice || (notice.firstElementChild.textContent === text && notice.hidden === !text)) return;
  notice.firstElementChild.textContent = text;
  notice.lastElementChild.textContent = at;
  notice.hidden = !text;
  window.dispatchEvent(new Event("resize")); // a screen has less room for its rows
}

export function follow({ path, news, again, opened = () => {} }) {
  let stream = null;
  let heard = Date.now();
  const hear = () => { heard = Date.now(); };

  function close() {
    if (stream) stream.close();
    stream = null;
  }

  function open() {
    close();
    if (document.visibilityState !== "visible") return;
    hear();
    stream = new EventSource(path());
    stream.onopen = () => { hear(); opened(); returned(); };
    stream.onmessage = (message) => { hear(); news(message); };
    stream.addEventListener("beat", hear);
    stream.addEventListener("notice", (message) => { hear(); showNotice(JSON.parse(message.data)); });
    stream.addEventListener("beyond", async (message) => (await import("./restored.js")).tell(JSON.parse(message.data)));
    stream.addEventListener("posting", (message) => {
      window.dispatchEvent(new CustomEvent("posting", { detail: JSON.parse(message.data) }));
    });
    stream.onerror = lost;
  }

  function wake() {
    open();
    if (stream) again();
  }

  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  window.addEventListener("pagehide", close);
  window.addEventListener(BACK, () => {
    if (stream && stream.readyState === EventSource.CLOSED) open(); // a browser gives up on a refusal
    setTimeout(again, Math.random() * SPREAD_MS);
  });
  setInterval(() => { if (stream && Date.now() - heard > SILENT_MS) wake(); }, LOOK_MS);
  window.wake = wake; // for the outbox, once something was sent
  open();
}

let ticking = 0;

// When the time is over that the server said was left; a screen notes it as soon as it hears that.
export const endOf = ({ dataset }) => Number(dataset.ends) || Date.now() + Number(dataset.left) * 1000;

export function countOn(part) { // the round's clock, from what the server said was left
  clearInterval(ticking);
  const digits = part.querySelector("[data-left]");
  if (!digits) return;
  const ends = endOf(digits);
  const tick = () => {
    const left = Math.ceil((ends - Date.now()) / 1000);
    const whole = Math.abs(left);
    const seconds = String(whole % 60).padStart(2, "0");
    digits.textContent = `${left < 0 ? "-" : ""}${Math.floor(whole / 60)}:${seconds}`;
  };
  tick();
  ticking = setInterval(tick, 500);
}
