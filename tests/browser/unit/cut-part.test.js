/** One's own part in the cut of a shoe, as the server takes it and as the shoe has it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromBase64, toBase64 } from "../../../client/croupier_client/web/js/fair/bytes.js";
import { sha256 } from "../../../client/croupier_client/web/js/fair/sha256.js";
import { CutPart } from "../../../client/croupier_client/web/js/table/cut-part.js";

const VALUE = toBase64(new Uint8Array(32).fill(7));
const HASH = toBase64(sha256(fromBase64(VALUE)));
const CUT = { shoe: 3, commitment: "c", until_ms: 2_000, listed: false, contributions: [] };
const SHOE = { number: 3, commitment: "c", end: null, contributions: [] };

/** A part at a seat, whose table's view is `view`. */
function seated() {
  const kept = new Map();
  const view = { cut: CUT, shoe: null, asked: [], refused: false };
  const part = new CutPart({
    table: "t",
    environment: { randomBytes: (bytes) => bytes.fill(7), setTimeout: () => 0, clearTimeout() {}, now: () => 0 },
    storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem() {} },
    clock: { nowMs: () => 0 },
    cut: () => view.cut,
    shoe: () => view.shoe,
    seated: () => true,
    ask: async (command) => {
      view.asked.push(command.hash ?? command.value);
      if (view.refused) throw new Error("refused");
    },
    changed() {},
  });
  return { part, view };
}

/** After everything that was asked has been answered. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const mine = (value) => [{ seat: 1, player: "p", hash: HASH, value }];

test("a part that counts as it was sent is not left out", async () => {
  const { part, view } = seated();
  part.doWhatIsDue();
  await settled();
  view.cut = { ...CUT, listed: true, contributions: mine(null) };
  part.doWhatIsDue();
  await settled();
  assert.deepEqual(view.asked, [HASH, VALUE]);
  Object.assign(view, { cut: null, shoe: { ...SHOE, contributions: mine(VALUE) } });
  part.doWhatIsDue();
  assert.deepEqual(part.leftOut, []);
});

test("a hash that was taken and is not in the list was left out", async () => {
  const { part, view } = seated();
  part.doWhatIsDue();
  await settled();
  view.cut = { ...CUT, listed: true };
  part.doWhatIsDue();
  assert.deepEqual(part.leftOut, [3]);
});

test("a hash that came too late was not left out", async () => {
  const { part, view } = seated();
  view.refused = true;
  part.doWhatIsDue();
  await settled();
  view.cut = { ...CUT, listed: true };
  part.doWhatIsDue();
  assert.deepEqual(part.leftOut, []);
});

test("a value that was taken and that the shoe does not have was left out", async () => {
  const { part, view } = seated();
  part.doWhatIsDue();
  await settled();
  view.cut = { ...CUT, listed: true, contributions: mine(null) };
  part.doWhatIsDue();
  await settled();
  Object.assign(view, { cut: null, shoe: { ...SHOE, contributions: mine(null) } });
  part.doWhatIsDue();
  assert.deepEqual(part.leftOut, [3]);
});
