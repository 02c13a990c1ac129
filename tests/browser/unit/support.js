/** What unit tests of the browser table share: the files that Python wrote, and a world whose time they move. */

import { readFileSync } from "node:fs";

/** A file of `tests/browser/vectors`, or one named from there. */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), "utf-8"));
}

/** A world without sockets, in which time stands still until it is moved. */
export class World {
  steadyMs = 1_000;
  wallMs = 1_700_000_000_000;
  /** What `random` gives. */
  chance = 0.5;
  sockets = [];
  /** What whoever asks by HTTP is told: headers, or a promise of them; null as when nobody is there. */
  answer = null;
  asked = [];
  page = new EventTarget();
  document = Object.assign(new EventTarget(), { visibilityState: "visible" });

  #timers = new Map();
  #lastTimer = 0;
  #operations = 0;

  get environment() {
    const world = this;
    return {
      WebSocket: class extends FakeSocket {
        constructor(url, protocol) {
          super(url, protocol);
          world.sockets.push(this);
        }
      },
      steadyNow: () => world.steadyMs,
      wallNow: () => world.wallMs,
      setTimeout: (work, ms) => {
        world.#lastTimer += 1;
        world.#timers.set(world.#lastTimer, { work, atMs: world.steadyMs + ms });
        return world.#lastTimer;
      },
      clearTimeout: (timer) => world.#timers.delete(timer),
      random: () => world.chance,
      randomBytes: (bytes) => {
        world.#operations += 1;
        return bytes.fill(world.#operations);
      },
      fetch: async (url) => {
        world.asked.push(url);
        const headers = await world.answer;
        if (headers === null) throw new TypeError("Failed to fetch");
        return { headers: new Headers(headers) };
      },
      page: world.page,
      document: world.document,
    };
  }

  /** The newest socket. */
  get socket() {
    return this.sockets.at(-1);
  }

  /** Moves both clocks and runs what is due, in order; what has been promised goes on in between. */
  async pass(ms) {
    const endMs = this.steadyMs + ms;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(([, { atMs }]) => atMs <= endMs).sort(([, a], [, b]) => a.atMs - b.atMs);
      if (next === undefined) break;
      const [timer, { work, atMs }] = next;
      this.#timers.delete(timer);
      this.#moveTo(Math.max(atMs, this.steadyMs));
      work();
    }
    this.#moveTo(endMs);
    await settled();
  }

  #moveTo(steadyMs) {
    this.wallMs += steadyMs - this.steadyMs;
    this.steadyMs = steadyMs;
  }
}

/** Everything that is already promised has happened. */
export async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A websocket whose other end is the test. */
class FakeSocket {
  readyState = 0;
  onopen = null;
  onmessage = null;
  onclose = null;
  onerror = null;
  sent = [];
  closedWith = null;

  constructor(url, protocol) {
    this.url = url;
    this.protocol = protocol;
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close(code) {
    this.closedWith = code;
    this.readyState = 3;
  }

  /** The server takes the connection. */
  open() {
    this.readyState = 1;
    this.onopen?.({});
  }

  /** The server says something. */
  say(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The server, or the network, ends the connection. */
  end(code = 1006, reason = "") {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }

  /** The last command of a type. */
  last(type) {
    return this.sent.findLast((command) => command.type === type);
  }
}

export const LIMITS = {
  main_least: 100,
  main_most: 50_000,
  other_least: 100,
  other_most: 10_000,
  step: 100,
  slip_most: 200_000,
  chips: [100, 500, 2_500, 10_000, 50_000],
  buy_in_least: 2_000,
  buy_in_most: 1_000_000,
  seats: 500,
};

export const OFFER = {
  decks: 8,
  bets: ["player", "banker", "tie"].map((bet) => ({ bet, pays: [[1, 1]], commission: bet === "banker" })),
  commission: null,
  combination: { bets: ["player", "banker"], most: 1 },
};
