// Finds what is typed: rows of the page's tables, and tournaments and persons of the whole season, whose
// list is read when somebody types. The pages need it for nothing else. WORDS has its sentences.
const MOST = 8;
const search = document.getElementById("search");
const find = document.getElementById("find");
const found = document.getElementById("found");
const hits = document.getElementById("hits");
let isAsked = false;

function filter() {
  const wanted = find.value.trim().toLowerCase();
  const rows = [...document.querySelectorAll("tbody tr")];
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  const shown = rows.filter((row) => !row.hidden).length;
  const here = said(WORDS.here, { shown, rows: rows.length });
  found.textContent = wanted ? showHits(wanted, here) : "";
  if (!wanted) hits.replaceChildren();
}

function showHits(wanted, here) {
  if (typeof SEASON === "undefined") return readSeason(here);
  const all = SEASON.filter(([text]) => text.toLowerCase().includes(wanted));
  hits.replaceChildren(...all.slice(0, MOST).map(hit));
  const text = all.length > MOST ? WORDS.first : WORDS.both;
  return said(text, { here, found: all.length, most: MOST });
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

function readSeason(here) {
  if (!isAsked) {
    isAsked = true;
    const list = document.createElement("script");
    list.src = "season.js";
    list.onload = filter;
    document.head.append(list);
  }
  return here;
}

search.hidden = false;
find.addEventListener("input", filter);
if (find.value) filter();
