// A text as a QR code (ISO/IEC 18004): bytes, level L, mask 0, versions 1 to 20. A phone without
// the hall draws it by itself; tests/cli/serve/phones/test_phone_proof.py holds it to another program's.

import { bytesOf } from "./sha2.js";

const ECC = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];

function codewords(version) { // that a version has room for, data and correction together
  const aligned = version > 1 ? Math.floor(version / 7) + 2 : 0;
  let modules = (16 * version + 128) * version + 64;
  if (aligned) modules -= (25 * aligned - 10) * aligned - 55;
  if (version >= 7) modules -= 36;
  return Math.floor(modules / 8);
}

const dataIn = (version) => codewords(version) - ECC[version - 1] * BLOCKS[version - 1];

function dataOf(bytes) { // the version, and its data codewords
  for (let version = 1; version <= ECC.length; version++) {
    const countBits = version < 10 ? 8 : 16, room = dataIn(version);
    if (4 + countBits + 8 * bytes.length > 8 * room) continue;
    let bits = "0100" + bytes.length.toString(2).padStart(countBits, "0");
    for (const each of bytes) bits += each.toString(2).padStart(8, "0");
    bits += "0".repeat(Math.min(4, 8 * room - bits.length));
    bits += "0".repeat((8 - bits.length % 8) % 8);
    const data = bits.match(/.{8}/g).map((each) => parseInt(each, 2));
    for (let pad = 0xec; data.length < room; pad ^= 0xfd) data.push(pad);
    return [version, data];
  }
  throw new Error("too long for a code");
}

function product(x, y) { // in the field of 256
  let z = 0;
  for (let i = 7; i >= 0; i--) z = (z << 1) ^ ((z >> 7) * 0x11d) ^ (((y >> i) & 1) * x);
  return z;
}

function correction(data, degree) {
  const divisor = Array(degree).fill(0);
  divisor[degree - 1] = 1;
  for (let i = 0, root = 1; i < degree; i++, root = product(root, 2)) {
    for (let j = 0; j < degree; j++) divisor[j] = product(divisor[j], root) ^ (j + 1 < degree ? divisor[j + 1] : 0);
  }
  const rest = Array(degree).fill(0);
  for (const each of data) {
    const factor = each ^ rest.shift();
    rest.push(0);
    divisor.forEach((coefficient, i) => { rest[i] ^= product(coefficient, factor); });
  }
  return rest;
}

function interleaved(version, data) {
  const count = BLOCKS[version - 1], degree = ECC[version - 1], short = Math.floor(data.length / count);
  const blocks = [];
  for (let i = 0, start = 0; i < count; i++) {
    const size = short + (i >= count - data.length % count ? 1 : 0);
    blocks.push(data.slice(start, start + size));
    start += size;
  }
  const further = blocks.map((block) => correction(block, degree));
  const whole = [];
  for (let i = 0; i <= short; i++) for (const block of blocks) if (i < block.length) whole.push(block[i]);
  for (let i = 0; i < degree; i++) for (const block of further) whole.push(block[i]);
  return whole;
}

function rest(value, steps, generator, top) {
  let left = value;
  for (let i = 0; i < steps; i++) left = (left << 1) ^ ((left >>> top) * generator);
  return left;
}

export function codeOf(text) { // rows of true (dark) and false
  const [version, data] = dataOf(bytesOf(text));
  const size = 4 * version + 17;
  const dark = Array.from({ length: size }, () => Array(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array(size).fill(false));
  const set = (x, y, value) => {
    if (x >= 0 && y >= 0 && x < size && y < size) { dark[y][x] = !!value; fixed[y][x] = true; }
  };
  for (let i = 0; i < size; i++) { set(6, i, i % 2 === 0); set(i, 6, i % 2 === 0); }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    for (let dy = -4; dy <= 4; dy++) for (let dx = -4; dx <= 4; dx++) {
      const far = Math.max(Math.abs(dx), Math.abs(dy));
      set(cx + dx, cy + dy, far !== 2 && far !== 4);
    }
  }
  const aligned = version > 1 ? Math.floor(version / 7) + 2 : 0, places = aligned ? [6] : [];
  const step = aligned ? Math.ceil((4 * version + 4) / (2 * aligned - 2)) * 2 : 0;
  for (let at = size - 7; places.length < aligned; at -= step) places.splice(1, 0, at);
  for (const cx of places) for (const cy of places) {
    if ((cx === 6 && cy === 6) || (cx === 6 && cy === size - 7) || (cx === size - 7 && cy === 6)) continue;
    for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) {
      set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  }
  const format = ((8 << 10) | rest(8, 10, 0x537, 9)) ^ 0x5412; // level L, mask 0
  const bit = (i) => (format >>> i) & 1;
  for (let i = 0; i <= 5; i++) set(8, i, bit(i));
  set(8, 7, bit(6)); set(8, 8, bit(7)); set(7, 8, bit(8));
  for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i));
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i));
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i));
  set(8, size - 8, true);
  if (version >= 7) {
    const said = (version << 12) | rest(version, 12, 0x1f25, 11);
    for (let i = 0; i < 18; i++) {
      const a = size - 11 + i % 3, b = Math.floor(i / 3);
      set(a, b, (said >>> i) & 1); set(b, a, (said >>> i) & 1);
    }
  }
  const words = interleaved(version, data);
  let i = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let vertical = 0; vertical < size; vertical++) for (let j = 0; j < 2; j++) {
      const x = right - j, y = ((right + 1) & 2) === 0 ? size - 1 - vertical : vertical;
      if (fixed[y][x]) continue;
      const own = i < 8 * words.length && ((words[i >>> 3] >>> (7 - (i & 7))) & 1);
      dark[y][x] = Boolean(own) !== ((x + y) % 2 === 0);
      i++;
    }
  }
  return dark;
}

export function drawn(text) { // as an <svg>, with the white margin that cameras need
  const rows = codeOf(text), size = rows.length + 8, ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "A code for the desk");
  const back = document.createElementNS(ns, "rect"), path = document.createElementNS(ns, "path");
  back.setAttribute("width", size);
  back.setAttribute("height", size);
  back.setAttribute("fill", "#fff");
  path.setAttribute("fill", "#000");
  path.setAttribute("shape-rendering", "crispEdges");
  path.setAttribute("d", rows.flatMap((row, y) => row.map((each, x) => (each ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join(""));
  svg.append(back, path);
  return svg;
}
