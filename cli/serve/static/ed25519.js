// Signatures of Ed25519 checked (RFC 8032); points are [X, Y, Z, T].

import { join, sha512 } from "./sha2.js";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (a) => { const r = a % P; return r < 0n ? r + P : r; };

function power(base, exponent) {
  let result = 1n;
  for (let b = mod(base), e = exponent; e; e >>= 1n, b = mod(b * b)) if (e & 1n) result = mod(result * b);
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT_OF_MINUS_1 = power(2n, (P - 1n) / 4n);
const NEUTRAL = [0n, 1n, 1n, 0n];

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = (y1 - x1) * (y2 - x2), b = (y1 + x1) * (y2 + x2), c = mod(2n * D * t1 * t2), d = 2n * z1 * z2;
  const e = mod(b - a), f = mod(d - c), g = mod(d + c), h = mod(b + a);
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(factor, point) {
  let result = NEUTRAL;
  for (let n = factor, p = point; n; n >>= 1n, p = add(p, p)) if (n & 1n) result = add(result, p);
  return result;
}

function littleEndian(bytes) { return bytes.reduceRight((sum, each) => (sum << 8n) | BigInt(each), 0n); }

function pointOf(bytes) { // null for what is no point in its one spelling
  const whole = littleEndian(bytes), sign = whole >> 255n, y = whole & ((1n << 255n) - 1n);
  if (y >= P) return null;
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x - square)) x = mod(x * ROOT_OF_MINUS_1);
  if (mod(x * x - square) || (!x && sign)) return null;
  if ((x & 1n) !== sign) x = mod(-x);
  return [x, y, 1n, mod(x * y)];
}

const BASE = pointOf(Uint8Array.from({ length: 32 }, (_, i) => (i ? 0x66 : 0x58)));

export function sameBytes(one, other) { return one.length === other.length && one.every((b, i) => b === other[i]); }

function encoded([x, y, z]) {
  const inverse = power(z, P - 2n), out = new Uint8Array(32);
  let whole = mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n);
  for (let i = 0; i < 32; i++, whole >>= 8n) out[i] = Number(whole & 255n);
  return out;
}

export function isSigned(key, signature, message) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const point = pointOf(key), r = signature.subarray(0, 32), s = littleEndian(signature.subarray(32));
  if (!point || s >= ORDER || mod(times(8n, point)[0]) === 0n) return false;
  const k = littleEndian(sha512(join(r, key, message))) % ORDER;
  const [x, y, z, t] = times(k, point);
  return sameBytes(encoded(add(times(s, BASE), [mod(-x), y, z, mod(-t)])), r);
}
