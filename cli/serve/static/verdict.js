// What a phone concludes from the server's answer and the heads that it keeps, without a page and
// without storage: a row of the table "Every phone a witness" in the hall's README for each case.
// Red needs a voice: a server that signs, and contradicts what this browser saw. A server that
// cannot sign, or shows another tournament, is one calm line.

import { fromBase64, headOf, isConsistent, keyOf } from "./heads.js";
import { tr, trMany } from "./texts.js";

const NAME_MAX = 100;

// The sentences of every day; warnings.js has the others.
export const CALM = {
  begins: ({ head }) => trMany("From now on this browser keeps the log's signed head: {count} event.",
    "From now on this browser keeps the log's signed head: {count} events.", head),
  checked: ({ known }) => trMany("Log checked: the {count} event that this browser saw is unchanged.",
    "Log checked: the {count} events that this browser saw are unchanged.", known),
  added: ({ since }) => trMany("{count} event is new.", "{count} events are new.", since),
};

export function treeOf({ size, root }) { return { size, root: fromBase64(root) }; }

export function goesOn(head, whole, proof) { // whether all events of the server go on from a head
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
  if (!isLog || !isHead || !isPosting) throw new Error(tr("it is not the answer of a tournament server"));
}

export function readHead(entry) { // a head that was kept; null if what was kept is damaged
  try { return headOf(entry.note, entry.keys.map(keyOf)); } catch { return null; }
}

function postingOf(answer, whole) { // the head of the latest posting, if the events go on from it
  const { posting } = answer;
  if (!posting) return null;
  const head = treeOf(posting);
  if (!goesOn(head, whole, posting.proof)) throw new Error(tr("the posting that it names is not in its log"));
  return { origin: answer.origin, round: posting.round, size: head.size, root: posting.root };
}

// The head of another log that this browser keeps: of one that it was signed in to, if there is one.
function otherOf(kept, origin) {
  const others = Object.entries(kept).filter(([other, entry]) => other !== origin && readHead(entry));
  const [other] = [...others.filter(([, entry]) => entry.own), ...others].slice(0, 1);
  return other ? { ...other[1], size: readHead(other[1]).size } : null;
}

// Verdict on an answer: `kind` is about, notable or breach; `said` has the names of its sentences, which
// warnings.js has, and `about` what they are about; `keep` is the entry to be kept now; `fork` two heads
// to be reported, `notice` a head that is reported calmly; `posting` has the words.
export function verdict(answer, kept, trusted = []) { // trusted: keys that known ones signed for (succession.js)
  let whole, posting, head;
  try {
    refuseOthers(answer);
    whole = treeOf(answer);
    posting = postingOf(answer, whole);
  } catch (error) {
    return { kind: "notable", said: ["not-checked"], about: { fault: error.message }, posting: null };
  }
  const { origin } = answer, name = answer.event.slice(0, NAME_MAX);
  const entry = kept[origin], known = entry && readHead(entry), other = otherOf(kept, origin);
  const isDamaged = Boolean(entry && !known);
  const about = { name, size: whole.size, known: known && known.size };
  const says = (kind, said, more = {}) => ({ kind, said: [...(other ? ["this-is"] : []), ...said], about, posting, ...more });
  const fork = (seen) => ({ fork: { kept: known ? known.note : seen.note, seen: seen.note, renewed: (entry && entry.renewed) || [] } });
  const breach = (said, more) => says("breach", [said, "show"], more);
  const calm = known ? { notice: { kept: known.note, renewed: entry.renewed || [] } } : {};
  const contradicted = () => says("notable", [known.size > whole.size ? "no-voice-fewer" : "no-voice-other"], calm);

  if (!answer.head) {
    if (!known) return says("about", ["no-head"]);
    return goesOn(known, whole, answer.proof) ? says("about", ["no-voice"], calm) : contradicted();
  }
  try {
    head = headOf(answer.head.note, answer.head.keys.map(keyOf));
    if (head.origin !== origin) throw new Error(tr("it is the head of another log"));
  } catch (error) {
    about.fault = error.message;
    return breach("head-invalid");
  }
  about.head = head.size;
  if (head.size > whole.size) return breach("head-longer", fork(head));
  if (!goesOn(head, whole, answer.head.proof)) return breach("head-other", fork(head));
  const cannotSign = answer.key !== "open";
  if (known && !goesOn(known, whole, answer.proof)) {
    if (cannotSign && head.size < known.size) return contradicted();
    return breach(known.size > whole.size ? "fewer" : "other", fork(head));
  }
  const keys = [...trusted, ...(known ? entry.keys : answer.head.keys)];
  if (!answer.head.keys.every((text) => keys.includes(text))) return says("notable", ["other-key"], calm);
  const value = { note: answer.head.note, keys: answer.head.keys, renewed: answer.head.renewed, event: name || tr("this tournament") };
  const own = Boolean(answer.signed_in || (entry && entry.own));
  const isNews = !known || head.size > known.size || entry.event !== value.event || Boolean(entry.own) !== own;
  const keep = isNews && (!known || head.size >= known.size) ? { keep: { ...value, own } } : {};
  const unsigned = cannotSign && head.size < whole.size ? ["no-voice-covers"] : [];
  const notice = unsigned.length ? calm : {};
  if (!known) {
    const more = other ? { notice: { kept: other.note, renewed: [] } } : {};
    if (other) Object.assign(about, { other: other.event, known: other.size });
    const said = [...(isDamaged ? ["entry-damaged"] : []), ...(other ? ["also-keeps"] : []), ...unsigned, "begins"];
    return says(isDamaged ? "notable" : "about", said, { ...keep, ...more });
  }
  about.since = whole.size - known.size;
  const said = [...unsigned, "checked", ...(about.since ? ["added"] : [])];
  return says("about", said, { ...keep, ...notice });
}
