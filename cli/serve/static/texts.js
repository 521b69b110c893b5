// Sentences with names and numbers: what varies is a name in braces.

export const tr = (text, about = {}) => text.replace(/\{(\w+)\}/g, (_, name) => about[name]);

export function trMany(one, many, count, about = {}) { // the form for a number, which is {count}
  return tr(count === 1 ? one : many, { count, ...about });
}
