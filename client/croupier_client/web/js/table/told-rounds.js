/**
 * The last round whose payout this browser has shown to its player, by table: the server tells those after it.
 *
 * @import { StorageLike } from "../wire/environment.js"
 */

/** @param {string} table */
const keyOf = (table) => `croupier.paid.${table}`;

/**
 * Null when none was shown to this player.
 * @param {StorageLike} storage
 * @param {string} table
 * @param {string | undefined} player
 */
export function toldRound(storage, table, player) {
  const [whose, round] = (storage.getItem(keyOf(table)) ?? "").split(" ");
  const isOwn = whose !== undefined && whose === player;
  return isOwn && /^\d{1,15}$/.test(round ?? "") ? Number(round) : null;
}

/**
 * @param {StorageLike} storage
 * @param {string} table
 * @param {string | undefined} player
 * @param {number | null} round
 */
export function keepToldRound(storage, table, player, round) {
  if (player !== undefined && round !== null) storage.setItem(keyOf(table), `${player} ${round}`);
}
