// Signing in: a link's secret is proved and never sent, and the key of the marks follows from it.

import { CARRIED, FORM, digestOf, keepKeys, keys } from "./marks.js";
import { at } from "./paths.js";
import { bytesOf, hex, hmac256 } from "./sha2.js";
import { tr } from "./texts.js";

const LOGS_MAX = 8;

async function proved(secret) {
  const { nonce } = await (await fetch(at("/api/v1/nonce"), { cache: "no-store" })).json();
  if (!/^in-[0-9a-f-]+$/.test(nonce)) throw new Error(tr("The hall did not answer as expected: load this page again."));
  const fields = { digest: digestOf(secret), nonce, proof: hex(hmac256(bytesOf(secret), bytesOf(nonce))) };
  const answer = await fetch(at("/in"), { method: "POST", headers: FORM, body: String(new URLSearchParams(fields)) });
  const value = await answer.json();
  if (!answer.ok) {
    const text = (value.told || value.detail || "").replace(/\x60([^\x60]+)\x60/g, "“$1”") || tr("the hall answered {status}", { status: answer.status });
    const [{ about }] = [...(value.problems || []), {}];
    throw Object.assign(new Error(text), { place: about && about.place }); // of another tournament
  }
  return value;
}

export async function signIn(secret) { // the page to go to; the secret is forgotten
  const { log, link, browser, by, player, kept, to } = await proved(secret);
  if (!kept) {
    try {
      localStorage.setItem(CARRIED, JSON.stringify({ log, by, player, link, browser, marked: true }));
    } catch { /* this browser will only read */ }
    const key = hex(hmac256(bytesOf(secret), bytesOf(`acts\n${log}\n${link}\n${browser}`)));
    const others = Object.entries(keys()).filter(([other]) => other !== log).slice(1 - LOGS_MAX);
    keepKeys({ ...Object.fromEntries(others), [log]: { link, browser, by, key } });
  }
  return to;
}
