// Sends a chosen file to the computer that serves, and goes where its answer leads.
async function sendFile(form) {
  const [file] = form.querySelector("input[type=file]").files, told = form.querySelector("[role=alert]");
  const say = (text) => { told.textContent = text; told.hidden = !text; };
  if (!file) return say("Choose a file first.");
  say("");
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const query = new URLSearchParams({ job: form.dataset.job });
    const headers = { "Content-Type": "application/octet-stream" };
    const answer = await fetch(`events/files?${query}`, { method: "POST", headers, body: file });
    const value = await answer.json();
    if (!answer.ok) return say((value.detail || "").replace(/\x60([^\x60]+)\x60/g, "“$1”") || `the hall answered ${answer.status}`);
    return location.assign(value.to);
  } catch { return say("The hall cannot be reached: try again in a moment."); } finally { button.disabled = false; }
}

for (const form of document.querySelectorAll("form[data-job]")) {
  form.addEventListener("submit", (event) => { event.preventDefault(); sendFile(form); });
}

const moment = document.querySelector("#moment input[type=range]");
if (moment) {
  moment.addEventListener("input", () => { document.getElementById("moment-at").textContent = moment.value; });
  moment.addEventListener("change", () => moment.form.requestSubmit());
}
