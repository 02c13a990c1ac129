/**
 * What the fairness mark means.
 *
 * @import { Words } from "./words.js"
 */

import { Dialog } from "./dialog.js";
import { element } from "./dom.js";

export class FairDialog {
  #dialog = new Dialog("fair-dialog");

  /** @param {Words} words */
  open(words) {
    this.#dialog.name(words.say("fairness"), words.say("close"));
    this.#dialog.body.replaceChildren(
      element("p", {}, element("strong", {}, words.say("fairUnchecked"))),
      element("p", {}, words.say("fairUncheckedDetail")),
    );
    this.#dialog.open();
  }
}
