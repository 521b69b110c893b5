// Fetches the page's part again when there is news of it; counts the clock on; finds a name.
import { countOn, follow, lost, say } from "./following.js";

const part = document.getElementById("part");
const search = document.getElementById("search");
const find = document.getElementById("find");
const name = part.dataset.part;
let position = Number(part.dataset.position || 0);
let tag = "";

function filter() {
  const wanted = find ? find.value.trim().toLowerCase() : "";
  for (const row of part.querySelectorAll("tbody tr")) {
    row.hidden = wanted !== "" && !row.textContent.toLowerCase().includes(wanted);
  }
}

async function fetchPart() {
  const headers = tag ? { "If-None-Match": tag } : {};
  try {
    const question = part.dataset.player ? `?player=${part.dataset.player}` : "";
    const answer = await fetch(`/parts/${name}${question}`, { headers, cache: "no-store" });
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
  if (search) search.hidden = false;
  if (find) find.addEventListener("input", filter);
  countOn(part);
  follow({
    path: () => `/api/v1/stream?after=${position}`,
    news: (message) => {
      const change = JSON.parse(message.data);
      position = change.position;
      if (change.parts.includes(name)) fetchPart();
    },
    again: fetchPart,
  });
}
