// News of the log, on a page that is seen: a tab in the background has no stream, since a browser
// opens six connections to a host at most. A phone that slept lost its stream without an error, so
// it is opened again when the page is seen, and when nothing was heard for two heartbeats and a half.

const SILENT_MS = 40000;
const LOOK_MS = 5000;

export function follow({ path, news, again, away = () => {}, opened = () => {} }) {
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
    stream.onopen = () => { hear(); opened(); };
    stream.onmessage = (message) => { hear(); news(message); };
    stream.addEventListener("beat", hear);
    stream.onerror = away;
  }

  function wake() {
    open();
    if (stream) again();
  }

  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  window.addEventListener("pagehide", close);
  setInterval(() => { if (stream && Date.now() - heard > SILENT_MS) wake(); }, LOOK_MS);
  window.wake = wake; // for the outbox, once something was sent
  open();
}

let ticking = 0;

export function countOn(part) { // the round's clock, from what the server said was left
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
