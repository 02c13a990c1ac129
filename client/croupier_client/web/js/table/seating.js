/**
 * Taking a seat at a table, buying more chips, and giving the seat up: each an operation that is carried out once,
 * however often it is sent. Every promise rejects with a `Refusal`.
 *
 * @import { ClientMessage } from "../wire/messages.js"
 * @import { Client } from "../wire/client.js"
 */

import { Refusal } from "../wire/refusal.js";

/**
 * What it needs of its table.
 * @typedef {object} SeatingTies
 * @property {string} table
 * @property {Client} client
 * @property {(command: ClientMessage) => Promise<any>} ask
 * @property {() => string} newOperation
 */

export class Seating {
  #ties;
  /** The purchase that nobody has answered yet. @type {{ amount: number, op: string } | null} */
  #topUp = null;

  /** @param {SeatingTies} ties */
  constructor(ties) {
    this.#ties = ties;
  }

  /**
   * Takes a seat, with chips for `buyIn` cents from the wallet.
   * @param {{ buyIn: number, name?: string, seat?: number }} wish
   * @returns {Promise<void>}
   */
  async sit({ buyIn, name, seat }) {
    const { ask, client, newOperation, table } = this.#ties;
    if (client.identityRefused !== null && client.player === null) throw new Refusal("identity_refused");
    if (name !== undefined && name !== client.name) await client.setName(name);
    /** @type {ClientMessage} */
    const command = { type: "sit", table, buy_in: buyIn, op: newOperation() };
    if (seat !== undefined) command.seat = seat;
    await ask(command);
  }

  /**
   * Buys more chips from the wallet. After `no_answer`, the same amount is bought once however often it is asked for.
   * @param {number} cents
   * @returns {Promise<void>}
   */
  async topUp(cents) {
    const { ask, newOperation, table } = this.#ties;
    if (this.#topUp?.amount !== cents) this.#topUp = { amount: cents, op: newOperation() };
    const { amount, op } = this.#topUp;
    try {
      await ask({ type: "top_up", table, amount, op });
      this.#topUp = null;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "no_answer")) this.#topUp = null;
      throw error;
    }
  }

  /** Gives the seat up and cashes out: at once when nothing is at stake, else after the round. @returns {Promise<void>} */
  leave() {
    const { ask, newOperation, table } = this.#ties;
    return ask({ type: "leave", table, op: newOperation() });
  }
}
