/**
 * One table of the lobby: the whole card is a link to it.
 *
 * @import { Roads as RoadsOfShoe } from "../table/roads.js"
 * @import { TableInfo } from "../wire/messages.js"
 * @import { Words } from "./words.js"
 */

import { Roads, ROWS } from "../table/roads.js";
import { Countdown } from "./countdown.js";
import { element, setAttribute, show, write } from "./dom.js";
import { drawBigRoad, fit } from "./road-drawing.js";
import { bigRoadInWords } from "./scoreboard.js";

/** A cell of the small big road in pixels. */
const CELL = 11;

const PHASES = /** @type {const} */ ({
  betting: "phaseOpen",
  closed: "phaseClosed",
  dealing: "phaseDealing",
  settling: "phaseResult",
  result: "phaseResult",
  shuffling: "phaseShuffling",
  paused: "phasePaused",
  voiding: "phaseVoid",
  ended: "phaseEnded",
});

export class LobbyCard extends HTMLElement {
  #countdown = new Countdown();
  #name = element("h2", { class: "lobby-name" });
  #rules = element("p", { class: "small quiet" });
  #limits = element("p", { class: "number" });
  #phase = element("p", { class: "lobby-phase" });
  #road = element("div", { class: "lobby-road", role: "img" });
  #roadNone = element("p", { class: "small quiet lobby-road-none" });
  #seated = element("span");
  #watching = element("span");
  #link;
  /** @type {TableInfo | null} */
  #info = null;
  /** @type {Words | null} */
  #words = null;
  /** @type {TableInfo["past"] | null} */
  #past = null;
  /** @type {RoadsOfShoe} */
  #roads = Roads.of([]);
  #width = 0;
  /** How long the window was when it was first seen. */
  #whole = 0;
  #round = -1;
  #sizes = new ResizeObserver(() => this.#draw(false));

  constructor() {
    super();
    this.#link = element(
      "a",
      { class: "lobby-card panel" },
      element(
        "div",
        { class: "lobby-head" },
        element("div", { class: "lobby-title" }, this.#name, this.#rules, this.#limits),
        this.#countdown,
      ),
      this.#phase,
      element("div", { class: "lobby-board" }, this.#road, this.#roadNone),
      element("p", { class: "small quiet lobby-people number" }, this.#seated, this.#watching),
    );
    this.append(this.#link);
  }

  connectedCallback() {
    this.#sizes.observe(this.#road);
  }

  disconnectedCallback() {
    this.#sizes.disconnect();
  }

  /**
   * @param {TableInfo} info
   * @param {Words} words
   */
  update(info, words) {
    this.#info = info;
    this.#words = words;
    setAttribute(this.#link, "href", `#/t/${info.table}`);
    write(this.#name, words.tableName(info.table));
    write(this.#rules, words.say("ruleSet", { rules: info.rules.name }));
    const limits = { least: words.money(info.limits.main_least), most: words.money(info.limits.main_most) };
    write(this.#limits, words.say("limits", limits));
    write(this.#phase, words.say(PHASES[info.phase]));
    this.dataset["phase"] = info.phase;
    write(this.#seated, words.say("seated", { count: words.number(info.seated) }));
    write(this.#watching, words.say("watching", { count: words.number(info.spectators) }));
    write(this.#roadNone, words.say("noCoupsYet"));
    show(this.#roadNone, info.past.length === 0);
    if (info.past !== this.#past) {
      this.#past = info.past;
      this.#roads = Roads.of(info.past);
      this.#draw(true);
    }
    setAttribute(this.#road, "aria-label", bigRoadInWords(this.#roads, words));
  }

  /**
   * Seconds left of the window, by the server's clock.
   * @param {number | null} serverMs
   */
  tick(serverMs) {
    const info = this.#info;
    const counts = info !== null && info.phase === "betting" && info.closes_at_ms !== null && serverMs !== null;
    const seconds = counts ? Math.max(0, (/** @type {number} */ (info.closes_at_ms) - serverMs) / 1000) : null;
    if (info !== null && seconds !== null && info.round !== this.#round) {
      this.#round = info.round;
      this.#whole = seconds;
    }
    this.#countdown.update(seconds, this.#whole);
    if (seconds === 0 && this.#words !== null) {
      write(this.#phase, this.#words.say("phaseClosed"));
      this.dataset["phase"] = "closed";
    }
  }

  /** @param {boolean} changed */
  #draw(changed) {
    const width = this.#road.clientWidth;
    if (width === 0 || (width === this.#width && !changed)) return;
    this.#width = width;
    const { columns, cell } = fit(width, CELL);
    this.#road.replaceChildren(drawBigRoad(this.#roads.bigRoad(ROWS, columns), columns, cell, null));
  }
}

customElements.define("croupier-lobby-card", LobbyCard);
