/**
 * Giving the seat up, asked once more, since others may take it.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 */

import { total } from "../table/slip.js";
import { Refusal } from "../wire/refusal.js";
import { Dialog } from "./dialog.js";
import { button, element, write } from "./dom.js";
import { reasonInWords } from "./reasons.js";

export class LeaveDialog {
  #dialog = new Dialog("leave-dialog");

  /**
   * @param {TableModel} table
   * @param {Words} words
   */
  open(table, words) {
    const { place } = table;
    const wrong = element("p", { class: "wrong", role: "alert" });
    const stay = button({ class: "next", click: () => this.#dialog.close() }, words.say("stay"));
    const leave = button({ click: () => void this.#leave(table, words, wrong) }, words.say("leave"));
    this.#dialog.name(words.say("leaveTitle"), words.say("close"));
    this.#dialog.body.replaceChildren(
      element("p", {}, words.say("leaveText", { amount: words.money(place.available) })),
      ...(total(place.accepted) > 0 ? [element("p", {}, words.say("leaveAtStake"))] : []),
      wrong,
      element("div", { class: "dialog-actions" }, leave, stay),
    );
    this.#dialog.open();
    stay.focus();
  }

  /**
   * @param {TableModel} table
   * @param {Words} words
   * @param {HTMLElement} wrong
   */
  async #leave(table, words, wrong) {
    try {
      await table.leave();
      this.#dialog.close();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      write(wrong, reasonInWords(error.reason, words));
    }
  }
}
