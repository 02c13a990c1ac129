/**
 * The fairness mark in words: what has been checked, what does not fit, and the whole check of a shoe that has ended.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 */

import { Dialog } from "./dialog.js";
import { button, element } from "./dom.js";
import { beaconInWords, fairInWords } from "./fair-words.js";

export class FairDialog {
  #dialog = new Dialog("fair-dialog");

  /**
   * @param {TableModel} table
   * @param {Words} words
   */
  open(table, words) {
    const { fairness } = table;
    const { text, wrong } = fairInWords(table, words);
    const { last } = fairness;
    const outcome = element("p", { role: "status" });
    const beacon = beaconInWords(table, words);
    this.#dialog.name(words.say("fairness"), words.say("close"));
    this.#dialog.body.replaceChildren(
      element("p", { class: wrong ? "wrong" : false }, element("strong", {}, text)),
      ...table.leftOut.map((shoe) =>
        element("p", { class: "wrong" }, words.say("fairLeftOut", { shoe: words.number(shoe) })),
      ),
      element("p", {}, words.say("fairExplained")),
      ...(beacon === null ? [] : [element("p", {}, beacon)]),
      ...(last === null
        ? [element("p", { class: "quiet" }, words.say("fairLater"))]
        : [
            button(
              { click: () => void this.#check(table, last.shoe, words, outcome) },
              words.say("fairWhole", { shoe: words.number(last.shoe) }),
            ),
            outcome,
          ]),
    );
    this.#dialog.open();
  }

  /**
   * @param {TableModel} table
   * @param {number} shoe
   * @param {Words} words
   * @param {HTMLElement} outcome
   */
  async #check(table, shoe, words, outcome) {
    outcome.textContent = words.say("oneMoment");
    try {
      const report = await table.fairness.checkWhole(shoe);
      const right = report.faults.length === 0;
      outcome.className = right ? "won" : "wrong";
      outcome.textContent = words.say(right ? "fairWholeRight" : "fairWholeWrong");
    } catch {
      outcome.textContent = words.say("fairWholeUnknown");
    }
  }
}
