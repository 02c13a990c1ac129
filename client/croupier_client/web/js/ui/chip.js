/**
 * Chips: what is in the rack, and what lies on an area.
 *
 * @import { Words } from "./words.js"
 */

import { chipsFor } from "../table/slip.js";
import { element } from "./dom.js";

/** As many chips of a pile as can be told apart. */
const PILED = 4;

/**
 * The look of a chip: its place in the table's rack, the smallest first.
 * @param {number} cents
 * @param {readonly number[]} chips
 */
function rank(cents, chips) {
  const place = [...chips].sort((one, other) => one - other).indexOf(cents);
  return place < 0 ? 1 : Math.min(5, place + 1);
}

/**
 * What is printed on a chip: whole units where it has no cents.
 * @param {number} cents
 * @param {Words} words
 */
export function denomination(cents, words) {
  if (cents >= 100_000_00 && cents % 1_000_00 === 0) return `${cents / 1_000_00}k`;
  return words.shortMoney(cents);
}

/**
 * A chip to look at.
 * @param {number} cents
 * @param {readonly number[]} chips the table's chips
 * @param {Words} words
 */
export function chipFace(cents, chips, words) {
  return element(
    "span",
    { class: `chip rank-${rank(cents, chips)}` },
    element("span", {}, denomination(cents, words)),
  );
}

/**
 * A small pile for an amount; the largest chips below.
 * @param {number} cents
 * @param {readonly number[]} chips
 * @param {Words} words
 */
export function pile(cents, chips, words) {
  const shown = chipsFor(cents, chips).slice(-PILED);
  return element(
    "span",
    { class: "pile", "aria-hidden": "true" },
    ...shown.map((chip, level) => {
      const face = chipFace(chip, chips, words);
      face.classList.add(`level-${level}`);
      return face;
    }),
  );
}
