/**
 * Roads, statistics, players and own rounds on a phone: a strip with the big road, which opens a sheet with the rest.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 */

import { ROWS } from "../table/roads.js";
import { Dialog } from "./dialog.js";
import { button, element, setAttribute } from "./dom.js";
import { drawBigRoad, fit } from "./road-drawing.js";
import { bigRoadInWords } from "./scoreboard.js";

/** A cell of the strip in pixels. */
const CELL = 10;

/** A swipe is so far up, at least. */
const SWIPE_PX = 30;

export class Strip extends HTMLElement {
  #dialog = new Dialog("wide sheet");
  #road = element("span", { class: "strip-road" });
  #button = button({ class: "strip-button", "aria-haspopup": "dialog", click: () => this.#dialog.open() }, this.#road);
  /** @type {TableModel["roads"] | null} */
  #shown = null;
  #width = 0;
  /** @type {TableModel | null} */
  #table = null;
  #sizes = new ResizeObserver(() => this.#draw());

  constructor() {
    super();
    this.append(this.#button);
    let fromY = 0;
    this.addEventListener("touchstart", (event) => (fromY = event.touches[0]?.clientY ?? 0), { passive: true });
    this.addEventListener(
      "touchend",
      (event) => {
        if (fromY - (event.changedTouches[0]?.clientY ?? fromY) > SWIPE_PX) this.#dialog.open();
      },
      { passive: true },
    );
  }

  connectedCallback() {
    this.#sizes.observe(this);
  }

  disconnectedCallback() {
    this.#sizes.disconnect();
    this.#dialog.element.remove();
  }

  /**
   * What the sheet holds.
   * @param {...HTMLElement} parts
   */
  hold(...parts) {
    this.#dialog.body.append(...parts);
  }

  /**
   * @param {TableModel} table
   * @param {Words} words
   */
  update(table, words) {
    this.#table = table;
    this.#dialog.name(words.say("board"), words.say("close"));
    setAttribute(this.#button, "aria-label", `${words.say("board")}. ${bigRoadInWords(table.roads, words)}`);
    this.#draw();
  }

  #draw() {
    if (this.#table === null) return;
    const { roads } = this.#table;
    const width = this.#road.clientWidth;
    if (width === 0 || (roads === this.#shown && width === this.#width)) return;
    this.#shown = roads;
    this.#width = width;
    const { columns, cell } = fit(width, CELL);
    this.#road.replaceChildren(drawBigRoad(roads.bigRoad(ROWS, columns), columns, cell, null));
  }
}

customElements.define("croupier-strip", Strip);
