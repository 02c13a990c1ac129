/**
 * What the player does with chips at one table, and the slips that come of it. Every change is sent at once; what the
 * server has accepted stands at the window's end.
 *
 * @import { ClientMessage } from "../wire/messages.js"
 * @import { Reason } from "../wire/refusal.js"
 * @import { Place } from "./place.js"
 * @import { SlipTerms, Stacks } from "./slip.js"
 */

import { Refusal } from "../wire/refusal.js";
import { addChip, allIn, betsOf, checkSlip, doubled, NO_CHIPS, sameBets, stacksOf, takeTop, total } from "./slip.js";

/** @typedef {{ ok: true } | { ok: false, key: Reason["key"], params: Reason["params"] }} Outcome */

/**
 * What betting needs of its table.
 * @typedef {object} BettingTies
 * @property {string} table
 * @property {Place} place
 * @property {() => Reason | null} refusal why no bet can be placed now
 * @property {() => SlipTerms | null} terms null while limits are unknown
 * @property {() => number} round of the table
 * @property {() => number | null} openRound the round that takes bets
 * @property {(command: ClientMessage) => Promise<any>} ask
 * @property {() => string} newOperation
 * @property {() => void} changed
 */

/** @type {Outcome} */
const DONE = { ok: true };

export class Betting {
  #ties;
  #place;
  /** @type {Stacks} */
  #stacks = NO_CHIPS;
  /** Stacks before each change of the round, oldest first. @type {Stacks[]} */
  #before = [];
  #round = 0;
  #opened = 0;
  /** The round in which the last slip is still to be repeated by itself. @type {number | null} */
  #toRebet = null;
  /** @type {{ round: number, done: Promise<void> } | null} */
  #dealing = null;
  /** @type {(() => void)[]} */
  #idle = [];

  /** @param {BettingTies} ties */
  constructor(ties) {
    this.#ties = ties;
    this.#place = ties.place;
  }

  /** The chips of the slip as the player wants it, bottom first. @returns {Stacks} */
  get stacks() {
    this.#sync();
    return this.#stacks;
  }

  /**
   * @param {string} bet
   * @param {number} cents
   */
  add(bet, cents) {
    return this.#edit((stacks) => addChip(stacks, bet, cents));
  }

  /** @param {string} bet */
  takeTop(bet) {
    return this.#edit((stacks, { limits }) => takeTop(stacks, bet, limits));
  }

  /** @param {string} bet */
  allIn(bet) {
    return this.#edit((stacks, { limits }) => allIn(stacks, bet, limits, this.#place.available));
  }

  undo() {
    const reason = this.#ties.refusal();
    if (reason !== null) return refused(reason);
    this.#sync();
    const before = this.#before.at(-1);
    if (before === undefined) return refused({ key: "nothing_to_undo", params: {} });
    const earlier = this.#before.slice(0, -1);
    const outcome = this.#edit(() => before);
    if (outcome.ok) this.#before = earlier;
    return outcome;
  }

  clear() {
    return this.#edit(() => NO_CHIPS);
  }

  double() {
    if (total(this.#place.wanted) === 0) return refused({ key: "nothing_to_double", params: {} });
    return this.#edit(doubled);
  }

  rebet() {
    const { known, lastSlip } = this.#place;
    if (known && total(lastSlip) === 0) return refused({ key: "nothing_to_rebet", params: {} });
    return this.#edit((_, { limits }) => stacksOf(lastSlip, limits.chips));
  }

  /**
   * Says that this seat is ready, once the slips on their way are through; once a round, however often it is asked for.
   * @returns {Promise<void>}
   */
  deal() {
    const reason = this.#ties.refusal();
    const round = this.#ties.openRound();
    if (reason !== null) return Promise.reject(new Refusal(reason.key, reason.params));
    if (round === null) return Promise.reject(new Refusal("betting_closed"));
    const { ready, sending } = this.#place;
    if (ready && this.#place.round === round && !sending) return Promise.resolve();
    if (this.#dealing?.round === round) return this.#dealing.done;
    const dealing = { round, done: this.#sendDeal(round) };
    this.#dealing = dealing;
    const end = () => {
      if (this.#dealing === dealing) this.#dealing = null;
    };
    dealing.done.then(end, end);
    return dealing.done;
  }

  /** @returns {Promise<void>} when no slip is on its way */
  untilIdle() {
    return this.#place.sending ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  /**
   * A window has been opened, or announced again for the same round.
   * @param {number} round
   * @param {boolean} rebets whether the last slip is to be repeated by itself
   */
  opened(round, rebets) {
    if (round === this.#opened) return;
    this.#opened = round;
    this.#place.opened(round);
    if (rebets) this.#toRebet = round;
  }

  /** Repeats the last slip, if that is still to be done and can be: once the round before is paid. */
  rebetIfDue() {
    if (this.#toRebet === null) return;
    if (this.#toRebet !== this.#ties.openRound()) {
      this.#toRebet = null;
    } else if (this.#place.known && total(this.#place.accepted) === 0) {
      this.#toRebet = null;
      if (total(this.#place.lastSlip) > 0) this.rebet();
    }
  }

  /**
   * @param {(stacks: Stacks, terms: SlipTerms) => Stacks} edit
   * @returns {Outcome}
   */
  #edit(edit) {
    const reason = this.#ties.refusal();
    const terms = this.#ties.terms();
    const round = this.#ties.openRound();
    if (reason !== null || terms === null || round === null) {
      return refused(reason ?? { key: "betting_closed", params: {} });
    }
    this.#sync();
    const before = this.#stacks;
    const after = edit(before, terms);
    const bets = betsOf(after);
    if (sameBets(bets, this.#place.wanted)) return DONE;
    const fault = total(bets) === 0 ? null : checkSlip(bets, terms, this.#place.available);
    if (fault !== null) {
      this.#place.refused = fault;
      this.#ties.changed();
      return refused(fault);
    }
    this.#stacks = after;
    this.#before = [...this.#before, before];
    this.#place.wish(round, bets);
    void this.#sendSlips();
    this.#ties.changed();
    return DONE;
  }

  async #sendSlips() {
    const { ask, newOperation, table } = this.#ties;
    for (let slip = this.#place.send(); slip !== null; slip = this.#place.send()) {
      try {
        this.#place.answered(await ask({ type: "slip", table, ...slip, op: newOperation() }));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.#place.failed(error.reason);
      }
      this.#ties.changed();
    }
    if (this.#place.sending) return;
    for (const idle of this.#idle.splice(0)) idle();
  }

  /** @param {number} round */
  async #sendDeal(round) {
    await this.untilIdle();
    await this.#ties.ask({ type: "deal", table: this.#ties.table, round, op: this.#ties.newOperation() });
  }

  /** Chips follow the bets wherever these did not come from an edit here. */
  #sync() {
    const round = this.#ties.round();
    if (round !== this.#round) {
      this.#round = round;
      this.#before = [];
    }
    if (sameBets(betsOf(this.#stacks), this.#place.wanted)) return;
    this.#stacks = stacksOf(this.#place.wanted, this.#ties.terms()?.limits.chips ?? []);
    if (!this.#place.sending) this.#before = [];
  }
}

/**
 * @param {Reason} reason
 * @returns {Outcome}
 */
function refused({ key, params }) {
  return { ok: false, key, params };
}
