/**
 * Which key does what, and whether single keys do anything.
 *
 * @import { Words } from "./words.js"
 * @import { Preferences } from "./preferences.js"
 */

import { Dialog } from "./dialog.js";
import { element, write } from "./dom.js";
import { keysOf } from "./shortcuts.js";

export class KeysDialog {
  #dialog = new Dialog("keys-dialog");
  #list = element("dl", { class: "keys" });
  #box = element("input", {
    type: "checkbox",
    change: () => this.#preferences.choose({ shortcuts: this.#box.checked }),
  });
  #word = element("span");
  #preferences;

  /** @param {Preferences} preferences */
  constructor(preferences) {
    this.#preferences = preferences;
    this.#dialog.body.append(this.#list, element("label", { class: "check" }, this.#box, this.#word));
  }

  /** @param {Words} words */
  open(words) {
    this.#dialog.name(words.say("keys"), words.say("close"));
    this.#list.replaceChildren(
      ...keysOf(words).flatMap(({ keys, does }) => [
        element("dt", {}, ...keys.map((key) => element("kbd", {}, key))),
        element("dd", {}, does),
      ]),
    );
    write(this.#word, words.say("keysOn"));
    this.#box.checked = this.#preferences.choices.shortcuts;
    this.#dialog.open();
  }
}
