/** All five roads of a shoe, as wide as there is room, with ask marks. */

import { DERIVED_ROADS, ROWS } from "../table/roads.js";
import { element, setAttribute, write } from "./dom.js";
import { drawBeadPlate, drawBigRoad, drawDerivedMark, drawDerivedRoad, fit } from "./road-drawing.js";

/**
 * @import { DerivedRoad, Roads } from "../table/roads.js"
 * @import { Words } from "./words.js"
 */

/** Sizes of a cell in pixels. */
const BEAD = 31;
const BIG = 18;
const DERIVED = 10;
const STACKED_BEAD = 28;

/** How many columns the bead plate has beside the big road. */
const BEAD_COLUMNS = 7;

/** A road with its heading. */
class Road {
  title = element("h3");
  asks = element("span", { class: "asks" });
  space = element("div", { class: "road-space", role: "img" });
  block;

  /** @param {string} className */
  constructor(className) {
    this.block = element(
      "section",
      { class: `road ${className}` },
      element("div", { class: "road-head" }, this.title, this.asks),
      this.space,
    );
  }

  /** @param {number} cell */
  fit(cell) {
    return fit(this.space.clientWidth, cell);
  }
}

/** The scoreboard. It draws when the shoe, the language or its width has changed. */
export class Scoreboard extends HTMLElement {
  #bead = new Road("bead-plate");
  #big = new Road("big-road");
  /** @type {Map<DerivedRoad, Road>} */
  #derived = new Map(DERIVED_ROADS.map((name) => [name, new Road("derived-road")]));
  /** @type {Roads | null} */
  #roads = null;
  /** @type {Words | null} */
  #words = null;
  #sizes = new ResizeObserver(() => this.#draw());

  constructor() {
    super();
    this.append(
      this.#bead.block,
      element(
        "div",
        { class: "road-stack" },
        this.#big.block,
        element("div", { class: "derived" }, ...[...this.#derived.values()].map(({ block }) => block)),
      ),
    );
  }

  connectedCallback() {
    this.#sizes.observe(this);
  }

  disconnectedCallback() {
    this.#sizes.disconnect();
  }

  /**
   * @param {Roads} roads
   * @param {Words} words
   */
  update(roads, words) {
    if (roads === this.#roads && words === this.#words) return;
    this.#roads = roads;
    this.#words = words;
    this.#draw();
  }

  #draw() {
    const roads = this.#roads;
    const words = this.#words;
    if (roads === null || words === null || this.clientWidth === 0) return;
    const letters = words.letters;
    const stacked = this.clientWidth < 640;

    write(this.#bead.title, words.terms.bead_plate);
    const bead = stacked ? this.#bead.fit(STACKED_BEAD) : { columns: BEAD_COLUMNS, cell: BEAD };
    this.#bead.space.replaceChildren(
      drawBeadPlate(roads.beadPlate(ROWS, bead.columns), bead.columns, bead.cell, letters),
    );
    setAttribute(this.#bead.space, "aria-label", beadsInWords(roads, words));

    write(this.#big.title, words.terms.big_road);
    const big = this.#big.fit(BIG);
    this.#big.space.replaceChildren(
      drawBigRoad(roads.bigRoad(ROWS, big.columns), big.columns, big.cell, letters),
    );
    setAttribute(this.#big.space, "aria-label", bigRoadInWords(roads, words));

    const ifPlayer = roads.ask("player");
    const ifBanker = roads.ask("banker");
    for (const [name, road] of this.#derived) {
      write(road.title, words.terms.derived_roads[name]);
      const { columns, cell } = road.fit(DERIVED);
      road.space.replaceChildren(
        drawDerivedRoad(name, roads.derivedRoad(name, ROWS, columns), columns, cell),
      );
      setAttribute(road.space, "aria-label", derivedInWords(roads, name, words));
      road.asks.replaceChildren(
        askMark(name, "player", ifPlayer[name], words),
        askMark(name, "banker", ifBanker[name], words),
      );
    }
  }
}

/**
 * @param {DerivedRoad} road
 * @param {"player" | "banker"} side
 * @param {import("../table/roads.js").Mark | null} mark
 * @param {Words} words
 */
function askMark(road, side, mark, words) {
  const says = words.say("about", {
    what: words.terms.next_wins[side],
    says: mark === null ? words.say("noMark") : words.terms.marks[mark],
  });
  return element(
    "span",
    { class: "ask", role: "img", "aria-label": says, title: says },
    element("span", { class: `ask-side ${side}`, "aria-hidden": "true" }, words.letters[side]),
    drawDerivedMark(road, mark),
  );
}

/**
 * @param {Roads} roads
 * @param {Words} words
 */
function beadsInWords(roads, words) {
  const last = roads.beads.slice(-6).map(({ outcome }) => words.terms.outcomes[outcome]);
  return last.length === 0
    ? words.say("roadEmpty", { road: words.terms.bead_plate })
    : words.say("beadsInWords", {
        road: words.terms.bead_plate,
        coups: words.counted(roads.beads.length, "coup"),
        last: last.join(", "),
      });
}

/**
 * @param {Roads} roads
 * @param {Words} words
 */
export function bigRoadInWords(roads, words) {
  const column = roads.columns.at(-1);
  const winner = column?.[0]?.winner;
  return column === undefined || winner === undefined
    ? words.say("roadEmpty", { road: words.terms.big_road })
    : words.say("bigRoadInWords", {
        road: words.terms.big_road,
        winner: words.terms.outcomes[winner],
        run: column.length,
      });
}

/**
 * @param {Roads} roads
 * @param {DerivedRoad} name
 * @param {Words} words
 */
function derivedInWords(roads, name, words) {
  const road = words.terms.derived_roads[name];
  const last = roads.derived[name].slice(-3).map((mark) => words.terms.marks[mark]);
  return last.length === 0
    ? words.say("roadEmpty", { road })
    : words.say("derivedInWords", { road, last: last.join(", ") });
}

customElements.define("croupier-scoreboard", Scoreboard);
