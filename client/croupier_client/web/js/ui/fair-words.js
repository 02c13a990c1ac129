/**
 * The fairness mark: what this page has checked, in an icon and a few words; and the public beacon of a shoe.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Words } from "./words.js"
 */

import { fromBase64, toHex } from "../fair/bytes.js";

/**
 * Its icon, and what it says.
 * @param {TableModel} table
 * @param {Words} words
 */
export function fairInWords({ fairness, leftOut }, words) {
  const { checked } = fairness.cards;
  if (fairness.faults.length + leftOut.length > 0) return { icon: "seal", text: words.say("fairFault"), wrong: true };
  if (!fairness.canCheck || checked === 0) return { icon: "seal", text: words.say("fairUnchecked"), wrong: false };
  return { icon: "sealChecked", text: words.say("fairChecked", { cards: words.counted(checked, "card") }), wrong: false };
}

/**
 * What the beacon is that counts for the order of the shoe on the table, or of the one that is cut; null without one.
 * @param {TableModel} table
 * @param {Words} words
 */
export function beaconInWords({ view }, words) {
  const beacon = (view?.cut ?? view?.shoe)?.beacon ?? null;
  if (beacon === null) return null;
  const named = { round: words.number(beacon.round), source: beacon.source.replace("{round}", String(beacon.round)) };
  if (beacon.value !== null) return words.say("fairBeacon", { ...named, value: toHex(fromBase64(beacon.value)) });
  return words.say(view?.cut ? "fairBeaconAwaited" : "fairBeaconMissing", named);
}
