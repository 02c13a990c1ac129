import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Client, socketUrl } from "../../../client/croupier_client/web/js/wire/client.js";
import { settled, vectors, World } from "./support.js";

const WELCOME = { type: "welcome", version: "1", server_ms: 1_700_000_000_000, silence_ms: 50_000 };

let world;
let storage;
let client;

beforeEach(() => {
  world = new World();
  storage = new Map();
  client = start();
});

/** A page of the browser whose storage is `storage`. */
function start(at = world) {
  return new Client({
    url: "ws://here/ws",
    language: "en",
    environment: at.environment,
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => storage.set(key, value),
      removeItem: (key) => storage.delete(key),
    },
  });
}

/** The newest socket is taken, and its greeting answered. */
async function greet(fields = {}, at = world) {
  at.socket.open();
  at.socket.say({ ...WELCOME, ...fields, id: at.socket.last("hello").id });
  await settled();
}

const GUEST = { player: { id: "g1", name: "Ana" }, resume: "g1.second" };

test("the address of the websocket follows the page's own (N11)", () => {
  assert.equal(socketUrl({ protocol: "https:", host: "a.example" }), "wss://a.example/ws");
  assert.equal(socketUrl({ protocol: "http:", host: "10.0.0.7:8000" }), "ws://10.0.0.7:8000/ws");
});

test("the connection speaks json, says hello first, and is open when it is greeted", async () => {
  assert.equal(world.socket.protocol, "croupier.v1.json");
  assert.deepEqual(client.connection, { state: "connecting" });
  world.socket.open();
  assert.deepEqual(world.socket.sent, [{ type: "hello", language: "en", id: 1 }]);
  assert.deepEqual(client.connection, { state: "connecting" });
  await greet();
  assert.deepEqual(client.connection, { state: "open" });
  assert.equal(client.player, null);
});

/** The waits after so many losses in a row, each as long as it could be. */
async function waitsAfter(losses) {
  world.chance = 1;
  const waits = [];
  for (let loss = 0; loss < losses; loss += 1) {
    world.socket.end();
    assert.equal(client.connection.state, "waiting");
    waits.push(client.connection.retryAtMs - world.steadyMs);
    await world.pass(waits.at(-1));
    assert.equal(client.connection.state, "connecting");
  }
  return waits;
}

test("a lost connection is made again after a random wait that grows, and a good one makes it short again", async () => {
  await greet();
  assert.deepEqual(await waitsAfter(5), [250, 500, 1_000, 1_000, 1_000]);
  await greet();
  await world.pass(5_000);
  world.chance = 0.5;
  world.socket.end();
  assert.equal(client.connection.retryAtMs - world.steadyMs, 125);
});

test("a page that nobody looks at waits longer, and so does one whose server is away for minutes", async () => {
  await greet();
  world.document.visibilityState = "hidden";
  assert.deepEqual(await waitsAfter(8), [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  world.document.visibilityState = "visible";
  assert.deepEqual(await waitsAfter(4), [1_000, 1_000, 1_000, 1_000]);
  await world.pass(10_000); // nobody answers the handshake
  await world.pass(client.connection.retryAtMs - world.steadyMs);
  await world.pass(10_000);
  assert.equal(client.connection.retryAtMs - world.steadyMs, 10_000);
});

test("a server that takes nobody in is asked when to come back, and is waited for once to twice as long", async () => {
  world.answer = { "Retry-After": "10" };
  world.chance = 0.5;
  world.socket.end();
  await settled();
  assert.deepEqual(world.asked, ["http://here/ws"]);
  assert.equal(client.connection.retryAtMs - world.steadyMs, 15_000);
  await world.pass(14_999);
  assert.equal(world.sockets.length, 1);
  await world.pass(1);
  assert.equal(world.sockets.length, 2);
});

test("an answer that comes when the next try is on its way counts for the one after", async () => {
  let answer;
  world.answer = new Promise((done) => (answer = done));
  world.chance = 0;
  world.socket.end();
  await world.pass(250);
  assert.equal(world.sockets.length, 2);
  answer({ "Retry-After": "4" });
  await settled();
  world.socket.end();
  await world.pass(3_999);
  assert.equal(world.sockets.length, 2);
  await world.pass(1);
  assert.equal(world.sockets.length, 3);
});

test("a connection that was taken before it was lost, or whose server says nothing, is not waited for longer", async () => {
  world.answer = {};
  world.chance = 1;
  world.socket.end();
  await settled();
  assert.equal(client.connection.retryAtMs - world.steadyMs, 250);
  await world.pass(250);
  world.answer = { "Retry-After": "10" };
  await greet();
  world.socket.end();
  await settled();
  assert.equal(world.asked.length, 1);
  assert.equal(client.connection.retryAtMs - world.steadyMs, 500);
});

for (const [code, state] of [
  [4000, "waiting"],
  [4499, "waiting"],
  [4500, "ended"],
  [4999, "ended"],
  [1006, "waiting"],
  [1012, "waiting"],
]) {
  test(`close code ${code} means ${state}`, async () => {
    await greet();
    world.socket.end(code, "why");
    assert.equal(client.connection.state, state);
    assert.deepEqual([client.connection.closeCode, client.connection.reason], [code, "why"]);
    await world.pass(60_000);
    assert.equal(world.sockets.length > 1, state === "waiting");
  });
}

test("an ended client refuses what it is asked", async () => {
  await greet();
  world.socket.end(4501);
  await assert.rejects(client.table("standard").history(), { code: "ended" });
});

test("silence as long as the server says, and no longer, means that the connection is lost (H8)", async () => {
  await greet({ silence_ms: 3_000 });
  await world.pass(2_900);
  world.socket.say({ type: "heartbeat", server_ms: 1 });
  await world.pass(2_900);
  assert.equal(client.connection.state, "open");
  await world.pass(200);
  assert.equal(world.sockets.length > 1 || client.connection.state === "waiting", true);
  assert.equal(world.sockets[0].closedWith, 1000);
});

test("a handshake that nobody answers is given up", async () => {
  await world.pass(10_000);
  assert.equal(client.connection.state, "waiting");
});

test("a page that wakes looks at once whether its connection is alive (H10)", async () => {
  await greet();
  await world.pass(2_000);
  const before = world.socket.sent.length;
  world.document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(world.socket.sent.slice(before).map(({ type }) => type), ["ping"]);
  await world.pass(1_999);
  assert.equal(client.connection.state, "open");
  await world.pass(1);
  assert.equal(client.connection.state, "waiting");
});

test("a page that wakes, or whose network is back, gives up a handshake that was lost with the network", async () => {
  await world.pass(900);
  world.page.dispatchEvent(new Event("online"));
  assert.equal(world.sockets.length, 1); // it may still be answered
  await world.pass(200);
  world.page.dispatchEvent(new Event("online"));
  assert.equal(world.sockets.length, 2);
  assert.equal(world.sockets[0].closedWith, 1000);
  world.sockets[0].end();
  await greet();
  assert.equal(client.connection.state, "open");
});

test("a page that wakes with a live connection keeps it", async () => {
  await greet();
  world.page.dispatchEvent(new Event("online"));
  const { id } = world.socket.last("ping");
  world.socket.say({ type: "pong", id, server_ms: WELCOME.server_ms });
  await world.pass(10_000);
  assert.deepEqual([client.connection.state, world.sockets.length], ["open", 1]);
});

test("a page that is put away closes its connection, and makes a new one when it is back (H11)", async () => {
  await greet();
  world.page.dispatchEvent(new Event("pagehide"));
  assert.equal(world.socket.closedWith, 1000);
  await world.pass(60_000);
  assert.equal(world.sockets.length, 1);
  world.page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  assert.equal(world.sockets.length, 2);
  await greet();
  assert.equal(client.connection.state, "open");
});

test("a machine that slept is noticed by two clocks that moved apart", async () => {
  await greet();
  await world.pass(3_000);
  world.wallMs += 3_600_000;
  const before = world.socket.sent.length;
  await world.pass(2_000);
  assert.equal(world.socket.sent.slice(before).filter(({ type }) => type === "ping").length, 1);
});

test("a client clock that is off by a day does no harm", async () => {
  await greet();
  world.wallMs -= 86_400_000;
  await world.pass(500);
  assert.equal(Math.round(client.clock.nowMs()), WELCOME.server_ms + 501);
});

test("questions are asked again on the next connection until they are answered", async () => {
  await greet();
  const answer = client.table("standard").history();
  const asked = world.socket.last("history");
  world.socket.end();
  await world.pass(1_000);
  await greet();
  const again = world.socket.last("history");
  assert.deepEqual({ ...again, id: 0 }, { ...asked, id: 0 });
  assert.notEqual(again.id, asked.id);
  world.socket.say({ type: "history", id: again.id, table: "standard", rounds: [], more: false });
  assert.deepEqual((await answer).rounds, []);
});

test("what nobody answers fails in time, an operation later than a question", async () => {
  await greet();
  world.socket.say({ ...WELCOME, ...GUEST });
  const table = client.table("standard");
  const outcomes = [];
  table.history().catch((error) => outcomes.push(["history", error.code]));
  table.topUp(2_000).catch((error) => outcomes.push(["top_up", error.code]));
  await world.pass(10_000);
  assert.deepEqual(outcomes, [["history", "no_answer"]]);
  await world.pass(20_000);
  assert.deepEqual(outcomes, [["history", "no_answer"], ["top_up", "no_answer"]]);
});

test("an operation is sent again under the same name after a lost connection and after `unavailable`", async () => {
  await greet();
  world.socket.say({ ...WELCOME, ...GUEST });
  const done = client.table("standard").topUp(2_000);
  const { op, id } = world.socket.last("top_up");
  world.socket.say({ type: "error", id, code: "unavailable", message: "later", server_ms: 1 });
  await world.pass(250);
  assert.equal(world.socket.last("top_up").op, op);
  world.socket.end();
  await world.pass(1_000);
  await greet(GUEST);
  const again = world.socket.last("top_up");
  assert.equal(again.op, op);
  world.socket.say({ type: "me", id: again.id, table: "standard", rev: 1, seat: 1, bankroll: 2_000 });
  await done;
});

test("a question that the server has no time for is refused, and left to whoever asked", async () => {
  await greet();
  const answer = client.table("standard").history();
  const { id } = world.socket.last("history");
  world.socket.say({ type: "error", id, code: "busy", message: "later", server_ms: 1 });
  await assert.rejects(answer, { code: "busy" });
});

test("a top-up that nobody answered is asked for again under its name, and pays once", async () => {
  await greet();
  const table = client.table("standard");
  const first = table.topUp(2_000).catch((error) => error.code);
  const { op } = world.socket.last("top_up");
  await world.pass(31_000);
  assert.equal(await first, "no_answer");
  void table.topUp(2_000).catch(() => {});
  assert.equal(world.socket.last("top_up").op, op);
  void table.topUp(3_000).catch(() => {});
  assert.notEqual(world.socket.last("top_up").op, op);
});

test("a refusal has the server's code, words and limit", async () => {
  await greet();
  const sitting = client.table("standard").sit({ buyIn: 100 });
  const { id } = world.socket.last("sit");
  world.socket.say({ type: "error", id, code: "limit", message: "Too little", server_ms: 1, limit: 2_000 });
  await assert.rejects(sitting, { code: "limit", params: { message: "Too little", limit: 2_000 } });
});

test("the newest token is kept and shown", async () => {
  storage.set("croupier.resume", "g1.first");
  client = start();
  world.socket.open();
  assert.equal(world.socket.last("hello").resume, "g1.first");
  await greet(GUEST);
  assert.equal(storage.get("croupier.resume"), "g1.second");
  assert.deepEqual(client.player, GUEST.player);
  world.socket.end();
  await world.pass(1_000);
  world.socket.open();
  assert.equal(world.socket.last("hello").resume, "g1.second");
});

test("windows share the token: the newest of any is shown next (L2)", async () => {
  storage.set("croupier.resume", "g1.first");
  client = start();
  await greet(GUEST);
  storage.set("croupier.resume", "g1.third"); // another window has used the second
  world.socket.end();
  await world.pass(1_000);
  world.socket.open();
  assert.equal(world.socket.last("hello").resume, "g1.third");
});

test("a window that is nobody becomes who another window has become, and never a second guest", async () => {
  await greet();
  const watching = world.sockets.length;
  storage.set("croupier.resume", "g1.first"); // the other window has sat down
  world.page.dispatchEvent(Object.assign(new Event("storage"), { key: "croupier.resume" }));
  assert.equal(world.sockets.length, watching + 1);
  world.socket.open();
  assert.equal(world.socket.last("hello").resume, "g1.first");
  await greet(GUEST);
  storage.set("croupier.resume", "g1.third");
  world.page.dispatchEvent(Object.assign(new Event("storage"), { key: "croupier.resume" }));
  assert.deepEqual([client.connection.state, world.sockets.length], ["open", watching + 1]);
});

test("a refused token is told, and never a new guest made in silence", async () => {
  storage.set("croupier.resume", "g1.old");
  client = start();
  world.socket.open();
  const { id } = world.socket.last("hello");
  world.socket.say({ type: "error", id, code: "bad_resume", message: "Not valid", server_ms: 1 });
  assert.equal(world.socket.last("hello").resume, undefined);
  await greet();
  assert.deepEqual(client.identityRefused, { key: "bad_resume", params: { message: "Not valid" } });
  assert.equal(client.connection.state, "open"); // one may watch
  await assert.rejects(client.table("standard").sit({ buyIn: 2_000 }), { code: "identity_refused" });
  assert.equal(world.socket.last("sit"), undefined);
  assert.equal(storage.get("croupier.resume"), "g1.old");
  client.beginAnew();
  await greet();
  assert.deepEqual([client.identityRefused, storage.has("croupier.resume")], [null, false]);
  void client.table("standard").sit({ buyIn: 2_000 });
  await settled();
  assert.equal(world.socket.last("sit").buy_in, 2_000);
});

test("a token that another window has renewed meanwhile is tried before anything is refused", async () => {
  storage.set("croupier.resume", "g1.old");
  client = start();
  world.socket.open();
  const { id } = world.socket.last("hello");
  storage.set("croupier.resume", "g1.new");
  world.socket.say({ type: "error", id, code: "bad_resume", message: "Not valid", server_ms: 1 });
  assert.equal(world.socket.last("hello").resume, "g1.new");
  await greet(GUEST);
  assert.deepEqual([client.identityRefused, client.player], [null, GUEST.player]);
});

test("a storage that is forbidden costs the memory of the page and nothing else", async () => {
  const forbidden = () => {
    throw new Error("SecurityError");
  };
  client = new Client({
    url: "ws://here/ws",
    language: "fr",
    environment: world.environment,
    storage: { getItem: forbidden, setItem: forbidden, removeItem: forbidden },
  });
  await greet(GUEST);
  world.socket.end();
  await world.pass(1_000);
  world.socket.open();
  assert.deepEqual({ ...world.socket.last("hello"), id: 0 }, { type: "hello", language: "fr", resume: "g1.second", id: 0 });
});

test("a chosen name is said, and kept when the server takes it", async () => {
  await greet();
  const naming = client.setName("Éve");
  assert.equal(world.socket.last("hello").name, "Éve");
  world.socket.say({ ...WELCOME, id: world.socket.last("hello").id });
  await naming;
  assert.equal(client.name, "Éve");
  const refused = client.setName("\u202e");
  world.socket.say({ type: "error", id: world.socket.last("hello").id, code: "bad_name", message: "No", server_ms: 1 });
  await assert.rejects(refused, { code: "bad_name" });
  assert.equal(client.name, "Éve");
});

test("the lobby is followed through lost connections, and rows are merged", async () => {
  const row = (table, seated) => ({ table, seated });
  client.lobby.follow();
  await greet();
  assert.deepEqual(world.socket.last("lobby"), { type: "lobby", follow: true });
  world.socket.say({ type: "lobby", server_ms: 1, tables: [row("b", 0), row("a", 0)] });
  world.socket.say({ type: "lobby_update", server_ms: 2, tables: [row("b", 3)], closed: [] });
  assert.deepEqual(client.lobby.tables, [row("a", 0), row("b", 3)]);
  world.socket.say({ type: "lobby_update", server_ms: 2, tables: [], closed: ["a"] });
  assert.deepEqual(client.lobby.tables, [row("b", 3)]);
  world.socket.end();
  assert.equal(client.lobby.known, false);
  await world.pass(1_000);
  await greet();
  world.socket.say({ type: "lobby", server_ms: 1, tables: [row("c", 1)] });
  assert.deepEqual([client.lobby.known, client.lobby.tables], [true, [row("c", 1)]]);
  client.lobby.unfollow();
  assert.deepEqual(world.socket.last("lobby"), { type: "lobby", follow: false });
});

test("an unknown message is overlooked", async () => {
  await greet();
  world.socket.say({ type: "confetti" });
  assert.equal(client.connection.state, "open");
});

test("a table that there is not ends, and says so", async () => {
  await greet();
  const table = client.table("nowhere");
  table.open();
  const { id } = world.socket.last("watch");
  world.socket.say({ type: "error", id, code: "unknown_table", message: "No such table", server_ms: 1, table: "nowhere" });
  assert.deepEqual(table.ended, { key: "unknown_table", params: { message: "No such table" } });
});

test("a gap in the events is healed by one watch from where they joined up (H1)", async () => {
  const [{ opening, events }] = vectors("views.json");
  await greet();
  const table = client.table("standard");
  table.open();
  const answer = (resumed, seq) => {
    const { id } = world.socket.last("watch");
    world.socket.say({ type: "watching", id, table: "standard", epoch: "e1", seq, resumed });
  };
  answer(false, 0);
  world.socket.say(opening);
  world.socket.say(events[0]);
  world.socket.say(events[2]);
  world.socket.say(events[3]);
  assert.deepEqual(world.socket.last("watch").since, { epoch: "e1", seq: 1 });
  answer(true, 4);
  for (const event of events.slice(1, 6)) world.socket.say(event);
  assert.equal(table.view.seq, 6);
  assert.equal(world.socket.sent.filter(({ type }) => type === "watch").length, 2);
});

test("a watch that is not answered brings another connection", async () => {
  await greet();
  client.table("standard").open();
  for (let beat = 0; beat < 5; beat += 1) {
    await world.pass(2_000);
    world.socket.say({ type: "heartbeat", server_ms: 1 });
  }
  assert.equal(client.connection.state, "waiting");
});
