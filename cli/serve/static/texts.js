// Sentences with names and numbers: what varies is a name in braces. A page that is not English loads
// the texts of its language before any other script: texts-CODE.js. An element has one such text.

let spoken = { texts: {}, many: {}, forms: "" }; // `forms` has for each number below 200 which form it takes

export function speak(language) { spoken = language; }

const filled = (text, about) => text.replace(/\{(\w+)\}/g, (_, name) => about[name]);

export const tr = (text, about = {}) => filled(spoken.texts[text] ?? text, about);

export function trMany(one, many, count, about = {}) { // the form for a number, which is {count}
  const form = spoken.many[one]?.[spoken.forms[count < 200 ? count : 100 + (count % 100)]];
  return filled(form ?? (count === 1 ? one : many), { count, ...about });
}

export function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...properties });
}

export function button(text, work) {
  const made = element("button", text, { type: "button" });
  made.addEventListener("click", work);
  return made;
}
