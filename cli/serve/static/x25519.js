// Key agreement on Curve25519 (RFC 7748), for pages over plain HTTP: a browser has no WebCrypto there.

const P = 2n ** 255n - 19n;
const A24 = 121665n;
const mod = (a) => { const r = a % P; return r < 0n ? r + P : r; };

function power(base, exponent) {
  let result = 1n;
  for (let b = mod(base), e = exponent; e; e >>= 1n, b = mod(b * b)) if (e & 1n) result = mod(result * b);
  return result;
}

function littleEndian(bytes) { return bytes.reduceRight((sum, each) => (sum << 8n) | BigInt(each), 0n); }

function encoded(number) {
  const out = new Uint8Array(32);
  for (let i = 0, rest = number; i < 32; i++, rest >>= 8n) out[i] = Number(rest & 255n);
  return out;
}

export function sharedOf(secret, point) { // both of 32 bytes, as is the answer
  const clamped = Uint8Array.from(secret);
  clamped[0] &= 248;
  clamped[31] = (clamped[31] & 127) | 64;
  const k = littleEndian(clamped), u = littleEndian(point) & ((1n << 255n) - 1n);
  let x2 = 1n, z2 = 0n, x3 = u, z3 = 1n, swap = 0n;
  for (let t = 254n; t >= 0n; t--) {
    const bit = (k >> t) & 1n;
    if (swap ^ bit) { [x2, x3] = [x3, x2]; [z2, z3] = [z3, z2]; }
    swap = bit;
    const a = mod(x2 + z2), b = mod(x2 - z2), aa = mod(a * a), bb = mod(b * b), e = mod(aa - bb);
    const da = mod((x3 - z3) * a), cb = mod((x3 + z3) * b);
    x3 = mod((da + cb) ** 2n);
    z3 = mod(u * (da - cb) ** 2n);
    x2 = mod(aa * bb);
    z2 = mod(e * (aa + A24 * e));
  }
  if (swap) { [x2, x3] = [x3, x2]; [z2, z3] = [z3, z2]; }
  return encoded(mod(x2 * power(z2, P - 2n)));
}

export function publicOf(secret) { return sharedOf(secret, Uint8Array.from({ length: 32 }, (_, i) => (i ? 0 : 9))); }
