// Finds what is typed: rows of the page's tables, and tournaments and persons of the whole season. The
// season's are in scripts by the first letters of words, read when a reader types a word that begins so.
// The pages need it for nothing else. WORDS has its sentences, MONTHS the names of months, PARTS the
// beginnings that have scripts and how many each has.
const MOST = 8;
const PARTS_MOST = 6;
const SAME = { ß: "ss", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ς: "σ", ħ: "h" };
const search = document.getElementById("search");
const find = document.getElementById("find");
const found = document.getElementById("found");
const hits = document.getElementById("hits");
const read = new Map();
const asked = new Set();

function fold(text) {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").toLowerCase();
  return plain.replace(/[ßøłđðþæœıςħ]/g, (letter) => SAME[letter]);
}

function wordsOf(text) {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

// The forms of a text that a word can begin in: without accents, and with an e for two dots.
function formsOf(text) {
  const dotted = text.normalize("NFC").toLowerCase().replace(/[äöü]/g, (letter) => `${letter}e`);
  return [` ${wordsOf(text).join(" ")}`, ` ${wordsOf(dotted).join(" ")}`];
}

const two = (number) => String(number).padStart(2, "0");
const monthOf = (word) => MONTHS.findIndex((names) => names.includes(word)) + 1;

// The day or its beginning, and the other words, of a typed text.
function wantedOf(typed) {
  let rest = ` ${fold(typed)} `;
  const taken = (pattern, day) => {
    const match = rest.match(pattern);
    const made = match && day(...match.slice(1));
    if (!made) return "";
    rest = rest.replace(match[0], " ");
    return made;
  };
  const valid = (year, month, day) => (month >= 1 && month <= 12 && (!day || day <= 31)
    ? `${year}-${two(month)}${day ? `-${two(day)}` : ""}` : "");
  const name = "(\\p{L}+)\\.?";
  const day = taken(/\s(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\s/, valid)
    || taken(/\s(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\s/, (d, m, y) => valid(y, m, d))
    || taken(/\s(\d{4})\s?年\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?日)?/, valid)
    || taken(/\s(\d{4})[-/.](\d{1,2})\s/, valid)
    || taken(/\s(\d{1,2})[/.](\d{4})\s/, (m, y) => valid(y, m))
    || taken(new RegExp(`\\s(\\d{1,2})\\.?\\s(?:de\\s)?${name}\\s(?:de\\s)?(\\d{4})\\s`, "u"), (d, m, y) => valid(y, monthOf(m), d))
    || taken(new RegExp(`\\s${name}\\s(\\d{1,2}),?\\s(\\d{4})\\s`, "u"), (m, d, y) => valid(y, monthOf(m), d))
    || taken(new RegExp(`\\s${name}\\s(?:de\\s)?(\\d{4})\\s`, "u"), (m, y) => valid(y, monthOf(m)))
    || taken(new RegExp(`\\s(\\d{4})\\s${name}\\s`, "u"), (y, m) => valid(y, monthOf(m)));
  return { day, words: rest.match(/[\p{L}\p{N}]+/gu) ?? [], text: fold(typed.trim()) };
}

function fits(wanted, text, day = text) {
  const forms = formsOf(text);
  return (!wanted.day || day.includes(wanted.day))
    && wanted.words.every((word) => forms.some((form) => form.includes(` ${word}`)
      || (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(word) && form.includes(word))));
}

function filter() {
  const wanted = wantedOf(find.value);
  const rows = [...document.querySelectorAll("tbody tr")];
  for (const row of rows) {
    row.classList.toggle("unfound", wanted.text !== "" && !fold(row.textContent).includes(wanted.text)
      && !fits(wanted, [...row.cells].map((cell) => cell.textContent).join(" ")));
  }
  const shown = rows.filter((row) => !row.classList.contains("unfound")).length;
  const here = said(WORDS.here, { shown, rows: rows.length });
  found.textContent = wanted.text ? showHits(wanted, here) : "";
  if (!wanted.text) hits.replaceChildren();
}

// The parts of the index that have what begins with a word: one whose beginning the word has, else
// those that begin with the word.
function partsOf(word) {
  for (let length = Math.min(word.length, 8); length; length -= 1) {
    if (Object.hasOwn(PARTS, word.slice(0, length))) return [word.slice(0, length)];
  }
  return Object.keys(PARTS).filter((prefix) => prefix.startsWith(word));
}

const sizeOf = (parts) => parts.reduce((sum, part) => sum + PARTS[part], 0);

function showHits(wanted, here) {
  const keys = wanted.day ? [...wanted.words, wanted.day] : wanted.words;
  if (!keys.length) return here;
  const choices = keys.map(partsOf).sort((one, other) => sizeOf(one) - sizeOf(other));
  const parts = choices[0];
  if (sizeOf(parts) > PARTS_MOST && wanted.text.length < 2) return here; // one letter: too many to read
  if (!parts.map(readPart).every(Boolean)) return here;
  const places = new Set();
  const all = parts.flatMap((part) => read.get(part)).filter(([text, about, place, day]) => {
    if (places.has(place) || !fits(wanted, `${text} ${about}`, day)) return false;
    return places.add(place);
  });
  hits.replaceChildren(...all.slice(0, MOST).map(hit));
  return said(all.length > MOST ? WORDS.first : WORDS.both, { here, found: all.length, most: MOST });
}

function said(text, about) {
  return text.replace(/\{(\w+)\}/g, (_, name) => about[name]);
}

function hit([text, kind, place]) {
  const line = document.createElement("li");
  const link = document.createElement("a");
  const about = document.createElement("span");
  link.href = place;
  const name = document.createElement("bdi");
  name.textContent = text;
  link.append(name);
  about.textContent = kind;
  line.append(link, about);
  return line;
}

// Return whether a part of the index is loaded; else load its scripts, once.
function readPart(prefix) {
  if (!asked.has(prefix)) {
    asked.add(prefix);
    const hex = [...new TextEncoder().encode(prefix)].map((byte) => byte.toString(16).padStart(2, "0"));
    for (let number = 1; number <= PARTS[prefix]; number += 1) load(`find-${hex.join("")}-${number}.js`, filter);
  }
  return (read.get(prefix)?.count ?? 0) === PARTS[prefix];
}

function load(file, then) {
  const script = document.createElement("script");
  script.src = file;
  script.onload = then;
  document.head.append(script);
}

function FOUND(prefix, entries) {
  const before = read.get(prefix) ?? Object.assign([], { count: 0 });
  before.push(...entries);
  before.count += 1;
  read.set(prefix, before);
}

search.hidden = false;
find.addEventListener("input", filter);
if (find.value) filter();
