// Sorts and filters the tables of a page. Of a table that continues in further pages all rows are read from
// scripts when a reader sorts or filters it. Without this script every table is a plain one.
const SHOWN = 300;
const FILTERED = ["held on", "day", "month", "last day", "from", "tier", "ruleset", "region", "faction", "round"];
const DAYS = ["held on", "day", "month", "last day", "from"];
const TOOLS_MIN = 6;
const CHOICES_MAX = 60;
const whole = new Map();

function ROWS(name, number, rows) {
  const parts = whole.get(name) ?? [];
  parts[number - 1] = rows;
  whole.set(name, parts);
}

// The rows of a table: its cells as texts, and what shows them.
function ownRows(table) {
  return [...table.tBodies[0].rows].map((row, place) => ({
    place, cells: [...row.cells].map((cell) => cell.textContent), row,
  }));
}

function rowsOf(parts) {
  return parts.flat().map(([anchor, few, cells], place) => ({
    place, anchor, few, links: cells, cells: cells.map((cell) => (Array.isArray(cell) ? cell[0] : cell)),
  }));
}

function made(table, entry) {
  if (entry.row) return entry.row;
  const row = table.tBodies[0].model.cloneNode(true);
  row.removeAttribute("id");
  if (entry.anchor) row.id = entry.anchor;
  row.className = entry.few ? "few" : "";
  [...row.cells].forEach((cell, place) => {
    const [text, href] = [entry.links[place]].flat();
    const inner = document.createElement(href ? "a" : "bdi");
    if (href) inner.href = href;
    const name = href ? document.createElement("bdi") : inner;
    name.textContent = text;
    if (href) inner.append(name);
    cell.replaceChildren(inner);
  });
  entry.row = row;
  return row;
}

// A cell as a number, if all of it is one; else null.
function numberOf(text) {
  const match = text.replace(/[\s\u00a0\u202f]/g, "").match(/^([+−-]?)([\d.,]+)(%|½)?$/);
  if (!match) return text === "½" ? 0.5 : null;
  const last = Math.max(match[2].lastIndexOf("."), match[2].lastIndexOf(","));
  const behind = match[2].length - last - 1;
  const digits = match[2].replace(/[.,]/g, "");
  const isFraction = last >= 0 && behind !== 3;
  const value = isFraction ? Number(digits) / 10 ** behind : Number(digits);
  return (match[1] === "-" || match[1] === "−" ? -1 : 1) * (value + (match[3] === "½" ? 0.5 : 0));
}

function compare(one, other) {
  const [first, second] = [numberOf(one), numberOf(other)];
  if (first !== null && second !== null) return first - second;
  if ((first === null) !== (second === null)) return first === null ? 1 : -1;
  return one.localeCompare(other, document.documentElement.lang);
}

function choice(label, options) {
  const outer = document.createElement("label");
  const select = document.createElement("select");
  const title = document.createElement("span");
  title.textContent = label;
  for (const [value, text] of options) select.append(new Option(text, value));
  outer.append(title, select);
  return { outer, select };
}

// The choices of a column's filter: its texts, or the years and months of its days.
function choicesOf(title, rows, place) {
  const texts = rows.map((entry) => entry.cells[place]).filter(Boolean);
  if (!DAYS.includes(title)) return [...new Set(texts)].sort(compare);
  const dated = texts.filter((text) => /^\d{4}-\d\d/.test(text));
  const parts = new Set(dated.flatMap((text) => [text.slice(0, 4), text.slice(0, 7)]));
  return [...parts].sort().reverse();
}

class Tools {
  constructor(holder) {
    this.holder = holder;
    this.table = holder.querySelector("table");
    const [head] = this.table.tHead.rows;
    this.shown = [...head.cells].map((cell) => cell.textContent);
    const [row] = this.table.tBodies[0].rows;
    this.table.tBodies[0].model = row.cloneNode(true);
    this.titles = holder.dataset.titles.split("|");
    this.isWhole = !holder.dataset.rows;
    this.waiting = [];
    this.rows = ownRows(this.table);
    this.bar = document.createElement("div");
    this.bar.className = "tools";
    this.output = document.createElement("output");
    this.filters = new Map();
    this.order = choice(WORDS.sort, this.orders());
    this.order.select.addEventListener("change", () => this.wanted());
    this.bar.append(this.order.outer);
    this.offer();
    this.bar.append(this.output);
    holder.prepend(this.bar);
    this.headings(head);
  }

  orders() {
    const columns = this.shown.flatMap((title, place) => (title ? [[`${place} 1`, `${title} ↑`], [`${place} -1`, `${title} ↓`]] : []));
    return [["", WORDS.plain], ...columns];
  }

  // The filters of the columns that are filtered by; of a table in parts, when all rows are read.
  offer() {
    this.titles.forEach((title, place) => {
      if (!FILTERED.includes(title)) return;
      const options = choicesOf(title, this.rows, place);
      const before = this.filters.get(place);
      if (!before && this.isWhole && (options.length < 2 || (options.length > CHOICES_MAX && !DAYS.includes(title)))) return;
      const texts = options.map((text) => [text, text]);
      if (before) {
        const chosen = before.select.value;
        before.select.replaceChildren(new Option(WORDS.all, ""), ...texts.map(([value, text]) => new Option(text, value)));
        before.select.value = chosen;
        return;
      }
      const made = choice(this.shown[place], [["", WORDS.all], ...texts]);
      made.select.addEventListener("change", () => this.wanted());
      made.select.addEventListener("focus", () => this.readAll(() => {}));
      made.select.addEventListener("pointerdown", () => this.readAll(() => {}));
      this.filters.set(place, made);
      this.bar.append(made.outer);
    });
  }

  headings(head) {
    if (matchMedia("(max-width: 40rem)").matches) return;
    [...head.cells].forEach((cell, place) => {
      if (!cell.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "order";
      button.textContent = cell.textContent;
      button.addEventListener("click", () => {
        const select = this.order.select;
        select.value = select.value === `${place} 1` ? `${place} -1` : `${place} 1`;
        this.wanted();
      });
      cell.replaceChildren(button);
    });
  }

  // Call back when all rows are loaded: those of a table in parts are read first.
  readAll(then) {
    if (this.isWhole) {
      then();
      return;
    }
    this.waiting.push(then);
    if (this.waiting.length > 1) return;
    const { rows: name, parts } = this.holder.dataset;
    const done = () => {
      const there = whole.get(name) ?? [];
      if (this.isWhole || Object.keys(there).length < Number(parts)) return;
      this.isWhole = true;
      this.rows = rowsOf(there);
      this.offer();
      this.waiting.forEach((each) => each());
    };
    for (let number = 1; number <= Number(parts); number += 1) load(`rows-${name}-${number}.js`, done);
  }

  wanted() {
    this.readAll(() => this.show());
  }

  show() {
    const [column, way] = this.order.select.value.split(" ").map(Number);
    const chosen = [...this.filters].map(([place, made]) => [place, made.select.value]).filter(([, value]) => value);
    const rows = this.rows.filter((entry) => chosen.every(([place, value]) => (DAYS.includes(this.titles[place])
      ? entry.cells[place].startsWith(value) : entry.cells[place] === value)));
    if (this.order.select.value) {
      rows.sort((one, other) => way * compare(one.cells[column], other.cells[column]) || one.place - other.place);
    } else rows.sort((one, other) => one.place - other.place);
    const some = this.holder.dataset.rows ? rows.slice(0, SHOWN) : rows;
    this.table.tBodies[0].replaceChildren(...some.map((entry) => made(this.table, entry)));
    const about = { shown: rows.length, rows: this.rows.length, most: some.length };
    this.output.textContent = said(some.length < rows.length ? WORDS.most : WORDS.rows, about);
    const [head] = this.table.tHead.rows;
    [...head.cells].forEach((cell, place) => {
      cell.removeAttribute("aria-sort");
      if (this.order.select.value && place === column) cell.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
    });
    if (find.value) filter();
  }
}

for (const holder of document.querySelectorAll("div.rows")) {
  const rows = holder.querySelectorAll("tbody tr").length;
  if (rows >= TOOLS_MIN) holder.tools = new Tools(holder);
}
