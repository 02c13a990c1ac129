import assert from "node:assert/strict";
import { test } from "node:test";

import { Countdown } from "../../../client/croupier_client/web/js/table/countdown.js";
import { ServerClock } from "../../../client/croupier_client/web/js/wire/clock.js";

/** A clock at a steady time that the test moves. */
function clockAt(steadyMs) {
  const time = { steadyMs };
  const clock = new ServerClock(() => time.steadyMs);
  return { time, clock };
}

test("the shortest round trip knows best", () => {
  const { time, clock } = clockAt(1_000);
  assert.equal(clock.nowMs(), null);
  clock.add(0, 900, 50_000); // 900 ms on the way: the middle is 450
  clock.add(900, 1_000, 50_400); // 100 ms on the way: the middle is 950
  assert.equal(clock.best.errorMs, 50.5);
  assert.equal(clock.nowMs(), 50_450.5);
  time.steadyMs = 3_000;
  assert.equal(clock.nowMs(), 52_450.5);
});

test("after a sleep the first answer replaces all, however good the others were", () => {
  const { clock } = clockAt(1_000);
  clock.add(0, 2, 50_000);
  clock.distrust();
  assert.ok(clock.nowMs() < 52_000); // better than nothing until the answer comes
  clock.add(500, 900, 4_000_000);
  assert.equal(clock.nowMs(), 4_000_300.5);
});

test("the countdown goes down to nought, and never below", () => {
  const { time, clock } = clockAt(0);
  clock.add(0, 0, 100_000);
  const countdown = new Countdown(clock);
  assert.equal(countdown.secondsLeft(1, 115_000.5), 15);
  time.steadyMs = 14_000;
  assert.equal(countdown.secondsLeft(1, 115_000.5), 1);
  time.steadyMs = 60_000;
  assert.equal(countdown.secondsLeft(1, 115_000.5), 0);
});

test("no second comes back when the estimate gets better (M4)", () => {
  const { time, clock } = clockAt(0);
  clock.add(0, 0, 100_000);
  const countdown = new Countdown(clock);
  assert.equal(countdown.secondsLeft(1, 110_000.5), 10);
  clock.distrust();
  clock.add(0, 0, 99_800); // 200 ms more
  assert.equal(countdown.secondsLeft(1, 110_000.5), 10);
  time.steadyMs = 1_000;
  assert.equal(countdown.secondsLeft(1, 110_000.5), 9.2);
});

test("a clock that was wrong by more is put right, and a window announced anew starts anew", () => {
  const { clock } = clockAt(0);
  clock.add(0, 0, 105_000);
  const countdown = new Countdown(clock);
  assert.equal(countdown.secondsLeft(1, 110_000.5), 5);
  clock.distrust();
  clock.add(0, 0, 100_000);
  assert.equal(countdown.secondsLeft(1, 110_000.5), 10);
  assert.equal(countdown.secondsLeft(1, 112_000.5), 12);
  assert.equal(countdown.secondsLeft(2, 120_000.5), 20);
});

test("without the server's time nothing is counted", () => {
  const { clock } = clockAt(0);
  assert.equal(new Countdown(clock).secondsLeft(1, 110_000), null);
});
