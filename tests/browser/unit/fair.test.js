import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { bytesOf, fromBase64, sameBytes, toBase64, toHex, u32 } from "../../../client/croupier_client/web/js/fair/bytes.js";
import { Cutting } from "../../../client/croupier_client/web/js/fair/cutting.js";
import { Fairness } from "../../../client/croupier_client/web/js/fair/fairness.js";
import * as shoe from "../../../client/croupier_client/web/js/fair/shoe.js";
import { checkTranscript } from "../../../client/croupier_client/web/js/fair/transcript.js";
import { fold } from "../../../client/croupier_client/web/js/table/view.js";
import { settled, vectors } from "./support.js";
import { hmac, sha256 } from "../../../client/croupier_client/web/js/fair/sha256.js";

/** Bytes that look random and are the same every time. */
const noise = (length) => Uint8Array.from({ length }, (_, index) => (index * 167 + (index >> 3) * 89 + length) & 255);

test("published digests", () => {
  assert.equal(toHex(sha256(bytesOf(""))), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(toHex(sha256(bytesOf("a"), bytesOf("bc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(
    toHex(hmac(bytesOf("Jefe"), bytesOf("what do ya want for nothing?"))),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("digests of every length around the edges of blocks are those of another implementation", () => {
  for (const length of [...Array(200).keys(), 511, 512, 1_000, 13_312]) {
    const message = noise(length);
    assert.equal(toHex(sha256(message)), createHash("sha256").update(message).digest("hex"), `${length} bytes`);
    const key = noise(length % 65);
    assert.equal(toHex(hmac(key, message)), createHmac("sha256", key).update(message).digest("hex"), `${length} bytes`);
  }
});

test("bytes go to base64 and back, and numbers are written with the largest byte first", () => {
  const bytes = noise(33);
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
  assert.equal(toHex(u32(0x01020304)), "01020304");
  assert.equal(toHex(u32(4_294_967_295)), "ffffffff");
  assert.deepEqual([sameBytes(bytes, bytes.slice()), sameBytes(bytes, noise(32))], [true, false]);
});

// A shoe that Python dealt.

const SHOES = vectors("shoes.json");
const PLACES = JSON.parse(readFileSync(new URL("../../../docs/fairness-vectors.json", import.meta.url), "utf-8"));
const hex = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

test("shoes are made as docs/fairness.md says", () => {
  for (const vector of PLACES) {
    const seed = hex(vector.seed);
    const commitment = shoe.commitmentOf(vector.table, vector.shoe, vector.rules_digest, seed, vector.beacon);
    assert.equal(toHex(commitment), vector.commitment);
    const drawn = vector.beacon && shoe.beaconHash(vector.beacon, hex(vector.beacon.value));
    assert.equal(drawn && toHex(drawn), vector.beacon_hash);
    const values = vector.values.map((value, index) => hex(value ?? vector.hashes[index]));
    const ordered = shoe.orderSeed(seed, values, drawn);
    assert.equal(toHex(ordered), vector.order_seed);
    const { list, orders } = shoe.rebuilt(ordered, vector.decks, vector.coups);
    assert.equal(orders[0].slice(0, 12).join(" "), vector.order_begins);
    assert.equal(toHex(shoe.saltOf(ordered, 0, 0)), vector.salt_0);
    assert.equal(toHex(shoe.entryAt(list, { isSeries: false, deck: 0, position: 7 })), vector.entry_7);
    assert.equal(toHex(sha256(list)), vector.digest);
    let chain = shoe.chainBegin(null, commitment, sha256(list), vector.cut_at);
    assert.equal(toHex(chain), vector.chain_begin);
    for (const round of vector.rounds) {
      chain = shoe.chainRound(chain, { ...round, player: [round.player], banker: [round.banker] });
    }
    assert.equal(toHex(chain), vector.chain_rounds);
    assert.equal(toHex(shoe.chainEnd(chain, seed, vector.reason)), vector.chain_end);
    const neverOpened = shoe.chainBegin(null, commitment, new Uint8Array(0), null);
    assert.equal(toHex(shoe.chainEnd(neverOpened, seed, vector.reason)), vector.chain_never_opened);
  }
});

/** What a page that watches from the start knows; `list` is what the server gives for the list of commitments. */
async function watched({ opening, events }, list) {
  const fairness = new Fairness(opening.table, { fetch: () => list, changed() {} });
  let view = opening;
  for (const event of events) {
    view = fold({ ...view, seq: event.seq - 1 }, event);
    fairness.happened(event, view);
    await settled();
  }
  return { fairness, view };
}

test("every card is checked when it lands, and the whole shoe when it ends", async () => {
  for (const dealt of SHOES) {
    const before = { ...dealt, events: dealt.events.slice(0, -1) };
    const { fairness } = await watched(before, Promise.resolve(fromBase64(dealt.commitments)));
    const cards = dealt.events.filter(({ type, burn }) => type === "card" || burn).length;
    assert.deepEqual([fairness.faults, fairness.cards], [[], { checked: cards, failed: 0, waiting: 0, unchecked: 0 }]);
    const { fairness: whole } = await watched(dealt, Promise.resolve(fromBase64(dealt.commitments)));
    assert.deepEqual([whole.last.faults, whole.last.cards.checked, whole.last.withheld], [[], cards, [2]]);
  }
});

test("cards wait for a list that does not come, and the end of the shoe checks them all the same", async () => {
  const [dealt] = SHOES;
  const never = Promise.reject(new Error("offline"));
  const { fairness } = await watched({ ...dealt, events: dealt.events.slice(0, -1) }, never);
  assert.ok(fairness.cards.waiting > 20);
  assert.equal(fairness.cards.checked, 0);
  const { fairness: whole } = await watched(dealt, never);
  assert.deepEqual([whole.last.faults, whole.last.cards.waiting], [[], 0]);
});

test("a list that is not the one of its digest is a fault, and no card is checked by it", async () => {
  const [dealt] = SHOES;
  const { fairness } = await watched({ ...dealt, events: dealt.events.slice(0, -1) }, Promise.resolve(new Uint8Array(416 * 32)));
  assert.deepEqual([fairness.faults, fairness.cards.checked], [["list"], 0]);
});

test("a page that comes later checks what it sees, and says what it did not", async () => {
  const [dealt] = SHOES;
  const at = dealt.events.findIndex(({ type }) => type === "settled") + 1;
  const view = dealt.events.slice(0, at).reduce((before, event) => fold(before, event), dealt.opening);
  const fairness = new Fairness("t", { fetch: async () => fromBase64(dealt.commitments), changed() {} });
  fairness.replaced(view);
  let after = view;
  for (const event of dealt.events.slice(at)) {
    after = fold(after, event);
    fairness.happened(event, after);
    await settled();
  }
  const cards = dealt.events.slice(at).filter(({ type }) => type === "card").length;
  assert.deepEqual([fairness.last.faults, fairness.last.cards.checked, fairness.last.cards.failed], [[], cards, 0]);
  assert.equal(fairness.last.cards.unchecked, view.shoe.dealt);
});

/** A shoe with one event changed. */
function changed(dealt, type, change) {
  const index = dealt.events.findIndex((event) => event.type === type);
  return { ...dealt, events: dealt.events.map((event, at) => (at === index ? { ...event, ...change(event) } : event)) };
}

const FALSE = toBase64(new Uint8Array(32));

for (const [what, type, change, faults] of [
  ["another card", "card", ({ card }) => ({ card: card === "As" ? "Ks" : "As" }), ["card"]],
  ["another place", "card", ({ proof }) => ({ proof: `AP${proof.slice(2)}` }), ["position", "card"]],
  ["another value of the beacon", "shoe_end", ({ beacon }) => ({ beacon: { ...beacon, value: FALSE } }), ["beacon", "order", "burn", "card"]],
  ["another seed", "shoe_end", () => ({ seed: FALSE }), ["seed", "order", "burn", "card"]],
  ["other burnt cards", "shoe_end", ({ burnt }) => ({ burnt: burnt.slice(1) }), ["burn"]],
  ["another text of the rules", "commitment", () => ({ rules_text: "{}" }), ["rules"]],
  ["a value that is not its hash's", "shoe_end", ({ contributions: [first, ...rest] }) => ({ contributions: [{ ...first, value: FALSE }, ...rest] }), ["values", "contributions", "order", "burn", "card"]],
]) {
  test(`${what} is found: ${faults.join(", ")}`, async () => {
    const { fairness } = await watched(changed(SHOES[0], type, change), Promise.resolve(fromBase64(SHOES[0].commitments)));
    assert.deepEqual(new Set(fairness.last.faults), new Set(faults));
  });
}

test("the whole shoe is checked from what the server keeps of it", () => {
  for (const { events } of SHOES) {
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    const report = checkTranscript(text, []);
    assert.deepEqual([report.faults, report.withheld, report.rounds >= 6, report.cards > 20], [[], [2], true, true]);
    assert.deepEqual(report.beacon, events.find(({ type }) => type === "shoe").beacon);
    assert.notEqual(report.beacon.value, null);
  }
});

test("a transcript that leaves out or changes a round is found", () => {
  const [{ events }] = SHOES;
  const textOf = (kept) => kept.map((event) => `${JSON.stringify(event)}\n`).join("");
  const renamed = events.map((event) => (event.type === "result" ? { ...event, round: event.round + 1 } : event));
  assert.deepEqual(checkTranscript(textOf(renamed), []).faults, ["chain"]);
  const [coup] = events.filter(({ type }) => type === "result");
  const seen = [[coup.round, coup.outcome === "tie" ? "player" : "tie", 7, 7, false, false, false]];
  assert.deepEqual(checkTranscript(textOf(events), seen).faults, ["round"]);
  assert.throws(() => checkTranscript(textOf(events.slice(1)), []));
});

test("a shoe that was abandoned before it was opened is no fault of it, nor of the shoes around it", async () => {
  const [{ opening, events }] = vectors("never-opened.json");
  const never = Promise.reject(new Error("offline"));
  const { fairness } = await watched({ opening, events }, never);
  assert.deepEqual([fairness.last.shoe, fairness.last.faults, fairness.faults], [1, [], []]);
  const abandoned = events.filter((event) => event.shoe === 2);
  assert.deepEqual(abandoned.map(({ type }) => type), ["commitment", "shoe_end"]);
  const textOf = (kept) => kept.map((event) => `${JSON.stringify(event)}\n`).join("");
  const report = checkTranscript(textOf(abandoned), []);
  assert.deepEqual([report.shoe, report.faults, report.cards, report.rounds], [2, [], 0, 0]);
  const [first, end] = abandoned;
  assert.deepEqual(checkTranscript(textOf([first, { ...end, seed: FALSE }]), []).faults, ["seed", "chain"]);
});

test("a part in the cut is one value, through reloads, and is revealed once it is listed", () => {
  const kept = new Map();
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem() {} };
  const fill = (byte) => (bytes) => bytes.fill(byte);
  const cut = { shoe: 3, commitment: "c", listed: false, contributions: [] };
  const cutting = new Cutting("t", storage, fill(7));
  assert.equal(cutting.part(cut), "none");
  const hash = cutting.hash(cut);
  assert.equal(hash, toBase64(sha256(new Uint8Array(32).fill(7))));
  assert.deepEqual([cutting.part(cut), cutting.reveal(cut)], ["sent", null]);
  const other = new Cutting("t", storage, fill(8)); // another window, or this one reloaded
  assert.equal(other.hash(cut), hash);
  const listed = { ...cut, listed: true, contributions: [{ seat: 1, player: "p", hash, value: null }] };
  assert.equal(other.part(listed), "listed");
  assert.equal(other.reveal(listed), toBase64(new Uint8Array(32).fill(7)));
  assert.deepEqual([other.part(listed), other.reveal(listed)], ["revealed", null]);
  other.failed();
  assert.equal(other.part(listed), "listed");
  assert.equal(cutting.part({ ...listed, contributions: [] }), "leftOut");
  assert.equal(cutting.part({ ...cut, commitment: "next" }), "none");
});
