/**
 * Following one table: which messages count, and what to ask for when they do not join up. No I/O.
 *
 * Rules, as in `croupier_client.follower`:
 *
 * 1. A `watch` makes everything that comes before its `watching` answer old: it is dropped.
 * 2. After `watching`, either the missed events follow (`resumed`) or a snapshot does.
 * 3. An event counts only when it is the next one. Any other means that the stream and this view no longer belong
 *    together: the table is watched again, once, and what comes until the answer is dropped.
 * 4. When that does not help, a new connection is made and asks for a snapshot.
 * 5. `since_ahead` says that this server is behind, so another is tried; the third one in a row is believed.
 *
 * @import { Since, TableEvent, TableView, Watching } from "../wire/messages.js"
 * @import { UnknownEvent } from "./view.js"
 */

import { fold, GapError } from "./view.js";

/** So many servers in a row that have not seen our last event are right: it is lost. */
const BELIEVED_AHEAD = 3;

/**
 * What to do with a message. `catch-up` is an event that happened before this connection watched.
 * @typedef {"deliver" | "catch-up" | "drop" | "watch-again" | "reconnect"} Verdict
 */

export class Follower {
  /** Up to date with everything delivered. @type {TableView | null} */
  view = null;

  /** @type {"asked" | "snapshot-due" | "live"} */
  #state = "asked";
  /** @type {number | null} */
  #request = null;
  #presentSeq = 0;
  #afresh = false;
  #misfits = 0;
  #ahead = 0;

  /**
   * A `watch` with this id is about to be sent; returns its `since`.
   * @param {number} request
   * @returns {Since | null}
   */
  watch(request) {
    this.#state = "asked";
    this.#request = request;
    if (this.view === null || this.#afresh) return null;
    return { epoch: this.view.epoch, seq: this.view.seq };
  }

  /**
   * Takes the answer to `watch`; one to an older `watch` changes nothing.
   * @param {Watching} answer
   */
  watching(answer) {
    if (answer.id !== this.#request) return;
    const resumed = answer.resumed && this.view !== null && !this.#afresh;
    this.#state = resumed ? "live" : "snapshot-due";
    this.#presentSeq = answer.seq;
    this.#ahead = 0;
  }

  /**
   * Takes a snapshot, asked for or not: the server may move a slow watcher to the present.
   * @param {TableView} view
   * @returns {Verdict}
   */
  snapshot(view) {
    if (this.#state === "asked") return "drop";
    this.view = view;
    this.#state = "live";
    this.#afresh = false;
    return "deliver";
  }

  /**
   * Takes an event, if it is the next one.
   * @param {TableEvent | UnknownEvent} event
   * @returns {Verdict}
   */
  event(event) {
    if (this.#state !== "live" || this.view === null) return "drop";
    try {
      this.view = fold(this.view, event);
    } catch (error) {
      if (!(error instanceof GapError)) throw error;
      this.#misfits += 1;
      this.#state = "asked";
      if (this.#misfits === 1) return "watch-again";
      this.#afresh = true;
      return "reconnect";
    }
    this.#misfits = 0;
    return event.seq <= this.#presentSeq ? "catch-up" : "deliver";
  }

  /**
   * Takes the refusal `since_ahead`.
   * @returns {Verdict}
   */
  sinceAhead() {
    this.#ahead += 1;
    if (this.#ahead < BELIEVED_AHEAD) return "reconnect";
    this.#ahead = 0;
    this.#afresh = true;
    return "watch-again";
  }
}
