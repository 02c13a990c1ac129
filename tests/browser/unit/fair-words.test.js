/** The fairness mark and the public beacon, in words. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { beaconInWords, fairInWords } from "../../../client/croupier_client/web/js/ui/fair-words.js";
import { Words } from "../../../client/croupier_client/web/js/ui/words.js";

const words = await Words.in("en");
const NAMED = { source: "https://beacon.example/{round}#randomness", round: 1204, due_ms: 5, value: null };

test("a beacon is named before its value is known, and told with it", () => {
  assert.equal(beaconInWords({ view: { cut: null, shoe: { beacon: null } } }, words), null);
  assert.equal(
    beaconInWords({ view: { cut: { beacon: NAMED }, shoe: { beacon: null } } }, words),
    "A public value will count for the order of this shoe: round 1,204 of https://beacon.example/1204#randomness.",
  );
  assert.equal(
    beaconInWords({ view: { cut: null, shoe: { beacon: { ...NAMED, value: "q80=" } } } }, words),
    "A public value counts for the order of this shoe: round 1,204 of https://beacon.example/1204#randomness, abcd.",
  );
  assert.equal(
    beaconInWords({ view: { cut: null, shoe: { beacon: NAMED } } }, words),
    "The public value named for this shoe, round 1,204 of https://beacon.example/1204#randomness, did not come in time " +
      "and does not count.",
  );
});

test("a part that was left out spoils the mark", () => {
  const fairness = { faults: [], canCheck: true, cards: { checked: 4 } };
  assert.deepEqual(fairInWords({ fairness, leftOut: [] }, words), {
    icon: "sealChecked",
    text: "4 cards checked",
    wrong: false,
  });
  assert.equal(fairInWords({ fairness, leftOut: [3] }, words).wrong, true);
});
