/**
 * A bet area. The whole of it is a button that chooses the area, or puts the chip in hand on it; what lies there is a
 * button of its own that takes the top chip off again.
 *
 * @import { Words } from "./words.js"
 * @import { BetResult } from "../wire/messages.js"
 */

import { pile } from "./chip.js";
import { button, element, setAttribute, show, write } from "./dom.js";
import { playOnce } from "./motion.js";

/**
 * What an area shows.
 * @typedef {object} AreaState
 * @property {string} pay in words, such as "8 to 1"
 * @property {number} wanted cents the player wants on it
 * @property {number} accepted cents that stand on it
 * @property {boolean} sending
 * @property {boolean} open whether bets are taken
 * @property {boolean} mine whether this player may bet now
 * @property {boolean} chosen whether chips that are clicked go here
 * @property {string | null} refused why the last wish for this bet did not come true
 * @property {number} total cents of everybody
 * @property {"won" | "pushed" | null} outcome what the cards made of this bet, for everybody
 * @property {BetResult | null} result what became of this player's own stake
 * @property {readonly number[]} chips the table's chips
 */

export class BetArea extends HTMLElement {
  #name = element("span", { class: "area-name" });
  #pay = element("span", { class: "area-pay" });
  #letter = element("span", { class: "area-letter", "aria-hidden": "true" });
  #total = element("span", { class: "area-total number", "aria-hidden": "true" });
  #label = element("span", { class: "spoken" });
  #stackLabel = element("span", { class: "spoken" });
  #target;
  #pile = element("span", { class: "area-pile" });
  #amount = element("span", { class: "area-amount number", "aria-hidden": "true" });
  #stack;
  #word = element("p", { class: "area-word", hidden: true });
  #piled = "";
  #lit = false;

  /**
   * @param {string} bet
   * @param {(bet: string) => void} choose
   * @param {(bet: string) => void} takeOff
   */
  constructor(bet, choose, takeOff) {
    super();
    this.bet = bet;
    this.dataset["bet"] = bet;
    this.classList.add("area", bet);
    this.#target = button(
      { class: "area-target", click: () => choose(bet) },
      this.#letter,
      element("span", { class: "area-title", "aria-hidden": "true" }, this.#name, this.#pay),
      this.#total,
      this.#label,
    );
    this.#stack = button(
      { class: "area-stack", hidden: true, click: () => takeOff(bet) },
      this.#pile,
      this.#amount,
      this.#stackLabel,
    );
    this.append(this.#target, this.#stack, this.#word);
  }

  /** Where chips fly to. */
  get place() {
    return this.#stack.hidden ? this.#target : this.#pile;
  }

  /**
   * @param {AreaState} state
   * @param {Words} words
   * @param {boolean} moving
   */
  update(state, words, moving) {
    const name = words.bet(this.bet);
    const letter = /** @type {Record<string, string>} */ (words.letters)[this.bet];
    write(this.#name, name);
    write(this.#pay, state.pay);
    write(this.#letter, letter ?? "");
    show(this.#letter, letter !== undefined);

    const { wanted, accepted, result } = state;
    const shown = result === null ? wanted : result.stake;
    setAttribute(this.#target, "aria-pressed", String(state.chosen));
    setAttribute(this.#target, "aria-disabled", state.mine ? null : "true");
    write(
      this.#label,
      words.say("areaLabel", {
        bet: name,
        pay: state.pay,
        amount: wanted === 0 ? words.say("noBet") : words.say("yourBet", { amount: words.money(wanted) }),
      }),
    );

    show(this.#stack, shown > 0);
    write(this.#stackLabel, words.say("takeOff", { bet: name }));
    setAttribute(this.#stack, "aria-disabled", state.mine ? null : "true");
    if (this.#piled !== `${shown}`) {
      this.#piled = `${shown}`;
      this.#pile.replaceChildren(pile(shown, state.chips, words));
    }
    write(this.#amount, words.shortMoney(shown));

    write(this.#total, state.total > 0 ? words.say("onTable", { amount: words.money(state.total) }) : "");
    this.classList.toggle("open", state.open);
    this.classList.toggle("playable", state.mine);
    this.classList.toggle("chosen", state.chosen);
    this.classList.toggle("staked", shown > 0);
    this.classList.toggle("sending", wanted !== accepted && state.sending);
    this.#outcome(state, moving);
    this.#say(state, words);
  }

  /**
   * @param {AreaState} state
   * @param {boolean} moving
   */
  #outcome({ outcome, result }, moving) {
    this.classList.toggle("won", outcome === "won");
    this.classList.toggle("pushed", outcome === "pushed");
    this.classList.toggle("resulted", result !== null);
    this.classList.toggle("lost", result?.result === "lose");
    if (outcome === "won" && !this.#lit && moving) playOnce(this, "lights");
    this.#lit = outcome === "won";
  }

  /**
   * The reason beside the area, or what became of the stake.
   * @param {AreaState} state
   * @param {Words} words
   */
  #say({ refused, result }, words) {
    show(this.#word, refused !== null || result !== null);
    this.#word.classList.toggle("wrong", refused !== null);
    this.#word.classList.toggle("gain", refused === null && result?.result === "win");
    if (refused !== null) write(this.#word, refused);
    else if (result !== null) write(this.#word, resultInWords(result, words));
  }
}

/**
 * What became of a stake: the amount with its sign, and the commission spelled out.
 * @param {BetResult} result
 * @param {Words} words
 */
export function resultInWords({ result, stake, win, commission }, words) {
  if (result === "lose") return words.signed(-stake);
  if (result !== "win") return words.say(result === "push" ? "stakePushed" : "stakeRefunded");
  const gained = words.signed(win - commission);
  return commission === 0
    ? gained
    : words.say("wonLess", { gained, commission: words.money(commission) });
}

customElements.define("croupier-area", BetArea);
