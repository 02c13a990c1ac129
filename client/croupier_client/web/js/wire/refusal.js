/**
 * Why something was not done, as the interface tells it: a key for which both languages have a sentence, and what
 * the sentence needs.
 *
 * @import { Error as ErrorMessage, ErrorCode } from "./messages.js"
 */

/**
 * Reasons that the browser finds by itself, beside the server's error codes.
 *
 * `least`, `most`, `step`, `slip_most`, `buy_in_least`, `buy_in_most`: a limit of the table, in `limit`.
 * `slip_changed`: another window of the same player changed the slip. `nothing_to_undo`, `nothing_to_double`,
 * `nothing_to_rebet`: there is nothing to do it with. `unknown_yet`: the page does not know its place yet.
 * `offline`: there is no connection. `no_answer`: the server did not say anything in time; it may have been done.
 * `table_closed`: the house has closed the table for good, for the reason in `message`.
 * `identity_refused`: the server does not know this player any more, see `Client.identityRefused`.
 * @typedef {"least" | "most" | "step" | "slip_most" | "buy_in_least" | "buy_in_most" | "slip_changed" |
 *   "nothing_to_undo" | "nothing_to_double" | "nothing_to_rebet" | "unknown_yet" | "offline" | "no_answer" |
 *   "identity_refused" | "table_closed" | "ended"} LocalKey
 */

/**
 * @typedef {object} RefusalParams
 * @property {string} [bet] the bet it is about
 * @property {number} [limit] the limit that was hit: cents, or a number of bets for `combination`
 * @property {string[]} [bets] the bets of which only `limit` may stand together
 * @property {string} [message] the server's own text, in the language of the connection
 */

/** @typedef {{ key: ErrorCode | LocalKey, params: RefusalParams }} Reason */

/** A command that was not carried out, or of which nobody knows (`no_answer`). */
export class Refusal extends Error {
  /**
   * @param {ErrorCode | LocalKey} code
   * @param {RefusalParams} [params]
   */
  constructor(code, params = {}) {
    super(params.message ?? code);
    this.name = "Refusal";
    this.code = code;
    this.params = params;
  }

  /** @returns {Reason} */
  get reason() {
    return { key: this.code, params: this.params };
  }

  /** @param {ErrorMessage} error what the server answered */
  static of({ code, message, bet, limit }) {
    /** @type {RefusalParams} */
    const params = { message };
    if (typeof bet === "string") params.bet = bet;
    if (typeof limit === "number") params.limit = limit;
    return new Refusal(code, params);
  }
}
