/**
 * The stream of one table, over one connection after another: watches it, resumes it, and asks again where it does not
 * join up. What counts and what does not is the follower's to say.
 *
 * @import { ClientMessage, ServerMessage, TableEvent, TableView } from "../wire/messages.js"
 * @import { Environment } from "../wire/environment.js"
 * @import { UnknownEvent } from "./view.js"
 */

import { Refusal } from "../wire/refusal.js";
import { Follower } from "./follower.js";

/** A `watch` that is not answered by then brings another connection. */
const ANSWER_MS = 10_000;

/**
 * What a stream needs, and whom it tells.
 * @typedef {object} StreamTies
 * @property {string} table
 * @property {Environment} environment
 * @property {() => boolean} isOpen
 * @property {(command: ClientMessage) => boolean} send
 * @property {() => number} nextId
 * @property {() => void} reconnect
 * @property {() => number | null} watched a `watch` is sent: returns the last round whose payout is known
 * @property {(isSnapshot: boolean) => void} replaced the view is another one, or about to catch up with events
 * @property {(event: TableEvent | UnknownEvent, isOld: boolean) => void} happened `isOld`: it was missed, and is no news
 * @property {(refusal: Refusal) => void} refused the table cannot be watched
 */

export class Stream {
  /** Whether the table is to be watched. */
  isWanted = false;
  /** Whether the view is live on this connection, and no memory of the last one. */
  isLive = false;
  /** Since when the table stands still because of a fault, by the server's clock. @type {number | null} */
  stalledSinceMs = null;

  #ties;
  #follower = new Follower();
  /** @type {number | null} */
  #request = null;
  /** @type {any} */
  #timer;

  /** @param {StreamTies} ties */
  constructor(ties) {
    this.#ties = ties;
  }

  /** @returns {TableView | null} */
  get view() {
    return this.#follower.view;
  }

  start() {
    this.isWanted = true;
    if (this.#ties.isOpen()) this.watch();
  }

  /** Ends it here; the server is told by whoever ends it for another reason than its own. */
  stop() {
    this.isWanted = false;
    this.isLive = false;
    this.#ties.environment.clearTimeout(this.#timer);
  }

  /** A connection is open. */
  opened() {
    if (this.isWanted) this.watch();
  }

  /** The connection is gone. */
  lost() {
    this.isLive = false;
    this.stalledSinceMs = null;
    this.#ties.environment.clearTimeout(this.#timer);
  }

  /** Asks for the events after those that are known. */
  watch() {
    const { environment, nextId, reconnect, send, table, watched } = this.#ties;
    this.#request = nextId();
    const since = this.#follower.watch(this.#request);
    const paidRound = watched();
    /** @type {ClientMessage} */
    const command = { type: "watch", table, id: this.#request };
    if (since !== null) command.since = since;
    if (paidRound !== null) command.paid_round = paidRound;
    environment.clearTimeout(this.#timer);
    this.#timer = environment.setTimeout(reconnect, ANSWER_MS);
    send(command);
  }

  /**
   * Takes a message of this table, if it is about the stream.
   * @param {ServerMessage} message
   */
  take(message) {
    if (message.type === "snapshot") {
      if (this.#follower.snapshot(message) === "deliver") this.#goLive(true);
    } else if (message.type === "watching") {
      if (message.id !== this.#request) return;
      this.#ties.environment.clearTimeout(this.#timer);
      this.#follower.watching(message);
      if (message.resumed) this.#goLive(false);
    } else if (message.type === "error") {
      if (message.id === this.#request) this.#refused(Refusal.of(message));
    } else if (message.type === "stalled") {
      this.stalledSinceMs = message.since_ms;
    } else if (message.type === "live") {
      this.stalledSinceMs = null;
    } else if ("epoch" in message) {
      this.#takeEvent(message);
    }
  }

  /** @param {boolean} isSnapshot */
  #goLive(isSnapshot) {
    this.isLive = true;
    this.#ties.replaced(isSnapshot);
  }

  /** @param {TableEvent} event */
  #takeEvent(event) {
    const verdict = this.#follower.event(event);
    if (verdict === "deliver" || verdict === "catch-up") this.#ties.happened(event, verdict === "catch-up");
    else if (verdict === "watch-again") this.watch();
    else if (verdict === "reconnect") this.#ties.reconnect();
  }

  /** @param {Refusal} refusal */
  #refused(refusal) {
    this.#ties.environment.clearTimeout(this.#timer);
    if (refusal.code === "since_ahead" && this.#follower.sinceAhead() === "watch-again") {
      this.watch();
    } else if (["since_ahead", "busy", "unavailable"].includes(refusal.code)) {
      this.#ties.reconnect();
    } else {
      this.#ties.refused(refusal);
    }
  }
}
