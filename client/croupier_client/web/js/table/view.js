/**
 * The fold of events into a table's view, as `croupier_protocol.view` has it: `snapshot(k)` and the events
 * `k+1 … n` give `snapshot(n)`, for every k. Shared vectors hold both to the same views.
 *
 * A view is a value: `fold` returns the next one and leaves the last as it is.
 *
 * @import { BettingOpened, CardDealt, CutListed, CutView, HandView, PastCoup, RoundResult, RulesRef, SeatChanged,
 *   ShoeCommitted, ShoeEnded, ShoeOpened, ShoeView, TableEvent, TableView } from "../wire/messages.js"
 */

/**
 * An event of a newer server: it counts for `seq` and changes nothing that is known here.
 * @typedef {{ type: string, table: string, epoch: string, seq: number }} UnknownEvent
 */

/** An event does not follow the view: another table, another epoch, or not the next `seq`. */
export class GapError extends Error {}

/** @type {HandView} */
const NO_HAND = { cards: [], total: 0 };

const NO_BETS = { totals: {}, bettors: 0, ready: 0 };

const CLEARED = {
  player: NO_HAND,
  banker: NO_HAND,
  outcome: null,
  natural: false,
  player_pair: false,
  banker_pair: false,
  reason: null,
};

/**
 * The view of a table before its first event.
 * @param {string} table
 * @param {string} epoch
 * @param {RulesRef} rules
 * @returns {TableView}
 */
export function openingView(table, epoch, rules) {
  return {
    type: "snapshot",
    table,
    epoch,
    seq: 0,
    rules,
    phase: "result",
    round: 0,
    shoe: null,
    cut: null,
    coup: 0,
    last: false,
    closes_at_ms: null,
    past: [],
    seats: [],
    ...CLEARED,
    ...NO_BETS,
  };
}

/**
 * The view after `event`.
 * @param {TableView} view
 * @param {TableEvent | UnknownEvent} event
 * @returns {TableView}
 * @throws {GapError} when the event is not the next one of the same table and epoch
 */
export function fold(view, event) {
  if (event.seq !== view.seq + 1 || event.epoch !== view.epoch || event.table !== view.table) {
    throw new GapError(
      `${event.table} ${event.epoch}/${event.seq} does not follow ${view.table} ${view.epoch}/${view.seq}`,
    );
  }
  return { ...view, ...changes(view, /** @type {TableEvent} */ (event)), seq: event.seq };
}

/**
 * @param {TableView} view
 * @param {TableEvent} event
 * @returns {Partial<TableView>}
 */
function changes(view, event) {
  switch (event.type) {
    case "commitment":
      return committed(event);
    case "cut_list":
      return listed(view, event);
    case "shoe":
      return shoe(view, event);
    case "shoe_end":
      return ended(view, event);
    case "betting":
      return betting(view, event);
    case "bets":
      return { totals: event.totals, bettors: event.bettors, ready: event.ready };
    case "closed":
      return { phase: "closed" };
    case "card":
      return card(view, event);
    case "result":
      return result(view, event);
    case "settled":
      return { phase: "result" };
    case "void":
      return { phase: "voiding", reason: event.reason };
    case "seat":
      return seat(view, event);
    case "paused":
      return { phase: "paused", reason: event.reason };
    case "table_closed":
      return { phase: "ended", reason: event.reason };
    case "resumed":
      return { phase: "result", reason: null };
    default:
      return {};
  }
}

/**
 * @param {ShoeCommitted} event
 * @returns {Partial<TableView>}
 */
function committed(event) {
  return {
    phase: "shuffling",
    cut: {
      shoe: event.shoe,
      rules: event.rules,
      commitment: event.commitment,
      previous: event.previous,
      until_ms: event.cut_until_ms,
      listed: false,
      contributions: [],
      beacon: event.beacon,
    },
  };
}

/**
 * @param {TableView} view
 * @param {CutListed} event
 * @returns {Partial<TableView>}
 */
function listed(view, event) {
  if (view.cut === null) return {};
  const { contributions, reveal_until_ms: until_ms } = event;
  return { cut: { ...view.cut, listed: true, contributions, until_ms } };
}

/**
 * @param {TableView} view
 * @param {ShoeEnded} event
 * @returns {Partial<TableView>}
 */
function ended(view, event) {
  if (view.cut !== null) return { shoe: neverOpened(view.cut, event), cut: null };
  return { phase: "shuffling", shoe: view.shoe && { ...view.shoe, end: event.chain } };
}

/**
 * @param {CutView} cut
 * @param {ShoeEnded} event
 * @returns {ShoeView}
 */
function neverOpened({ commitment, previous }, { shoe: number, contributions, beacon, chain: end }) {
  const cards = { decks: 0, cards: 0, burn: null, cut_at: null, coups: null, dealt: 0, digest: "" };
  return { number, ...cards, commitment, previous, contributions, beacon, end };
}

/**
 * @param {TableView} view
 * @param {ShoeOpened} event
 * @returns {Partial<TableView>}
 */
function shoe(view, event) {
  return {
    ...CLEARED,
    phase: "shuffling",
    shoe: {
      number: event.shoe,
      decks: event.decks,
      cards: event.cards,
      burn: event.burn,
      cut_at: event.cut_at,
      coups: event.coups,
      dealt: event.burn === null ? 0 : 1 + event.burn.burnt,
      commitment: view.cut?.commitment ?? "",
      previous: view.cut?.previous ?? null,
      contributions: event.contributions,
      digest: event.digest,
      end: null,
      beacon: event.beacon,
    },
    cut: null,
    rules: event.rules,
    coup: 0,
    last: false,
    closes_at_ms: null,
    past: [],
  };
}

/**
 * @param {TableView} view
 * @param {BettingOpened} event
 * @returns {Partial<TableView>}
 */
function betting(view, event) {
  if (event.round === view.round) return { closes_at_ms: event.closes_at_ms }; // announced again: the bets stand
  const isSeries = view.shoe !== null && view.shoe.coups !== null;
  return {
    ...CLEARED,
    ...NO_BETS,
    phase: "betting",
    round: event.round,
    shoe: view.shoe !== null && isSeries ? { ...view.shoe, dealt: 0 } : view.shoe,
    coup: event.coup,
    last: event.last,
    closes_at_ms: event.closes_at_ms,
  };
}

/**
 * @param {TableView} view
 * @param {CardDealt} event
 * @returns {Partial<TableView>}
 */
function card(view, event) {
  const hand = { cards: [...view[event.hand].cards, event.card], total: event.total };
  const dealt = view.shoe && { ...view.shoe, dealt: view.shoe.dealt + 1 };
  return { phase: "dealing", shoe: dealt, [event.hand]: hand };
}

/**
 * @param {TableView} view
 * @param {RoundResult} event
 * @returns {Partial<TableView>}
 */
function result(view, event) {
  /** @type {PastCoup} */
  const coup = [
    event.round,
    event.outcome,
    event.player.total,
    event.banker.total,
    event.natural,
    event.player_pair,
    event.banker_pair,
  ];
  return {
    phase: "settling",
    player: event.player,
    banker: event.banker,
    outcome: event.outcome,
    natural: event.natural,
    player_pair: event.player_pair,
    banker_pair: event.banker_pair,
    past: [...view.past, coup],
  };
}

/**
 * @param {TableView} view
 * @param {SeatChanged} event
 * @returns {Partial<TableView>}
 */
function seat(view, event) {
  const others = view.seats.filter((taken) => taken.seat !== event.seat);
  if (event.player !== null) others.push({ seat: event.seat, player: event.player });
  return { seats: others.sort((one, other) => one.seat - other.seat) };
}
