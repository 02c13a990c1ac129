/**
 * The cut of the next shoe, and one's own part in it: taken by hand or by itself, and revealed by itself.
 *
 * @import { ClientMessage, CutView, ShoeView } from "../wire/messages.js"
 * @import { ServerClock } from "../wire/clock.js"
 * @import { Environment, StorageLike } from "../wire/environment.js"
 * @import { CutPart as Part } from "../fair/cutting.js"
 */

import { Cutting } from "../fair/cutting.js";
import { newOperation } from "../wire/environment.js";
import { Refusal } from "../wire/refusal.js";
import { Countdown } from "./countdown.js";

/**
 * The cut of the next shoe. Hashes are taken first, then values, each for so long.
 * @typedef {object} CutShown
 * @property {number} shoe
 * @property {"hashes" | "values"} stage
 * @property {number | null} secondsLeft null where nobody is seated, and there is nothing to wait for
 * @property {Part} part one's own
 * @property {number} contributions hashes that are listed
 */

/**
 * What it needs of its table.
 * @typedef {object} CutTies
 * @property {string} table
 * @property {Environment} environment
 * @property {StorageLike} storage
 * @property {ServerClock} clock
 * @property {() => CutView | null} cut of the view
 * @property {() => ShoeView | null} shoe of the view
 * @property {() => boolean} seated
 * @property {(command: ClientMessage) => Promise<any>} ask
 * @property {() => void} changed
 */

const AUTO = "croupier.cut";

export class CutPart {
  #ties;
  #cutting;
  #countdown;
  /** Shoes whose order leaves out what the server had taken from here. @type {Set<number>} */
  #leftOut = new Set();
  /** The last cut that took something from here, and what. @type {{ commitment: string, hash: string, value: string | null } | null} */
  #taken = null;

  /** @param {CutTies} ties */
  constructor(ties) {
    this.#ties = ties;
    this.#cutting = new Cutting(ties.table, ties.storage, ties.environment.randomBytes);
    this.#countdown = new Countdown(ties.clock);
  }

  /** Null when no shoe is being cut. @returns {CutShown | null} */
  get shown() {
    const cut = this.#ties.cut();
    if (cut === null) return null;
    return {
      shoe: cut.shoe,
      stage: cut.listed ? "values" : "hashes",
      secondsLeft: cut.until_ms === null ? null : this.#countdown.secondsLeft(cut.shoe, cut.until_ms),
      part: this.#cutting.part(cut),
      contributions: cut.contributions.length,
    };
  }

  /** Shoes whose order leaves out what the server had taken from here. @returns {readonly number[]} */
  get leftOut() {
    return [...this.#leftOut];
  }

  /** Whether this seat takes part in every cut by itself; kept for this browser, yes at first. */
  get byItself() {
    return this.#ties.storage.getItem(AUTO) !== "no";
  }

  set byItself(wanted) {
    this.#ties.storage.setItem(AUTO, wanted ? "yes" : "no");
    this.doWhatIsDue();
  }

  /**
   * Takes part: sends a hash of bytes that nobody else knows. They are revealed by themselves once it is listed.
   * @returns {Promise<void>}
   */
  async take() {
    const cut = this.#ties.cut();
    if (cut === null) throw new Refusal("cut_closed");
    const hash = this.#cutting.hash(cut);
    this.#ties.changed();
    await this.#ask(cut.shoe, { hash });
    this.#taken = { commitment: cut.commitment, hash, value: null };
  }

  /** The hash where that is wanted, and in any case the value of a hash that is listed. */
  doWhatIsDue() {
    const { shown } = this;
    const isDue = shown !== null && shown.stage === "hashes" && shown.part === "none" && shown.secondsLeft !== null;
    // A refusal is no news: the cut is over, or another window was faster.
    if (isDue && this.byItself && this.#ties.seated()) this.take().catch(() => {});
    void this.#reveal();
    this.#lookForOwnPart();
  }

  /** A hash that was taken must be in the list, and its value in what the shoe was opened with. */
  #lookForOwnPart() {
    const [taken, cut, shoe] = [this.#taken, this.#ties.cut(), this.#ties.shoe()];
    if (taken === null) return;
    const mine = (/** @type {CutView | ShoeView} */ { contributions }) =>
      contributions.find((each) => each.hash === taken.hash);
    if (cut?.commitment === taken.commitment && cut.listed && mine(cut) === undefined) this.#leftOut.add(cut.shoe);
    if (shoe?.commitment !== taken.commitment || shoe.end !== null) return;
    const value = mine(shoe)?.value;
    if (value === undefined || (taken.value !== null && value !== taken.value)) this.#leftOut.add(shoe.number);
  }

  async #reveal() {
    const cut = this.#ties.cut();
    const value = cut === null ? null : this.#cutting.reveal(cut);
    if (cut === null || value === null) return;
    try {
      await this.#ask(cut.shoe, { value });
      this.#taken = { commitment: cut.commitment, hash: this.#cutting.hash(cut), value };
    } catch {
      this.#cutting.failed(); // the next event or connection tries again, as long as the cut is open
    }
  }

  /**
   * @param {number} shoe
   * @param {{ hash: string } | { value: string }} part
   * @returns {Promise<void>}
   */
  #ask(shoe, part) {
    const { ask, environment, table } = this.#ties;
    return ask({ type: "cut", table, shoe, op: newOperation(environment), ...part });
  }
}
