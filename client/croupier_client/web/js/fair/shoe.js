/**
 * How a shoe is made from its seed, and what commits to it: every construction of docs/fairness.md, which names them.
 * Bytes in, bytes out.
 *
 * @import { Beacon } from "../wire/messages.js"
 */

import { bytesOf, joined, u32 } from "./bytes.js";
import { hmac, sha256 } from "./sha256.js";

const RANKS = "A23456789TJQK";
const SUITS = "shdc";

/** Of each deck of a series the list has as many positions as a coup can take. */
export const SERIES_POSITIONS = 6;

const ENTRY = 32;
const SALT = 16;

/**
 * What the house publishes before the cut.
 * @param {string} table
 * @param {number} shoe
 * @param {string} rulesDigest
 * @param {Uint8Array} seed
 * @param {Beacon | null} beacon the round that is named with it
 */
export function commitmentOf(table, shoe, rulesDigest, seed, beacon) {
  const named = beacon === null ? "" : `${nameOf(beacon)}\n`;
  return sha256(bytesOf(`croupier shoe commitment 1\n${table}\n${shoe}\n${rulesDigest}\n${named}`), seed);
}

/**
 * What the value of a beacon counts as.
 * @param {Beacon} beacon
 * @param {Uint8Array} value
 */
export function beaconHash(beacon, value) {
  return sha256(bytesOf(`croupier beacon 1\n${nameOf(beacon)}\n`), value);
}

/**
 * The seed of the order, from the house's seed and the values of the cut; a value that was not revealed counts as its
 * hash. The hash of a beacon's value comes last, where one was named and has come.
 * @param {Uint8Array} seed
 * @param {readonly Uint8Array[]} values
 * @param {Uint8Array | null} drawn
 */
export function orderSeed(seed, values, drawn) {
  const mixed = [u32(values.length), ...values];
  if (drawn === null) return hmac(seed, bytesOf("croupier cut 1\n"), ...mixed);
  return hmac(seed, bytesOf("croupier cut with beacon 1\n"), ...mixed, drawn);
}

/** @param {Beacon} beacon */
function nameOf({ source, round }) {
  return `${source} ${round}`;
}

/**
 * The cards of one deck, in the order in which they are dealt.
 * @param {Uint8Array} seed of the order
 * @param {number} packs
 * @param {number} deck from 0
 * @returns {string[]}
 */
export function orderOf(seed, packs, deck) {
  const pack = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const cards = Array.from({ length: packs }, () => pack).flat();
  const numbers = numbersOf(seed, deck);
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const drawn = numberBelow(last + 1, numbers);
    [cards[last], cards[drawn]] = [/** @type {string} */ (cards[drawn]), /** @type {string} */ (cards[last])];
  }
  return cards;
}

/**
 * @param {Uint8Array} seed of the order
 * @param {number} deck from 0
 * @param {number} position from 0
 */
export function saltOf(seed, deck, position) {
  return hmac(seed, bytesOf("croupier card salt 1\n"), u32(deck), u32(position)).slice(0, SALT);
}

/**
 * One entry of the list of commitments.
 * @param {number} deck from 0
 * @param {number} position from 0
 * @param {string} card
 * @param {Uint8Array} salt
 */
export function entryOf(deck, position, card, salt) {
  return sha256(bytesOf("croupier card 1\n"), u32(deck), u32(position), bytesOf(card), salt);
}

/**
 * The entry of a list at a place.
 * @param {Uint8Array} list
 * @param {{ isSeries: boolean, deck: number, position: number }} place
 */
export function entryAt(list, { isSeries, deck, position }) {
  const index = isSeries ? deck * SERIES_POSITIONS + position : position;
  return list.subarray(index * ENTRY, (index + 1) * ENTRY);
}

/**
 * The whole list of commitments, and the order of each deck.
 * @param {Uint8Array} seed of the order
 * @param {number} packs
 * @param {number | null} coups the length of a series; null for a shoe with a cut card
 */
export function rebuilt(seed, packs, coups) {
  /** @type {Uint8Array[]} */
  const entries = [];
  /** @type {string[][]} */
  const orders = [];
  for (let deck = 0; deck < (coups ?? 1); deck += 1) {
    const cards = orderOf(seed, packs, deck);
    orders.push(cards);
    cards.slice(0, coups === null ? cards.length : SERIES_POSITIONS).forEach((card, position) => {
      entries.push(entryOf(deck, position, card, saltOf(seed, deck, position)));
    });
  }
  return { list: joined(entries), orders };
}

// The chain: one hash over all that a shoe dealt, and into the next.

/**
 * @param {Uint8Array | null} previous the end of the shoe before
 * @param {Uint8Array} commitment
 * @param {Uint8Array} digest of the list; empty for a shoe that was never opened
 * @param {number | null} cutAt
 */
export function chainBegin(previous, commitment, digest, cutAt) {
  const where = bytesOf(`${cutAt ?? ""}\n`);
  return sha256(bytesOf("croupier shoe begins 1\n"), previous ?? new Uint8Array(32), commitment, digest, where);
}

/**
 * @param {Uint8Array} chain
 * @param {{ round: number, coup: number, outcome: string, player: readonly string[], banker: readonly string[] }} round
 *   with `void` for the outcome of one that was voided
 */
export function chainRound(chain, { round, coup, outcome, player, banker }) {
  const told = `${round} ${coup} ${outcome} ${player.join("")} ${banker.join("")}\n`;
  return sha256(bytesOf("croupier round 1\n"), chain, bytesOf(told));
}

/**
 * @param {Uint8Array} chain
 * @param {Uint8Array} seed
 * @param {string | null} reason for which the shoe was abandoned
 */
export function chainEnd(chain, seed, reason) {
  return sha256(bytesOf("croupier shoe ends 1\n"), chain, seed, bytesOf(`${reason ?? ""}\n`));
}

/**
 * The stream of 32-bit numbers of a deck.
 * @param {Uint8Array} seed
 * @param {number} deck
 */
function* numbersOf(seed, deck) {
  for (let block = 0; ; block += 1) {
    const bytes = new DataView(hmac(seed, bytesOf("croupier shoe order 1"), u32(deck), u32(block)).buffer);
    for (let at = 0; at < bytes.byteLength; at += 4) yield bytes.getUint32(at);
  }
}

/**
 * The remainder of the next number that favours no remainder.
 * @param {number} places
 * @param {Generator<number, void>} numbers
 */
function numberBelow(places, numbers) {
  const fair = 2 ** 32 - (2 ** 32 % places);
  for (const number of iterate(numbers)) if (number < fair) return number % places;
  throw new Error("the stream of numbers has no end");
}

/**
 * Iterates without ending the generator when the loop is left.
 * @param {Generator<number, void>} numbers
 */
function iterate(numbers) {
  return { [Symbol.iterator]: () => ({ next: () => numbers.next() }) };
}
