import assert from "node:assert/strict";
import { test } from "node:test";

import { fold, GapError, openingView } from "../../../client/croupier_client/web/js/table/view.js";
import { vectors } from "./support.js";

const CASES = vectors("views.json");

test("the fold gives the views that Python gives, event after event", () => {
  for (const { opening, events, views } of CASES) {
    let view = openingView(opening.table, opening.epoch, opening.rules);
    assert.deepEqual(view, opening);
    const expected = new Map(views.map((each) => [each.seq, each]));
    for (const event of events) {
      view = fold(view, event);
      if (expected.has(view.seq)) assert.deepEqual(view, expected.get(view.seq));
    }
    assert.deepEqual(view, views.at(-1));
  }
});

test("a snapshot and the events after it give the later snapshot", () => {
  for (const { events, views } of CASES) {
    for (const snapshot of views) {
      const view = events.slice(snapshot.seq).reduce(fold, snapshot);
      assert.deepEqual(view, views.at(-1));
    }
  }
});

test("the vectors have every event there is", () => {
  const types = new Set(CASES.flatMap(({ events }) => events.map(({ type }) => type)));
  assert.deepEqual(
    [...types].sort(),
    [
      ...["bets", "betting", "card", "closed", "commitment", "cut_list", "paused", "result", "resumed", "seat"],
      ...["settled", "shoe", "shoe_end", "table_closed", "void"],
    ],
  );
});

test("folding leaves the view before as it is", () => {
  for (const { opening, events } of CASES) {
    let view = opening;
    for (const event of events) {
      const before = structuredClone(view);
      const after = fold(view, event);
      assert.deepEqual(view, before);
      view = after;
    }
  }
});

test("an event of a newer server counts and changes nothing", () => {
  const [{ views }] = CASES;
  const view = views.at(-1);
  const event = { type: "confetti", table: view.table, epoch: view.epoch, seq: view.seq + 1 };
  assert.deepEqual(fold(view, event), { ...view, seq: view.seq + 1 });
});

test("an event that is not the next one is a gap", () => {
  const [{ opening, events }] = CASES;
  const [first, second] = events;
  assert.throws(() => fold(opening, second), GapError);
  assert.throws(() => fold(fold(opening, first), first), GapError);
  assert.throws(() => fold(opening, { ...first, epoch: "other" }), GapError);
  assert.throws(() => fold(opening, { ...first, table: "other" }), GapError);
});
