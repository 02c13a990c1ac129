/**
 * A field for an amount, written as the language writes amounts, with a few amounts to pick.
 *
 * @import { Words } from "./words.js"
 */

import { parseMoney } from "../text/money.js";
import { button, element, setAttribute, write } from "./dom.js";

let made = 0;

export class MoneyField {
  #label = element("label");
  #input = element("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
  #note = element("p", { class: "small quiet" });
  #picks = element("div", { class: "picks" });
  element = element(
    "div",
    { class: "field" },
    this.#label,
    this.#input,
    this.#note,
    this.#picks,
  );

  constructor() {
    made += 1;
    this.#input.id = `amount-${made}`;
    this.#note.id = `amount-note-${made}`;
    this.#label.htmlFor = this.#input.id;
    setAttribute(this.#input, "aria-describedby", this.#note.id);
  }

  /**
   * @param {string} label
   * @param {string} note
   * @param {number[]} picks amounts in cents
   * @param {number} cents what the field begins with
   * @param {Words} words
   */
  begin(label, note, picks, cents, words) {
    write(this.#label, label);
    write(this.#note, note);
    this.#input.value = plain(cents, words);
    this.invalid(false);
    this.#picks.replaceChildren(
      ...picks.map((pick) =>
        button({ click: () => (this.#input.value = plain(pick, words)) }, words.money(pick)),
      ),
    );
  }

  /** @param {boolean} wrong */
  invalid(wrong) {
    setAttribute(this.#input, "aria-invalid", wrong ? "true" : null);
    if (wrong) this.#input.focus();
  }

  /** @returns {number | null} cents; null when nothing sensible is written */
  get cents() {
    return parseMoney(this.#input.value);
  }
}

/**
 * An amount as one would type it: without thousands, without cents that are none.
 * @param {number} cents
 * @param {Words} words
 */
function plain(cents, words) {
  const units = String(Math.floor(cents / 100));
  const mark = words.code === "fr" ? "," : ".";
  return cents % 100 === 0 ? units : `${units}${mark}${String(cents % 100).padStart(2, "0")}`;
}
