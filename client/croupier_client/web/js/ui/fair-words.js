/**
 * The fairness mark: what this page has checked, in an icon and a few words.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 */

/**
 * Its icon, and what it says.
 * @param {TableModel} table
 * @param {Words} words
 */
export function fairInWords({ fairness }, words) {
  const { checked } = fairness.cards;
  if (fairness.faults.length > 0) return { icon: "seal", text: words.say("fairFault"), wrong: true };
  if (!fairness.canCheck || checked === 0) return { icon: "seal", text: words.say("fairUnchecked"), wrong: false };
  return { icon: "sealChecked", text: words.say("fairChecked", { cards: words.counted(checked, "card") }), wrong: false };
}
