/**
 * The server's time, from questions and answers against this machine's steady clock (`performance.now()`): what the
 * user's clock says does not matter.
 */

/** Enough to meet a short round trip, few enough to follow two clocks that drift apart. */
const KEPT_SAMPLES = 16;

/** @typedef {{ offsetMs: number, errorMs: number }} Sample server time = steady time + offset, within the error */

export class ServerClock {
  /** @type {Sample[]} */
  #samples = [];
  #stale = false;
  #steadyNow;

  /** @param {() => number} steadyNow milliseconds of a clock that never steps */
  constructor(steadyNow) {
    this.#steadyNow = steadyNow;
  }

  /**
   * Takes what one question and its answer say: the server looked at its clock somewhere between the two. A server's
   * time is cut to whole milliseconds, so half of one is added to it and to the error.
   * @param {number} sentMs steady time
   * @param {number} receivedMs steady time
   * @param {number} serverMs
   */
  add(sentMs, receivedMs, serverMs) {
    if (this.#stale) this.#samples = [];
    this.#stale = false;
    this.#samples.push({
      offsetMs: serverMs + 0.5 - (sentMs + receivedMs) / 2,
      errorMs: (receivedMs - sentMs) / 2 + 0.5,
    });
    if (this.#samples.length > KEPT_SAMPLES) this.#samples.shift();
  }

  /** What is known may be wrong, after a sleep or at another server: the next answer replaces all of it. */
  distrust() {
    this.#stale = true;
  }

  /**
   * The server's time now; null before the first answer.
   * @returns {number | null}
   */
  nowMs() {
    const best = this.best;
    return best === null ? null : this.#steadyNow() + best.offsetMs;
  }

  /**
   * The sample with the shortest round trip, which knows best.
   * @returns {Sample | null}
   */
  get best() {
    /** @type {Sample | null} */
    let best = null;
    for (const sample of this.#samples) if (best === null || sample.errorMs < best.errorMs) best = sample;
    return best;
  }
}
