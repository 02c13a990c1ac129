/**
 * Seconds left to bet, by the server's clock.
 *
 * @import { ServerClock } from "../wire/clock.js"
 */

/** A better estimate of the server's clock may add a little time; so little is not shown, so that no second comes back. */
const HELD_MS = 250;

export class Countdown {
  #clock;
  #round = 0;
  #closesAtMs = 0;
  #shownMs = Infinity;

  /** @param {ServerClock} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  /**
   * Seconds left, from 0; null while the server's time is unknown. Within one window it does not rise, unless the clock
   * turns out to have been wrong by more than `HELD_MS`.
   * @param {number} round
   * @param {number} closesAtMs
   * @returns {number | null}
   */
  secondsLeft(round, closesAtMs) {
    const nowMs = this.#clock.nowMs();
    if (nowMs === null) return null;
    const leftMs = Math.max(0, closesAtMs - nowMs);
    if (round !== this.#round || closesAtMs !== this.#closesAtMs || leftMs - this.#shownMs > HELD_MS) {
      this.#round = round;
      this.#closesAtMs = closesAtMs;
      this.#shownMs = leftMs;
    }
    this.#shownMs = Math.min(this.#shownMs, leftMs);
    return this.#shownMs / 1000;
  }
}
