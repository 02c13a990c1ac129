import assert from "node:assert/strict";
import { test } from "node:test";

import { DERIVED_ROADS, layOut, Roads } from "../../../client/croupier_client/web/js/table/roads.js";
import { statisticsOf } from "../../../client/croupier_client/web/js/table/statistics.js";
import { vectors } from "./support.js";

const SHOES = vectors("roads.json");
const { cases: PUBLISHED } = vectors("../../protocol/game/data/roads.json");
const OUTCOMES = { P: "player", B: "banker", T: "tie" };
const LETTERS = { player: "P", banker: "B", tie: "T" };
const WINDOW = 8;

/** A shoe from a text of B, P and T. */
const past = (letters) => [...letters].map((letter, index) => [index + 1, OUTCOMES[letter], 7, 7, false, false, false]);
const roadsOf = (letters) => Roads.of(past(letters));
const place = ({ column, row }) => [column, row];

const CHECKS = {
  big_road({ seq, rows, expected_cells_col_row_winner: expected }) {
    const cells = roadsOf(seq)
      .bigRoad(rows)
      .map(({ spot, entry }) => [...place(spot), LETTERS[entry.winner]]);
    assert.deepEqual(cells, expected);
  },
  derived({ seq, road, expected }) {
    assert.equal(roadsOf(seq).derived[road].join(""), expected);
  },
};

test("published scoreboards", () => {
  const checked = PUBLISHED.filter(({ kind }) => kind in CHECKS);
  for (const one of checked) CHECKS[one.kind](one);
  assert.equal(checked.length, 16);
});

test("ties do not break a run, and are counted on the decision before them (E1)", () => {
  const cells = roadsOf("PTB").bigRoad();
  assert.deepEqual(
    cells.map(({ spot, entry }) => [...place(spot), LETTERS[entry.winner], entry.ties]),
    [
      [0, 0, "P", 1],
      [1, 0, "B", 0],
    ],
  );
  assert.deepEqual(
    roadsOf("TT").bigRoad().map(({ spot, entry }) => [...place(spot), entry.winner, entry.ties]),
    [[0, 0, "tie", 2]],
  );
});

test("derived roads of faulty implementations (E2, E3, E4)", () => {
  const derived = (letters) => DERIVED_ROADS.map((road) => roadsOf(letters).derived[road].join(""));
  assert.deepEqual(derived("BBPPPBB"), ["RBBR", "R", ""]);
  assert.deepEqual(derived("BPPBBBPBBPPPPBPBB"), ["BBRBBBBBRBRBBRB", "BRBBRBBRRBBBB", "RRRRRBBRBR"]);
  assert.deepEqual(derived("BBPBBPBBPPPPPB"), ["BBBBBBRBRRB", "RRRRRBRRRB", "BBBRBRRB"]);
  assert.deepEqual(derived("BPBPP"), ["RRB", "RB", "B"]);
});

test("ask marks for the two sides are opposite, and asking changes nothing (E9)", () => {
  const roads = roadsOf("BBPPPBB");
  const before = structuredClone(roads.derived);
  assert.deepEqual(roads.ask("banker"), { big_eye_boy: "R", small_road: "B", cockroach_road: null });
  assert.deepEqual(roads.ask("player"), { big_eye_boy: "B", small_road: "R", cockroach_road: null });
  assert.deepEqual(roads.derived, before);
});

test("a full plate scrolls by whole columns: a bead keeps its row (E6)", () => {
  const plate = roadsOf("B".repeat(36) + "P").beadPlate(6, 6);
  assert.deepEqual(place(plate.at(-1).spot), [5, 0]);
  assert.deepEqual(place(plate[0].spot), [0, 0]);
  assert.equal(plate.length, 31);
});

test("a narrow window never changes derived marks (E5)", () => {
  for (const shoe of SHOES) {
    const { derived } = Roads.of(shoe.past);
    for (const road of DERIVED_ROADS) {
      const window = Roads.of(shoe.past).derivedRoad(road, 6, WINDOW);
      const marks = window.map(({ mark }) => mark).join("");
      if (window.length > 0) assert.equal(marks.at(-1), derived[road].at(-1));
    }
  }
});

test("pairs of a tie are on its bead alone (E7)", () => {
  const roads = Roads.of([
    [1, "player", 7, 5, false, false, false],
    [2, "tie", 6, 6, false, true, true],
  ]);
  assert.deepEqual(
    roads.beads.map(({ playerPair, bankerPair }) => [playerPair, bankerPair]),
    [
      [false, false],
      [true, true],
    ],
  );
  const [{ entry }] = roads.bigRoad();
  assert.deepEqual([entry.playerPair, entry.bankerPair, entry.ties], [false, false, 1]);
});

test("roads and statistics are those that Python draws", () => {
  for (const shoe of SHOES) {
    const roads = Roads.of(shoe.past);
    const bead = ({ spot, bead: { outcome } }) => [...place(spot), LETTERS[outcome]];
    const cell = ({ spot, entry }) => [
      ...place(spot),
      LETTERS[entry.winner],
      entry.ties,
      entry.playerPair,
      entry.bankerPair,
      entry.natural,
    ];
    for (const road of DERIVED_ROADS) {
      assert.equal(roads.derived[road].join(""), shoe.derived[road]);
      assert.deepEqual(
        roads.derivedRoad(road).map(({ spot, mark }) => [...place(spot), mark]),
        shoe.derived_cells[road],
      );
    }
    assert.deepEqual({ banker: roads.ask("banker"), player: roads.ask("player") }, shoe.ask);
    assert.deepEqual(roads.beadPlate().map(bead), shoe.beads);
    assert.deepEqual(roads.beadPlate(6, WINDOW).map(bead), shoe.beads_window);
    assert.deepEqual(roads.bigRoad().map(cell), shoe.big);
    assert.deepEqual(roads.bigRoad(6, WINDOW).map(cell), shoe.big_window);
    assert.deepEqual(roads.bigRoad(2).map(({ spot }) => place(spot)), shoe.two_rows);
    assert.deepEqual(statisticsOf(shoe.past), shoe.statistics);
  }
});

test("no two values share a spot", () => {
  for (const shoe of SHOES) {
    const spots = layOut(shoe.past.map(([, outcome]) => outcome)).map(({ column, row }) => `${column}/${row}`);
    assert.equal(new Set(spots).size, spots.length);
  }
});
