// Arranges the rows of a screen by its measured size, turns its pages, counts the clock on.
import { countOn, endOf, follow, lost, say } from "./following.js";
import { at as placed } from "./paths.js";
import { tr } from "./texts.js";

const part = document.getElementById("part");
const screenNumber = document.body.dataset.screen;
const TURN_MS = Number(part.dataset.turn) * 1000;
const LARGEST = 6, READABLE = 3.35, SMALLEST = 1.8; // size of rows in hundredths of the shorter side
const SMALLEST_PX = 13;
const PAGES_MAX = 3; // rows are smaller than READABLE only if more pages than these were needed
const GAP = 1; // between columns, in sizes of a letter
const FONT = 14; // size of a picture's letters in its own units
const NAME_MIN = 10, NAME_MAX = 14; // width of a name in sizes of a letter: a longer one is cut
const PADDING = 0.5; // of a cell, in sizes of a letter
const MAY_BE_CUT = 0.05; // the share of names for which the letters of all others are not made smaller
const TALLEST = 1.35; // of a row: how much of the room below it may take
const TEXT_MAX = 15, TEXT_MIN = 2; // size of a text in hundredths of the shorter side
let received = []; // all sections, with the parts of a bracket in every size
let sections = [];
let pages = [];
let at = 0;

function element(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

function tableOf(list, rows, isTitled) {
  const table = list.table.cloneNode(false);
  if (isTitled) table.append(element("caption", "", list.heading.firstElementChild.textContent));
  table.append(list.table.tHead.cloneNode(true), element("tbody", "", ...rows.map((row) => row.cloneNode(true))));
  return table;
}

// The width that most names of a list have, in sizes of a letter; only the longest are cut.
function nameWidth(list) {
  const column = element("div", "measured natural", tableOf(list, list.rows, false));
  part.replaceChildren(column);
  const letter = parseFloat(getComputedStyle(part).fontSize), text = document.createRange(), widths = {};
  for (const row of column.firstElementChild.tBodies[0].rows) {
    for (const [place, cell] of [...row.cells].entries()) {
      text.selectNodeContents(cell);
      (widths[place] ||= []).push(text.getBoundingClientRect().width / letter + PADDING);
    }
  }
  const usual = Object.values(widths).map((all) => all.sort((a, b) => b - a)[Math.floor(MAY_BE_CUT * all.length)]);
  return Math.min(NAME_MAX, Math.max(NAME_MIN, ...usual));
}

function setSize(size) {
  part.style.fontSize = `${Math.max(SMALLEST_PX, (size * Math.min(innerWidth, innerHeight)) / 100)}px`;
}

// One column with all rows of a list, to measure them at a size: rows do not wrap, so all are equal.
function measured(list) {
  const column = element("div", "measured", tableOf(list, list.rows, sections.length > 1));
  part.style.setProperty("--name", `${list.width}em`);
  part.replaceChildren(list.heading.cloneNode(true), column);
  const table = column.firstElementChild;
  const body = table.tBodies[0].getBoundingClientRect();
  const row = body.height / list.rows.length;
  const width = part.clientWidth, gap = GAP * parseFloat(getComputedStyle(part).fontSize);
  return {
    row,
    height: innerHeight * 0.98 - body.top,
    fits: table.scrollWidth <= width,
    across: Math.max(1, Math.floor((width + gap) / (table.scrollWidth + gap))),
    down: Math.max(1, Math.floor((innerHeight * 0.98 - body.top) / row)),
  };
}

// Short lists, such as the rounds of a double elimination, are side by side on one page while it has room.
function groupsAt(size) {
  setSize(size);
  const groups = [];
  for (const list of sections) {
    list.room = list.table ? measured(list) : null;
    const need = list.table ? Math.ceil(list.rows.length / list.room.down) : Infinity;
    const last = groups.at(-1);
    if (last && last.need + need <= Math.min(last.across, list.room ? list.room.across : 0)) {
      last.lists.push(list);
      last.need += need;
    } else {
      groups.push({ lists: [list], need, across: list.room ? list.room.across : 0 });
    }
  }
  return groups;
}

const countOf = ({ lists: [list], need }) => list.table ? Math.ceil(need / list.room.across) : 1;

function countAt(size) {
  const groups = groupsAt(size);
  if (size > READABLE && sections.some(({ room }) => room && !room.fits)) return Infinity;
  return groups.reduce((sum, group) => sum + countOf(group), 0);
}

// The largest size with as few pages as readable rows have, or with PAGES_MAX pages.
function chosenSize() {
  const readable = countAt(READABLE);
  part.dataset.readable = String(readable);
  const wanted = readable <= PAGES_MAX ? readable : Math.max(PAGES_MAX, countAt(SMALLEST));
  let low = readable <= wanted ? READABLE : SMALLEST, high = LARGEST;
  while (high - low > 0.05) {
    const middle = (low + high) / 2;
    if (countAt(middle) <= wanted) low = middle;
    else high = middle;
  }
  return low;
}

// Shares things out among places, so that no place has two more than another.
function shared(things, places) {
  const ends = Array.from({ length: places + 1 }, (_, place) => Math.round((place * things.length) / places));
  return ends.slice(1).map((end, place) => things.slice(ends[place], end));
}

function columnsOf(list, rows, isTitled) {
  return shared(rows, Math.ceil(rows.length / list.room.down)).map((each) => tableOf(list, each, isTitled));
}

// Rows take the room below them, so that a page with few of them is as high as the screen.
function pageOf(list, columns) {
  const { heading, room, width } = list;
  const sheet = element("div", "arranged", ...columns);
  const most = Math.max(...columns.map((table) => table.tBodies[0].rows.length));
  sheet.style.setProperty("--row", `${Math.max(room.row, Math.min(room.height / most, room.row * TALLEST))}px`);
  sheet.style.setProperty("--name", `${width}em`);
  sheet.style.gridTemplateColumns = `repeat(${columns.length}, minmax(0, 1fr))`;
  return [heading.cloneNode(true), sheet];
}

function pagesOf(group) {
  const [list] = group.lists;
  if (!list.table) return [[list.heading, ...list.content]];
  const isTitled = sections.length > 1;
  if (group.lists.length > 1) {
    return [pageOf(list, group.lists.flatMap((each) => columnsOf(each, each.rows, isTitled)))];
  }
  return shared(list.rows, countOf(group)).map((rows) => pageOf(list, columnsOf(list, rows, isTitled)));
}

// A bracket is received in parts of several sizes: the largest parts with readable letters are shown.
function withPartsThatFit() {
  const drawn = received.filter(({ players }) => players);
  if (drawn.length === 0) return received;
  const probe = element("div");
  part.replaceChildren(drawn[0].heading.cloneNode(true), probe);
  const across = part.clientWidth, down = innerHeight * 0.98 - probe.getBoundingClientRect().top;
  const hundredth = Math.min(innerWidth, innerHeight) / 100;
  const scaleOf = ({ content: [svg] }) => {
    const { width, height } = svg.viewBox.baseVal;
    return Math.min(across / width, down / height, (LARGEST * hundredth) / FONT);
  };
  const choices = [...new Set(drawn.map(({ players }) => players))].map((size) => {
    const parts = drawn.filter(({ players }) => players === size);
    return { parts, scale: Math.min(...parts.map(scaleOf)) };
  });
  const readable = choices.find(({ scale }) => scale * FONT >= READABLE * hundredth);
  const { parts } = readable || choices.reduce((best, next) => (next.scale > best.scale ? next : best));
  const pictures = [];
  let left = 0; // height that the page before has left: parts are below one another while they fit
  for (const each of parts) {
    const [svg] = each.content, scale = scaleOf(each), height = svg.viewBox.baseVal.height * scale;
    svg.style.width = `${svg.viewBox.baseVal.width * scale}px`;
    svg.style.height = `${height}px`;
    svg.style.maxHeight = "none";
    if (height <= left) {
      const page = pictures.at(-1);
      page.content.push(svg);
      page.heading.firstElementChild.textContent = each.title;
    } else {
      pictures.push({ ...each, heading: each.heading.cloneNode(true), content: [svg] });
      left = down;
    }
    left -= height;
  }
  return [...pictures, ...received.filter(({ players }) => !players)];
}

function arrange() {
  if (received.length === 0) return;
  sections = withPartsThatFit();
  const hasTables = sections.some(({ table }) => table);
  for (const list of sections) if (list.table) list.width = nameWidth(list);
  pages = groupsAt(hasTables ? chosenSize() : READABLE).flatMap(pagesOf);
  if (!hasTables) part.style.fontSize = "";
  turnTo(at);
}

// A text, or that there is nothing yet, is as large as the screen has room for.
function fitText() {
  const text = part.querySelector(".text");
  if (!text) return;
  const down = innerHeight * 0.97 - text.getBoundingClientRect().top;
  let low = TEXT_MIN, high = TEXT_MAX;
  text.style.minHeight = "0";
  while (high - low > 0.1) {
    const middle = (low + high) / 2;
    text.style.fontSize = `${middle}vmin`;
    if (text.offsetHeight <= down && text.scrollWidth <= text.clientWidth) low = middle;
    else high = middle;
  }
  text.style.fontSize = `${low}vmin`;
  text.style.minHeight = `${down}px`;
}

function turnTo(page) {
  at = page % pages.length;
  part.replaceChildren(element("div", "", ...pages[at]));
  const place = part.querySelector(".of");
  if (place && pages.length > 1) place.textContent = tr("{place} of {count}", { place: at + 1, count: pages.length });
  part.dataset.pages = String(pages.length);
  fitText();
  countOn(part);
}

async function fetchWhole(page = -1) { // that page, or the one that is shown by then
  try {
    const answer = await fetch(placed(`/screen/${screenNumber}/part?whole=`), { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    const holder = document.createElement("template");
    holder.innerHTML = await answer.text(); // made and escaped by the server of this page
    for (const digits of holder.content.querySelectorAll("[data-left]")) digits.dataset.ends = endOf(digits);
    received = [...holder.content.children].map((section) => {
      const [heading, ...content] = section.children;
      const table = content[0] && content[0].tagName === "TABLE" ? content[0] : null;
      const { players = "0", title = "" } = section.dataset; // of a part: how many, what all parts are
      return { heading, content, players: Number(players), title, table, rows: table ? [...table.tBodies[0].rows] : [] };
    });
    if (page >= 0) at = page;
    arrange();
    say("");
  } catch {
    lost();
  }
}

function turn() {
  if (at + 1 < pages.length) turnTo(at + 1);
  else fetchWhole(0);
}

countOn(part);
const fetchAgain = () => fetchWhole();
follow({ path: () => placed(`/screen/${screenNumber}/stream?after=${document.body.dataset.position}`), news: fetchAgain, again: fetchAgain, opened: fetchAgain });
addEventListener("resize", arrange);
setInterval(turn, TURN_MS);
