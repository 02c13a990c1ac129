import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Arrival } from "../../../client/croupier_client/web/js/wire/arrival.js";
import { Client } from "../../../client/croupier_client/web/js/wire/client.js";
import { Parent } from "../../../client/croupier_client/web/js/wire/parent.js";
import { settled, World } from "./support.js";

const WELCOME = { type: "welcome", version: "1", server_ms: 1_700_000_000_000, silence_ms: 50_000 };
const ANA = { player: { id: "ana", name: "Ana" }, expires_ms: WELCOME.server_ms + 600_000 };

let world;
/** What the browser keeps, for all its windows and for this one. */
let storage;
let session;
let wanted;

const kept = (map) => ({
  getItem: (key) => map.get(key) ?? null,
  setItem: (key, value) => map.set(key, value),
  removeItem: (key) => map.delete(key),
});

beforeEach(() => {
  world = new World();
  storage = new Map();
  session = new Map();
  wanted = 0;
});

function start(code = null) {
  const client = new Client({
    url: "ws://here/ws",
    language: "en",
    code,
    environment: world.environment,
    storage: kept(storage),
    session: kept(session),
  });
  client.addEventListener("tokenwanted", () => (wanted += 1));
  return client;
}

/** Answers the newest hello. */
async function answer(fields) {
  if (world.socket.readyState === 0) world.socket.open();
  const { id } = world.socket.last("hello");
  world.socket.say(fields.code === undefined ? { ...WELCOME, ...fields, id } : { type: "error", server_ms: 1, ...fields, id });
  await settled();
}

const hello = () => {
  const { id, type, language, ...said } = world.socket.last("hello");
  return said;
};

async function reconnect() {
  world.socket.end();
  await world.pass(1_000);
  world.socket.open();
}

test("a code leaves the address at once, and the page goes on where the address says", () => {
  for (const [hash, code, left] of [
    ["#code=abc", "abc", "/x?y=1#/"],
    ["#code=abc/t/standard", "abc", "/x?y=1#/t/standard"],
    ["#code=", "", "/x?y=1#/"],
    ["#/t/standard", null, null],
    ["", null, null],
  ]) {
    const arrival = new Arrival();
    let replaced = null;
    arrival.look({ hash, pathname: "/x", search: "?y=1" }, { replaceState: (state, title, url) => (replaced = url) });
    assert.deepEqual([arrival.take(), replaced], [code, left], hash);
    assert.equal(arrival.take(), null);
  }
});

test("a code is shown until it is answered; then this window has a sign-in, and the browser's guest is as before", async () => {
  storage.set("croupier.resume", "g1.first");
  const client = start("abc");
  world.socket.open();
  assert.deepEqual(hello(), { code: "abc" });
  await reconnect();
  assert.deepEqual(hello(), { code: "abc" });
  await answer({ ...ANA, resume: "s.secret" });
  assert.deepEqual([client.player, client.identityRefused], [ANA.player, null]);
  assert.deepEqual([[...session], [...storage]], [[["croupier.sign-in", "s.secret"]], [["croupier.resume", "g1.first"]]]);
  await reconnect();
  assert.deepEqual(hello(), { resume: "s.secret" });
  await answer(ANA);
  client.stop();
  start();
  world.socket.open();
  assert.deepEqual(hello(), { resume: "s.secret" });
});

test("a code that is refused is told, and nobody is a guest in silence", async () => {
  storage.set("croupier.resume", "g1.first");
  const client = start("used");
  await answer({ code: "bad_code", message: "Used" });
  assert.deepEqual(hello(), {});
  await answer({});
  assert.deepEqual([client.identityRefused.key, client.signInRefused, client.player], ["bad_code", true, null]);
  await assert.rejects(client.table("standard").sit({ buyIn: 2_000 }), { code: "identity_refused" });
  client.beginAnew();
  world.socket.open();
  assert.deepEqual(hello(), { resume: "g1.first" });
});

test("a code that is refused leaves the sign-in that this window has", async () => {
  session.set("croupier.sign-in", "s.secret");
  const client = start("used");
  await answer({ code: "bad_code", message: "Used" });
  assert.deepEqual(hello(), { resume: "s.secret" });
  await answer(ANA);
  assert.deepEqual([client.identityRefused.key, client.player], ["bad_code", ANA.player]);
  void client.table("standard").sit({ buyIn: 2_000 });
  await settled();
  assert.equal(world.socket.last("sit").buy_in, 2_000);
});

test("a store that is away for a moment costs no code and no sign-in", async () => {
  start("abc");
  await answer({ code: "unavailable", message: "Later" });
  await world.pass(1_000);
  world.socket.open();
  assert.deepEqual(hello(), { code: "abc" });
});

test("a sign-in whose time is over is forgotten and told", async () => {
  session.set("croupier.sign-in", "s.secret");
  const client = start();
  await answer({ code: "bad_resume", message: "No" });
  assert.deepEqual(hello(), {});
  assert.deepEqual([client.identityRefused.key, session.size], ["token_expired", 0]);
});

test("a code that comes to an open page is shown on a new connection", async () => {
  const client = start();
  await answer({});
  client.showCode("abc");
  world.socket.open();
  assert.deepEqual(hello(), { code: "abc" });
});

test("a token is shown on the connection that there is, kept in no storage, and again on the next one", async () => {
  const client = start();
  await answer({});
  client.showToken("x.y.z");
  assert.deepEqual(hello(), { token: "x.y.z" });
  await answer(ANA);
  assert.deepEqual([client.player, world.sockets.length], [ANA.player, 1]);
  await reconnect();
  assert.deepEqual(hello(), { token: "x.y.z" });
  assert.deepEqual([storage.size, session.size], [0, 0]);
});

test("a token that comes while the greeting is under way is shown as soon as that is answered", async () => {
  const client = start();
  world.socket.open();
  client.showToken("x.y.z");
  assert.deepEqual(hello(), {});
  await answer({});
  assert.deepEqual(hello(), { token: "x.y.z" });
  await answer(ANA);
  assert.deepEqual([client.player, world.sockets.length], [ANA.player, 1]);
});

test("a token is wanted half a minute before the time of the last is over, a short one after half of it", async () => {
  const client = start();
  await answer({});
  client.showToken("x.y.z");
  await answer(ANA);
  await world.pass(569_000);
  assert.equal(wanted, 0);
  await world.pass(2_000);
  assert.equal(wanted, 1);
  client.showToken("x.y.newer");
  await answer({ ...ANA, expires_ms: WELCOME.server_ms + 20_000 });
  await world.pass(9_000);
  assert.equal(wanted, 1);
  await world.pass(2_000);
  assert.equal(wanted, 2);
});

test("a token that is refused is told to who is nobody, and changes nothing for a player", async () => {
  const client = start();
  await answer({});
  client.showToken("bad");
  await answer({ code: "bad_token", message: "No" });
  assert.deepEqual([client.identityRefused.key, client.player, wanted], ["bad_token", null, 1]);
  client.showToken("good");
  await answer(ANA);
  assert.deepEqual([client.identityRefused, client.player], [null, ANA.player]);
  client.showToken("bad");
  await answer({ code: "bad_token", message: "No" });
  assert.deepEqual([client.identityRefused, client.player, wanted], [null, ANA.player, 2]);
  await reconnect();
  assert.deepEqual(hello(), { token: "good" });
});

test("a connection that ended with its token goes on with a newer one", async () => {
  const client = start();
  await answer({});
  client.showToken("x.y.z");
  await answer(ANA);
  world.socket.end(4502);
  assert.deepEqual([client.connection.state, wanted], ["ended", 1]);
  client.showToken("x.y.newer");
  assert.equal(client.connection.state, "connecting");
  world.socket.open();
  assert.deepEqual(hello(), { token: "x.y.newer" });
  await answer(ANA);
  assert.deepEqual([client.connection, client.player], [{ state: "open" }, ANA.player]);
});

/** A window in another, and what it says to that. */
function framed(above = "https://house.example") {
  const told = [];
  const taken = [];
  let listener = null;
  const parent = { postMessage: (data, origin) => told.push([data.type, origin]) };
  const location = { origin: "https://tables.example" };
  if (above !== null) location.ancestorOrigins = [above];
  const own = { parent, location, addEventListener: (type, heard) => (listener = heard) };
  const timers = [];
  const sought = new Parent(own, ["https://house.example", "https://club.example"], (token) => taken.push(token), (work, ms) =>
    timers.push({ work, ms }),
  );
  const say = (data, origin = "https://house.example", source = parent) => listener?.({ data, origin, source });
  return { sought, told, taken, timers, say, own };
}

const TOKEN = { type: "croupier.token", token: "x.y.z" };

test("the page around this one is asked by its origin alone, again after longer and longer, until it has given", () => {
  const { sought, told, taken, timers, say } = framed();
  sought.want();
  assert.deepEqual(told, [["croupier.token_wanted", "https://house.example"]]);
  for (let again = 0; again < 7; again += 1) timers.at(-1).work();
  assert.deepEqual(timers.map(({ ms }) => ms), [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  assert.equal(told.length, 8);
  say(TOKEN);
  assert.deepEqual(taken, ["x.y.z"]);
  timers.at(-1).work();
  assert.equal(told.length, 8);
  sought.want();
  sought.want();
  assert.equal(told.length, 9);
  timers.at(-1).work();
  assert.equal(told.length, 10);
});

test("where the browser does not tell who is above, each that may be is asked", () => {
  const { sought, told } = framed(null);
  sought.want();
  const asked = ["https://tables.example", "https://house.example", "https://club.example"];
  assert.deepEqual(told, asked.map((origin) => ["croupier.token_wanted", origin]));
});

test("a token counts from the page around this one alone, if that is named, and as it has to be", () => {
  const { taken, say, own } = framed();
  say(TOKEN, "https://evil.example");
  say(TOKEN, "null");
  say(TOKEN, "https://club.example"); // named, and not the one above
  say(TOKEN, "https://house.example", {});
  say(TOKEN, "https://house.example", own);
  for (const data of [null, "x.y.z", {}, { type: "croupier.token" }, { type: "croupier.token", token: 7 }, { ...TOKEN, type: "x" }]) {
    say(data);
  }
  assert.deepEqual(taken, []);
  say(TOKEN);
  assert.deepEqual(taken, ["x.y.z"]);
  const foreign = framed("https://evil.example");
  foreign.sought.want();
  foreign.say(TOKEN, "https://evil.example");
  assert.deepEqual([foreign.told, foreign.taken], [[], []]);
});
