import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Place } from "../../../client/croupier_client/web/js/table/place.js";

const ROUND = 7;

/** What the server says of a seat. */
const me = (fields = {}) => ({ type: "me", table: "t", rev: 4, seat: 2, bankroll: 10_000, round: ROUND, ...fields });
const accepted = (rev, bets, bankroll, round = ROUND) => ({
  type: "slip_accepted",
  table: "t",
  round,
  rev,
  bets,
  bankroll,
});
const changed = (rev, bets, bankroll, round = ROUND) => ({
  ...accepted(rev, bets, bankroll, round),
  type: "slip_changed",
});
const payout = (round, bankroll = 9_000) => ({ table: "t", round, bets: [], returned: 0, bankroll });
const rounds = (payouts) => payouts.map((each) => each.round);

let place;
beforeEach(() => {
  place = new Place();
});

test("a place is unknown until the server has told it, and again after every watch", () => {
  assert.equal(place.known, false);
  place.takeMe(me());
  assert.deepEqual([place.known, place.seat, place.bankroll, place.rev], [true, 2, 10_000, 4]);
  place.watched();
  assert.equal(place.known, false);
});

test("fields that are left out of a `me` are as if nothing was there", () => {
  place.takeMe(me({ slip: { player: 500 }, ready: true }));
  place.takeMe({ type: "me", table: "t", rev: 5 });
  assert.deepEqual(
    [place.seat, place.bankroll, place.accepted, place.ready, place.lastSlip],
    [null, 0, {}, false, {}],
  );
});

test("one slip is in flight, and the newest wish follows its answer", () => {
  place.takeMe(me());
  place.wish(ROUND, { player: 100 });
  assert.deepEqual(place.send(), { round: ROUND, rev: 4, bets: { player: 100 } });
  place.wish(ROUND, { player: 200 });
  place.wish(ROUND, { player: 300 });
  assert.equal(place.send(), null);
  assert.deepEqual([place.wanted, place.accepted, place.sending], [{ player: 300 }, {}, true]);
  place.answered(accepted(5, { player: 100 }, 9_900));
  assert.deepEqual([place.accepted, place.bankroll], [{ player: 100 }, 9_900]);
  assert.deepEqual(place.send(), { round: ROUND, rev: 5, bets: { player: 300 } });
  place.answered(accepted(6, { player: 300 }, 9_700));
  assert.deepEqual([place.wanted, place.sending, place.send()], [{ player: 300 }, false, null]);
  assert.equal(place.available, 10_000);
});

test("a wish that was built on a revision that is no more, while the bets are as shown, is sent once more", () => {
  place.takeMe(me());
  place.wish(ROUND, { tie: 100 });
  place.send();
  place.answered(changed(9, {}, 10_000));
  assert.deepEqual(place.send(), { round: ROUND, rev: 9, bets: { tie: 100 } });
  place.answered(changed(10, {}, 10_000));
  assert.equal(place.send(), null);
  assert.deepEqual(place.refused, { key: "slip_changed", params: {} });
});

test("what another window has bet is shown, and the own wish is given up with a reason", () => {
  place.takeMe(me({ slip: { player: 500 } }));
  place.wish(ROUND, { player: 600 });
  place.send();
  place.wish(ROUND, { player: 700 });
  place.answered(changed(9, { banker: 100 }, 9_900));
  assert.equal(place.send(), null);
  assert.deepEqual([place.wanted, place.accepted], [{ banker: 100 }, { banker: 100 }]);
  assert.deepEqual(place.refused, { key: "slip_changed", params: {} });
});

test("a wish that another window has made true already is no refusal", () => {
  place.takeMe(me());
  place.wish(ROUND, { player: 500 });
  place.send();
  place.answered(changed(9, { player: 500 }, 9_500));
  assert.deepEqual([place.refused, place.accepted, place.sending], [null, { player: 500 }, false]);
});

test("a refused slip leaves what stands, and says why until the next wish", () => {
  place.takeMe(me({ slip: { player: 500 } }));
  place.wish(ROUND, { player: 900 });
  place.send();
  place.failed({ key: "betting_closed", params: { message: "No more bets" } });
  assert.deepEqual([place.wanted, place.sending, place.refused.key], [{ player: 500 }, false, "betting_closed"]);
  place.wish(ROUND, { player: 600 });
  assert.equal(place.refused, null);
});

test("a wish is never carried into another round", () => {
  place.takeMe(me());
  place.wish(ROUND, { player: 100 });
  place.send();
  place.wish(ROUND, { player: 200 });
  place.closed(null);
  assert.deepEqual(place.refused, { key: "betting_closed", params: {} });
  assert.deepEqual(place.wanted, { player: 100 }); // the one in flight is for the server to judge
  place.answered(accepted(5, { player: 100 }, 9_900));
  assert.equal(place.send(), null);
});

test("payouts in an old `me` count: the server will not tell them again", () => {
  place.takeMe(me({ slip: { player: 500 } }));
  place.takePayout(payout(ROUND, 10_500));
  place.takeMe(me({ rev: 6, round: ROUND + 2, slip: { tie: 100 }, bankroll: 10_400 }));
  const told = [payout(ROUND + 1), payout(ROUND + 2, 11_300)];
  assert.deepEqual(rounds(place.takeMe(me({ slip: { player: 500 }, payouts: told }))), [ROUND + 1, ROUND + 2]);
  assert.deepEqual([place.rev, place.accepted, place.bankroll], [6, {}, 11_300]);
});

test("a `me` that is older than the answer to a slip changes nothing", () => {
  place.takeMe(me());
  place.wish(ROUND, { player: 500 });
  place.send();
  place.answered(accepted(5, { player: 500 }, 9_500));
  place.takeMe(me({ rev: 4 }));
  assert.deepEqual([place.accepted, place.bankroll], [{ player: 500 }, 9_500]);
  place.takeMe(me({ rev: 5, slip: { player: 500 }, bankroll: 9_500, ready: true }));
  assert.equal(place.ready, true);
});

test("an answer that is older than `me` changes nothing: F5 in the middle of a slip", () => {
  place.wish(ROUND, { player: 500 });
  place.send();
  place.takeMe(me({ rev: 6, slip: { player: 700 }, bankroll: 9_300 }));
  place.answered(accepted(5, { player: 500 }, 9_500));
  assert.deepEqual([place.accepted, place.bankroll, place.rev], [{ player: 700 }, 9_300, 6]);
});

test("a payout clears the slip, which Rebet then repeats", () => {
  place.takeMe(me({ slip: { player: 500 }, bankroll: 9_500 }));
  assert.deepEqual(rounds(place.takePayout(payout(ROUND, 10_500))), [ROUND]);
  assert.deepEqual([place.accepted, place.lastSlip, place.bankroll], [{}, { player: 500 }, 10_500]);
  place.takeMe(me({ slip: { player: 500 }, bankroll: 9_500 })); // read before the settlement
  assert.deepEqual([place.accepted, place.bankroll], [{}, 10_500]);
});

test("payouts are told once and in order, whether `me` tells them or they come by themselves", () => {
  place = new Place(3);
  assert.deepEqual(rounds(place.takePayout(payout(6))), []); // it waits for `me`
  assert.deepEqual(rounds(place.takeMe(me({ payouts: [payout(5), payout(4), payout(3)] }))), [4, 5, 6]);
  assert.deepEqual(rounds(place.takePayout(payout(6))), []);
  assert.deepEqual(rounds(place.takeMe(me({ rev: 5, payouts: [payout(6), payout(7)] }))), [7]);
  assert.deepEqual([place.paidRound, place.lastPayout.round], [7, 7]);
});

test("a table whose rounds began again pays its rounds again", () => {
  place = new Place(500);
  assert.equal(place.startsAt({ phase: "betting", round: 3 }), true);
  assert.equal(place.paidRound, 2);
  assert.equal(place.startsAt({ phase: "result", round: 3 }), false);
  place.takeMe(me());
  assert.deepEqual(rounds(place.takePayout(payout(3))), [3]);
});

test("nobody has no place, and nothing on its way", () => {
  place.takeMe(me({ slip: { player: 500 } }));
  place.wish(ROUND, { player: 600 });
  place.send();
  place.nobody();
  assert.deepEqual(
    [place.known, place.seat, place.accepted, place.wanted, place.sending, place.bankroll],
    [true, null, {}, {}, false, 0],
  );
});

test("a seat that is given up takes its revisions with it", () => {
  place.takeMe(me({ rev: 40 }));
  place.takeMe(me({ seat: null, rev: 0, bankroll: 0 }));
  assert.deepEqual([place.seat, place.rev], [null, 0]);
});
