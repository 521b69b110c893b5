// Fetches the page's part again when there is news of it, of a long list only the piece that is
// shown; counts the clock on; hides the rows without the name that is typed. The form of the field
// finds a name in all pieces.
import { countOn, follow, isOfClosed, lost, say } from "./following.js";
import { at } from "./paths.js";

const part = document.getElementById("part");
const find = document.getElementById("find");
const elsewhere = document.getElementById("elsewhere");
const name = part.dataset.part;
const query = part.dataset.query;
let position = Number(part.dataset.position || 0);
let tag = "";

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function filter() { // what was typed when the page was made was found by the hall
  const wanted = find && find.value !== find.defaultValue ? plain(find.value.trim()) : "";
  let shown = 0;
  for (const row of part.querySelectorAll("tbody tr")) {
    row.hidden = wanted !== "" && !plain(row.textContent).includes(wanted);
    if (!row.hidden) shown += 1;
  }
  if (elsewhere) elsewhere.hidden = wanted === "" || shown > 0;
}

async function fetchPart() {
  const headers = tag ? { "If-None-Match": tag } : {};
  try {
    const path = query ? `/parts/${name}?${query}` : `/parts/${name}`;
    const answer = await fetch(at(path), { headers, cache: "no-store" });
    if (isOfClosed(answer)) return void lost();
    if (answer.status === 200) {
      tag = answer.headers.get("ETag") || "";
      part.innerHTML = await answer.text(); // made and escaped by the server of this page
      filter();
      countOn(part);
    }
    say("");
  } catch {
    lost();
  }
}

if (name) {
  if (find) find.addEventListener("input", filter);
  countOn(part);
  follow({
    path: () => at(`/api/v1/stream?after=${position}`),
    news: (message) => {
      const change = JSON.parse(message.data);
      position = change.position;
      if (change.parts.includes(name)) fetchPart();
    },
    again: fetchPart,
  });
  setTimeout(() => import("./moved.js").catch(() => {}), 3000); // fetched before the desk is lost
}
