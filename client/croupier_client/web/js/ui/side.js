/**
 * The right column on wide screens: the shoe, players, own rounds, one at a time.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 */

import { button, element, setAttribute, show, write } from "./dom.js";
import { OwnRoundsPanel } from "./own-rounds-panel.js";
import { PeoplePanel } from "./people-panel.js";
import { StatisticsPanel } from "./statistics-panel.js";

/** @typedef {"statistics" | "people" | "rounds"} Tab */

const TABS = /** @type {const} */ (["statistics", "people", "rounds"]);
const NAMES = /** @type {const} */ ({ statistics: "tabStatistics", people: "tabPeople", rounds: "tabRounds" });

let made = 0;

export class Side extends HTMLElement {
  #statistics = new StatisticsPanel();
  #people = new PeoplePanel();
  #rounds = new OwnRoundsPanel();
  #list = element("div", { class: "tabs", role: "tablist" });
  /** @type {Map<Tab, { tab: HTMLButtonElement, panel: HTMLElement }>} */
  #tabs = new Map();

  constructor() {
    super();
    made += 1;
    const panels = { statistics: this.#statistics, people: this.#people, rounds: this.#rounds };
    for (const name of TABS) {
      const tab = button({
        role: "tab",
        id: `tab-${made}-${name}`,
        "aria-controls": `panel-${made}-${name}`,
        class: "plain tab",
        click: () => this.#choose(name),
      });
      tab.addEventListener("keydown", (event) => this.#arrow(event, name));
      const panel = panels[name];
      panel.id = `panel-${made}-${name}`;
      panel.className = "side-panel";
      setAttribute(panel, "role", "tabpanel");
      setAttribute(panel, "aria-labelledby", tab.id);
      setAttribute(panel, "tabindex", "0");
      this.#tabs.set(name, { tab, panel });
      this.#list.append(tab);
    }
    this.append(this.#list, this.#statistics, this.#people, this.#rounds);
    this.#choose("statistics");
  }

  /**
   * @param {TableModel} table
   * @param {string | null} own this player's id
   * @param {Words} words
   */
  update(table, own, words) {
    for (const [name, { tab }] of this.#tabs) write(tab, words.say(NAMES[name]));
    this.#statistics.update(table.statistics, words);
    this.#people.update(table, own, words);
    this.#rounds.update(table.place.payouts, words);
  }

  /** @param {Tab} chosen */
  #choose(chosen) {
    for (const [name, { tab, panel }] of this.#tabs) {
      setAttribute(tab, "aria-selected", String(name === chosen));
      setAttribute(tab, "tabindex", name === chosen ? "0" : "-1");
      show(panel, name === chosen);
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Tab} from
   */
  #arrow(event, from) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = TABS[(TABS.indexOf(from) + step + TABS.length) % TABS.length] ?? from;
    this.#choose(next);
    this.#tabs.get(next)?.tab.focus();
    event.preventDefault();
  }
}

customElements.define("croupier-side", Side);
