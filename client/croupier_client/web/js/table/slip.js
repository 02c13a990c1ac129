/**
 * Editing a slip, without any I/O. A slip is what the player wants on the round: for each bet a stack of chips, bottom
 * first, so that the top one can be taken off again.
 *
 * Slips are values: every edit returns the next one. Whether a slip may be sent is `checkSlip`'s to say, in the order
 * in which the server checks; the server judges in the end.
 *
 * @import { Limits, Offer } from "../wire/messages.js"
 * @import { Reason } from "../wire/refusal.js"
 */

/** @typedef {Readonly<Record<string, number>>} Bets cents on each bet; no bet has nothing */
/** @typedef {Readonly<Record<string, readonly number[]>>} Stacks the chips on each bet, in cents, bottom first */
/** @typedef {{ limits: Limits, offer: Offer | null }} SlipTerms without an offer, only limits are checked */

/** The bets that keep to the limits of main bets. */
const HANDS = new Set(["player", "banker"]);

/** @type {Stacks} */
export const NO_CHIPS = Object.freeze({});

/**
 * Cents on each bet.
 * @param {Stacks} stacks
 * @returns {Bets}
 */
export function betsOf(stacks) {
  return Object.fromEntries(Object.entries(stacks).map(([bet, chips]) => [bet, sum(chips)]));
}

/**
 * Stacks for amounts of which the chips are not known, after a reload: as few chips as will do, large ones below.
 * @param {Bets} bets
 * @param {readonly number[]} chips the table's chips
 * @returns {Stacks}
 */
export function stacksOf(bets, chips) {
  return Object.fromEntries(Object.entries(bets).map(([bet, cents]) => [bet, chipsFor(cents, chips)]));
}

/**
 * Chips that make up an amount, large ones first; what no chip fits is one odd chip on top.
 * @param {number} cents
 * @param {readonly number[]} chips
 * @returns {number[]}
 */
export function chipsFor(cents, chips) {
  const stack = [];
  let rest = cents;
  for (const chip of [...chips].sort((one, other) => other - one)) {
    for (; rest >= chip; rest -= chip) stack.push(chip);
  }
  if (rest > 0) stack.push(rest);
  return stack;
}

/**
 * One more chip on a bet.
 * @param {Stacks} stacks
 * @param {string} bet
 * @param {number} cents
 * @returns {Stacks}
 */
export function addChip(stacks, bet, cents) {
  return { ...stacks, [bet]: [...(stacks[bet] ?? []), cents] };
}

/**
 * Without the top chip of a bet. What would be left below the least that the table takes goes with it.
 * @param {Stacks} stacks
 * @param {string} bet
 * @param {Limits} limits
 * @returns {Stacks}
 */
export function takeTop(stacks, bet, limits) {
  const { [bet]: stack = [], ...others } = stacks;
  const left = stack.slice(0, -1);
  return sum(left) < Math.max(1, bounds(bet, limits).least) ? others : { ...stacks, [bet]: left };
}

/**
 * Every chip twice.
 * @param {Stacks} stacks
 * @returns {Stacks}
 */
export function doubled(stacks) {
  return Object.fromEntries(Object.entries(stacks).map(([bet, chips]) => [bet, [...chips, ...chips]]));
}

/**
 * As much on one bet as the table and the bankroll allow beside the other bets; the slip as it is when that is no more
 * than lies there.
 * @param {Stacks} stacks
 * @param {string} bet
 * @param {Limits} limits
 * @param {number} available cents: bankroll and what stands on the round
 * @returns {Stacks}
 */
export function allIn(stacks, bet, limits, available) {
  const { [bet]: stack = [], ...others } = stacks;
  const beside = total(betsOf(others));
  const most = Math.min(available - beside, limits.slip_most - beside, bounds(bet, limits).most);
  const cents = most - (most % limits.step);
  return cents > sum(stack) ? { ...stacks, [bet]: chipsFor(cents, limits.chips) } : stacks;
}

/**
 * Why a slip cannot be placed; null when nothing is known against it.
 * @param {Bets} bets
 * @param {SlipTerms} terms
 * @param {number} available cents: bankroll and what stands on the round
 * @returns {Reason | null}
 */
export function checkSlip(bets, { limits, offer }, available) {
  if (offer !== null) {
    const offered = new Set(offer.bets.map(({ bet }) => bet));
    for (const bet of Object.keys(bets)) {
      if (!offered.has(bet)) return { key: "unknown_bet", params: { bet } };
    }
    const { bets: group, most } = offer.combination;
    if (group.filter((bet) => bet in bets).length > most) {
      return { key: "combination", params: { bets: [...group], limit: most } };
    }
  }
  for (const [bet, cents] of Object.entries(bets)) {
    const { least, most } = bounds(bet, limits);
    if (cents < least) return { key: "least", params: { bet, limit: least } };
    if (cents > most) return { key: "most", params: { bet, limit: most } };
    if (cents % limits.step !== 0) return { key: "step", params: { bet, limit: limits.step } };
  }
  if (total(bets) > limits.slip_most) return { key: "slip_most", params: { limit: limits.slip_most } };
  if (total(bets) > available) return { key: "bankroll_short", params: { limit: available } };
  return null;
}

/**
 * The least and the most that may stand on a bet.
 * @param {string} bet
 * @param {Limits} limits
 */
export function bounds(bet, limits) {
  return HANDS.has(bet)
    ? { least: limits.main_least, most: limits.main_most }
    : { least: limits.other_least, most: limits.other_most };
}

/**
 * Cents on all bets together.
 * @param {Bets} bets
 */
export function total(bets) {
  return sum(Object.values(bets));
}

/**
 * @param {Bets} one
 * @param {Bets} other
 */
export function sameBets(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((bet) => one[bet] === other[bet]);
}

/** @param {readonly number[]} amounts */
function sum(amounts) {
  return amounts.reduce((before, cents) => before + cents, 0);
}
