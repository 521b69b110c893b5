// What a phone concludes from the server's answer and the heads that it keeps, without a page and
// without storage: a row of the table "Every phone a witness" in the hall's README for each case.
// Red needs a voice: a server that signs, and contradicts what this browser saw. A server that
// cannot sign, or shows another tournament, is one calm line.

import { sameBytes } from "./ed25519.js";
import { fromBase64, headOf, isConsistent, keyOf, keysAfter } from "./heads.js";

const NAME_MAX = 100;
const SHOW = "Show this to the head judge.";

function events(count) { return `${count} ${count === 1 ? "event" : "events"}`; }

function treeOf({ size, root }) { return { size, root: fromBase64(root) }; }

function goesOn(head, whole, proof) { // whether all events of the server go on from a head
  return Array.isArray(proof) && isConsistent(head, whole, proof.map(fromBase64));
}

// Throws for an answer that is not of this form, as a portal's or another program's may be.
function refuseOthers(answer) {
  const { origin, event, size, head, posting } = answer || {};
  const isText = (...values) => values.every((value) => typeof value === "string");
  const isCount = (...values) => values.every((value) => Number.isSafeInteger(value) && value >= 0);
  const texts = (value) => Array.isArray(value) && isText(...value);
  const isRenewal = (value) => Boolean(value) && isText(value.line, value.root);
  const isHead = !head || (isText(head.note) && texts(head.keys) && Array.isArray(head.renewed) && head.renewed.every(isRenewal));
  const isPosting = !posting || (isCount(posting.size, posting.round) && isText(posting.root) && texts(posting.proof));
  const isLog = isText(origin, event) && /^tourney\/[0-9a-f]{32}$/u.test(origin) && isCount(size) && size > 0;
  if (!isLog || !isHead || !isPosting) throw new Error("it is not the answer of a tournament server");
}

function readHead(entry) { // a head that was kept; null if what was kept is damaged
  try { return headOf(entry.note, entry.keys.map(keyOf)); } catch { return null; }
}

function postingOf(answer, whole) { // the head of the latest posting, if the events go on from it
  const { posting } = answer;
  if (!posting) return null;
  const head = treeOf(posting);
  if (!goesOn(head, whole, posting.proof)) throw new Error("the posting that it names is not in its log");
  return { origin: answer.origin, round: posting.round, size: head.size, root: posting.root };
}

// The head of another log that this browser keeps: of one that it was signed in to, if there is one.
function otherOf(kept, origin) {
  const others = Object.entries(kept).filter(([other, entry]) => other !== origin && readHead(entry));
  const [other] = [...others.filter(([, entry]) => entry.own), ...others].slice(0, 1);
  return other ? { ...other[1], size: readHead(other[1]).size } : null;
}

function strangeKey(answer, before) { // "" for a known key; else how the new one came to be
  const strangers = answer.head.keys.filter((text) => !before.keys.includes(text));
  if (!strangers.length) return "";
  const trusted = keysAfter(before.keys.map(keyOf), answer.origin, answer.head.renewed || []);
  const isRenewed = strangers.every((text) => trusted.some((key) => sameBytes(key.bytes, keyOf(text).bytes)));
  return isRenewed ? "renewed" : "strange";
}

// What an answer means: `kind` is about, notable or breach; `keep` is the entry to be kept now;
// `fork` two heads to be reported, `notice` a head that is reported calmly; `posting` has the words.
export function verdict(answer, kept) {
  let whole, posting, head;
  try {
    refuseOthers(answer);
    whole = treeOf(answer);
    posting = postingOf(answer, whole);
  } catch (error) {
    return { kind: "notable", text: `This server's answer cannot be checked: ${error.message}.`, posting: null };
  }
  const { origin } = answer, name = answer.event.slice(0, NAME_MAX) || "this tournament";
  const entry = kept[origin], known = entry && readHead(entry), other = otherOf(kept, origin);
  const isDamaged = Boolean(entry && !known);
  const first = other ? `This is ${name}. ` : "";
  const said = (kind, text, more = {}) => ({ kind, text: first + text, posting, ...more });
  const fork = (seen) => ({ fork: { kept: known ? known.note : seen.note, seen: seen.note, renewed: (entry && entry.renewed) || [] } });
  const breach = (text, more) => said("breach", `${text} ${SHOW}`, more);
  const calm = known ? { notice: { kept: known.note, renewed: entry.renewed || [] } } : {};
  const contrast = () => (known.size > whole.size
    ? `it has ${events(whole.size)}, and this browser keeps a signed head of ${known.size}`
    : `its ${events(whole.size)} do not continue the ${known.size} that this browser saw`);
  const cannot = `This server cannot sign for ${name}`;
  const contradicted = () => said("notable", `${cannot}, and ${contrast()}. Ask the desk whether a backup was restored.`, calm);

  if (!answer.head) {
    if (!known) return said("about", `${cannot}: it has no signed head that this browser could keep.`);
    if (goesOn(known, whole, answer.proof)) return said("about", `${cannot}. Its events continue the ${known.size} that this browser saw.`, calm);
    return contradicted();
  }
  try {
    head = headOf(answer.head.note, answer.head.keys.map(keyOf));
    if (head.origin !== origin) throw new Error("it is the head of another log");
  } catch (error) {
    return breach(`The signed head that this server shows for ${name} is not valid: ${error.message}.`);
  }
  if (head.size > whole.size) {
    return breach(`This server has fewer events of ${name} than its own signed head covers: ${whole.size} of ${head.size}.`, fork(head));
  }
  if (!goesOn(head, whole, answer.head.proof)) {
    return breach(`The events of ${name} on this server are not the ${head.size} that its own signed head covers.`, fork(head));
  }
  const cannotSign = answer.key !== "open";
  if (known && !goesOn(known, whole, answer.proof)) {
    if (cannotSign && head.size < known.size) return contradicted();
    const why = known.size > whole.size
      ? `This server has fewer events of ${name} than this browser saw: ${whole.size} of ${known.size}.`
      : `This server has a different history of ${name}: its ${events(whole.size)} do not continue the ${known.size} that this browser saw.`;
    return breach(why, fork(head));
  }
  const key = known ? strangeKey(answer, entry) : "";
  if (key === "strange") {
    return said("notable", `${name} is signed with a different key than before, and the previous key did not approve the new one: ask the desk whether the previous key was lost.`, calm);
  }
  const value = { note: answer.head.note, keys: answer.head.keys, renewed: answer.head.renewed, event: name };
  const own = Boolean(answer.signed_in || (entry && entry.own));
  const isNews = !known || head.size > known.size || entry.event !== name || Boolean(entry.own) !== own;
  const keep = isNews && (!known || head.size >= known.size) ? { keep: { ...value, own } } : {};
  const unsigned = cannotSign && head.size < whole.size
    ? `${cannot}: its head covers ${head.size} of ${events(whole.size)}. ` : "";
  const notice = unsigned ? calm : {};
  if (!known) {
    const before = isDamaged ? "The data that this browser kept about this tournament is damaged. " : "";
    const beside = other ? `This browser also keeps the head of ${other.event || "another tournament"} (${events(other.size)}). ` : "";
    const more = other ? { notice: { kept: other.note, renewed: [] } } : {};
    return said(isDamaged ? "notable" : "about", `${before}${beside}${unsigned}From now on this browser keeps the log's signed head: ${events(head.size)}.`, { ...keep, ...more });
  }
  const renewed = key ? "The log's key was renewed, and the previous key approved the new one. " : "";
  const since = whole.size - known.size, added = since ? `, and ${since} ${since === 1 ? "is" : "are"} new` : "";
  const checked = `Log checked: the ${events(known.size)} that this browser saw are unchanged${added}.`;
  return said("about", `${renewed}${unsigned}${checked}`, { ...keep, ...notice });
}
