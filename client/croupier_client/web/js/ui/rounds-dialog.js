/**
 * Finished rounds: one's own, with every bet's return, and those of the table.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 * @import { HandView, OwnRound, Payout, RoundRecord } from "../wire/messages.js"
 */

import { Refusal } from "../wire/refusal.js";
import { blank, Dialog } from "./dialog.js";
import { button, element, setAttribute, write } from "./dom.js";
import { reasonInWords } from "./reasons.js";

export class RoundsDialog {
  #dialog = new Dialog("wide rounds-dialog");
  #own = this.#tab("own");
  #all = this.#tab("all");
  #list = element("div", { class: "rounds", role: "tabpanel", tabindex: "0" });
  /** @type {TableModel | null} */
  #table = null;
  /** @type {Words | null} */
  #words = null;
  /** Counts what was asked, so that a late answer does not show under another tab. */
  #asked = 0;

  constructor() {
    this.#dialog.body.append(element("div", { class: "tabs", role: "tablist" }, this.#own, this.#all), this.#list);
  }

  /**
   * @param {TableModel} table
   * @param {Words} words
   */
  open(table, words) {
    this.#table = table;
    this.#words = words;
    this.#dialog.name(words.say("rounds"), words.say("close"));
    write(this.#own, words.say("roundsOwn"));
    write(this.#all, words.say("roundsAll"));
    this.#dialog.open();
    this.#show("own");
  }

  /** @param {"own" | "all"} which */
  #tab(which) {
    const tab = button({ role: "tab", class: "plain tab", click: () => this.#show(which) });
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = which === "own" ? this.#all : this.#own;
      other.focus();
      other.click();
    });
    return tab;
  }

  /** @param {"own" | "all"} which */
  #show(which) {
    for (const [tab, name] of /** @type {const} */ ([[this.#own, "own"], [this.#all, "all"]])) {
      setAttribute(tab, "aria-selected", String(name === which));
      setAttribute(tab, "tabindex", name === which ? "0" : "-1");
    }
    setAttribute(this.#list, "aria-label", (which === "own" ? this.#own : this.#all).textContent);
    this.#list.replaceChildren(blank(this.#say("lookingUp"), "waiting"));
    void this.#load(which, undefined);
  }

  /**
   * @param {"own" | "all"} which
   * @param {string | number | undefined} before
   */
  async #load(which, before) {
    const table = /** @type {TableModel} */ (this.#table);
    const words = /** @type {Words} */ (this.#words);
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const { rows, next } = await (which === "own"
        ? ownRounds(table, /** @type {string | undefined} */ (before), words)
        : allRounds(table, /** @type {number | undefined} */ (before), words));
      if (asked !== this.#asked) return;
      if (before === undefined) this.#list.replaceChildren();
      else this.#list.lastElementChild?.remove();
      this.#list.append(...rows);
      if (next !== null) {
        this.#list.append(button({ class: "older", click: () => this.#load(which, next) }, this.#say("older")));
      }
      if (this.#list.childElementCount === 0) {
        this.#list.append(blank(this.#say(which === "own" ? "noOwnRounds" : "noRounds")));
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (asked === this.#asked) this.#list.replaceChildren(blank(reasonInWords(error.reason, words)));
    }
  }

  /** @param {"lookingUp" | "older" | "noOwnRounds" | "noRounds"} key */
  #say(key) {
    return this.#words?.say(key) ?? "";
  }
}

/**
 * @param {TableModel} table
 * @param {string | undefined} before
 * @param {Words} words
 */
async function ownRounds(table, before, words) {
  const page = await table.myRounds(before);
  return { rows: page.rounds.map((round) => ownRow(round, words)), next: page.next ?? null };
}

/**
 * @param {TableModel} table
 * @param {number | undefined} before
 * @param {Words} words
 */
async function allRounds(table, before, words) {
  const page = await table.history(before);
  const last = page.rounds.at(-1);
  return {
    rows: page.rounds.map((round) => tableRow(round, words)),
    next: page.more && last !== undefined ? last.round : null,
  };
}

/**
 * @param {OwnRound} round
 * @param {Words} words
 */
export function ownRow(round, words) {
  const { payout } = round;
  const staked = payout.bets.reduce((sum, { stake }) => sum + stake, 0);
  const net = payout.returned - staked;
  return element(
    "article",
    { class: "own-round" },
    element(
      "header",
      { class: "round-head" },
      element("h3", {}, words.say("roundAt", { round: words.number(payout.round), table: words.tableName(payout.table) })),
      element("time", { class: "quiet small" }, words.time(round.ended_at_ms)),
      element("strong", { class: `number net ${net > 0 ? "won" : ""}` }, words.signed(net)),
    ),
    coupLine(round.outcome, round.player, round.banker, words),
    betsTable(payout, words),
    element(
      "p",
      { class: "small quiet" },
      words.say("bankrollChange", {
        before: words.money(round.bankroll_before),
        after: words.money(payout.bankroll),
      }),
    ),
  );
}

/**
 * @param {Payout} payout
 * @param {Words} words
 */
function betsTable(payout, words) {
  return element(
    "div",
    { class: "scroll" },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("th", { scope: "col" }, words.say("bet")),
          element("th", { scope: "col", class: "figure" }, words.say("stake")),
          element("th", { scope: "col", class: "figure" }, words.say("win")),
          element("th", { scope: "col", class: "figure" }, words.say("returned")),
        ),
      ),
      element(
        "tbody",
        {},
        ...payout.bets.map((bet) =>
          element(
            "tr",
            {},
            element(
              "th",
              { scope: "row" },
              words.bet(bet.bet),
              element("span", { class: "below" }, words.terms.results[bet.result]),
            ),
            element("td", { class: "figure" }, words.money(bet.stake)),
            element(
              "td",
              { class: "figure" },
              bet.win === 0 ? "–" : words.money(bet.win),
              bet.commission === 0
                ? null
                : element("span", { class: "below" }, words.say("lessCommission", { commission: words.money(bet.commission) })),
            ),
            element("td", { class: "figure" }, words.money(bet.returned)),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {RoundRecord} round
 * @param {Words} words
 */
function tableRow(round, words) {
  return element(
    "article",
    { class: "table-round" },
    element(
      "header",
      { class: "round-head" },
      element(
        "h3",
        {},
        words.say("roundOfShoe", {
          round: words.number(round.round),
          coup: words.number(round.coup),
          shoe: words.number(round.shoe),
        }),
      ),
      element("time", { class: "quiet small" }, words.time(round.ended_at_ms)),
    ),
    coupLine(round.outcome, round.player, round.banker, words),
  );
}

/**
 * Who won, and both hands.
 * @param {OwnRound["outcome"]} outcome null for a void round
 * @param {HandView} player
 * @param {HandView} banker
 * @param {Words} words
 */
function coupLine(outcome, player, banker, words) {
  const side = (/** @type {"player" | "banker"} */ name, /** @type {HandView} */ hand) =>
    element(
      "span",
      { class: `coup-hand ${name}` },
      element("span", { class: "coup-side" }, words.terms.sides[name]),
      element("span", { class: "coup-cards", role: "img", "aria-label": hand.cards.map((card) => words.cardName(card)).join(", ") },
        ...hand.cards.map((card) => element("span", { class: `mini ${/[hd]$/.test(card) ? "red" : ""}` }, words.shortCard(card))),
      ),
      element("strong", { class: "number" }, hand.cards.length === 0 ? "–" : String(hand.total)),
    );
  return element(
    "div",
    { class: "coup-line" },
    element(
      "span",
      { class: `coup-outcome ${outcome ?? "void"}` },
      outcome === null ? words.say("voided") : words.terms.outcomes[outcome],
    ),
    side("player", player),
    side("banker", banker),
  );
}
