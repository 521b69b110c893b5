// Check a new key of a log, or the acts of computers that took over, and bring such an act to the computer that was
// replaced. A page loads this module only for a log with such a key or act. A shorter history counts only if a key
// that this browser knew before signed the act: a key registered in the log, at or before the head that the browser
// keeps. The act revokes the key that signed that head; a key cannot excuse itself. A browser that missed several
// take-overs believes the next one only by a key that the one before leads to. Any other history is a breach.

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

// Return these keys of a head of that size, and all keys that one of them signed for in a later line, directly or not.
// An earlier key that is missing from these keys was revoked.
export function keysAfter(keys, origin, renewals, size) {
  const known = [...keys];
  for (const { line, root } of renewals) {
    const { seq, type, data } = JSON.parse(line);
    if (!(seq > size) || type !== "KeyRegistered" || data.holder !== 0 || (data.algorithm ?? "ed25519") !== "ed25519") continue;
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

function actsOf({ takeover }) { // the take-overs of an answer in their order; an empty list if one of them does not make sense
  const shown = takeover ? [...(takeover.earlier || []), takeover] : [];
  const acts = shown.map((each) => ({ ...each, ...read(each) }));
  return acts.every(({ seq }) => seq) ? acts : [];
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

function placeOf(text) { // place of a line that registers a key of the log; null for any other line
  const { seq, type, data } = JSON.parse(text);
  const isOne = type === "KeyRegistered" && data.holder === 0 && (data.algorithm ?? "ed25519") === "ed25519";
  return isOne && seq > 1 ? { seq, bytes: fromBase64(data.public) } : null;
}

const has = (keys, bytes) => keys.some((key) => sameBytes(key.bytes, bytes));

// The keys of the kept head that are registered before an event, each with the place of its registration.
function keysBefore(entry, origin, size) {
  const places = (entry.renewed || []).map(({ line, root }) => ({ ...placeOf(line), root })).filter(({ seq }) => seq && seq <= size);
  const known = entry.keys.map(keyOf).filter(({ name }) => name === origin);
  return places.filter(({ bytes }) => has(known, bytes));
}

// The keys that a key, or one that it signed for, signed for between two events, each with its place.
function keysOf(key, origin, renewals, after, until) {
  const found = [];
  for (const { line, root } of renewals) {
    const { seq, bytes } = placeOf(line) || {};
    const isThere = seq > after && seq < until;
    if (isThere && [key, ...found].some((signer) => isActSigned(signer, origin, { line, root, seq }))) found.push({ seq, bytes, root });
  }
  return found;
}

function isHeadOf(head, keys, formers, seq) { // a head over the acts, by a key that they lead to
  const shown = head.keys.map(keyOf);
  if (formers.some((bytes) => has(shown, bytes))) return false; // a revoked key is still in use
  try { return headOf(head.note, shown.filter(({ bytes }) => has(keys, bytes))).size >= seq; } catch { return false; }
}

// The acts since the history that this browser saw: the first revokes the key of the kept head. Each counts if a
// key signed it that this browser trusts by then. It trusts the keys that it knew before the first act, and those
// that a key which took over, or one that it signed for, signed for after its own act. It trusts no key that an act revoked.
function believed(answer, entry, known) { // these acts and the keys that are trusted then; null if an act does not count
  const { origin, head } = answer, whole = treeOf(answer), all = actsOf(answer);
  const acts = all.slice(all.findIndex(({ seq, former }) => seq <= known.size && signedBy(entry.note, former, entry.keys)));
  if (!head || !acts.length || acts[0].seq > known.size || !signedBy(entry.note, acts[0].former, entry.keys)) return null;
  let trusted = keysBefore(entry, origin, Math.min(known.size, acts[0].seq - 1));
  let inUse = [{ bytes: acts[0].former }]; // the keys that sign heads until the next act
  const formers = [];
  for (const [place, act] of acts.entries()) {
    const until = place + 1 < acts.length ? acts[place + 1].seq : answer.size + 1;
    const signer = trusted.find((key) => key.seq < act.seq && !sameBytes(key.bytes, act.former) && isActSigned(key, origin, act)
      && goesOn(treeOf({ size: key.seq - 1, root: key.root }), whole, act.registered));
    const isInOrder = act.seq < until && has(inUse, act.former);
    if (!signer || !isInOrder || !goesOn(treeOf({ size: act.seq - 1, root: act.root }), whole, act.proof)) return null;
    formers.push(act.former);
    const later = keysOf(signer, origin, head.renewed || [], act.seq, until);
    inUse = [signer, ...later];
    trusted = [...trusted, ...later].filter(({ bytes }) => !has(formers.map((former) => ({ bytes: former })), bytes));
  }
  return isHeadOf(head, inUse, formers, acts.at(-1).seq) ? { acts, trusted } : null;
}

function entryOf(answer, entry, about, trusted) { // an answer may name any keys: a key that nobody trusted signed for is not kept
  const { note, renewed } = answer.head, keys = answer.head.keys.filter((text) => has(trusted, keyOf(text).bytes));
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
  const after = keysAfter(entry.keys.map(keyOf), answer.origin, answer.head.renewed || [], readHead(entry).size);
  const trusted = keys.filter((text) => after.some((key) => sameBytes(key.bytes, keyOf(text).bytes)));
  const again = verdict(answer, kept, trusted);
  if (again.said.includes("other-key")) return meaning;
  const said = [...again.said], name = keys.length > entry.keys.length ? "key-further" : "key-renewed";
  said.splice(said[0] === "this-is" ? 1 : 0, 0, name);
  return { ...again, said };
}

const lineOf = ({ line, root }) => ({ line, root });

function reconsidered(answer, kept, meaning) {
  const entry = kept[answer.origin], known = entry && readHead(entry), before = ((entry && entry.acts) || []).map(read).filter(Boolean);
  const acts = actsOf(answer), act = acts.at(-1), carried = acts.map(lineOf);
  const isBreach = meaning.kind === "breach" && (meaning.said.includes("fewer") || meaning.said.includes("other"));
  const about = { ...meaning.about, name: (meaning.about || {}).name };
  const missed = isBreach && known ? believed(answer, entry, known) : null;
  if (missed) {
    about.lost = known.size - missed.acts[0].seq + 1;
    const keep = { ...entryOf(answer, entry, about, missed.trusted), acts: carried };
    return { kind: "notable", said: ["taken-over-lost"], about, posting: meaning.posting, keep };
  }
  const isOwn = ({ former }) => answer.head.keys.some((text) => sameBytes(keyOf(text).bytes, former)) && signedBy(answer.head.note, former, answer.head.keys);
  const against = meaning.kind !== "about" && answer.head && before.find((each) => !acts.some(({ seq }) => seq === each.seq) && isOwn(each));
  if (against) return { kind: "notable", said: ["replaced"], about, posting: null, carry: lineOf(against) };
  const isKnown = meaning.kind !== "breach" && !meaning.said.includes("other-key"); // else the keys of the answer are anybody's
  const holds = act && answer.head && isKnown && signers(act, answer.origin, answer.head.keys).length;
  if (!holds) return meaning;
  const isNews = known && !before.some(({ seq }) => seq === act.seq);
  const kind = isNews ? "notable" : meaning.kind, said = isNews ? ["taken-over", ...meaning.said] : meaning.said;
  return { ...meaning, kind, said, ...(meaning.keep ? { keep: { ...meaning.keep, acts: carried } } : {}) };
}
