/**
 * The bar at the top of a table: the table, its rules and limits, round and shoe, and what can be opened or switched.
 * It fires `open` with the name of a dialog.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 * @import { Preferences } from "./preferences.js"
 */

import { Dialog } from "./dialog.js";
import { button, element, setAttribute, show, write } from "./dom.js";
import { fairInWords } from "./fair-words.js";
import { icon } from "./icons.js";
import { pageTerms } from "./page-terms.js";
import { Switches } from "./switches.js";

export class TopBar extends HTMLElement {
  #back = element("a", { class: "button plain back", href: "#/" }, icon("back"), element("span", { class: "wide-only" }));
  #title = element("h1");
  #limits = element("p", { class: "small quiet limits" });
  #round = element("p", { class: "small round number" });
  #shoe = element("div", { class: "shoe-line", role: "img" });
  #shoeDealt = element("span", { class: "shoe-dealt" });
  #shoeCut = element("span", { class: "shoe-cut" });
  #rules = this.#opener("rules", "rules");
  #rounds = this.#opener("rounds", "rounds");
  #keys = this.#opener("keys", "keys");
  #ownLimits = this.#opener("gauge", "ownLimits");
  #fair = this.#opener("seal", "fair");
  #leave = button({ class: "plain leave", click: () => this.#fire("leave") }, icon("leave"), element("span", { class: "word" }));
  #switches;
  #actions;
  #topUp = this.#opener("chips", "topup");
  #menu = new Dialog("menu");
  #more = button({ class: "plain more", "aria-haspopup": "dialog", click: () => this.#menu.open() }, icon("more"));

  /** @param {Preferences} preferences */
  constructor(preferences) {
    super();
    setAttribute(this, "role", "banner");
    this.#shoe.append(this.#shoeDealt, this.#shoeCut);
    this.#keys.classList.add("wide-only");
    this.#topUp.classList.add("in-menu");
    this.#switches = new Switches(preferences);
    this.#actions = element(
      "div",
      { class: "topbar-actions" },
      this.#fair,
      this.#rounds,
      this.#rules,
      this.#keys,
      this.#ownLimits,
      this.#topUp,
      this.#leave,
      this.#switches,
    );
    this.#actions.addEventListener("click", () => this.#menu.close());
    this.append(
      this.#back,
      element("div", { class: "topbar-title" }, this.#title, this.#limits),
      element("div", { class: "topbar-shoe" }, this.#round, this.#shoe),
      this.#more,
    );
  }

  disconnectedCallback() {
    this.#menu.element.remove();
  }

  /**
   * On a phone, what can be opened and switched lies in a menu.
   * @param {boolean} folded
   */
  fold(folded) {
    show(this.#more, folded);
    if (folded) this.#menu.body.append(this.#actions);
    else this.insertBefore(this.#actions, this.#more);
  }

  /**
   * @param {TableModel} table
   * @param {Words} words
   */
  update(table, words) {
    const { view, limits, place } = table;
    setAttribute(this.#back, "aria-label", words.say("toLobby"));
    write(/** @type {HTMLElement} */ (this.#back.lastElementChild), words.say("lobby"));
    write(this.#title, words.tableName(table.id));
    write(
      this.#limits,
      limits === null
        ? ""
        : words.say("limits", { least: words.money(limits.main_least), most: words.money(limits.main_most) }),
    );
    this.#name(this.#rules, words.say("rules"));
    this.#name(this.#rounds, words.say("rounds"));
    this.#name(this.#keys, words.say("keys"));
    this.#name(this.#ownLimits, words.say("ownLimits"));
    show(this.#ownLimits, pageTerms.play_safe);
    const fair = fairInWords(table, words);
    this.#name(this.#fair, words.say("about", { what: words.say("fairness"), says: fair.text }));
    this.#fair.classList.toggle("wrong", fair.wrong);
    if (this.#fair.dataset["icon"] !== fair.icon) {
      this.#fair.dataset["icon"] = fair.icon;
      this.#fair.firstElementChild?.replaceWith(icon(fair.icon));
    }
    this.#name(this.#leave, words.say("leave"));
    show(this.#leave, place.seat !== null);
    this.#name(this.#topUp, words.say("topUp"));
    show(this.#topUp, place.seat !== null);
    setAttribute(this.#leave, "aria-disabled", place.leaving ? "true" : null);
    this.#switches.update(words);
    this.#menu.name(words.tableName(table.id), words.say("close"));
    setAttribute(this.#more, "aria-label", words.say("menu"));

    const shoe = view?.shoe ?? null;
    write(
      this.#round,
      view === null || view.round === 0
        ? ""
        : words.say(shoe === null ? "roundOnly" : "roundOfShoe", {
            round: words.number(view.round),
            coup: words.number(view.coup),
            shoe: words.number(shoe?.number ?? 0),
          }),
    );
    const opened = shoe !== null && shoe.cards > 0;
    show(this.#shoe, opened);
    if (!opened || view === null) return;
    const [done, of] = shoe.coups === null ? [shoe.dealt, shoe.cards] : [view.coup, shoe.coups];
    this.#shoeDealt.style.width = `${(100 * done) / of}%`;
    show(this.#shoeCut, shoe.cut_at !== null);
    if (shoe.cut_at !== null) this.#shoeCut.style.left = `${(100 * shoe.cut_at) / shoe.cards}%`;
    const says =
      shoe.coups === null
        ? words.say("shoeProgress", {
            dealt: words.number(shoe.dealt),
            cards: words.number(shoe.cards),
            cut: words.number(shoe.cut_at ?? shoe.cards),
          })
        : words.say("seriesProgress", { coup: words.number(view.coup), coups: words.number(shoe.coups) });
    setAttribute(this.#shoe, "aria-label", says);
    setAttribute(this.#shoe, "title", says);
  }

  /**
   * @param {HTMLButtonElement} of
   * @param {string} name
   */
  #name(of, name) {
    setAttribute(of, "title", name);
    write(/** @type {HTMLElement} */ (of.lastElementChild), name);
  }

  /**
   * @param {string} iconName
   * @param {string} dialog
   */
  #opener(iconName, dialog) {
    return button(
      { class: "plain", "aria-haspopup": "dialog", click: () => this.#fire(dialog) },
      icon(iconName),
      element("span", { class: "spoken word" }),
    );
  }

  /** @param {string} dialog */
  #fire(dialog) {
    this.dispatchEvent(new CustomEvent("open", { detail: dialog }));
  }
}

customElements.define("croupier-topbar", TopBar);
