// Turns the sheets of a screen, fetches again when there is news, counts the clock on.
import { countOn, follow } from "./following.js";

const part = document.getElementById("part");
const news = document.getElementById("news");
const screenNumber = document.body.dataset.screen;
const TURN_MS = Number(part.dataset.turn) * 1000;
let sheet = 0;

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
    countOn(part);
    show("");
  } catch {
    show("The desk cannot be reached. What you see may be old.");
  }
}

function turn() {
  fetchSheet(Number(part.firstElementChild.dataset.next));
}

countOn(part);
const fetchAgain = () => fetchSheet(sheet);
follow({ path: () => `/screen/${screenNumber}/stream`, news: fetchAgain, again: fetchAgain, opened: fetchAgain });
setInterval(turn, TURN_MS);
