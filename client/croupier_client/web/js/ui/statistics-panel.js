/**
 * What the running shoe has seen.
 *
 * @import { Statistics } from "../table/statistics.js"
 * @import { Words } from "./words.js"
 */

import { blank } from "./dialog.js";
import { element } from "./dom.js";

export class StatisticsPanel extends HTMLElement {
  /** @type {Statistics | null} */
  #shown = null;
  /** @type {Words | null} */
  #words = null;

  /**
   * @param {Statistics} seen
   * @param {Words} words
   */
  update(seen, words) {
    if (seen === this.#shown && words === this.#words) return;
    this.#shown = seen;
    this.#words = words;
    if (seen.coups === 0) {
      this.replaceChildren(blank(words.say("statisticsEmpty")));
      return;
    }
    const { outcomes, coups, streak, longest } = seen;
    const sides = words.terms.sides;
    const rows = [
      [words.say("streakNow"), streak === null ? "–" : words.say("streakOf", { side: sides[streak.side], length: words.number(streak.length) })],
      [words.say("longest", { side: sides.player }), words.number(longest.player)],
      [words.say("longest", { side: sides.banker }), words.number(longest.banker)],
      [words.say("naturals"), words.number(seen.naturals)],
      [words.say("playerPairs"), words.number(seen.playerPairs)],
      [words.say("bankerPairs"), words.number(seen.bankerPairs)],
    ];
    this.replaceChildren(
      element("p", { class: "quiet small" }, words.counted(coups, "coup")),
      element(
        "div",
        { class: "bars" },
        ...(/** @type {const} */ (["player", "tie", "banker"])).map((outcome) =>
          bar(outcome, outcomes[outcome], coups, words),
        ),
      ),
      element(
        "dl",
        { class: "facts" },
        ...rows.flatMap(([name = "", value = ""]) => [
          element("dt", {}, name),
          element("dd", { class: "number" }, value),
        ]),
      ),
    );
  }
}

/**
 * @param {"player" | "tie" | "banker"} outcome
 * @param {number} count
 * @param {number} coups
 * @param {Words} words
 */
function bar(outcome, count, coups, words) {
  const part = element("span");
  part.style.width = `${(100 * count) / coups}%`;
  return element(
    "div",
    { class: `bar ${outcome}` },
    element("span", {}, words.terms.outcomes[outcome]),
    element(
      "span",
      { class: "number" },
      words.say("countAndPart", { count: words.number(count), part: words.percent(count / coups) }),
    ),
    element("span", { class: "bar-line", "aria-hidden": "true" }, part),
  );
}

customElements.define("croupier-statistics", StatisticsPanel);
