/**
 * The rules of a table, from the server's own text: headings, paragraphs and tables of figures.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 * @import { Section, Table } from "../wire/messages.js"
 */

import { Refusal } from "../wire/refusal.js";
import { blank, Dialog } from "./dialog.js";
import { element } from "./dom.js";
import { reasonInWords } from "./reasons.js";

export class RulesDialog {
  #dialog = new Dialog("wide rules-dialog");

  /**
   * @param {TableModel} table
   * @param {Words} words
   */
  async open(table, words) {
    this.#dialog.name(words.say("rules"), words.say("close"));
    this.#dialog.body.replaceChildren(blank(words.say("lookingUp"), "waiting"));
    this.#dialog.open();
    try {
      const rules = await table.rulesText(words.code);
      this.#dialog.name(rules.title, words.say("close"));
      this.#dialog.body.replaceChildren(...rules.sections.map(section));
      this.#dialog.body.scrollTop = 0;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#dialog.body.replaceChildren(blank(reasonInWords(error.reason, words)));
    }
  }
}

/** @param {Section} section */
function section({ heading, blocks }) {
  return element(
    "section",
    { class: "rules-section" },
    element("h3", {}, heading),
    ...blocks.map((block) => (block.kind === "table" ? figures(block) : paragraph(block))),
  );
}

/** @param {{ text: string, notable: boolean }} block */
function paragraph({ text, notable }) {
  return element("p", notable ? { class: "notable" } : {}, text);
}

/** @param {Table} block */
function figures({ caption, columns, rows, numbers }) {
  const className = (/** @type {number} */ column) => (numbers.includes(column) ? "figure" : false);
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element(
        "thead",
        {},
        element("tr", {}, ...columns.map((name, at) => element("th", { scope: "col", class: className(at) }, name))),
      ),
      element(
        "tbody",
        {},
        ...rows.map((row) =>
          element("tr", {}, ...row.map((text, at) => element("td", { class: className(at) }, text))),
        ),
      ),
    ),
  );
}
