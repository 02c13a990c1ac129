import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Client } from "../../../client/croupier_client/web/js/wire/client.js";
import { LIMITS, OFFER, settled, World } from "./support.js";

const SERVER_MS = 1_700_000_000_000;
const WELCOME = { type: "welcome", version: "1", server_ms: SERVER_MS, silence_ms: 50_000 };
const RULES = { name: "standard", digest: "d" };
const ANA = { id: "g1", name: "Ana" };

let world;
let storage;
let client;
let table;
let heard;
let seq;

beforeEach(async () => {
  world = new World();
  storage = new Map();
  await load();
});

/** A fresh page, seated at the table, in an open window of round 7. */
async function load(me = {}, rules = {}) {
  client = new Client({
    url: "ws://here/ws",
    language: "en",
    environment: world.environment,
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => storage.set(key, value),
      removeItem: (key) => storage.delete(key),
    },
  });
  table = client.table("t");
  heard = [];
  table.addEventListener("change", ({ detail }) => heard.push(detail));
  table.open();
  await connect(snapshot(), me, rules);
}

/** Greets, watches from a snapshot, and tells limits, rules and the own place. */
async function connect(view, me = {}, rules = {}) {
  world.socket.open();
  say({ ...WELCOME, player: ANA, resume: "g1.a", id: world.socket.last("hello").id });
  say({ type: "lobby", server_ms: SERVER_MS, tables: [{ table: "t", limits: LIMITS }] });
  say({ type: "watching", id: world.socket.last("watch").id, table: "t", epoch: "e", seq: view.seq, resumed: false });
  seq = view.seq;
  say(view);
  const asked = world.socket.last("rules");
  if (asked !== undefined) {
    say({ type: "rules", id: asked.id, table: "t", rules: RULES, language: "en", title: "", sections: [], offer: OFFER, ...rules });
  }
  say({ type: "me", table: "t", rev: 4, seat: 2, bankroll: 10_000, round: 7, ...me });
  await settled();
}

function snapshot(fields = {}) {
  return {
    type: "snapshot",
    table: "t",
    epoch: "e",
    seq: 40,
    rules: RULES,
    phase: "betting",
    round: 7,
    shoe: null,
    coup: 3,
    last: false,
    closes_at_ms: SERVER_MS + 15_000,
    player: { cards: [], total: 0 },
    banker: { cards: [], total: 0 },
    outcome: null,
    natural: false,
    player_pair: false,
    banker_pair: false,
    past: [],
    reason: null,
    totals: {},
    bettors: 0,
    ready: 0,
    seats: [],
    ...fields,
  };
}

function say(message) {
  world.socket.say(message);
}

/** An event of the table, the next one. */
function event(type, fields = {}) {
  seq += 1;
  say({ type, table: "t", epoch: "e", seq, due_ms: 0, at_ms: SERVER_MS, round: 7, ...fields });
}

const betting = (round) => event("betting", { round, shoe: 1, coup: 4, closes_at_ms: SERVER_MS + 30_000, last: false });

/** The slips sent so far, as their bets. */
const slips = () => world.socket.sent.filter(({ type }) => type === "slip");

/** The server takes the slip that was sent last. */
async function accept() {
  const { id, rev, round, bets } = slips().at(-1);
  const staked = Object.values(bets).reduce((sum, cents) => sum + cents, 0);
  say({ type: "slip_accepted", id, table: "t", round, rev: rev + 1, bets, bankroll: 10_000 - staked });
  await settled();
}

async function refuse(code) {
  say({ type: "error", id: slips().at(-1).id, code, message: code, server_ms: SERVER_MS });
  await settled();
}

async function pay(round) {
  say({ type: "payout", payout: { table: "t", round, bets: [], returned: 0, bankroll: 9_000 } });
  await settled();
}

test("a chip is sent at once, as the whole slip", async () => {
  assert.deepEqual(table.add("player", 500), { ok: true });
  const { id, op, ...slip } = slips()[0];
  assert.deepEqual(slip, { type: "slip", table: "t", round: 7, rev: 4, bets: { player: 500 } });
  assert.match(op, /^[0-9a-f]{32}$/);
  assert.deepEqual([table.place.wanted, table.place.accepted, table.place.sending], [{ player: 500 }, {}, true]);
  await accept();
  assert.deepEqual([table.place.accepted, table.place.bankroll, table.place.sending], [{ player: 500 }, 9_500, false]);
});

test("ten fast clicks on a chip are ten chips, in two slips (F4)", async () => {
  for (let click = 0; click < 10; click += 1) table.add("player", 100);
  assert.deepEqual(slips().map(({ bets }) => bets), [{ player: 100 }]);
  await accept();
  assert.deepEqual(slips().map(({ bets }) => bets), [{ player: 100 }, { player: 1_000 }]);
  await accept();
  assert.deepEqual(table.place.accepted, { player: 1_000 });
  assert.deepEqual(table.stacks, { player: Array(10).fill(100) });
});

test("ten fast clicks on Deal are one, and it follows the slips", async () => {
  table.add("player", 100);
  const deals = Array.from({ length: 10 }, () => table.deal());
  assert.equal(world.socket.last("deal"), undefined);
  await accept();
  assert.equal(world.socket.sent.filter(({ type }) => type === "deal").length, 1);
  const { id, op, ...deal } = world.socket.last("deal");
  assert.deepEqual(deal, { type: "deal", table: "t", round: 7 });
  say({ type: "me", id, table: "t", rev: 5, seat: 2, bankroll: 9_900, round: 7, slip: { player: 100 }, ready: true });
  await Promise.all(deals);
  assert.equal(table.place.ready, true);
  await table.deal();
  assert.equal(world.socket.sent.filter(({ type }) => type === "deal").length, 1);
});

test("edits: top chip, undo, clear, double", async () => {
  const bets = () => table.place.wanted;
  table.add("player", 500);
  table.add("player", 100);
  table.add("tie", 100);
  table.takeTop("player");
  assert.deepEqual(bets(), { player: 500, tie: 100 });
  table.double();
  assert.deepEqual(bets(), { player: 1_000, tie: 200 });
  table.undo();
  assert.deepEqual(bets(), { player: 500, tie: 100 });
  table.clear();
  assert.deepEqual(bets(), {});
  table.undo();
  assert.deepEqual(bets(), { player: 500, tie: 100 });
  for (let step = 0; step < 4; step += 1) table.undo();
  assert.deepEqual(bets(), {});
  assert.deepEqual(table.undo(), { ok: false, key: "nothing_to_undo", params: {} });
  assert.deepEqual(table.double(), { ok: false, key: "nothing_to_double", params: {} });
});

test("what limits, rules and bankroll do not allow is refused here, and nothing is sent", () => {
  assert.deepEqual(table.add("player", 50_100), { ok: false, key: "most", params: { bet: "player", limit: 50_000 } });
  assert.deepEqual(table.add("tie", 150), { ok: false, key: "step", params: { bet: "tie", limit: 100 } });
  assert.deepEqual(table.add("big", 100), { ok: false, key: "unknown_bet", params: { bet: "big" } });
  assert.deepEqual(table.add("player", 10_100), { ok: false, key: "bankroll_short", params: { limit: 10_000 } });
  assert.deepEqual(table.place.refused, { key: "bankroll_short", params: { limit: 10_000 } });
  table.add("player", 100);
  assert.deepEqual(table.add("banker", 100), {
    ok: false,
    key: "combination",
    params: { bets: ["player", "banker"], limit: 1 },
  });
  assert.deepEqual(slips().map(({ bets }) => bets), [{ player: 100 }]);
});

test("a chip that the server refuses goes back, and the reason stays", async () => {
  table.add("player", 500);
  await accept();
  table.add("tie", 100);
  await refuse("limit");
  assert.deepEqual([table.place.wanted, table.place.refused.key], [{ player: 500 }, "limit"]);
  assert.deepEqual(table.stacks, { player: [500] });
});

test("a slip in the last milliseconds is what the server says it was (F1)", async () => {
  table.add("player", 500);
  event("closed");
  assert.deepEqual([table.place.wanted, table.place.sending], [{ player: 500 }, true]);
  await refuse("betting_closed");
  assert.deepEqual([table.place.wanted, table.place.accepted, table.place.refused.key], [{}, {}, "betting_closed"]);

  betting(8);
  table.add("player", 500);
  event("closed", { round: 8 });
  await accept();
  assert.deepEqual([table.place.accepted, table.place.refused], [{ player: 500 }, null]);
});

test("a wish that had no time to be sent is not carried into the next round (F3)", async () => {
  table.add("player", 500);
  table.add("player", 500);
  event("closed");
  await accept();
  assert.deepEqual([table.place.accepted, table.place.refused.key], [{ player: 500 }, "betting_closed"]);
  betting(8);
  await settled();
  assert.equal(slips().length, 1);
});

test("a slip whose answer was lost is sent again under its name, and stands once", async () => {
  table.add("player", 500);
  const { op } = slips()[0];
  world.socket.end();
  assert.deepEqual([table.canBet, table.place.known], [false, false]);
  await world.pass(1_000);
  await connect(snapshot(), { rev: 5, slip: { player: 500 }, bankroll: 9_500 });
  assert.equal(slips()[0].op, op);
  say({ type: "slip_accepted", id: slips()[0].id, table: "t", round: 7, rev: 5, bets: { player: 500 }, bankroll: 9_500 });
  await settled();
  assert.deepEqual([table.place.accepted, table.place.bankroll, table.place.sending], [{ player: 500 }, 9_500, false]);
});

test("after a reload the slip is shown as the server has it, in chips (M7)", async () => {
  await load({ rev: 9, slip: { player: 3_700 }, bankroll: 6_300 });
  assert.deepEqual(table.place.wanted, { player: 3_700 });
  assert.deepEqual(table.stacks, { player: [2_500, 500, 500, 100, 100] });
  table.takeTop("player");
  assert.deepEqual([slips()[0].bets, slips()[0].rev], [{ player: 3_600 }, 9]);
});

test("Rebet repeats the last settled slip, also after a reload, all of it or nothing", async () => {
  await load({ last_slip: { player: 500, tie: 200 } });
  table.rebet();
  assert.deepEqual(slips()[0].bets, { player: 500, tie: 200 });
  await load({ last_slip: { player: 500, tie: 200 }, bankroll: 600 });
  assert.deepEqual(table.rebet(), { ok: false, key: "bankroll_short", params: { limit: 600 } });
  assert.equal(slips().length, 0);
  await load();
  assert.deepEqual(table.rebet(), { ok: false, key: "nothing_to_rebet", params: {} });
});

test("who passed a round is not ready in the next one", async () => {
  await load({ ready: true });
  assert.equal(table.place.ready, true);
  event("closed");
  event("settled");
  betting(8);
  assert.equal(table.place.ready, false);
  betting(8);
  say({ type: "me", table: "t", rev: 5, seat: 2, bankroll: 10_000, round: 8, ready: true });
  betting(8); // announced again
  assert.equal(table.place.ready, true);
});

test("a table may forbid that slips are repeated by themselves", async () => {
  table.autoRebet = true;
  assert.equal(table.autoRebet, true);
  await load({ last_slip: { tie: 200 } }, { auto_rebet: false });
  assert.deepEqual([table.mayAutoRebet, table.autoRebet], [false, false]);
  event("closed");
  event("settled");
  betting(8);
  assert.equal(slips().length, 0);
});

test("a slip is repeated by itself where that is wanted, once a round, in rounds that were seen to open", async () => {
  table.autoRebet = true;
  await load({ last_slip: { tie: 200 } });
  assert.equal(table.autoRebet, true);
  assert.equal(slips().length, 0); // the window was open before this page was
  event("closed");
  event("settled");
  betting(8);
  assert.deepEqual(slips().map(({ bets, round }) => [bets, round]), [[{ tie: 200 }, 8]]);
  await accept();
  table.clear();
  await accept();
  say({ type: "me", table: "t", rev: 6, seat: 2, bankroll: 10_000, round: 8, last_slip: { tie: 200 } });
  assert.equal(slips().length, 2); // cleared, and not bet again
});

test("over a reality check that nobody has answered no slip is repeated by itself", async () => {
  table.autoRebet = true;
  await load({ last_slip: { tie: 200 } });
  say({ type: "reality_check", minutes: 60, staked: 5_000, net: -200, message: "" });
  assert.equal(client.playSafe.check?.net, -200);
  event("closed");
  event("settled");
  betting(8);
  assert.equal(slips().length, 0);
  const going = client.playSafe.goOn();
  say({ type: "limits", id: world.socket.last("go_on").id });
  await going;
  assert.equal(client.playSafe.check, null);
  event("closed");
  event("settled");
  betting(9);
  assert.deepEqual(slips().map(({ round }) => round), [9]);
});

test("a window that is announced again for the same round changes nothing about what was bet", async () => {
  table.autoRebet = true;
  await load({ last_slip: { tie: 200 } });
  event("closed");
  event("settled");
  betting(8);
  await accept();
  table.clear();
  await accept();
  table.add("player", 50_100);
  betting(8);
  assert.deepEqual([slips().length, table.place.refused.key, table.place.wanted], [2, "most", {}]);
});

test("repeating by itself waits for the round before to be paid", async () => {
  table.autoRebet = true;
  await load({ slip: { player: 300 }, bankroll: 9_700, last_slip: { tie: 200 } });
  event("closed");
  event("settled");
  betting(8);
  assert.equal(slips().length, 0);
  await pay(7);
  assert.deepEqual(slips().map(({ bets }) => bets), [{ player: 300 }]);
});

test("controls are refused while they would lie, each with its reason", async () => {
  const why = () => table.add("player", 100).key;
  event("closed");
  assert.equal(why(), "betting_closed");
  betting(8);
  say({ type: "stalled", table: "t", since_ms: 1 });
  assert.deepEqual([table.phaseShown, why()], ["stalled", "betting_closed"]);
  say({ type: "live", table: "t" });
  assert.equal(table.phaseShown, "open");
  say({ type: "me", table: "t", rev: 5, seat: 2, bankroll: 1, round: 8, leaving: true });
  assert.equal(why(), "leaving");
  say({ type: "me", table: "t", rev: 5, bankroll: 0 });
  assert.equal(why(), "not_seated");
  world.socket.end();
  assert.equal(why(), "offline");
  assert.equal(slips().length, 0);
});

test("until the own place is told, nothing can be bet", async () => {
  world.socket.end();
  await world.pass(1_000);
  world.socket.open();
  say({ ...WELCOME, player: ANA, resume: "g1.b", id: world.socket.last("hello").id });
  assert.equal(table.betRefusal.key, "offline");
  say({ type: "lobby", server_ms: SERVER_MS, tables: [{ table: "t", limits: LIMITS }] });
  say({ type: "watching", id: world.socket.last("watch").id, table: "t", epoch: "e", seq: 40, resumed: true });
  assert.equal(table.betRefusal.key, "unknown_yet");
  say({ type: "me", table: "t", rev: 4, seat: 2, bankroll: 10_000, round: 7 });
  assert.equal(table.betRefusal, null);
});

test("the window's time is up on the server's clock before the server says so", async () => {
  assert.equal(table.phaseShown, "open");
  await world.pass(12_500);
  assert.equal(table.phaseShown, "lastSeconds");
  await world.pass(2_600);
  assert.deepEqual([table.phaseShown, table.canBet, table.secondsLeft()], ["closed", false, 0]);
});

test("what is live comes as events; what was missed replaces the view at once", async () => {
  heard.length = 0;
  event("closed");
  assert.deepEqual(heard.map(({ events, replaced }) => [events.map(({ type }) => type), replaced]), [[["closed"], false]]);
  world.socket.end();
  await world.pass(1_000);
  world.socket.open();
  say({ ...WELCOME, player: ANA, resume: "g1.b", id: world.socket.last("hello").id });
  assert.deepEqual(world.socket.last("watch").since, { epoch: "e", seq: 41 });
  heard.length = 0;
  say({ type: "watching", id: world.socket.last("watch").id, table: "t", epoch: "e", seq: 42, resumed: true });
  event("card", { hand: "player", index: 0, card: "As", total: 1 });
  event("card", { hand: "banker", index: 0, card: "9h", total: 9 });
  assert.deepEqual(heard.map(({ replaced }) => replaced), [true, true, false]);
  assert.deepEqual(table.view.player.cards, ["As"]);
});

test("payouts that were missed are told, and those shown are not told again after a reload", async () => {
  heard.length = 0;
  event("settled");
  await pay(7);
  assert.deepEqual(heard.flatMap(({ payouts }) => payouts.map(({ round }) => round)), [7]);
  await load();
  assert.equal(world.socket.sent.find(({ type }) => type === "watch").paid_round, 7);
});

test("the round last paid is another's when the player is another", async () => {
  await pay(7);
  storage.set("croupier.paid.t", "g2 9000");
  await load();
  assert.equal(world.socket.last("watch").paid_round, undefined);
});

test("a last paid round from another life of the table is asked for anew", async () => {
  storage.set("croupier.paid.t", "g1 9000");
  await load();
  assert.deepEqual(world.socket.sent.filter(({ type }) => type === "watch").map((watch) => watch.paid_round), [9_000, 6]);
});

test("leaving waits for the slip on its way", async () => {
  table.add("player", 100);
  const leaving = table.leave();
  assert.equal(world.socket.last("leave"), undefined);
  await accept();
  say({ type: "me", id: world.socket.last("leave").id, table: "t", rev: 6, seat: 2, bankroll: 9_900, round: 7, leaving: true });
  await leaving;
  assert.equal(table.place.leaving, true);
});

test("a table that is closed for good ends, and says why", () => {
  event("table_closed", { reason: "the night is over" });
  assert.deepEqual(table.ended, { key: "table_closed", params: { message: "the night is over" } });
  assert.deepEqual([table.phaseShown, table.canBet], ["ended", false]);
});

test("what the server tells of the seat unasked is handed on", () => {
  heard.length = 0;
  say({ type: "notice", table: "t", code: "idle", message: "You have not bet for several rounds." });
  assert.deepEqual(heard.map(({ notices }) => notices.map(({ code }) => code)), [["idle"]]);
});

test("the rules of a new shoe are asked for, in the language of the page", async () => {
  const asked = () => world.socket.sent.filter(({ type }) => type === "rules").map(({ language }) => language);
  event("shoe", { shoe: 2, decks: 8, rules: RULES, cards: 416, burn: null, cut_at: null, coups: null });
  client.setLanguage("fr");
  assert.deepEqual(asked(), ["en", "en", "fr"]);
});
