// Check a new key of a log, or the act of a computer that took over, and bring that act to the computer that was
// replaced. A page loads this module only for a log with such a key or act. A shorter history counts only if a key
// that this browser knew before signed the act: a key registered in the log, at or before the head that the browser
// keeps. The act revokes the key that signed that head; a key cannot excuse itself. Any other history is a breach.

import { isSigned, sameBytes } from "./ed25519.js";
import { fromBase64, headOf, keyOf } from "./heads.js";
import { bytesOf, hex, join } from "./sha2.js";
import { goesOn, readHead, treeOf, verdict } from "./verdict.js";

const LINE_MAX = 4000;

export function sealed(body, tournament, kind = "act") { // the bytes that a key signs, in DSSE's encoding
  const type = `application/vnd.tourney.${kind}`, whole = bytesOf(`${tournament}\n${body}`);
  return join(bytesOf(`DSSEv1 ${type.length} ${type} ${whole.length} `), whole);
}

// Return whether a key signed an act of a log at its place, after the root of the previous lines.
function isActSigned(key, origin, { line, root, seq }) {
  const [whole, signature] = /,"sig":"([A-Za-z0-9+/]+=*)"\}$/u.exec(line) || [];
  if (!whole) return false;
  const unsigned = `${line.slice(0, -whole.length)}}`;
  const said = sealed(`${seq - 1}\n${root}\n${unsigned}`, origin.slice("tourney/".length));
  return isSigned(key.bytes, fromBase64(signature), said);
}

export function keysAfter(keys, origin, renewals) { // these keys, and all keys that one of them signed for, directly or not
  const known = [...keys];
  for (const { line, root } of renewals) {
    const { seq, type, data } = JSON.parse(line);
    if (type !== "KeyRegistered" || data.holder !== 0 || (data.algorithm ?? "ed25519") !== "ed25519") continue;
    if (known.some((each) => isActSigned(each, origin, { line, root, seq }))) known.push({ name: origin, bytes: fromBase64(data.public) });
  }
  return known;
}

function read({ line, root }) { // the place of an act and the key that it revokes; null for any other line
  try {
    const { seq, type, data } = JSON.parse(line);
    const isPlaced = Number.isSafeInteger(seq) && seq > 1 && data.size === seq - 1 && data.root === hex(fromBase64(root));
    const isOne = line.length <= LINE_MAX && type === "DeskTakenOver" && isPlaced;
    return isOne ? { line, root, seq, former: fromBase64(data.public) } : null;
  } catch { return null; }
}

function signers(act, origin, keys) { // the text of each key that signed the act, except the revoked key
  return keys.filter((text) => {
    const key = keyOf(text);
    return key.name === origin && !sameBytes(key.bytes, act.former) && isActSigned(key, origin, act);
  });
}

function signedBy(note, bytes, keys) { // whether the key of these bytes signed a head
  const key = keys.map(keyOf).find((each) => sameBytes(each.bytes, bytes));
  try { return Boolean(key) && Boolean(headOf(note, [key])); } catch { return false; }
}

function registrationOf(entry, bytes, size) { // the line that registered a key, if the kept head covers it
  for (const renewal of entry.renewed || []) {
    const { seq, type, data } = JSON.parse(renewal.line);
    const isIt = type === "KeyRegistered" && data.holder === 0 && sameBytes(fromBase64(data.public), bytes);
    if (isIt && seq > 1 && seq <= size) return { seq, root: renewal.root };
  }
  return null;
}

function isHeadOf(head, key, origin, seq) { // a head over the act, by the key that took over or a key that it signed for
  const after = keysAfter([key], origin, head.renewed || []);
  const keys = head.keys.map(keyOf).filter((each) => after.some(({ bytes }) => sameBytes(bytes, each.bytes)));
  try { return headOf(head.note, keys).size >= seq; } catch { return false; }
}

function isBelieved(answer, entry, known, act) { // whether a history without events that this browser saw counts
  const { origin, head, takeover } = answer, whole = treeOf(answer);
  if (!head || !(act.seq <= known.size) || !signedBy(entry.note, act.former, entry.keys)) return false;
  return signers(act, origin, entry.keys).some((text) => {
    const { bytes } = keyOf(text), since = registrationOf(entry, bytes, Math.min(known.size, act.seq - 1));
    return Boolean(since) && isHeadOf(head, keyOf(text), origin, act.seq)
      && !head.keys.some((each) => sameBytes(keyOf(each).bytes, act.former))
      && goesOn(treeOf({ size: act.seq - 1, root: act.root }), whole, takeover.proof)
      && goesOn(treeOf({ size: since.seq - 1, root: since.root }), whole, takeover.registered);
  });
}

function entryOf(answer, entry, about) {
  const { note, keys, renewed } = answer.head;
  return { note, keys, renewed, event: about.name, own: Boolean(answer.signed_in || (entry && entry.own)) };
}

// Return the verdict after a take-over: on a history that differs from the one this browser knew, and on a
// computer that was replaced, which gets the act (`carry`).
export function judged(answer, kept, meaning) {
  let found = meaning;
  try { found = renewed(answer, kept, found); } catch { /* a key that does not make sense stays strange */ }
  try { return reconsidered(answer, kept, found); } catch { return found; }
}

// Return the same verdict on a page, and bring the act to the computer that was replaced.
export async function judgedHere(answer, kept, meaning) {
  const found = judged(answer, kept, meaning);
  if (!found.carry) return found;
  const { at } = await import("./paths.js");
  const headers = { "Content-Type": "application/json" };
  try { await fetch(at("/api/v1/taken-over"), { method: "POST", headers, body: JSON.stringify(found.carry) }); } catch { /* at the next look */ }
  return found;
}

// Return the verdict on an unknown key that known keys signed for: the key was renewed, or a computer follows.
function renewed(answer, kept, meaning) {
  if (!meaning.said.includes("other-key")) return meaning;
  const entry = kept[answer.origin], { keys } = answer.head;
  const after = keysAfter(entry.keys.map(keyOf), answer.origin, answer.head.renewed || []);
  const trusted = keys.filter((text) => after.some((key) => sameBytes(key.bytes, keyOf(text).bytes)));
  const again = verdict(answer, kept, trusted);
  if (again.said.includes("other-key")) return meaning;
  const said = [...again.said], name = keys.length > entry.keys.length ? "key-further" : "key-renewed";
  said.splice(said[0] === "this-is" ? 1 : 0, 0, name);
  return { ...again, said };
}

function reconsidered(answer, kept, meaning) {
  const entry = kept[answer.origin], known = entry && readHead(entry), before = entry && entry.act && read(entry.act);
  const act = answer.takeover && read(answer.takeover), carried = act && { line: act.line, root: act.root };
  const isBreach = meaning.kind === "breach" && (meaning.said.includes("fewer") || meaning.said.includes("other"));
  const about = { ...meaning.about, name: (meaning.about || {}).name };
  if (isBreach && known && act && isBelieved(answer, entry, known, act)) {
    about.lost = known.size - act.seq + 1;
    const keep = { ...entryOf(answer, entry, about), act: carried };
    return { kind: "notable", said: ["taken-over-lost"], about, posting: meaning.posting, keep };
  }
  if (before && meaning.kind !== "about" && !act && answer.head) {
    const former = answer.head.keys.find((text) => sameBytes(keyOf(text).bytes, before.former));
    if (former && signedBy(answer.head.note, before.former, [former])) {
      return { kind: "notable", said: ["replaced"], about, posting: null, carry: entry.act };
    }
  }
  const holds = act && answer.head && meaning.kind !== "breach" && signers(act, answer.origin, answer.head.keys).length;
  if (!holds) return meaning;
  const isNews = known && !(before && before.seq === act.seq);
  const kind = isNews ? "notable" : meaning.kind, said = isNews ? ["taken-over", ...meaning.said] : meaning.said;
  return { ...meaning, kind, said, ...(meaning.keep ? { keep: { ...meaning.keep, act: carried } } : {}) };
}
