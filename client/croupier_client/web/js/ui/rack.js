/**
 * The lower right corner: bankroll and stake, chips, and what can be done with a slip. Deal has the countdown around
 * it. It fires `chip` (cents), `deal`, `rebet`, `double`, `undo`, `clear`, `sit`, `cut`, `topup` and `always` (on or off).
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 * @import { Reason } from "../wire/refusal.js"
 * @import { Hand } from "./in-hand.js"
 */

import { sameBets, total } from "../table/slip.js";
import { chipFace, denomination } from "./chip.js";
import { Countdown } from "./countdown.js";
import { button, element, setAttribute, show, write } from "./dom.js";
import { icon } from "./icons.js";
import { countTo } from "./motion.js";
import { inCurrency } from "./page-terms.js";
import { reasonInWords } from "./reasons.js";
import { signInLink } from "./sign-in.js";

/** From so many cents on, amounts are written smaller: they have no room beside Deal on a phone. */
const RICH = 10_000_000_00;

export class Rack extends HTMLElement {
  countdown = new Countdown();

  #bankroll = element("dd", { class: "sum number" });
  #bankrollName = element("dt");
  #stake = element("dd", { class: "sum number" });
  #stakeName = element("dt");
  #topUp = button({ class: "plain top-up", click: () => this.#fire("topup") }, icon("chips"));
  #chips = element("div", { class: "rack-chips", role: "group" });
  #chipsShown = "";
  #undo = this.#tool("undo");
  #clear = this.#tool("clear");
  #double = this.#tool("double");
  #rebet = this.#tool("rebet");
  #tools = element("div", { class: "rack-tools" }, this.#undo, this.#clear, this.#double, this.#rebet);
  #dealWord = element("span", { class: "deal-word" });
  #deal = button({ class: "deal next", click: () => this.#fire("deal") }, this.#dealWord);
  #sit = button({ class: "sit next", click: () => this.#fire("sit") }, icon("seat"), element("span"));
  #signIn = signInLink("button sit next", icon("seat"), element("span"));
  #cut = button({ class: "cut next", hidden: true, click: () => this.#fire("cut") });
  #status = element("p", { class: "rack-status" });
  #alwaysBox = element("input", {
    type: "checkbox",
    change: () => this.#fire("always", this.#alwaysBox.checked),
  });
  #alwaysWord = element("span");
  #always = element("label", { class: "check always small" }, this.#alwaysBox, this.#alwaysWord);

  constructor() {
    super();
    this.classList.add("panel");
    this.append(
      element(
        "div",
        { class: "purse" },
        element(
          "dl",
          { class: "sums" },
          element("div", {}, this.#bankrollName, this.#bankroll),
          element("div", {}, this.#stakeName, this.#stake),
        ),
        this.#topUp,
      ),
      this.#status,
      this.#cut,
      this.#chips,
      this.#tools,
      element("div", { class: "dealing" }, this.countdown, this.#deal, this.#sit, this.#signIn),
      this.#always,
    );
  }

  /** @param {number} cents */
  chip(cents) {
    return /** @type {HTMLElement | null} */ (this.#chips.querySelector(`[data-cents="${cents}"]`));
  }

  /**
   * @param {TableModel} table
   * @param {boolean} mayPlay whether whoever looks at it may take a seat
   * @param {Hand} hand
   * @param {Reason | null} reason why the last thing the player did was not done
   * @param {string} notice what the server told of the own seat unasked
   * @param {Words} words
   * @param {boolean} moving
   */
  update(table, mayPlay, hand, reason, notice, words, moving) {
    const { place } = table;
    const money = (/** @type {number} */ cents) => words.money(cents);
    const seated = place.seat !== null;
    const open = table.phaseShown === "open" || table.phaseShown === "lastSeconds";
    this.classList.toggle("watching", !seated);

    const stake = total(place.wanted);
    const bankroll = place.bankroll + total(place.accepted) - stake;
    this.classList.toggle("rich", bankroll >= RICH);
    write(this.#bankrollName, inCurrency(words.say(seated ? "bankroll" : "wallet")));
    write(this.#stakeName, words.say("stake"));
    const wallet = place.wallet;
    if (seated) countTo(this.#bankroll, bankroll, money, moving && !open);
    else write(this.#bankroll, wallet === null ? words.say("walletLater") : money(wallet));
    countTo(this.#stake, stake, money, false);
    show(/** @type {HTMLElement} */ (this.#stake.parentElement), seated);
    show(this.#topUp, seated);
    setAttribute(this.#topUp, "aria-label", words.say("topUp"));
    setAttribute(this.#topUp, "title", words.say("topUp"));

    this.#updateChips(table, hand, words, table.canBet);
    const usable = table.canBet;
    this.#name(this.#undo, words.say("undo"), usable && stake > 0);
    this.#name(this.#clear, words.say("clear"), usable && stake > 0);
    this.#name(this.#double, words.say("double"), usable && stake > 0);
    this.#name(this.#rebet, words.say("rebet"), usable && total(place.lastSlip) > 0);
    show(this.#chips, seated);
    show(this.#tools, seated);

    show(this.#deal, seated);
    show(this.#sit, !seated && mayPlay);
    show(this.#signIn, !seated && !mayPlay && this.#signIn.hasAttribute("href"));
    write(/** @type {HTMLElement} */ (this.#signIn.lastElementChild), words.say("signIn"));
    write(/** @type {HTMLElement} */ (this.#sit.lastElementChild), words.say("takeSeat"));
    setAttribute(this.#sit, "disabled", !place.known || table.limits === null || table.ended !== null);
    write(this.#dealWord, words.say(place.ready ? "ready" : "deal"));
    setAttribute(this.#deal, "aria-disabled", usable && !place.ready ? null : "true");
    setAttribute(
      this.#deal,
      "aria-label",
      words.say(place.ready ? "readyLabel" : stake > 0 ? "dealLabel" : "passLabel"),
    );
    this.#deal.classList.toggle("is-ready", place.ready);

    const { text, wrong } = slipInWords(table, mayPlay, hand, reason, notice, words);
    write(this.#status, text);
    this.#status.classList.toggle("wrong", wrong);

    const { cut } = table;
    write(this.#cut, words.say("cutShoe"));
    show(this.#cut, seated && cut !== null && cut.stage === "hashes" && cut.part === "none");

    write(this.#alwaysWord, words.say("rebetAlways"));
    if (this.#alwaysBox.checked !== table.autoRebet) this.#alwaysBox.checked = table.autoRebet;
    show(this.#always, seated && table.mayAutoRebet);
  }

  /**
   * @param {TableModel} table
   * @param {Hand} hand
   * @param {Words} words
   * @param {boolean} usable
   */
  #updateChips({ limits }, hand, words, usable) {
    const chips = limits?.chips ?? [];
    const shown = `${chips.join(" ")} ${words.code}`;
    if (shown !== this.#chipsShown) {
      this.#chipsShown = shown;
      this.#chips.replaceChildren(
        ...chips.map((cents, index) => {
          const made = button(
            { class: "rack-chip", "data-cents": cents, click: () => this.#fire("chip", cents) },
            chipFace(cents, chips, words),
          );
          setAttribute(made, "aria-label", words.say("chip", { amount: words.shortMoney(cents) }));
          if (index < 9) setAttribute(made, "aria-keyshortcuts", String(index + 1));
          return made;
        }),
      );
      setAttribute(this.#chips, "aria-label", words.say("chips"));
    }
    for (const made of this.#chips.children) {
      const cents = Number(/** @type {HTMLElement} */ (made).dataset["cents"]);
      setAttribute(made, "aria-pressed", String(hand.chip === cents));
      setAttribute(made, "aria-disabled", usable ? null : "true");
    }
  }

  /**
   * @param {HTMLButtonElement} tool
   * @param {string} name
   * @param {boolean} usable
   */
  #name(tool, name, usable) {
    write(/** @type {HTMLElement} */ (tool.lastElementChild), name);
    setAttribute(tool, "aria-disabled", usable ? null : "true");
  }

  /** @param {"undo" | "clear" | "double" | "rebet"} name */
  #tool(name) {
    return button({ class: `plain tool ${name}`, click: () => this.#fire(name) }, icon(name), element("span"));
  }

  /**
   * @param {string} type
   * @param {unknown} [detail]
   */
  #fire(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/**
 * Where the slip is: on its way, standing, refused; or what to do first.
 * @param {TableModel} table
 * @param {boolean} mayPlay
 * @param {Hand} hand
 * @param {Reason | null} reason
 * @param {string} notice
 * @param {Words} words
 */
function slipInWords({ place, canBet, ended, live, view, limits }, mayPlay, hand, reason, notice, words) {
  const right = (/** @type {string} */ text) => ({ text, wrong: false });
  if (ended !== null) return right(""); // the headline says so
  if (!live) return right(words.say("offline"));
  if (!place.known) return right(words.say("placeUnknown"));
  if (notice !== "" && reason === null) return { text: notice, wrong: true };
  if (place.seat === null) {
    return right(words.say(mayPlay ? "watchingOnly" : "watchingSignIn"));
  }
  if (place.leaving) return right(words.say("leavingAfter"));
  if (reason !== null) return { text: reasonInWords(reason, words), wrong: true };
  const stake = total(place.wanted);
  if (!canBet) {
    const running = view?.phase === "closed" || view?.phase === "dealing" || view?.phase === "settling";
    return right(words.say(running && total(place.accepted) > 0 ? "slipCounts" : "waitForWindow"));
  }
  if (place.sending || !sameBets(place.wanted, place.accepted)) return right(words.say("slipSending"));
  if (place.ready) return right(words.say(stake > 0 ? "readyStands" : "readyPassed"));
  if (hand.chip !== null) {
    return right(words.say("chipInHand", { chip: denomination(hand.chip, words) }));
  }
  if (stake > 0) return right(words.say("slipStands"));
  if (hand.area !== null) return right(words.say("areaChosen", { bet: words.bet(hand.area) }));
  return right(words.say("howToBet", { least: words.money(limits?.main_least ?? 0) }));
}

customElements.define("croupier-rack", Rack);
