/**
 * How long the player has been at the tables and what it came to; it stays until it is answered.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Client } from "../wire/client.js"
 * @import { Words } from "./words.js"
 */

import { Refusal } from "../wire/refusal.js";
import { Dialog } from "./dialog.js";
import { button, element, write } from "./dom.js";
import { reasonInWords } from "./reasons.js";

export class RealityDialog {
  #dialog = new Dialog("reality-dialog", { closable: false });
  #client;

  /** @param {Client} client */
  constructor(client) {
    this.#client = client;
  }

  /**
   * @param {TableModel} table
   * @param {Words} words
   */
  open(table, words) {
    const { check } = this.#client.playSafe;
    if (check === null || this.#dialog.isOpen) return;
    const { minutes, staked, net } = check;
    const wrong = element("p", { class: "wrong", role: "alert" });
    const goOn = button({ class: "next", autofocus: true, click: () => void this.#answer(words, wrong) }, words.say("realityGoOn"));
    const leave = button({ click: () => void this.#answer(words, wrong, table) }, words.say("leave"));
    this.#dialog.name(words.say("realityTitle"), words.say("close"));
    this.#dialog.body.replaceChildren(
      element("p", {}, words.say("realityTime", { minutes: words.number(minutes) })),
      element(
        "dl",
        { class: "reality-sums" },
        element("dt", {}, words.say("realityStaked")),
        element("dd", { class: "number" }, words.money(staked)),
        element("dt", {}, words.say("realityNet")),
        element("dd", { class: "number" }, words.signed(net)),
      ),
      wrong,
      element("div", { class: "dialog-actions" }, ...(table.place.seat === null ? [] : [leave]), goOn),
    );
    this.#dialog.open();
  }

  /** It was answered elsewhere. */
  close() {
    this.#dialog.close();
  }

  /**
   * @param {Words} words
   * @param {HTMLElement} wrong
   * @param {TableModel} [leaving]
   */
  async #answer(words, wrong, leaving) {
    try {
      if (leaving !== undefined && leaving.place.seat !== null) await leaving.leave();
      await this.#client.playSafe.goOn();
      this.#dialog.close();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      write(wrong, reasonInWords(error.reason, words));
    }
  }
}
