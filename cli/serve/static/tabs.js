// The pages behind the desk's tabs, and the judge's: the search of players, and the slider of the log.
import { page } from "./staff.js";

const find = document.getElementById("player-find");

function filter() {
  const wanted = find ? find.value.trim().toLowerCase().split(/\s+/) : [];
  for (const row of document.querySelectorAll(".roster tbody tr")) {
    row.hidden = !wanted.every((word) => row.textContent.toLowerCase().includes(word));
  }
}

const moment = document.querySelector("#moment input[type=range]");
if (moment) {
  moment.addEventListener("input", () => { document.getElementById("moment-at").textContent = moment.value; });
  moment.addEventListener("change", () => moment.form.requestSubmit());
}
if (find) find.addEventListener("input", filter);
page.fetched = filter;
