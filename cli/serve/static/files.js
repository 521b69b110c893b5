// The owner's pages. Sends a chosen file to the computer that serves, and goes where its answer leads;
// shows the rounds of the game that is chosen for a new tournament.
import { tr } from "./texts.js";

async function sendFile(form) {
  const [file] = form.querySelector("input[type=file]").files, told = form.querySelector("[role=alert]");
  const say = (text) => { told.textContent = text; told.hidden = !text; };
  if (!file) return say(tr("Choose a file first."));
  if (file.size > form.dataset.most) return say(tr("This file is too large: a file can have up to {most} MB.", { most: form.dataset.most / 1e6 }));
  say("");
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const query = new URLSearchParams({ job: form.dataset.job, name: file.name.slice(-30) });
    const headers = { "Content-Type": "application/octet-stream" };
    const answer = await fetch(`events/files?${query}`, { method: "POST", headers, body: file });
    const value = await answer.json().catch(() => ({}));
    if (!answer.ok) return say((value.told || value.detail || "").replace(/\x60([^\x60]+)\x60/g, "“$1”") || tr("The computer that serves answered {status}: load this page again.", { status: answer.status }));
    return location.assign(value.to);
  } catch { return say(tr("The hall cannot be reached: try again in a moment.")); } finally { button.disabled = false; }
}

const game = document.querySelector("select[name=ruleset]"); // of a new tournament

function showStructure() { // only of the chosen game
  for (const each of document.querySelectorAll("[data-game]")) {
    each.open = true;
    each.hidden = each.dataset.game !== game.value;
  }
}

if (game) {
  game.addEventListener("change", showStructure);
  showStructure();
}

for (const form of document.querySelectorAll("form[data-job]")) {
  form.addEventListener("submit", (event) => { event.preventDefault(); sendFile(form); });
}

const moment = document.querySelector("#moment input[type=range]");
if (moment) {
  moment.addEventListener("input", () => { document.getElementById("moment-at").textContent = moment.value; });
  moment.addEventListener("change", () => moment.form.requestSubmit());
}
