// Paths of the tournament of this page: the page's base is where that tournament is at this address. What
// waits in this browser is kept for each tournament, so that no act of one is ever sent to another.

const BASE = new URL(document.baseURI).pathname;
export const LOG = document.documentElement.dataset.log || ""; // the first letters of the log's number

export const at = (path) => BASE + path.slice(1); // where a path of this tournament is
export const within = (pathname) => (pathname.startsWith(BASE) ? `/${pathname.slice(BASE.length)}` : pathname);

export function stored(key, otherwise, storage = "localStorage") {
  try { return JSON.parse(window[storage].getItem(key)) ?? otherwise; } catch { return otherwise; }
}

export function store(key, value, storage = "localStorage") { // whether it could be kept
  try { window[storage].setItem(key, JSON.stringify(value)); return true; } catch { return false; }
}
