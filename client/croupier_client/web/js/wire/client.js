/**
 * The client: the one object that the interface talks to.
 *
 *     const client = new Client({ url: socketUrl(location), language: "fr" });
 *     client.addEventListener("change", show);   // connection, player, language, clock
 *     const table = client.table("standard");
 *     table.addEventListener("change", ({ detail }) => ...);   // see TableModel
 *     table.open();
 *     await table.sit({ buyIn: 100_00, name: "Ana" });
 *     table.add("banker", 5_00);
 *
 * It starts at once and reconnects by itself for as long as it takes. Amounts are whole cents, times milliseconds.
 *
 * @import { ClientMessage, Hello, Language, OwnRounds, Player, Pong, ServerMessage, WalletState,
 *   Welcome } from "./messages.js"
 * @import { Environment, StorageLike } from "./environment.js"
 * @import { Reason } from "./refusal.js"
 * @import { ConnectionState } from "./socket.js"
 */

import { TableModel } from "../table/table.js";
import { Asker } from "./asker.js";
import { ServerClock } from "./clock.js";
import { browserEnvironment, browserStorage, guarded } from "./environment.js";
import { Identity } from "./identity.js";
import { LobbyModel } from "./lobby.js";
import { Refusal } from "./refusal.js";
import { Socket } from "./socket.js";

/** Between two questions for the server's time. */
const PING_MS = 20_000;
/** After a greeting several are asked, since the shortest round trip tells best. */
const FIRST_PINGS_MS = [0, 200, 600, 1_500];
/** Between two looks whether the machine has slept. */
const TICK_MS = 2_000;
/** Two clocks that move apart by so much between two looks: the machine slept, or its clock was set. */
const SLEPT_MS = 1_500;

/**
 * @typedef {object} Connection
 * @property {ConnectionState} state `waiting` until `retryAtMs`; `ended` for good, for the reason told
 * @property {number} [retryAtMs] when the next try is due, by `performance.now()`
 * @property {number} [closeCode] with which the server closed last
 * @property {string} [reason] that it gave
 */

/** Fires `change` when connection, player, identity, language or wallet have changed. */
export class Client extends EventTarget {
  /** Who this browser is; null until it has a seat or is known again. @type {Player | null} */
  player = null;
  /** The server's time. @type {ServerClock} */
  clock;
  /** All tables. @type {LobbyModel} */
  lobby;
  /**
   * What the player has away from the tables, or would begin with; null until it is known. It is looked up whenever it
   * may have changed. @type {WalletState | null}
   */
  wallet = null;
  /**
   * Why the server does not take this browser for whom it was: its token is not valid any more. One may watch, but sit
   * only after `beginAnew`. @type {Reason | null}
   */
  identityRefused = null;
  /** @type {Language} */
  language;

  /** @type {Environment} */
  #environment;
  #url;
  #storage;
  #socket;
  #asker;
  #identity;
  /** @type {Map<string, TableModel>} */
  #tables = new Map();
  /** The `hello` under way, with what it said. @type {{ id: number, sentMs: number, token: string | null } | null} */
  #greeting = null;
  /** When each unanswered ping was sent. @type {Map<number, number>} */
  #pings = new Map();
  /** @type {any[]} */
  #firstPings = [];
  #lastPingMs = 0;
  /** @type {any} */
  #ticking;
  #clocksApartMs = 0;

  /**
   * @param {object} options
   * @param {string} options.url of the websocket; see `socketUrl`
   * @param {StorageLike | null} [options.storage] where token, name and settings last; the browser's own by default
   * @param {Language} options.language of the server's texts
   * @param {Environment} [options.environment] tests bring their own
   */
  constructor({ url, storage = browserStorage(), language, environment = browserEnvironment() }) {
    super();
    this.language = language;
    this.#url = url;
    this.#environment = environment;
    this.#storage = guarded(storage);
    this.clock = new ServerClock(environment.steadyNow);
    this.#socket = new Socket(url, environment, {
      opened: () => this.#greet(),
      message: (message) => this.#take(message),
      lost: () => this.#lost(),
      changed: () => this.#changed(),
      probe: () => this.#wake(),
    });
    this.#asker = new Asker(environment, (command) => this.#isOpen && this.#socket.send(command));
    this.#identity = new Identity(this.#storage, environment, () => this.#tokenChangedElsewhere());
    this.lobby = new LobbyModel((command) => this.#isOpen && this.#socket.send(command));
    this.#clocksApartMs = environment.wallNow() - environment.steadyNow();
    this.#tick();
    this.#socket.start();
  }

  /** @returns {Connection} */
  get connection() {
    const { state, retryAtMs, closeCode, reason } = this.#socket;
    /** @type {Connection} */
    const connection = { state };
    if (retryAtMs !== undefined) connection.retryAtMs = retryAtMs;
    if (closeCode !== undefined) connection.closeCode = closeCode;
    if (reason) connection.reason = reason;
    return connection;
  }

  /** The name that the player has chosen, for the next seat; null before. @returns {string | null} */
  get name() {
    return this.player?.name ?? this.#identity.name;
  }

  /**
   * A table, watched while it is open. The same object every time.
   * @param {string} id
   * @returns {TableModel}
   */
  table(id) {
    const known = this.#tables.get(id);
    if (known !== undefined) return known;
    const table = new TableModel(id, {
      client: this,
      environment: this.#environment,
      storage: this.#storage,
      isOpen: () => this.#isOpen,
      ask: (command) => this.#ask(command),
      send: (command) => this.#socket.send(command),
      nextId: () => this.#asker.nextId(),
      reconnect: () => this.#socket.reconnect(),
      fetch: (path) => this.#fetch(path),
      lookUpWallet: () => void this.lookUpWallet(),
    });
    this.#tables.set(id, table);
    return table;
  }

  /**
   * The language of the server's texts from now on.
   * @param {Language} language
   */
  setLanguage(language) {
    if (language === this.language) return;
    this.language = language;
    if (this.#isOpen) void this.#ask({ type: "hello", language }).catch(() => {});
    for (const table of this.#tables.values()) table.languageChanged();
    this.#changed();
  }

  /**
   * What others will see at the next seat. Rejects with `bad_name` where it cannot be shown.
   * @param {string} name
   */
  async setName(name) {
    if (!this.#isOpen) throw new Refusal("offline");
    /** @type {Hello} */
    const hello = { type: "hello", language: this.language, name };
    const token = this.identityRefused === null ? this.#identity.token : null;
    if (token !== null) hello.resume = token;
    await this.#ask(hello);
    this.#identity.name = name;
    this.#changed();
  }

  /** Forgets whom the server does not know any more; the next seat is a new guest's. */
  beginAnew() {
    this.#identity.token = null;
    this.identityRefused = null;
    this.player = null;
    this.#changed();
    this.#socket.reconnect();
    this.#socket.retryNow();
  }

  /** Tries to connect now instead of when the wait is over. */
  retryNow() {
    this.#socket.retryNow();
  }

  /**
   * One's own settled rounds at all tables, newest first; `before` is the `next` of an earlier answer.
   * @param {string} [before]
   * @param {number} [limit]
   * @returns {Promise<OwnRounds>}
   */
  async myRounds(before, limit = 20) {
    if (this.player === null) return { type: "my_rounds", rounds: [] };
    return this.#ask(before === undefined ? { type: "my_rounds", limit } : { type: "my_rounds", before, limit });
  }

  /** Asks what the wallet holds; `wallet` has it afterwards. */
  async lookUpWallet() {
    try {
      this.#takeWallet(await this.#ask({ type: "wallet" }));
    } catch {
      // It is not known, which is what `wallet` says; the next look-up may tell.
    }
  }

  /** Ends the connection for good. */
  stop() {
    this.#environment.clearTimeout(this.#ticking);
    this.#asker.end(new Refusal("ended"));
    this.#socket.stop();
  }

  /**
   * Bytes of the server that the websocket belongs to.
   * @param {string} path
   */
  async #fetch(path) {
    const answer = await this.#environment.fetch(new URL(path, this.#url.replace(/^ws/, "http")).href);
    if (!answer.ok) throw new Refusal("unavailable");
    return new Uint8Array(await answer.arrayBuffer());
  }

  get #isOpen() {
    return this.#socket.state === "open";
  }

  // Greeting.

  #greet() {
    const token = this.identityRefused === null ? this.#identity.token : null;
    /** @type {Hello} */
    const hello = { type: "hello", language: this.language };
    if (token !== null) hello.resume = token;
    else if (this.#identity.name !== null) hello.name = this.#identity.name;
    this.#sendGreeting(hello, token);
  }

  /**
   * @param {Hello} hello
   * @param {string | null} token
   */
  #sendGreeting(hello, token) {
    const id = this.#asker.nextId();
    this.#greeting = { id, sentMs: this.#environment.steadyNow(), token };
    this.#socket.send({ ...hello, id });
  }

  /** @param {Welcome} welcome */
  #takeWelcome(welcome) {
    if (typeof welcome.resume === "string") this.#identity.token = welcome.resume;
    this.#becomePlayer(welcome.player ?? null);
    if (this.#greeting === null || welcome.id !== this.#greeting.id) return;
    this.clock.distrust(); // another server may have another clock
    this.clock.add(this.#greeting.sentMs, this.#environment.steadyNow(), welcome.server_ms);
    this.#greeting = null;
    this.#socket.greeted(welcome.silence_ms);
    this.lobby.opened();
    for (const table of this.#tables.values()) table.opened();
    this.#asker.opened();
    this.#firstPings = FIRST_PINGS_MS.map((ms) => this.#environment.setTimeout(() => this.#ping(), ms));
  }

  /** @param {Player | null} player */
  #becomePlayer(player) {
    const another = player?.id !== this.player?.id;
    this.player = player;
    if (another) this.#takeWallet(null);
    if (another) for (const table of this.#tables.values()) table.playerChanged();
    this.#changed();
  }

  /**
   * The greeting was refused.
   * @param {Refusal} refusal
   */
  #greetingRefused(refusal) {
    const token = this.#greeting?.token ?? null;
    this.#greeting = null;
    if (refusal.code === "bad_name") {
      this.#identity.name = null; // it was taken when it was chosen; rules of names may have changed
      this.#greet();
    } else if (token !== null && (refusal.code === "bad_resume" || refusal.code === "sign_in_needed")) {
      // Another window may have brought a newer token meanwhile.
      if (this.#identity.token === token) this.identityRefused = refusal.reason;
      this.#greet();
    } else {
      this.#socket.reconnect();
    }
  }

  /** Another window has become somebody: who is nobody here, or known no more, is the same. */
  #tokenChangedElsewhere() {
    if (this.player !== null || this.#identity.token === null) return;
    this.identityRefused = null;
    this.#socket.reconnect();
    this.#socket.retryNow();
  }

  // Messages.

  /** @param {ServerMessage} message */
  #take(message) {
    if (message.type === "welcome") this.#takeWelcome(message);
    if (message.type === "error" && this.#greeting !== null && message.id === this.#greeting.id) {
      this.#greetingRefused(Refusal.of(message));
      return;
    }
    if (message.type === "pong") this.#takePong(message);
    if (message.type === "me" && typeof message.wallet === "number") {
      this.#takeWallet({ ...(this.wallet ?? { type: "wallet" }), balance: message.wallet });
    }
    if (message.type === "lobby" || message.type === "lobby_update") this.lobby.take(message);
    const table = message.type === "payout" ? message.payout.table : "table" in message ? message.table : null;
    if (typeof table === "string") this.#tables.get(table)?.take(message);
    this.#asker.take(message);
  }

  /** @param {WalletState | null} wallet */
  #takeWallet(wallet) {
    this.wallet = wallet;
    for (const table of this.#tables.values()) table.walletChanged();
    this.#changed();
  }

  /**
   * @param {ClientMessage} command
   * @returns {Promise<any>}
   */
  #ask(command) {
    if (this.#socket.state === "ended") return Promise.reject(new Refusal("ended"));
    return this.#asker.ask(command);
  }

  #lost() {
    this.#greeting = null;
    for (const ping of this.#firstPings) this.#environment.clearTimeout(ping);
    this.#pings.clear();
    this.lobby.lost();
    for (const table of this.#tables.values()) table.lost();
    if (this.#socket.closeCode !== undefined && this.#socket.closeCode >= 4500) {
      this.#asker.end(new Refusal("ended"));
    }
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  // Time.

  #wake() {
    this.clock.distrust();
    this.#ping();
  }

  #ping() {
    const id = this.#asker.nextId();
    this.#lastPingMs = this.#environment.steadyNow();
    this.#pings.set(id, this.#lastPingMs);
    this.#socket.send({ type: "ping", id });
  }

  /** @param {Pong} pong */
  #takePong(pong) {
    const sentMs = this.#pings.get(pong.id ?? -1);
    if (sentMs === undefined) return;
    this.#pings.delete(pong.id ?? -1);
    this.clock.add(sentMs, this.#environment.steadyNow(), pong.server_ms);
  }

  #tick() {
    this.#ticking = this.#environment.setTimeout(() => this.#tick(), TICK_MS);
    const apartMs = this.#environment.wallNow() - this.#environment.steadyNow();
    if (Math.abs(apartMs - this.#clocksApartMs) > SLEPT_MS) this.#socket.wake();
    this.#clocksApartMs = apartMs;
    if (this.#isOpen && this.#environment.steadyNow() - this.#lastPingMs >= PING_MS) this.#ping();
  }
}

/**
 * The websocket's address for a page: the same host and port, secure where the page is.
 * @param {{ protocol: string, host: string }} location
 */
export function socketUrl({ protocol, host }) {
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}/ws`;
}
