/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104).
 *
 * The browser's own is there in secure contexts only, and answers later; a table on a local network has none, and a
 * card is to be checked when it lands. So this one is used everywhere. A whole shoe is some 3,000 blocks.
 */

import { joined } from "./bytes.js";

const BLOCK = 64;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const K = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/** The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
const START = Uint32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

/**
 * The hash of parts one behind the other.
 * @param {readonly Uint8Array[]} parts
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sha256(...parts) {
  const padded = withPadding(joined(parts));
  const blocks = new DataView(padded.buffer);
  const state = START.slice();
  const schedule = new Int32Array(64);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let word = 0; word < 16; word += 1) schedule[word] = blocks.getInt32(at + 4 * word);
    compress(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(4 * index, word));
  return new Uint8Array(digest.buffer);
}

/**
 * @param {Uint8Array} key of at most 64 bytes, as all of ours are
 * @param {readonly Uint8Array[]} parts of the message
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function hmac(key, ...parts) {
  const inner = new Uint8Array(BLOCK).fill(0x36);
  const outer = new Uint8Array(BLOCK).fill(0x5c);
  key.forEach((byte, index) => {
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  });
  return sha256(outer, sha256(inner, ...parts));
}

/**
 * The message, a one bit, noughts, and its length in bits as 64 bits.
 * @param {Uint8Array} message
 */
function withPadding(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const tail = new DataView(padded.buffer, padded.length - 8);
  tail.setUint32(0, Math.floor(message.length / 0x2000_0000));
  tail.setUint32(4, message.length * 8);
  return padded;
}

/**
 * One block. The words are in variables of their own: this runs a few thousand times for a shoe, and arrays of eight
 * take ten times as long.
 * @param {Uint32Array} state
 * @param {Int32Array} w the schedule, of which the first 16 words are the block
 */
function compress(state, w) {
  for (let t = 16; t < 64; t += 1) {
    const x = /** @type {number} */ (w[t - 15]);
    const y = /** @type {number} */ (w[t - 2]);
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = /** @type {number} */ (w[t - 16]) + s0 + /** @type {number} */ (w[t - 7]) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const word = /** @type {number} */ (K[t]) + /** @type {number} */ (w[t]);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + word) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] = /** @type {number} */ (state[0]) + a;
  state[1] = /** @type {number} */ (state[1]) + b;
  state[2] = /** @type {number} */ (state[2]) + c;
  state[3] = /** @type {number} */ (state[3]) + d;
  state[4] = /** @type {number} */ (state[4]) + e;
  state[5] = /** @type {number} */ (state[5]) + f;
  state[6] = /** @type {number} */ (state[6]) + g;
  state[7] = /** @type {number} */ (state[7]) + h;
}
