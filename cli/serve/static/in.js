// Proves the secret that is in the address, and takes it out of there first: history keeps none.
// A code that is typed is proved in the same way; one of eight letters is of an earlier sheet.
import { at } from "./paths.js";
import { signIn } from "./proofs.js";
import { tr } from "./texts.js";

const form = document.getElementById("in");
const code = document.getElementById("code");
const whose = document.getElementById("whose");
const owner = document.getElementById("owner");
const refused = document.getElementById("refused");
const SHORT = 8;
const MOVED = "moved."; // no secret has a dot

function say(text) {
  refused.textContent = text;
  refused.hidden = !text;
}

async function enter(secret) {
  say("");
  try { location.replace(at(await signIn(secret))); } catch (error) {
    say(error instanceof TypeError ? tr("The hall cannot be reached: try again in a moment.") : error.message);
    if (error.place) {
      const there = Object.assign(document.createElement("a"), { href: error.place, textContent: tr("Sign in there") });
      refused.append(" ", there);
    }
  }
}

async function arriveWith(text) { // from a page of another address of this tournament
  try { await (await import("./moved.js")).arrive(text); } catch (error) {
    say(error instanceof TypeError ? tr("The hall cannot be reached: try again in a moment.") : error.message);
  }
}

function letIn() {
  const secret = location.hash.slice(1);
  if (!secret) return;
  history.replaceState(null, "", at("/in"));
  if (secret.startsWith(MOVED)) arriveWith(secret.slice(MOVED.length));
  else enter(secret);
}

const typed = () => code.value.replace(/[\s-]/g, "").toUpperCase();

code.addEventListener("input", () => { whose.hidden = typed().length !== SHORT; });
form.addEventListener("submit", (event) => {
  if (typed().length === SHORT) {
    code.name = "code"; // it can be guessed, so that a proof would give it away as well
    whose.hidden = false;
    if (!owner.value.trim()) { event.preventDefault(); owner.focus(); }
    return;
  }
  event.preventDefault();
  enter(typed());
});
window.addEventListener("hashchange", letIn); // a link that is opened while this page is
letIn();
