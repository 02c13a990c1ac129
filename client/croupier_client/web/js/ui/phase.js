/**
 * What the table is doing, in words: the line above the hands.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 */

import { element, setAttribute, write } from "./dom.js";
import { writeWithCard } from "./motion.js";

/** The headline of a table, and a quieter line below it. */
export class PhaseLine extends HTMLElement {
  #headline = element("p", { class: "headline" });
  #detail = element("p", { class: "detail" });

  constructor() {
    super();
    this.append(this.#headline, this.#detail);
  }

  /**
   * @param {TableModel} table
   * @param {Words} words
   * @param {boolean} moving
   */
  update(table, words, moving) {
    const { headline, detail } = phaseInWords(table, words);
    const ended = table.view?.outcome !== null;
    writeWithCard(this.#headline, headline, moving && !ended && table.phaseShown === "dealing");
    write(this.#detail, detail);
    setAttribute(this, "data-phase", table.phaseShown);
    setAttribute(this, "data-outcome", table.view?.outcome ?? null);
  }
}

/**
 * @param {TableModel} table
 * @param {Words} words
 */
export function phaseInWords(table, words) {
  const { view } = table;
  if (table.ended !== null) return { headline: words.say("tableEnded"), detail: words.say("tableEndedDetail") };
  if (view === null) return { headline: words.say("arriving"), detail: "" };
  if (!table.live) return { headline: words.say("notLive"), detail: words.say("notLiveDetail") };
  const phase = table.phaseShown;
  const last = view.last ? words.say("lastCoup") : "";
  const voided = view.reason !== null && view.phase !== "paused" && view.round > 0;
  switch (phase) {
    case "open":
    case "lastSeconds":
      return { headline: words.say(phase === "open" ? "betsOpen" : "lastSeconds"), detail: last };
    case "closed":
      return { headline: words.say("noMoreBets"), detail: last };
    case "dealing":
      return { headline: words.say("dealing"), detail: last };
    case "settling":
    case "result":
      if (view.outcome !== null) return outcomeInWords(view, words);
      if (voided) return { headline: words.say("voided"), detail: words.say("voidedDetail") };
      return { headline: words.say(view.round === 0 ? "firstRound" : "nextRound"), detail: "" };
    case "voiding":
      return { headline: words.say("voided"), detail: words.say("voidedDetail") };
    case "shuffling":
      return { headline: words.say("shuffling"), detail: shoeInWords(table, words) };
    case "ended":
      return { headline: words.say("tableEnded"), detail: words.say("tableEndedDetail") };
    case "paused":
      return { headline: words.say("paused"), detail: words.say("pausedDetail") };
    default:
      return { headline: words.say("stalled"), detail: words.say("stalledDetail") };
  }
}

/**
 * The outcome with its totals; a natural is named.
 * @param {NonNullable<TableModel["view"]>} view
 * @param {Words} words
 */
export function outcomeInWords(view, words) {
  const { outcome, player, banker } = view;
  if (outcome === null) return { headline: "", detail: "" };
  const high = Math.max(player.total, banker.total);
  const low = Math.min(player.total, banker.total);
  const headline =
    outcome === "tie"
      ? words.say("tieResult", { total: high })
      : words.say(outcome === "player" ? "playerWins" : "bankerWins", { high, low });
  const marks = [
    view.natural ? words.noun("natural") : "",
    view.player_pair ? words.bet("player_pair") : "",
    view.banker_pair ? words.bet("banker_pair") : "",
  ].filter((mark) => mark !== "");
  return { headline, detail: marks.join(" · ") };
}

/**
 * @param {TableModel} table
 * @param {Words} words
 */
export function shoeInWords({ view }, words) {
  const shoe = view?.shoe ?? null;
  if (shoe === null) return "";
  if (shoe.burn === null) return words.say("series", { number: shoe.number });
  return words.say("newShoe", {
    number: shoe.number,
    card: words.cardName(shoe.burn.shown),
    burnt: words.counted(shoe.burn.burnt, "card"),
  });
}

customElements.define("croupier-phase", PhaseLine);
