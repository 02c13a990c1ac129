/** A playing card: a big index, the suit, and a court card's crown. Drawn here, without pictures. */

import { drawing, element, setAttribute, write } from "./dom.js";

/** Suits on 32 × 32. @type {Record<string, string>} */
const SUITS = {
  s: "M16 2C12 8 4 12 4 19a6 6 0 0 0 10.400 4.100C14 26 13 28 11 30h10c-2-2-3-4-3.400-6.900A6 6 0 0 0 28 19C28 12 20 8 16 2z",
  h: "M16 29C9 22 3 17.500 3 11a6.800 6.800 0 0 1 13-2.900A6.800 6.800 0 0 1 29 11c0 6.500-6 11-13 18z",
  d: "M16 2c3 5.300 6.300 9.900 10 14-3.700 4.100-7 8.700-10 14-3-5.300-6.300-9.900-10-14 3.700-4.100 7-8.700 10-14z",
  c: "M16 2a6.300 6.300 0 0 0-5.300 9.700A6.300 6.300 0 1 0 14.300 21C14 25 13 27.500 11 30h10c-2-2.500-3-5-3.300-9a6.300 6.300 0 1 0 3.600-9.300A6.300 6.300 0 0 0 16 2z",
};

/** What a court card wears, on 32 × 32. @type {Record<string, string>} */
const CROWNS = {
  K: "M5 24h22M5 20L3 9l7 5 6-9 6 9 7-5-2 11z",
  Q: "M5 24h22M6 20L4 11l6 4 6-7 6 7 6-4-2 9zM4 8.500h.01M16 5h.01M28 8.500h.01",
  J: "M6 24h20M7 20c0-8 4-12 9-12s9 4 9 12zM16 8c2-4 6-5 9-4-1 3-4 5-9 4z",
};

/**
 * @param {string} suit
 * @param {string} className
 */
function suitDrawing(suit, className) {
  return drawing(
    "svg",
    { class: className, viewBox: "0 0 32 32", "aria-hidden": "true" },
    drawing("path", { d: SUITS[suit] ?? "" }),
  );
}

/** One card, face up once it has turned. */
export class PlayingCard extends HTMLElement {
  #index = element("span", { class: "card-rank" });
  #face = element("span", { class: "card-face", "aria-hidden": "true" });
  #shown = "";

  constructor() {
    super();
    this.setAttribute("role", "img");
    this.append(
      element(
        "span",
        { class: "card-body", "aria-hidden": "true" },
        this.#face,
        element("span", { class: "card-back" }),
      ),
    );
  }

  /**
   * @param {string} card rank and suit, such as `Td`
   * @param {string} rank the rank as the language writes it
   * @param {string} name the card in words, for screen readers
   */
  face(card, rank, name) {
    setAttribute(this, "aria-label", name);
    write(this.#index, rank);
    if (this.#shown === card) return;
    this.#shown = card;
    const suit = card.slice(-1);
    const crown = CROWNS[card.slice(0, -1)];
    this.classList.toggle("red", suit === "h" || suit === "d");
    this.classList.toggle("court", crown !== undefined);
    this.#face.replaceChildren(
      element("span", { class: "card-index" }, this.#index, suitDrawing(suit, "card-suit")),
      crown === undefined
        ? suitDrawing(suit, "card-pip")
        : drawing("svg", { class: "card-crown", viewBox: "0 0 32 32" }, drawing("path", { d: crown })),
    );
  }
}

customElements.define("croupier-card", PlayingCard);
