/**
 * What a table tells of itself.
 *
 * @import { Payout, SeatNotice, TableEvent } from "../wire/messages.js"
 * @import { UnknownEvent } from "./view.js"
 */

/**
 * - `events`: what has just happened, for animation; empty when only the own place or the connection has changed.
 * - `replaced`: the view is another one, or has caught up with what happened meanwhile: show it at once, no replay.
 * - `payouts`: payouts that are new.
 * - `notices`: what the server tells of the own seat unasked, in the page's language.
 * @typedef {object} TableChange
 * @property {(TableEvent | UnknownEvent)[]} events
 * @property {boolean} replaced
 * @property {Payout[]} payouts
 * @property {SeatNotice[]} notices
 */

/** What a table's `change` is: a custom event, which older engines outside of browsers do not have. */
export class TableChangeEvent extends Event {
  /** @param {Partial<TableChange>} change */
  constructor({ events = [], replaced = false, payouts = [], notices = [] }) {
    super("change");
    /** @type {TableChange} */
    this.detail = { events, replaced, payouts, notices };
  }
}
