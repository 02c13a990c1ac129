/**
 * Statistics of a shoe, as `croupier_protocol.game.statistics` has them.
 *
 * @import { Outcome, PastCoup, Side } from "../wire/messages.js"
 */

/**
 * What a shoe has seen so far. A streak is what one column of the big road shows: a tie neither breaks nor lengthens
 * it. `naturals` counts coups that a natural ended, whoever had it.
 * @typedef {object} Statistics
 * @property {number} coups
 * @property {Record<Outcome, number>} outcomes
 * @property {number} naturals
 * @property {number} playerPairs
 * @property {number} bankerPairs
 * @property {number} bothPairs
 * @property {{ side: Side, length: number } | null} streak
 * @property {Record<Side, number>} longest the longest streak of each side
 */

/**
 * @param {Iterable<PastCoup>} coups oldest first
 * @returns {Statistics}
 */
export function statisticsOf(coups) {
  /** @type {Statistics} */
  const seen = {
    coups: 0,
    outcomes: { player: 0, banker: 0, tie: 0 },
    naturals: 0,
    playerPairs: 0,
    bankerPairs: 0,
    bothPairs: 0,
    streak: null,
    longest: { player: 0, banker: 0 },
  };
  for (const [, outcome, , , natural, playerPair, bankerPair] of coups) {
    seen.coups += 1;
    seen.outcomes[outcome] += 1;
    seen.naturals += Number(natural);
    seen.playerPairs += Number(playerPair);
    seen.bankerPairs += Number(bankerPair);
    seen.bothPairs += Number(playerPair && bankerPair);
    if (outcome === "tie") continue;
    const length = seen.streak?.side === outcome ? seen.streak.length + 1 : 1;
    seen.streak = { side: outcome, length };
    seen.longest[outcome] = Math.max(seen.longest[outcome], length);
  }
  return seen;
}
