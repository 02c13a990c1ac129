/**
 * One's own place at a table, without any I/O: what the server has said of it, and the slips on their way.
 *
 * Rules of what is true, as in `croupier_client.place`:
 *
 * 1. `me` is the truth and replaces everything. After a new `watch`, and in a new life of the table's stream, the next
 *    one counts whatever its revision is.
 * 2. Otherwise a `me` that can be seen to be older changes nothing: one of a seat with a lower revision, or with a slip
 *    on a round that has been paid since.
 * 3. The answer to a slip counts when its revision is higher.
 * 4. A payout is handed out once, in the order of rounds. Those that come between a `watch` and its `me` wait for it.
 *
 * Rules of what is wished:
 *
 * 5. A slip states all bets of the seat, so only the newest wish counts. One slip is in flight; the newest wish follows
 *    its answer.
 * 6. A wish belongs to the round in which it was made and is never carried into another.
 * 7. `slip_changed` means that the wish built on a slip that stands no more. If the bets are still those that this
 *    window showed, the wish is sent once more; otherwise another window has bet, its bets are shown, and the wish is
 *    given up with the reason `slip_changed`.
 *
 * @import { Me, Payout, SlipAccepted, SlipChanged, TableView } from "../wire/messages.js"
 * @import { Reason } from "../wire/refusal.js"
 * @import { Bets } from "./slip.js"
 */

import { sameBets, total } from "./slip.js";

/** As many payouts as the server keeps of a seat's rounds. */
const KEPT_PAYOUTS = 20;

const BETWEEN_ROUNDS = new Set(["result", "paused", "shuffling"]);

/** @typedef {{ round: number, bets: Bets, again: boolean }} Wish */

/** @type {Bets} */
const NO_BETS = Object.freeze({});

export class Place {
  /** Whether all below is what the server said since the last `watch`. Until then, show it as being looked up. */
  known = false;
  /** The seat's number; null without one. @type {number | null} */
  seat = null;
  /** Cents in front of the seat, without those on its slip. */
  bankroll = 0;
  /**
   * Cents in the wallet, as the client last heard; null before. A new player's is what it will begin with.
   * @type {number | null}
   */
  wallet = null;
  /** The revision that the next slip builds on. */
  rev = 0;
  /** The round that `accepted` and `ready` are about. */
  round = 0;
  /** Bets that stand on the round: these count at the window's end. @type {Bets} */
  accepted = NO_BETS;
  /** Whether this seat is ready to be dealt to. */
  ready = false;
  /** Whether the seat is given up when the round has been played. */
  leaving = false;
  /** The last settled slip at this table: what Rebet repeats. @type {Bets} */
  lastSlip = NO_BETS;
  /** Why the last wish did not come true; null once another one is made or a round opens. @type {Reason | null} */
  refused = null;
  /** Payouts told to this page, the latest last. @type {Payout[]} */
  payouts = [];

  /** The last round whose payout was told; null before any is known. @type {number | null} */
  paidRound;

  /** @type {Payout[]} */
  #early = [];
  /** @type {Wish | null} */
  #inFlight = null;
  /** @type {Wish | null} */
  #next = null;

  /** @param {number | null} [paidRound] the last round whose payout was told to an earlier page */
  constructor(paidRound = null) {
    this.paidRound = paidRound;
  }

  /** Bets as the player wants them: the newest wish, or what stands. @returns {Bets} */
  get wanted() {
    return this.#next?.bets ?? this.#inFlight?.bets ?? this.accepted;
  }

  /** Whether a wish is on its way. */
  get sending() {
    return this.#inFlight !== null || this.#next !== null;
  }

  /** Cents that a slip may use: the bankroll and what stands on the round. */
  get available() {
    return this.bankroll + total(this.accepted);
  }

  /** @returns {Payout | null} */
  get lastPayout() {
    return this.payouts.at(-1) ?? null;
  }

  // What the server says.

  /** A `watch` was sent: the `me` that follows is newer than anything known. */
  watched() {
    this.known = false;
  }

  /** Nobody has no place anywhere. */
  nobody() {
    Object.assign(this, new Place(null), { known: true, wallet: this.wallet });
    this.#early = [];
    this.#inFlight = null;
    this.#next = null;
  }

  /**
   * The stream is at `view`, perhaps in a new life: rounds after it may be played again. Returns whether the server
   * has to be asked again, because it was told of a round that is not over.
   * @param {TableView} view
   */
  startsAt(view) {
    if (this.paidRound === null || this.paidRound <= lastDone(view)) return false;
    this.paidRound = lastDone(view);
    return true;
  }

  /**
   * Takes the truth; returns the payouts that are new.
   * @param {Me} me
   * @returns {Payout[]}
   */
  takeMe(me) {
    if (this.known && this.#isOld(me)) return (me.payouts ?? []).flatMap((payout) => this.takePayout(payout));
    this.known = true;
    this.seat = me.seat ?? null;
    this.rev = me.rev;
    this.bankroll = me.bankroll ?? 0;
    this.round = me.round ?? 0;
    this.accepted = me.slip ?? NO_BETS;
    this.ready = me.ready ?? false;
    this.leaving = me.leaving ?? false;
    this.lastSlip = me.last_slip ?? NO_BETS;
    const early = this.#early;
    this.#early = [];
    return this.#handOut([...(me.payouts ?? []), ...early]);
  }

  /**
   * Takes a payout that came by itself; returns the payouts that are new.
   * @param {Payout} payout
   * @returns {Payout[]}
   */
  takePayout(payout) {
    if (!this.known) {
      this.#early.push(payout);
      return [];
    }
    if (this.round === payout.round && total(this.accepted) > 0) {
      this.lastSlip = this.accepted;
      this.accepted = NO_BETS;
      this.bankroll = payout.bankroll;
      this.ready = false;
    }
    return this.#handOut([payout]);
  }

  // What the player wants.

  /**
   * The player wants these bets on the round.
   * @param {number} round
   * @param {Bets} bets
   */
  wish(round, bets) {
    this.refused = null;
    this.#next = { round, bets, again: false };
  }

  /**
   * The slip to send now, which is in flight from here on; null while another one is, or when there is none.
   * @returns {{ round: number, rev: number, bets: Bets } | null}
   */
  send() {
    if (this.#inFlight !== null || this.#next === null) return null;
    this.#inFlight = this.#next;
    this.#next = null;
    return { round: this.#inFlight.round, rev: this.rev, bets: this.#inFlight.bets };
  }

  /**
   * Takes the answer to the slip in flight.
   * @param {SlipAccepted | SlipChanged} answer
   */
  answered(answer) {
    const wish = this.#inFlight;
    this.#inFlight = null;
    const shown = wish !== null && this.round === wish.round ? this.accepted : NO_BETS;
    if (answer.rev > this.rev) {
      this.rev = answer.rev;
      this.round = answer.round;
      this.accepted = answer.bets;
      this.bankroll = answer.bankroll;
      this.ready = false;
    }
    if (wish === null || answer.type === "slip_accepted") return;
    const stands = answer.round === wish.round ? answer.bets : NO_BETS;
    if (sameBets(stands, wish.bets)) return;
    if (sameBets(stands, shown) && !wish.again) {
      this.#next = { ...(this.#next ?? wish), again: true };
    } else {
      this.#next = null;
      this.refused = { key: "slip_changed", params: {} };
    }
  }

  /**
   * The slip in flight was refused, or nobody knows what became of it.
   * @param {Reason} reason
   */
  failed(reason) {
    this.#inFlight = null;
    this.refused = reason;
  }

  /**
   * A window has been opened, or announced again: what was said of another round is over, also where no payout said so.
   * @param {number} round
   */
  opened(round) {
    this.refused = null;
    if (this.round !== round) this.ready = false;
  }

  /**
   * Wishes for other rounds than `round` can come true no more; null: no round takes bets.
   * @param {number | null} round
   */
  closed(round) {
    if (this.#next === null || this.#next.round === round) return;
    this.#next = null;
    this.refused = { key: "betting_closed", params: {} };
  }

  /**
   * @param {Payout[]} payouts
   * @returns {Payout[]}
   */
  #handOut(payouts) {
    const fresh = [];
    for (const payout of payouts.sort((one, other) => one.round - other.round)) {
      if (this.paidRound !== null && payout.round <= this.paidRound) continue;
      this.paidRound = payout.round;
      fresh.push(payout);
    }
    this.payouts = [...this.payouts, ...fresh].slice(-KEPT_PAYOUTS);
    return fresh;
  }

  /** @param {Me} me */
  #isOld(me) {
    if ((me.seat ?? null) === null) return false; // a seat that is given up takes its revisions with it
    if (me.rev < this.rev) return true;
    return total(me.slip ?? NO_BETS) > 0 && this.paidRound !== null && (me.round ?? 0) <= this.paidRound;
  }
}

/**
 * The last round whose bets are settled.
 * @param {TableView} view
 */
function lastDone(view) {
  return BETWEEN_ROUNDS.has(view.phase) ? view.round : Math.max(view.round - 1, 0);
}
