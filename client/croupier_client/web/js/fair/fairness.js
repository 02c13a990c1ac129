/**
 * What this page knows of the fairness of a table: each card as it lands, and the last shoe when it has ended.
 *
 * @import { PastCoup, Side, TableEvent, TableView } from "../wire/messages.js"
 * @import { Dealt, Fault, Verdict } from "./check.js"
 * @import { ShoeReport } from "./transcript.js"
 */

import { bytesOf, toHex } from "./bytes.js";
import { ShoeCheck } from "./check.js";
import { sha256 } from "./sha256.js";

/**
 * A shoe that has ended, as far as this page has seen it.
 * @typedef {object} EndedShoe
 * @property {number} shoe
 * @property {readonly Fault[]} faults
 * @property {Record<Verdict, number>} cards
 * @property {readonly number[]} withheld seats that did not reveal their value of the cut
 */

/**
 * @typedef {object} Sources
 * @property {(path: string) => Promise<Uint8Array>} fetch of the server's own
 * @property {() => void} changed
 */

export class Fairness {
  /** The last shoe that ended while this page watched; null before. @type {EndedShoe | null} */
  last = null;

  #table;
  #sources;
  /** @type {ShoeCheck | null} */
  #check = null;
  #digest = "";
  #listAsked = false;
  /** What was wrong with the beginning of the next shoe. @type {Fault[]} */
  #begun = [];
  /** Cards of the round on the table. @type {Map<string, Readonly<Dealt>>} */
  #cards = new Map();
  /** Coups of the running shoe and of the last, as they were seen, to be compared with a transcript. @type {Map<number, readonly PastCoup[]>} */
  #seen = new Map();

  /**
   * @param {string} table
   * @param {Sources} sources
   */
  constructor(table, sources) {
    this.#table = table;
    this.#sources = sources;
  }

  /** Whether the running shoe can be checked at all. */
  get canCheck() {
    return this.#check !== null;
  }

  /** What is wrong with the running shoe; none when everything fits so far. @returns {readonly Fault[]} */
  get faults() {
    return [...(this.#check?.faults ?? [])];
  }

  /** Cards of the running shoe by what is known of them. @returns {Record<Verdict, number>} */
  get cards() {
    return this.#check?.counts ?? { checked: 0, failed: 0, waiting: 0, unchecked: 0 };
  }

  /**
   * What is known of a card on the table.
   * @param {Side} hand
   * @param {number} index from 0
   * @returns {Verdict}
   */
  verdict(hand, index) {
    return this.#cards.get(`${hand} ${index}`)?.verdict ?? "unchecked";
  }

  /**
   * Checks a whole shoe that has ended, from what the server keeps of it. Rejects where that cannot be had.
   * @param {number} shoe
   * @returns {Promise<ShoeReport>}
   */
  async checkWhole(shoe) {
    const [transcript, { checkTranscript }] = await Promise.all([
      this.#sources.fetch(`/shoes/${this.#table}/${shoe}`),
      import("./transcript.js"), // few people ask for it
    ]);
    return checkTranscript(new TextDecoder().decode(transcript), this.#seen.get(shoe) ?? []);
  }

  /**
   * The view is another one: what has been dealt of its shoe came without salts.
   * @param {TableView} view
   */
  replaced(view) {
    this.#cards.clear();
    this.#begun = [];
    this.#begin(view);
    this.#check?.missed(view.shoe?.dealt ?? 0);
  }

  /**
   * An event has happened.
   * @param {TableEvent} event
   * @param {TableView} view after it
   */
  happened(event, view) {
    if (event.type === "commitment") {
      this.#begun = [];
      if (toHex(sha256(bytesOf(event.rules_text))) !== event.rules.digest) this.#begun.push("rules");
      const end = view.shoe?.end ?? null;
      if (end !== null && end !== event.previous) this.#begun.push("chain");
    } else if (event.type === "shoe") {
      this.#begin(view);
      this.#check?.open(event);
      this.#needList();
      for (const fault of this.#begun) this.#check?.faults.add(fault);
    } else if (event.type === "betting" && view.player.cards.length === 0) {
      this.#cards.clear();
    } else if (event.type === "card" && this.#check !== null && view.shoe !== null) {
      this.#needList();
      const dealt = this.#check.deal(event, view.coup, view.shoe.dealt - 1);
      this.#cards.set(`${event.hand} ${event.index}`, dealt);
    } else if (event.type === "result" && view.shoe !== null) {
      this.#seen.set(view.shoe.number, view.past);
      for (const shoe of this.#seen.keys()) if (shoe < view.shoe.number - 1) this.#seen.delete(shoe);
    } else if (event.type === "shoe_end" && this.#check !== null && this.#check.number === event.shoe) {
      this.#check.end(event);
      const { number: shoe, withheld, counts } = this.#check;
      this.last = { shoe, faults: this.faults, cards: counts, withheld };
    }
  }

  /**
   * Begins to check the shoe of a view, where it is another one.
   * @param {TableView} view
   */
  #begin({ shoe, rules }) {
    if ((shoe?.digest ?? "") === this.#digest) return;
    this.#digest = shoe?.digest ?? "";
    this.#check = shoe === null || shoe.digest === "" ? null : new ShoeCheck(this.#table, shoe, rules.digest);
    this.#cards.clear();
    this.#listAsked = false;
  }

  /** The list of commitments is large, and a page that only looks in before the next card can do without. */
  #needList() {
    if (this.#check === null || this.#listAsked) return;
    this.#listAsked = true;
    void this.#fetchList(this.#check);
  }

  /** @param {ShoeCheck} check */
  async #fetchList(check) {
    try {
      check.take(await this.#sources.fetch(`/shoes/${this.#table}/${check.number}/commitments`));
    } catch {
      return; // The cards go on waiting for it; the end of the shoe brings what the list would have said.
    }
    this.#sources.changed();
  }
}
