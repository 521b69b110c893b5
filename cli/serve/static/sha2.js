// SHA-256, SHA-512 and HMAC (FIPS 180-4, RFC 2104): a page over http:// has no WebCrypto.

const BITS64 = (1n << 64n) - 1n;

function root(value, power) { // the whole part, by halves
  let low = 0n;
  for (let bit = 1n << 80n; bit; bit >>= 1n) {
    if ((low | bit) ** power <= value) low |= bit;
  }
  return low;
}

const PRIMES = [];
for (let n = 2; PRIMES.length < 80; n++) if (PRIMES.every((p) => n % p)) PRIMES.push(n);
const K64 = PRIMES.map((p) => root(BigInt(p) << 192n, 3n) & BITS64);
const H64 = PRIMES.slice(0, 8).map((p) => root(BigInt(p) << 128n, 2n) & BITS64);
const K32 = Uint32Array.from(K64.slice(0, 64), (k) => Number(k >> 32n));
const H32 = Uint32Array.from(H64, (h) => Number(h >> 32n));

export function bytesOf(text) { return new TextEncoder().encode(text); }

export const hex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");

export function join(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, each) => sum + each.length, 0));
  let place = 0;
  for (const each of parts) { whole.set(each, place); place += each.length; }
  return whole;
}

function padded(data, block) {
  const whole = new Uint8Array(Math.ceil((data.length + 1 + block / 8) / block) * block);
  whole.set(data);
  whole[data.length] = 0x80;
  new DataView(whole.buffer).setBigUint64(whole.length - 8, BigInt(data.length) * 8n);
  return new DataView(whole.buffer);
}

export function sha256(data) {
  const view = padded(data, 64), state = Uint32Array.from(H32), w = new Uint32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let start = 0; start < view.byteLength; start += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(start + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3))
        + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K32[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((each, i) => { state[i] += each; });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((each, i) => out.setUint32(4 * i, each));
  return new Uint8Array(out.buffer);
}

export function sha512(data) {
  const view = padded(data, 128), w = [];
  const turn = (x, n) => ((x >> n) | (x << (64n - n))) & BITS64;
  let state = H64;
  for (let start = 0; start < view.byteLength; start += 128) {
    for (let i = 0; i < 16; i++) w[i] = view.getBigUint64(start + 8 * i);
    for (let i = 16; i < 80; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = (w[i - 16] + (turn(a, 1n) ^ turn(a, 8n) ^ (a >> 7n))
        + w[i - 7] + (turn(b, 19n) ^ turn(b, 61n) ^ (b >> 6n))) & BITS64;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i++) {
      const one = h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (~e & BITS64 & g)) + K64[i] + w[i];
      const two = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & BITS64, c, b, a, (one + two) & BITS64];
    }
    state = [a, b, c, d, e, f, g, h].map((each, i) => (each + state[i]) & BITS64);
  }
  const out = new DataView(new ArrayBuffer(64));
  state.forEach((each, i) => out.setBigUint64(8 * i, each));
  return new Uint8Array(out.buffer);
}

export function hmac256(key, data) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(join(block.map((b) => b ^ 0x36), data));
  return sha256(join(block.map((b) => b ^ 0x5c), inner));
}
