/** Bytes as the fairness of a shoe is told in them; see docs/fairness.md. */

const TEXT = new TextEncoder();

/**
 * Bytes for a text, in UTF-8.
 * @param {string} text
 */
export function bytesOf(text) {
  return TEXT.encode(text);
}

/**
 * A whole number as four bytes, the largest first.
 * @param {number} number
 */
export function u32(number) {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

/**
 * Parts one behind the other.
 * @param {readonly Uint8Array[]} parts
 */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
export function sameBytes(one, other) {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/**
 * Bytes from base64, as JSON messages have them.
 * @param {string} text
 */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

/**
 * Bytes as hexadecimal digits, as people compare them.
 * @param {Uint8Array} bytes
 */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
