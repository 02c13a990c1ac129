/** The two hands as they face each other, with their totals between them. */

import { element, setAttribute, show, write } from "./dom.js";
import { PlayingCard } from "./card.js";
import { playOnce, writeWithCard } from "./motion.js";

/**
 * @import { Side, TableView } from "../wire/messages.js"
 * @import { Words } from "./words.js"
 */

/** One hand: its name, its marks, three places for cards. */
class Hand {
  name = element("span");
  pair = element("span", { class: "tag", hidden: true });
  natural = element("span", { class: "tag", hidden: true });
  total = element("span");
  slots = [1, 2, 3].map((place) => element("span", { class: place === 3 ? "slot third" : "slot" }));
  block;

  /** @param {Side} side */
  constructor(side) {
    this.side = side;
    this.total.className = `total none ${side}`;
    this.block = element(
      "section",
      { class: `hand ${side}` },
      element("h2", { class: "hand-name" }, this.pair, this.natural, this.name),
      element("div", { class: "slots" }, ...this.slots),
      this.total,
    );
  }
}

/** Both hands. Cards that just came slide in and turn, and the total changes with the card. */
export class Hands extends HTMLElement {
  #player = new Hand("player");
  #banker = new Hand("banker");

  constructor() {
    super();
    this.append(this.#player.block, this.#banker.block);
  }

  /**
   * @param {TableView} view
   * @param {Words} words
   * @param {boolean} moving whether what changed just happened, and may be seen to happen
   */
  update(view, words, moving) {
    this.#hand(this.#player, view, words, moving);
    this.#hand(this.#banker, view, words, moving);
  }

  /**
   * @param {Hand} hand
   * @param {TableView} view
   * @param {Words} words
   * @param {boolean} moving
   */
  #hand(hand, view, words, moving) {
    const { cards, total } = view[hand.side];
    const over = view.outcome !== null;
    let dealt = false;
    write(hand.name, words.terms.sides[hand.side]);
    hand.slots.forEach((slot, index) => {
      const card = cards[index];
      if (card === undefined) {
        slot.replaceChildren();
        return;
      }
      let shown = /** @type {PlayingCard | null} */ (slot.firstElementChild);
      const fresh = shown === null;
      if (shown === null) {
        shown = new PlayingCard();
        slot.append(shown);
      }
      shown.face(card, words.rank(card), words.cardName(card));
      dealt ||= fresh;
      if (fresh && moving) playOnce(shown, "arriving");
      else if (!fresh && !moving) shown.classList.remove("arriving");
    });
    writeWithCard(hand.total, cards.length === 0 ? "–" : String(total), dealt && moving);
    setAttribute(
      hand.total,
      "aria-label",
      cards.length === 0 ? null : `${words.terms.sides[hand.side]} ${total}`,
    );
    setAttribute(hand.total, "role", cards.length === 0 ? null : "img");
    hand.total.classList.toggle("none", cards.length === 0);
    hand.total.classList.toggle("won-hand", view.outcome === hand.side || view.outcome === "tie");
    hand.block.classList.toggle("lost-hand", over && view.outcome !== hand.side && view.outcome !== "tie");
    write(hand.pair, words.noun("pair"));
    show(hand.pair, over && view[`${hand.side}_pair`]);
    write(hand.natural, words.noun("natural"));
    show(hand.natural, over && view.natural && cards.length === 2 && total >= 8);
  }
}

customElements.define("croupier-hands", Hands);
