/**
 * The felt: Player, Tie and Banker as one arc, whatever else the table offers as a smaller one outside it.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 * @import { BetResult, CommissionOffer, OfferedBet, TableView } from "../wire/messages.js"
 * @import { Reason } from "../wire/refusal.js"
 * @import { Hand } from "./in-hand.js"
 */

import { BetArea } from "./area.js";
import { element, setAttribute } from "./dom.js";
import { reasonInWords } from "./reasons.js";

const MAIN = ["player", "tie", "banker"];

/** Which of the main bets and pairs the cards have made win or push, for everybody to see. */
const OUTCOMES = /** @type {Record<string, (view: TableView) => "won" | "pushed" | null>} */ ({
  player: ({ outcome }) => (outcome === "player" ? "won" : outcome === "tie" ? "pushed" : null),
  banker: ({ outcome }) => (outcome === "banker" ? "won" : outcome === "tie" ? "pushed" : null),
  tie: ({ outcome }) => (outcome === "tie" ? "won" : null),
  player_pair: ({ outcome, player_pair }) => (outcome !== null && player_pair ? "won" : null),
  banker_pair: ({ outcome, banker_pair }) => (outcome !== null && banker_pair ? "won" : null),
  either_pair: ({ outcome, player_pair, banker_pair }) =>
    outcome !== null && (player_pair || banker_pair) ? "won" : null,
});

/** All bet areas of a table. It fires `choose` and `takeoff` with the bet as `detail`. */
export class Felt extends HTMLElement {
  #main = element("div", { class: "felt-main", role: "group" });
  #side = element("div", { class: "felt-side", role: "group" });
  /** @type {Map<string, BetArea>} */
  #areas = new Map();
  #offered = "";

  constructor() {
    super();
    this.append(this.#main, this.#side);
  }

  /** @param {string} bet */
  area(bet) {
    return this.#areas.get(bet) ?? null;
  }

  /** Bets in the order in which they are shown. */
  get bets() {
    return [...this.#areas.keys()];
  }

  /**
   * @param {TableModel} table
   * @param {Hand} hand
   * @param {Reason | null} reason why the last thing the player did was not done
   * @param {Words} words
   * @param {boolean} moving
   */
  update(table, hand, reason, words, moving) {
    const { view, place, offer } = table;
    if (view === null) return;
    this.#build(offer?.bets ?? []);
    setAttribute(this.#main, "aria-label", words.say("mainBets"));
    setAttribute(this.#side, "aria-label", words.say("sideBets"));
    const open = table.live && (table.phaseShown === "open" || table.phaseShown === "lastSeconds");
    for (const offered of offer?.bets ?? []) {
      const area = this.#areas.get(offered.bet);
      area?.update(
        {
          pay: payInWords(offered, offer?.commission ?? null, words),
          wanted: place.wanted[offered.bet] ?? 0,
          accepted: place.accepted[offered.bet] ?? 0,
          sending: place.sending,
          open,
          mine: table.canBet,
          chosen: hand.area === offered.bet,
          refused: refusedHere(reason, offered.bet, hand.last, words),
          total: view.totals[offered.bet] ?? 0,
          outcome: OUTCOMES[offered.bet]?.(view) ?? null,
          result: ownResult(table, offered.bet),
          chips: table.limits?.chips ?? [],
        },
        words,
        moving,
      );
    }
    this.classList.toggle("in-hand", hand.chip !== null);
    this.classList.toggle("over", view.outcome !== null);
  }

  /** @param {readonly OfferedBet[]} bets */
  #build(bets) {
    const offered = bets.map(({ bet }) => bet).join(" ");
    if (offered === this.#offered) return;
    this.#offered = offered;
    const fire = (/** @type {string} */ type) => (/** @type {string} */ bet) =>
      this.dispatchEvent(new CustomEvent(type, { detail: bet }));
    const names = bets.map(({ bet }) => bet);
    const others = names.filter((bet) => !MAIN.includes(bet));
    const ordered = [
      ...MAIN.filter((bet) => names.includes(bet)),
      ...others.filter((bet) => bet.startsWith("player_")),
      ...others.filter((bet) => !/^(player|banker)_/.test(bet)),
      ...others.filter((bet) => bet.startsWith("banker_")).reverse(), // each on its side, as in a mirror
    ];
    this.#areas = new Map(ordered.map((bet) => [bet, new BetArea(bet, fire("choose"), fire("takeoff"))]));
    this.#main.replaceChildren(...ordered.filter((bet) => MAIN.includes(bet)).map((bet) => this.#made(bet)));
    this.#side.replaceChildren(...ordered.filter((bet) => !MAIN.includes(bet)).map((bet) => this.#made(bet)));
    this.#side.hidden = this.#side.childElementCount === 0;
  }

  /** @param {string} bet */
  #made(bet) {
    return /** @type {BetArea} */ (this.#areas.get(bet));
  }
}

/**
 * @param {OfferedBet} offered
 * @param {CommissionOffer | null} charged the house's commission, where there is one
 * @param {Words} words
 */
function payInWords({ pays, commission }, charged, words) {
  const value = (/** @type {readonly [number, number]} */ [numerator, denominator]) => numerator / denominator;
  const [most, ...others] = [...pays].sort((one, other) => value(other) - value(one));
  if (most === undefined) return "";
  const pay = words.pays(most);
  if (commission && charged !== null) return words.say("paysLess", { pay, rate: words.rate(charged.rate) });
  return words.say(others.some((other) => value(other) < value(most)) ? "paysUpTo" : "pays", { pay });
}

/**
 * The reason stands beside the area that it is about, or beside the one that was touched last.
 * @param {Reason | null} reason
 * @param {string} bet
 * @param {string | null} last
 * @param {Words} words
 */
function refusedHere(reason, bet, last, words) {
  return reason !== null && (reason.params.bet ?? last) === bet ? reasonInWords(reason, words) : null;
}

/**
 * This player's own result of the round that is on show.
 * @param {TableModel} table
 * @param {string} bet
 * @returns {BetResult | null}
 */
function ownResult({ view, place }, bet) {
  const payout = place.lastPayout;
  if (payout === null || view === null || payout.round !== view.round) return null;
  return payout.bets.find((result) => result.bet === bet) ?? null;
}

customElements.define("croupier-felt", Felt);
