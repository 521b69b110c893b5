// Shows only those rows of the page's tables that hold what is typed.
const search = document.getElementById("search");
const find = document.getElementById("find");
const found = document.getElementById("found");

function filter() {
  const wanted = find.value.trim().toLowerCase();
  const rows = [...document.querySelectorAll("tbody tr")];
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  found.textContent = wanted ? `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows` : "";
}

search.hidden = false;
find.addEventListener("input", filter);
if (find.value) filter();
