import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Follower } from "../../../client/croupier_client/web/js/table/follower.js";
import { vectors } from "./support.js";

const [{ opening, events }] = vectors("views.json");
const watching = (id, seq, resumed) => ({ type: "watching", id, table: "standard", epoch: "e1", seq, resumed });

let follower;
beforeEach(() => {
  follower = new Follower();
});

/** Follows live from the opening view. */
function live() {
  assert.equal(follower.watch(1), null);
  follower.watching(watching(1, 0, false));
  assert.equal(follower.snapshot(opening), "deliver");
}

test("what comes before the answer to a watch is dropped", () => {
  follower.watch(1);
  assert.equal(follower.snapshot(opening), "drop");
  assert.equal(follower.event(events[0]), "drop");
  assert.equal(follower.view, null);
});

test("a snapshot and then every event", () => {
  live();
  assert.equal(follower.event(events[0]), "deliver");
  assert.equal(follower.event(events[1]), "deliver");
  assert.equal(follower.view.seq, 2);
});

test("events that were missed are told as such: they are no news", () => {
  live();
  follower.event(events[0]);
  assert.deepEqual(follower.watch(2), { epoch: "e1", seq: 1 });
  assert.equal(follower.event(events[1]), "drop"); // of the connection before
  follower.watching(watching(2, 3, true));
  assert.equal(follower.event(events[1]), "catch-up");
  assert.equal(follower.event(events[2]), "catch-up");
  assert.equal(follower.event(events[3]), "deliver");
});

test("an answer to an older watch changes nothing", () => {
  follower.watch(1);
  follower.watch(2);
  follower.watching(watching(1, 0, false));
  assert.equal(follower.snapshot(opening), "drop");
});

test("a gap means one watch, and the second another connection and a snapshot (H1)", () => {
  live();
  assert.equal(follower.event(events[3]), "watch-again");
  assert.equal(follower.event(events[4]), "drop");
  assert.deepEqual(follower.watch(2), { epoch: "e1", seq: 0 });
  follower.watching(watching(2, 5, true));
  assert.equal(follower.event(events[2]), "reconnect");
  assert.equal(follower.watch(3), null);
});

test("a stream that began again is no older stream", () => {
  live();
  follower.event(events[0]);
  assert.equal(follower.event({ ...events[0], epoch: "e2" }), "watch-again");
});

test("the third server in a row that is behind is believed", () => {
  live();
  assert.equal(follower.sinceAhead(), "reconnect");
  assert.equal(follower.sinceAhead(), "reconnect");
  assert.equal(follower.sinceAhead(), "watch-again");
  assert.equal(follower.watch(2), null);
});
