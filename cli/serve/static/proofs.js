// Signing in: a link's secret is proved and never sent, and the key of the marks follows from it.

import { CARRIED, FORM, digestOf, keepKeys, keys } from "./marks.js";
import { at } from "./paths.js";
import { bytesOf, hex, hmac256 } from "./sha2.js";
import { tr } from "./texts.js";

const LOGS_MAX = 8;

export async function proved(fieldsOf) { // the hall's answer to a proof, which is made with its nonce
  const { nonce } = await (await fetch(at("/api/v1/nonce"), { cache: "no-store" })).json();
  if (!/^in-[0-9a-f-]+$/.test(nonce)) throw new Error(tr("The hall did not answer as expected: load this page again."));
  const fields = { nonce, ...fieldsOf(bytesOf(nonce)) };
  const answer = await fetch(at("/in"), { method: "POST", headers: FORM, body: String(new URLSearchParams(fields)) });
  const value = await answer.json();
  if (!answer.ok) {
    const text = (value.told || value.detail || "").replace(/\x60([^\x60]+)\x60/g, "“$1”") || tr("the hall answered {status}", { status: answer.status });
    const [{ about }] = [...(value.problems || []), {}];
    throw Object.assign(new Error(text), { place: about && about.place }); // of another tournament
  }
  return value;
}

export function keepSignedIn({ log, by, player, link, browser }, key) {
  try {
    localStorage.setItem(CARRIED, JSON.stringify({ log, by, player, link, browser, marked: true }));
  } catch { /* this browser will only read */ }
  const others = Object.entries(keys()).filter(([other]) => other !== log).slice(1 - LOGS_MAX);
  keepKeys({ ...Object.fromEntries(others), [log]: { link, browser, by, key } });
}

export async function signIn(secret) { // the page to go to; the secret is forgotten
  const key = bytesOf(secret);
  const who = await proved((nonce) => ({ digest: digestOf(secret), proof: hex(hmac256(key, nonce)) }));
  const { log, link, browser, kept, to } = who;
  if (!kept) keepSignedIn(who, hex(hmac256(key, bytesOf(`acts\n${log}\n${link}\n${browser}`))));
  return to;
}
