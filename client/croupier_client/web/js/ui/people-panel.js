/**
 * Who sits at the table, and how many have bet and are ready.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 */

import { blank } from "./dialog.js";
import { element, setAttribute } from "./dom.js";

/** As many names as are listed; a table may have thousands. */
const LISTED = 60;

export class PeoplePanel extends HTMLElement {
  /** What is shown, to leave it alone while it stays so. */
  #shown = "";

  /**
   * @param {TableModel} table
   * @param {string | null} own this player's id
   * @param {Words} words
   */
  update({ view }, own, words) {
    if (view === null) return;
    const { seats, bettors, ready } = view;
    const shown = JSON.stringify([words.code, own, bettors, ready, seats]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (seats.length === 0) {
      this.replaceChildren(blank(words.say("peopleNone")));
      return;
    }
    const listed = seats.slice(0, LISTED);
    this.replaceChildren(
      element(
        "p",
        { class: "quiet small" },
        words.say("peopleReady", { bettors: words.number(bettors), ready: words.number(ready) }),
      ),
      element(
        "ul",
        { class: "people" },
        ...listed.map(({ seat, player }) => person(seat, player.name, player.id === own, words)),
      ),
      seats.length > listed.length
        ? element("p", { class: "quiet small" }, words.say("morePeople", { count: words.number(seats.length - listed.length) }))
        : "",
    );
  }
}

/**
 * @param {number} seat
 * @param {string} name
 * @param {boolean} own
 * @param {Words} words
 */
function person(seat, name, own, words) {
  const shown = element("bdi", { class: "name" }, name);
  setAttribute(shown, "title", name);
  return element(
    "li",
    { class: own ? "own" : false },
    element("span", { class: "quiet small number" }, words.say("seatNumber", { number: seat })),
    shown,
    own ? element("span", { class: "tag" }, words.say("you")) : null,
  );
}

customElements.define("croupier-people", PeoplePanel);
