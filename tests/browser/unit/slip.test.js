import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addChip,
  allIn,
  betsOf,
  checkSlip,
  chipsFor,
  doubled,
  NO_CHIPS,
  stacksOf,
  takeTop,
  total,
} from "../../../client/croupier_client/web/js/table/slip.js";
import { LIMITS, OFFER, vectors } from "./support.js";

test("what is said against a slip is what the server's rules and limits say", () => {
  const said = new Set();
  for (const { limits, offer, cases } of vectors("slips.json")) {
    for (const { bets, refused } of cases) {
      assert.deepEqual(checkSlip(bets, { limits, offer }, Number.MAX_SAFE_INTEGER), refused, JSON.stringify(bets));
      said.add(refused?.key);
    }
  }
  assert.deepEqual(
    [...said].sort(),
    ["combination", "least", "most", "slip_most", "step", "unknown_bet", undefined],
  );
});

test("a slip above the bankroll is refused with what there is", () => {
  const terms = { limits: LIMITS, offer: OFFER };
  assert.deepEqual(checkSlip({ player: 1_000 }, terms, 1_000), null);
  assert.deepEqual(checkSlip({ player: 900, tie: 100 }, terms, 999), {
    key: "bankroll_short",
    params: { limit: 999 },
  });
});

test("chips pile up and the top one comes off first", () => {
  const stacks = addChip(addChip(addChip(NO_CHIPS, "player", 500), "player", 100), "tie", 100);
  assert.deepEqual(betsOf(stacks), { player: 600, tie: 100 });
  assert.deepEqual(betsOf(takeTop(stacks, "player", LIMITS)), { player: 500, tie: 100 });
  assert.deepEqual(betsOf(takeTop(stacks, "tie", LIMITS)), { player: 600 });
  assert.deepEqual(betsOf(takeTop(stacks, "banker", LIMITS)), { player: 600, tie: 100 });
});

test("what the table would not take does not stay when the top chip comes off", () => {
  const limits = { ...LIMITS, main_least: 1_000 };
  assert.deepEqual(betsOf(takeTop({ player: [500, 500] }, "player", limits)), {});
  assert.deepEqual(betsOf(takeTop({ player: [500, 500, 500] }, "player", limits)), { player: 1_000 });
});

test("after a reload chips are few, large ones below, and worth the same", () => {
  assert.deepEqual(chipsFor(3_700, LIMITS.chips), [2_500, 500, 500, 100, 100]);
  assert.deepEqual(chipsFor(150, LIMITS.chips), [100, 50]);
  assert.deepEqual(stacksOf({ tie: 600 }, LIMITS.chips), { tie: [500, 100] });
  assert.deepEqual(stacksOf({}, LIMITS.chips), {});
});

test("doubling puts as much again on every bet", () => {
  assert.deepEqual(betsOf(doubled({ player: [500, 100], tie: [100] })), { player: 1_200, tie: 200 });
});

test("all in never goes above the bankroll (C11)", () => {
  const put = (stacks, bet, available) => betsOf(allIn(stacks, bet, LIMITS, available));
  assert.deepEqual(put(NO_CHIPS, "player", 9_999), { player: 9_900 });
  assert.deepEqual(put({ tie: [500] }, "player", 9_999), { tie: 500, player: 9_400 });
  assert.deepEqual(put(NO_CHIPS, "tie", 50_000), { tie: 10_000 });
  assert.deepEqual(put(NO_CHIPS, "player", 99), {});
  for (let available = 0; available < 3_000; available += 37) {
    assert.ok(total(put({ tie: [100] }, "player", available)) <= Math.max(available, 100));
  }
});
