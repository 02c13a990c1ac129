/**
 * What a screen reader says by itself: the opening and the end of a window, three seconds before it, the outcome with
 * what one has won, each once. Everything else is there to be read when one goes there.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 */

import { element } from "./dom.js";
import { outcomeInWords } from "./phase.js";

export class Announcer extends HTMLElement {
  #line = element("p", { class: "spoken", "aria-live": "polite", role: "status" });
  /** The last thing said: which round, and what of it. */
  #said = "";

  constructor() {
    super();
    this.append(this.#line);
  }

  /**
   * @param {TableModel} table
   * @param {Words} words
   */
  update(table, words) {
    const { view, place, phaseShown } = table;
    if (view === null) return;
    const { round } = view;
    if (phaseShown === "open") {
      this.#say(`${round} open`, () =>
        words.say(view.last ? "sayOpenLast" : "sayOpen", { seconds: Math.ceil(table.secondsLeft() ?? 0) }),
      );
    } else if (phaseShown === "lastSeconds") {
      this.#say(`${round} last`, () => words.say("sayLastSeconds"));
    } else if (phaseShown === "closed") {
      this.#say(`${round} closed`, () => words.say("noMoreBets"));
    } else if (view.outcome !== null && view.phase === "result") {
      const payout = place.lastPayout;
      const owed = place.seat !== null && Object.keys(place.accepted).length > 0;
      if (owed) return; // the payout comes any moment, and is said with the outcome
      this.#say(`${round} outcome`, () => {
        const { headline, detail } = outcomeInWords(view, words);
        const own =
          payout !== null && payout.round === round
            ? words.say("sayReturned", { amount: words.money(payout.returned) })
            : "";
        return [headline, detail, own].filter((part) => part !== "").join(". ");
      });
    } else if (phaseShown === "paused" || phaseShown === "stalled" || phaseShown === "voiding") {
      this.#say(`${round} ${phaseShown}`, () => words.say(phaseShown === "voiding" ? "voided" : phaseShown));
    }
  }

  /**
   * @param {string} what
   * @param {() => string} text
   */
  #say(what, text) {
    if (this.#said === what) return;
    this.#said = what;
    this.#line.textContent = text();
  }
}

customElements.define("croupier-announcer", Announcer);
