/**
 * One's own latest rounds at this table, as their payouts came.
 *
 * @import { Payout } from "../wire/messages.js"
 * @import { Words } from "./words.js"
 */

import { resultInWords } from "./area.js";
import { blank } from "./dialog.js";
import { element } from "./dom.js";

export class OwnRoundsPanel extends HTMLElement {
  /** @type {readonly Payout[] | null} */
  #shown = null;
  /** @type {Words | null} */
  #words = null;

  /**
   * @param {readonly Payout[]} payouts the latest last
   * @param {Words} words
   */
  update(payouts, words) {
    if (payouts === this.#shown && words === this.#words) return;
    this.#shown = payouts;
    this.#words = words;
    if (payouts.length === 0) {
      this.replaceChildren(blank(words.say("myRoundsNone")));
      return;
    }
    this.replaceChildren(
      element("ol", { class: "own-rounds" }, ...[...payouts].reverse().map((payout) => row(payout, words))),
    );
  }
}

/**
 * @param {Payout} payout
 * @param {Words} words
 */
function row(payout, words) {
  const staked = payout.bets.reduce((sum, { stake }) => sum + stake, 0);
  const net = payout.returned - staked;
  return element(
    "li",
    {},
    element("span", { class: "quiet small number" }, words.say("roundOnly", { round: words.number(payout.round), coup: "", shoe: "" })),
    element("strong", { class: `number ${net > 0 ? "won" : ""}` }, words.signed(net)),
    ...payout.bets.map((bet) =>
      element(
        "span",
        { class: "own-bet small" },
        element("span", {}, `${words.bet(bet.bet)} ${words.money(bet.stake)}`),
        element("span", { class: "quiet" }, resultInWords(bet, words)),
      ),
    ),
  );
}

customElements.define("croupier-own-rounds", OwnRoundsPanel);
