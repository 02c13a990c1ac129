/**
 * All roads of a shoe, as `croupier_protocol.game.roads` has them; shared vectors hold both to the same marks.
 *
 * Derived roads do not show who won, but whether the big road repeats itself: each compares the newest column with
 * one before it, 1, 2 or 3 columns back. What is compared are runs of one winner at their full length, never the
 * columns of a drawing.
 *
 * @import { Outcome, PastCoup, Side } from "../wire/messages.js"
 */

/**
 * @typedef {"R" | "B"} Mark red where the pattern repeats, blue where it breaks; neither is a side
 * @typedef {"big_eye_boy" | "small_road" | "cockroach_road"} DerivedRoad
 * @typedef {Record<DerivedRoad, Mark | null>} Ask the mark each road would get next; null where it would get none
 * @typedef {{ column: number, row: number }} Spot counted from 0 at the top left
 */

/**
 * One finished coup, as a bead shows it.
 * @typedef {{ outcome: Outcome, playerPair: boolean, bankerPair: boolean, natural: boolean, total: number }} Bead
 *   `total` is the winning total, or that of both hands
 */

/**
 * One decision on the big road, with the number of ties that came after it. Pairs and natural are its own.
 * @typedef {{ winner: Outcome, ties: number, playerPair: boolean, bankerPair: boolean, natural: boolean }} Entry
 */

/** The rows of a scoreboard. */
export const ROWS = 6;

/**
 * How many columns back each derived road looks.
 * @type {Readonly<Record<DerivedRoad, number>>}
 */
export const OFFSETS = { big_eye_boy: 1, small_road: 2, cockroach_road: 3 };

export const DERIVED_ROADS = /** @type {DerivedRoad[]} */ (Object.keys(OFFSETS));

/** The roads of a shoe after some number of coups. */
export class Roads {
  /** @type {Bead[]} */
  beads = [];
  /** Runs of one winner, ties left out. @type {Entry[][]} */
  columns = [];
  /** Ties before the first decision; they are counted on its entry too. */
  leadingTies = 0;
  /** The marks of each derived road, oldest first. @type {Record<DerivedRoad, Mark[]>} */
  derived = { big_eye_boy: [], small_road: [], cockroach_road: [] };

  /**
   * The roads of a shoe that has seen these coups, oldest first.
   * @param {Iterable<PastCoup>} coups
   */
  static of(coups) {
    const roads = new Roads();
    for (const coup of coups) roads.#add(beadOf(coup));
    return roads;
  }

  /** @param {Bead} bead */
  #add(bead) {
    this.beads.push(bead);
    const { outcome: winner, playerPair, bankerPair, natural } = bead;
    const column = this.columns.at(-1);
    if (winner === "tie") {
      const last = column?.at(-1);
      if (last === undefined) this.leadingTies += 1;
      else last.ties += 1;
      return;
    }
    const next = this.ask(winner);
    for (const road of DERIVED_ROADS) {
      const mark = next[road];
      if (mark !== null) this.derived[road].push(mark);
    }
    const entry = { winner, ties: column === undefined ? this.leadingTies : 0, playerPair, bankerPair, natural };
    if (column !== undefined && column[0]?.winner === winner) column.push(entry);
    else this.columns.push([entry]);
  }

  /**
   * The mark that each derived road would get if `side` won the next coup. Asking changes nothing.
   * @param {Side} side
   * @returns {Ask}
   */
  ask(side) {
    const lengths = this.columns.slice(-4).map((column) => column.length); // all that the three roads look at
    const continues = this.columns.at(-1)?.[0]?.winner === side;
    return {
      big_eye_boy: nextMark(lengths, OFFSETS.big_eye_boy, continues),
      small_road: nextMark(lengths, OFFSETS.small_road, continues),
      cockroach_road: nextMark(lengths, OFFSETS.cockroach_road, continues),
    };
  }

  /**
   * The beads as a plate shows them: down each column, ties too, oldest first. With `columns` the plate is so wide
   * and scrolls by whole columns when it is full: a bead keeps its row.
   * @param {number} [rows]
   * @param {number} [columns]
   * @returns {{ spot: Spot, bead: Bead }[]}
   */
  beadPlate(rows = ROWS, columns) {
    const filled = Math.ceil(this.beads.length / rows);
    const hidden = columns === undefined ? 0 : Math.max(0, filled - columns);
    return this.beads.slice(hidden * rows).map((bead, index) => ({
      spot: { column: Math.floor(index / rows), row: index % rows },
      bead,
    }));
  }

  /**
   * The big road as `rows` rows show it, oldest entry first. A shoe that has seen nothing but ties shows them in one
   * cell whose winner is the tie.
   * @param {number} [rows]
   * @param {number} [columns] a window of so many columns, the newest
   * @returns {{ spot: Spot, entry: Entry }[]}
   */
  bigRoad(rows = ROWS, columns) {
    const entries = this.columns.flat();
    if (entries.length === 0 && this.leadingTies > 0) {
      entries.push({
        winner: "tie",
        ties: this.leadingTies,
        playerPair: false,
        bankerPair: false,
        natural: false,
      });
    }
    const spots = layOut(
      entries.map((entry) => entry.winner),
      rows,
    );
    const cells = entries.map((entry, index) => ({ spot: /** @type {Spot} */ (spots[index]), entry }));
    return columns === undefined ? cells : latest(cells, columns);
  }

  /**
   * A derived road as `rows` rows show it, oldest mark first.
   * @param {DerivedRoad} road
   * @param {number} [rows]
   * @param {number} [columns] a window of so many columns, the newest
   * @returns {{ spot: Spot, mark: Mark }[]}
   */
  derivedRoad(road, rows = ROWS, columns) {
    const marks = this.derived[road];
    const spots = layOut(marks, rows);
    const cells = marks.map((mark, index) => ({ spot: /** @type {Spot} */ (spots[index]), mark }));
    return columns === undefined ? cells : latest(cells, columns);
  }
}

/**
 * @param {PastCoup} coup
 * @returns {Bead}
 */
export function beadOf([, outcome, playerTotal, bankerTotal, natural, playerPair, bankerPair]) {
  return { outcome, playerPair, bankerPair, natural, total: Math.max(playerTotal, bankerTotal) };
}

/**
 * The mark that the next decision adds to the road that looks `offset` columns back; null: it has not begun.
 *
 * The published rule has two halves that turn out to be one question, whether the last column is as long as the one
 * `offset` before it. A new column is red when it is: both ended at the same length. Going on is blue when it is: the
 * last column grows past the other just where that one ended. So the marks for the two sides are always opposite.
 * @param {number[]} lengths of the columns so far
 * @param {number} offset
 * @param {boolean} continues whether the decision goes on with the last column
 * @returns {Mark | null}
 */
function nextMark(lengths, offset, continues) {
  if (lengths.length <= offset) return null;
  const equal = lengths.at(-1) === lengths.at(-1 - offset);
  return equal === continues ? "B" : "R";
}

/**
 * The spot of each value, in order: equal values go down a column, another value starts the next one.
 *
 * A run turns right at the bottom row, or above an occupied spot, and keeps its row from then on. The next run starts
 * in the first column after the start of the one before it whose top is free.
 * @param {string[]} values
 * @param {number} [rows]
 * @returns {Spot[]}
 */
export function layOut(values, rows = ROWS) {
  const taken = new Set();
  /** @type {Spot[]} */
  const spots = [];
  const key = (/** @type {number} */ column, /** @type {number} */ row) => column * rows + row;
  let column = -1;
  let row = 0;
  let start = -1;
  let turned = false;
  values.forEach((value, index) => {
    if (index === 0 || value !== values[index - 1]) {
      do start += 1;
      while (taken.has(key(start, 0)));
      column = start;
      row = 0;
      turned = false;
    } else {
      turned ||= row + 1 === rows || taken.has(key(column, row + 1));
      if (turned) column += 1;
      else row += 1;
    }
    taken.add(key(column, row));
    spots.push({ column, row });
  });
  return spots;
}

/**
 * What a window of `columns` columns shows: the newest entry and as much before it as fits.
 * @template {{ spot: Spot }} Cell
 * @param {Cell[]} cells
 * @param {number} columns
 * @returns {Cell[]}
 */
function latest(cells, columns) {
  const newest = cells.at(-1);
  if (newest === undefined) return [];
  const hidden = Math.max(0, newest.spot.column - columns + 1);
  return cells
    .filter(({ spot }) => spot.column >= hidden && spot.column < hidden + columns)
    .map((cell) => ({ ...cell, spot: { column: cell.spot.column - hidden, row: cell.spot.row } }));
}
