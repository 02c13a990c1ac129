/**
 * Checks one shoe as it is dealt, and as a whole when it has ended. No I/O: what is fetched is handed in.
 *
 * Each card is checked against the list of commitments, whose digest was published before any bet. At the end, seed and
 * contributions are published: they have to make the commitment, the list and every card that was seen.
 *
 * @import { Beacon, CardDealt, Contribution, ShoeEnded, ShoeOpened, ShoeView } from "../wire/messages.js"
 */

import { fromBase64, sameBytes } from "./bytes.js";
import { beaconHash, commitmentOf, entryAt, entryOf, orderSeed, rebuilt } from "./shoe.js";
import { sha256 } from "./sha256.js";

/**
 * What is known of a card: `checked` against the list, or `failed`; `waiting` for the list; `unchecked`, because it came
 * without its salt, in a view of what had been dealt already.
 * @typedef {"checked" | "failed" | "waiting" | "unchecked"} Verdict
 */

/**
 * What is wrong with a shoe. `list`: the list is not the one of its digest. `card`: a card is not the one committed to.
 * `position`: a card does not lie next. `seed`: the seed is not the one committed to. `values`: a value of the cut is
 * not that of its hash. `contributions`: those of the end are not those of the beginning. `beacon`: nor is its round or
 * its value. `order`: seed, contributions and beacon do not make the list. `burn`: the burnt cards are others. `round`: a round's cards or outcome are not
 * what this page saw. `chain`: the hash of the end is not that of what was dealt, or the shoe does not go on from the
 * end of the one before. `rules`: the text of the rules is not that of their digest.
 * @typedef {"list" | "card" | "position" | "seed" | "values" | "contributions" | "beacon" | "order" | "burn" | "round" |
 *   "chain" | "rules"} Fault
 */

/**
 * @typedef {object} Dealt a card that was seen
 * @property {number} deck from 0
 * @property {number} position from 0
 * @property {string} card
 * @property {Uint8Array} salt
 * @property {Verdict} verdict
 */

/** The bytes of a proof that are the position. */
const POSITION = 2;

export class ShoeCheck {
  /** What is wrong, each once. @type {Set<Fault>} */
  faults = new Set();
  /** Whether seed and contributions have been published and fit. */
  ended = false;
  /** The seats whose value of the cut was not revealed. @type {number[]} */
  withheld = [];

  #table;
  #shoe;
  #rulesDigest;
  /** @type {Uint8Array | null} */
  #list = null;
  /** @type {Dealt[]} */
  #dealt = [];
  #unseen = 0;

  /**
   * @param {string} table
   * @param {ShoeView} shoe
   * @param {string} rulesDigest
   */
  constructor(table, shoe, rulesDigest) {
    this.#table = table;
    this.#shoe = shoe;
    this.#rulesDigest = rulesDigest;
  }

  get number() {
    return this.#shoe.number;
  }

  /** Cards by what is known of them. @returns {Record<Verdict, number>} */
  get counts() {
    const counts = { checked: 0, failed: 0, waiting: 0, unchecked: this.#unseen };
    for (const { verdict } of this.#dealt) counts[verdict] += 1;
    return counts;
  }

  /** So many cards have been dealt by now, of which some came without their salts. @param {number} cards */
  missed(cards) {
    this.#unseen = Math.max(this.#unseen, cards - this.#dealt.length);
  }

  /** The list of commitments has come. @param {Uint8Array} list */
  take(list) {
    if (!sameBytes(sha256(list), fromBase64(this.#shoe.digest))) {
      this.faults.add("list");
      return;
    }
    this.#list = list;
    for (const dealt of this.#dealt) this.#judge(dealt);
  }

  /**
   * A card has been dealt.
   * @param {CardDealt} event
   * @param {number} coup its number in the shoe
   * @param {number} expected the position that comes next
   * @returns {Readonly<Dealt>} which is judged again when the list comes
   */
  deal(event, coup, expected) {
    const proof = fromBase64(event.proof);
    const position = proof.subarray(0, POSITION).reduce((number, byte) => 256 * number + byte, 0);
    if (position !== expected) this.faults.add("position");
    const deck = this.#isSeries ? coup - 1 : 0;
    return this.#add(deck, position, event.card, proof.subarray(POSITION));
  }

  /**
   * The shoe has been opened, with its first card shown.
   * @param {ShoeOpened} event
   */
  open({ burn, burn_salt: salt }) {
    if (burn !== null && salt !== null) this.#add(0, 0, burn.shown, fromBase64(salt));
  }

  /**
   * The shoe has ended, and is open to everyone. One that was never opened has nothing but its seed.
   * @param {ShoeEnded} event
   */
  end({ seed: seedText, contributions, burnt, beacon }) {
    const seed = fromBase64(seedText);
    const { number, commitment, digest, coups, decks, burn, beacon: told } = this.#shoe;
    if (!sameBytes(commitmentOf(this.#table, number, this.#rulesDigest, seed, told), fromBase64(commitment))) {
      this.faults.add("seed");
    }
    this.ended = true;
    if (digest === "") return;
    this.#checkContributions(contributions);
    if (JSON.stringify(drawn(beacon)) !== JSON.stringify(drawn(told))) this.faults.add("beacon");
    const made = orderSeed(seed, contributions.map(countsAs), beaconCountsAs(beacon));
    const { list, orders } = rebuilt(made, decks, coups);
    if (!sameBytes(sha256(list), fromBase64(digest))) this.faults.add("order");
    const unseen = burn === null ? [] : /** @type {string[]} */ (orders[0]).slice(1, 1 + burn.burnt);
    if (unseen.join() !== burnt.join()) this.faults.add("burn");
    this.#list = list;
    for (const dealt of this.#dealt) this.#judge(dealt);
  }

  /** @param {readonly Contribution[]} contributions */
  #checkContributions(contributions) {
    for (const { seat, hash, value } of contributions) {
      if (value === null) this.withheld.push(seat);
      else if (!sameBytes(sha256(fromBase64(value)), fromBase64(hash))) this.faults.add("values");
    }
    if (JSON.stringify(contributions.map(identified)) !== JSON.stringify(this.#shoe.contributions.map(identified))) {
      this.faults.add("contributions");
    }
  }

  /**
   * @param {number} deck
   * @param {number} position
   * @param {string} card
   * @param {Uint8Array} salt
   */
  #add(deck, position, card, salt) {
    /** @type {Dealt} */
    const dealt = { deck, position, card, salt, verdict: "waiting" };
    this.#dealt.push(dealt);
    this.#judge(dealt);
    return dealt;
  }

  /** @param {Dealt} dealt */
  #judge(dealt) {
    if (this.#list === null || dealt.verdict === "failed") return;
    const { deck, position, card, salt } = dealt;
    const entry = entryAt(this.#list, { isSeries: this.#isSeries, deck, position });
    dealt.verdict = sameBytes(entry, entryOf(deck, position, card, salt)) ? "checked" : "failed";
    if (dealt.verdict === "failed") this.faults.add("card");
  }

  get #isSeries() {
    return this.#shoe.coups !== null;
  }
}

/**
 * The bytes that a contribution counts as.
 * @param {Contribution} contribution
 */
export function countsAs({ hash, value }) {
  return fromBase64(value ?? hash);
}

/**
 * The bytes that a beacon counts as; null where none was named or its value did not come.
 * @param {Beacon | null} beacon
 */
function beaconCountsAs(beacon) {
  return beacon === null || beacon.value === null ? null : beaconHash(beacon, fromBase64(beacon.value));
}

/** @param {Beacon | null} beacon */
function drawn(beacon) {
  return beacon && [beacon.source, beacon.round, beacon.value];
}

/** @param {Contribution} contribution */
function identified({ seat, player, hash, value }) {
  return [seat, player, hash, value];
}
