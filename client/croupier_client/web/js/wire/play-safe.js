/**
 * What a player limits for itself, and the reality check that waits for an answer.
 *
 * @import { ClientMessage, OwnLimits, RealityCheck } from "./messages.js"
 */

/** What one may change: cents and minutes, 0 for no limit; what is left out stays. */
/** @typedef {{ round_stake?: number, day_stake?: number, day_minutes?: number, reality_minutes?: number }} LimitChange */

export class PlaySafe {
  /** The reality check that nobody has answered yet; bets are not repeated meanwhile. @type {RealityCheck | null} */
  check = null;
  #ask;
  #newOperation;
  #changed;

  /**
   * @param {object} ties
   * @param {(command: ClientMessage) => Promise<any>} ties.ask
   * @param {() => string} ties.newOperation
   * @param {() => void} ties.changed
   */
  constructor({ ask, newOperation, changed }) {
    this.#ask = ask;
    this.#newOperation = newOperation;
    this.#changed = changed;
  }

  /** What the player has limited. Every promise here rejects with a `Refusal`. @returns {Promise<OwnLimits>} */
  limits() {
    return this.#ask({ type: "limits" });
  }

  /**
   * @param {LimitChange} change
   * @returns {Promise<OwnLimits>}
   */
  limit(change) {
    return this.#ask({ type: "limits", ...change, op: this.#newOperation() });
  }

  /**
   * Keeps the player from all tables; nobody but the house ends it.
   * @param {number} days
   * @returns {Promise<OwnLimits>}
   */
  exclude(days) {
    return this.#ask({ type: "exclude", days, op: this.#newOperation() });
  }

  /** The reality check was seen: play goes on. */
  async goOn() {
    await this.#ask({ type: "go_on" });
    this.take(null);
  }

  /** @param {RealityCheck | null} check that the server has sent; null where another player is one's own now */
  take(check) {
    if (this.check === check) return;
    this.check = check;
    this.#changed();
  }
}
