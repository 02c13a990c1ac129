/**
 * Drawing scoreboards. Each kind of mark is one path for the whole road, so that a road of 90 coups is a handful of
 * elements.
 *
 * Nothing is said by colour alone: Player is a hollow ring, Banker a filled disc, a tie a ring with a slash, and each
 * has its letter where there is room for one. Derived roads are rings, discs and slashes; whole where the pattern
 * repeats, broken where it breaks.
 *
 * @import { Bead, DerivedRoad, Entry, Mark, Spot } from "../table/roads.js"
 */

import { drawing } from "./dom.js";

/** Below this size of a cell, in pixels, letters could not be read. */
const LETTERS_FROM = 16;

/** @typedef {Record<"player" | "banker" | "tie", string>} Letters */

/**
 * As many columns as there is room for, and cells that fill it.
 * @param {number} width pixels
 * @param {number} cell pixels a cell has at least
 */
export function fit(width, cell) {
  const columns = Math.max(1, Math.floor((width - 1) / cell));
  return { columns, cell: Math.max(cell, (width - 1) / columns) };
}

/**
 * An empty board to draw on.
 * @param {number} columns
 * @param {number} rows
 * @param {number} cell pixels
 */
export function board(columns, rows, cell) {
  const width = columns * cell;
  const height = rows * cell;
  let lines = "";
  for (let column = 0; column <= columns; column += 1) lines += `M${column * cell + 0.5} 0V${height}`;
  for (let row = 0; row <= rows; row += 1) lines += `M0 ${row * cell + 0.5}H${width}`;
  return drawing(
    "svg",
    {
      class: "road-board",
      viewBox: `0 0 ${width + 1} ${height + 1}`,
      width: width + 1,
      height: height + 1,
      "aria-hidden": "true",
    },
    drawing("path", { class: "road-lines", d: lines }),
  );
}

/** Paths by class, and letters over them. */
class Strokes {
  /** @type {Map<string, string>} */
  #paths = new Map();
  /** @type {SVGTextElement[]} */
  #letters = [];

  /**
   * @param {string} className
   * @param {string} path
   */
  add(className, path) {
    this.#paths.set(className, (this.#paths.get(className) ?? "") + path);
  }

  /**
   * @param {string} className
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {number} size
   */
  letter(className, text, x, y, size) {
    this.#letters.push(
      drawing("text", { class: className, x, y: y + size * 0.36, "font-size": size }, text),
    );
  }

  /** @param {SVGSVGElement} into */
  drawOn(into) {
    for (const [className, path] of this.#paths) into.append(drawing("path", { class: className, d: path }));
    into.append(...this.#letters);
  }
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function circle(x, y, radius) {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
}

/**
 * @param {Strokes} strokes
 * @param {"player" | "banker" | "tie"} winner
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 * @param {string | null} letter
 */
function outcomeMark(strokes, winner, x, y, cell, letter) {
  const radius = cell * 0.38;
  strokes.add(winner === "banker" ? "mark-disc banker" : `mark-ring ${winner}`, circle(x, y, radius));
  if (letter !== null && cell >= LETTERS_FROM) {
    strokes.letter(winner === "banker" ? "mark-letter on-disc" : `mark-letter ${winner}`, letter, x, y, cell * 0.46);
  } else if (winner === "tie") {
    slash(strokes, x, y, radius);
  }
}

/**
 * @param {Strokes} strokes
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 */
function slash(strokes, x, y, reach) {
  strokes.add("mark-slash tie", `M${x - reach} ${y + reach}L${x + reach} ${y - reach}`);
}

/**
 * Dots for pairs: Player's low on the right, Banker's high on the left, as boards have them.
 * @param {Strokes} strokes
 * @param {{ playerPair: boolean, bankerPair: boolean }} pairs
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 */
function pairDots(strokes, pairs, x, y, cell) {
  const away = cell * 0.33;
  const radius = Math.max(1.4, cell * 0.11);
  if (pairs.bankerPair) strokes.add("mark-dot banker", circle(x - away, y - away, radius));
  if (pairs.playerPair) strokes.add("mark-dot player", circle(x + away, y + away, radius));
}

/**
 * @param {{ spot: Spot, bead: Bead }[]} beads
 * @param {number} columns
 * @param {number} cell
 * @param {Letters} letters
 */
export function drawBeadPlate(beads, columns, cell, letters) {
  const plate = board(columns, 6, cell);
  const strokes = new Strokes();
  for (const { spot, bead } of beads) {
    const x = (spot.column + 0.5) * cell + 0.5;
    const y = (spot.row + 0.5) * cell + 0.5;
    outcomeMark(strokes, bead.outcome, x, y, cell, letters[bead.outcome]);
    pairDots(strokes, bead, x, y, cell);
  }
  strokes.drawOn(plate);
  return plate;
}

/**
 * @param {{ spot: Spot, entry: Entry }[]} cells
 * @param {number} columns
 * @param {number} cell
 * @param {Letters | null} letters null where rings and discs are to stand alone
 */
export function drawBigRoad(cells, columns, cell, letters) {
  const road = board(columns, 6, cell);
  const strokes = new Strokes();
  for (const { spot, entry } of cells) {
    const x = (spot.column + 0.5) * cell + 0.5;
    const y = (spot.row + 0.5) * cell + 0.5;
    outcomeMark(strokes, entry.winner, x, y, cell, letters === null ? null : letters[entry.winner]);
    if (entry.ties > 0 && entry.winner !== "tie") slash(strokes, x, y, cell * 0.42);
    if (entry.ties > 1 && cell >= LETTERS_FROM) {
      strokes.letter("mark-letter ties", String(entry.ties), x + cell * 0.32, y - cell * 0.3, cell * 0.38);
    }
    pairDots(strokes, entry, x, y, cell);
  }
  strokes.drawOn(road);
  return road;
}

/**
 * The path of a derived road's mark: whole for "R", broken for "B".
 * @param {DerivedRoad} road
 * @param {Mark} mark
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function derivedPath(road, mark, x, y, radius) {
  const whole = mark === "R";
  if (road === "big_eye_boy") {
    if (whole) return circle(x, y, radius);
    // Two arcs with a gap between them, above and below.
    const side = radius * 0.94;
    const gap = radius * 0.34;
    return (
      `M${x - gap} ${y - side}A${radius} ${radius} 0 0 0 ${x - gap} ${y + side}` +
      `M${x + gap} ${y - side}A${radius} ${radius} 0 0 1 ${x + gap} ${y + side}`
    );
  }
  if (road === "small_road") {
    if (whole) return circle(x, y, radius);
    // Two halves of a disc.
    const gap = radius * 0.28;
    const side = radius * 0.96;
    return (
      `M${x - gap} ${y - side}A${radius} ${radius} 0 0 0 ${x - gap} ${y + side}z` +
      `M${x + gap} ${y - side}A${radius} ${radius} 0 0 1 ${x + gap} ${y + side}z`
    );
  }
  if (whole) return `M${x - radius} ${y + radius}L${x + radius} ${y - radius}`;
  const gap = radius * 0.3;
  return `M${x - radius} ${y + radius}L${x - gap} ${y + gap}M${x + gap} ${y - gap}L${x + radius} ${y - radius}`;
}

/**
 * @param {DerivedRoad} road
 * @param {Mark} mark
 */
function derivedClass(road, mark) {
  return `${road === "small_road" ? "mark-disc" : "mark-ring"} ${mark === "R" ? "repeats" : "breaks"}`;
}

/**
 * @param {DerivedRoad} name
 * @param {{ spot: Spot, mark: Mark }[]} marks
 * @param {number} columns
 * @param {number} cell
 */
export function drawDerivedRoad(name, marks, columns, cell) {
  const road = board(columns, 6, cell);
  const strokes = new Strokes();
  for (const { spot, mark } of marks) {
    const x = (spot.column + 0.5) * cell + 0.5;
    const y = (spot.row + 0.5) * cell + 0.5;
    strokes.add(derivedClass(name, mark), derivedPath(name, mark, x, y, cell * 0.34));
  }
  strokes.drawOn(road);
  return road;
}

/**
 * One mark by itself, as ask marks and legends show it; null: there would be none.
 * @param {DerivedRoad} road
 * @param {Mark | null} mark
 */
export function drawDerivedMark(road, mark) {
  return drawing(
    "svg",
    { class: "ask-mark", viewBox: "0 0 16 16", "aria-hidden": "true" },
    mark === null
      ? drawing("path", { class: "road-lines", d: "M5 8h6" })
      : drawing("path", { class: derivedClass(road, mark), d: derivedPath(road, mark, 8, 8, 5) }),
  );
}
