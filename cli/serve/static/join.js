// A newcomer's own phone: it asks with a public key that it draws, and gets the link of the player
// that the desk registers, sealed to that key. The private key stays here and opens nothing else.
import { follow, isOfClosed, lost } from "./following.js";
import { LOG, at } from "./paths.js";
import { signIn } from "./proofs.js";
import { bytesOf, hex, hmac256, sha256 } from "./sha2.js";
import { tr } from "./texts.js";
import { publicOf, sharedOf } from "./x25519.js";

const CLAIM = `tourney-claim-${LOG}`;
const part = document.getElementById("part");
const said = document.getElementById("claim");
const asked = document.getElementById("asked");
const own = document.getElementById("own-phone");
const field = document.querySelector("input[name=claim]");
const id = field ? field.form.elements.namedItem("id") : null;
const plainId = id ? id.value : "";
const fromHex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
let claim = stored();
let isEntering = false;
let isLooking = false;
let isNews = false; // since the question that is on its way

function stored() {
  try { return JSON.parse(localStorage.getItem(CLAIM)); } catch { return null; }
}

function keep(made) {
  claim = made;
  try {
    if (made) localStorage.setItem(CLAIM, JSON.stringify(made));
    else localStorage.removeItem(CLAIM);
    return true;
  } catch { return false; }
}

function drawn() {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  return { secret: hex(secret), key: hex(publicOf(secret)) };
}

function opened({ log, request, point, sealed, tag }) { // the secret of the player's link; "" if it is not for us
  const shared = sharedOf(fromHex(claim.secret), fromHex(point));
  const key = hmac256(shared, bytesOf(`claim\n${log}\n${request}\n${claim.key}\n${point}`));
  if (hex(hmac256(key, bytesOf(`tag\n${sealed}`))) !== tag) return "";
  const mask = hmac256(key, bytesOf("mask"));
  return new TextDecoder().decode(fromHex(sealed).map((byte, place) => byte ^ mask[place]));
}

function say(text) {
  said.textContent = text;
  said.hidden = !text;
}

function offer(isOffered) { // the phone can be the own one of one person
  if (!own) return;
  own.hidden = !isOffered;
  const box = own.querySelector("input");
  const fill = () => { // the id follows from the key: who hears the request can name no other key for it
    const isOwn = isOffered && box.checked;
    field.value = isOwn ? claim.key : "";
    id.value = isOwn ? hex(sha256(bytesOf(claim.key))).slice(0, 24) : plainId;
  };
  if (isOffered && !claim && !keep(drawn())) { own.hidden = true; return; }
  box.onchange = fill;
  fill();
}

async function look() { // one question at a time: two answers would sign this browser in twice
  isNews = true;
  if (isLooking) return;
  isLooking = true;
  while (isNews && !isEntering) {
    isNews = false;
    await ask();
  }
  isLooking = false;
}

async function ask() {
  if (!claim) { offer(true); return; }
  try {
    const answer = await fetch(at(`/api/v1/claim?key=${claim.key}`), { cache: "no-store" });
    if (isOfClosed(answer)) return void lost();
    if (answer.status === 404) { say(""); offer(true); return; } // nothing was asked with this key
    if (!answer.ok) return;
    const found = await answer.json();
    if (found.state === "waiting") {
      say(tr("Your request has the number {request}: say it at the desk. When you are registered, this phone opens your table by itself.", found));
      offer(false);
    } else if (found.state === "sealed") {
      const secret = opened(found);
      if (!secret) { say(tr("This phone cannot be signed in: ask the desk for your badge.")); return; }
      isEntering = true;
      const to = await signIn(secret);
      keep(null);
      location.replace(at(to));
    } else {
      if (asked) asked.hidden = found.state === "refused";
      say(found.state === "refused" ? tr("Request {request} was refused: ask at the desk.", found) : tr("You are registered: ask the desk for your badge."));
      keep(null);
      offer(true);
    }
  } catch {
    isEntering = false;
    lost();
  }
}

look();
follow({ path: () => at(`/api/v1/stream?after=${part.dataset.position || 0}`), news: look, again: look });
