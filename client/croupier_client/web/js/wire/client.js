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
 * @import { Proof } from "./identity.js"
 * @import { Reason } from "./refusal.js"
 * @import { ConnectionState } from "./socket.js"
 */

import { TableModel } from "../table/table.js";
import { Asker } from "./asker.js";
import { ServerClock } from "./clock.js";
import { browserEnvironment, browserStorage, guarded, newOperation, windowStorage } from "./environment.js";
import { Identity, shown } from "./identity.js";
import { LobbyModel } from "./lobby.js";
import { PlaySafe } from "./play-safe.js";
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
/** So long before the end of its time a token is replaced; a short one after half of its time. */
const RENEW_MS = 30_000;
/** Longer timers run out at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Close codes after which another token helps. */
export const TOKEN_EXPIRED = 4502;
export const TOKEN_REVOKED = 4503;
/** Refusals that say nothing about what was shown. @type {Set<string>} */
const SAY_AGAIN = new Set(["busy", "unavailable", "no_answer", "ended"]);

/**
 * @typedef {object} Connection
 * @property {ConnectionState} state `waiting` until `retryAtMs`; `ended` for good, for the reason told
 * @property {number} [retryAtMs] when the next try is due, by `performance.now()`
 * @property {number} [closeCode] with which the server closed last
 * @property {string} [reason] that it gave
 */

/**
 * Fires `change` when connection, player, identity, language or wallet have changed; `tokenwanted` when the operator's
 * token is about to be over or does not count, and `showToken` should bring another.
 */
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
   * Why the server does not take this browser for whom it says: what it showed is not valid, or not any more. Whoever
   * is nobody then may watch, but sit only after `beginAnew`. @type {Reason | null}
   */
  identityRefused = null;
  /** Whether it was a sign-in of the operator's that was refused, and not a guest's token. */
  signInRefused = false;
  /** @type {Language} */
  language;

  /** What the player limits for itself. @type {PlaySafe} */
  playSafe;

  /** @type {Environment} */
  #environment;
  #url;
  #storage;
  #socket;
  #asker;
  #identity;
  /** @type {Map<string, TableModel>} */
  #tables = new Map();
  /** The `hello` under way, with what it said. @type {{ id: number, sentMs: number, proof: Proof | null } | null} */
  #greeting = null;
  /** When each unanswered ping was sent. @type {Map<number, number>} */
  #pings = new Map();
  /** @type {any[]} */
  #firstPings = [];
  #lastPingMs = 0;
  /** @type {any} */
  #ticking;
  #clocksApartMs = 0;
  /** @type {any} */
  #renewing;

  /**
   * @param {object} options
   * @param {string} options.url of the websocket; see `socketUrl`
   * @param {string | null} [options.code] a one-time code to sign in with
   * @param {StorageLike | null} [options.storage] where token, name and settings last; the browser's own by default
   * @param {StorageLike | null} [options.session] where a sign-in lasts; the browser's own for this window by default
   * @param {Language} options.language of the server's texts
   * @param {Environment} [options.environment] tests bring their own
   */
  constructor({
    url,
    code = null,
    storage = browserStorage(),
    session = windowStorage(),
    language,
    environment = browserEnvironment(),
  }) {
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
    this.#identity = new Identity(this.#storage, guarded(session), environment, () => this.#guestChangedElsewhere());
    this.#identity.code = code;
    this.playSafe = new PlaySafe({
      ask: (command) => this.#ask(command),
      newOperation: () => newOperation(environment),
      changed: () => this.#changed(),
    });
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
    const proof = this.#proof;
    if (proof?.kind === "guest") hello.resume = proof.text; // it is kept with the guest
    await this.#ask(hello);
    this.#identity.name = name;
    this.#changed();
  }

  /** Forgets the guest that the server does not know any more, or that a sign-in was refused. */
  beginAnew() {
    if (!this.signInRefused) this.#identity.guest = null;
    this.identityRefused = null;
    this.player = null;
    this.#changed();
    this.#socket.reconnect();
    this.#socket.retryNow();
  }

  /**
   * A token of the operator's, newer than any before. The connection, the seat and the slip stay.
   * @param {string} token
   */
  showToken(token) {
    if (this.#isOpen) {
      void this.#renew(token);
      return;
    }
    this.#identity.token = token;
    this.#socket.again();
  }

  /**
   * A one-time code that came while the page was open.
   * @param {string} code
   */
  showCode(code) {
    this.#identity.code = code;
    this.#identity.token = null;
    this.#socket.reconnect();
    this.#socket.retryNow();
    this.#socket.again();
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
    this.#environment.clearTimeout(this.#renewing);
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

  /** What a greeting may show: nobody becomes a guest in silence because a sign-in was refused. */
  get #proof() {
    const { proof } = this.#identity;
    return proof?.kind === "guest" && this.identityRefused !== null ? null : proof;
  }

  #greet() {
    const proof = this.#proof;
    /** @type {Hello} */
    const hello = { type: "hello", language: this.language };
    if (proof !== null) Object.assign(hello, shown(proof));
    if (proof?.kind !== "guest" && this.#identity.name !== null) hello.name = this.#identity.name;
    const id = this.#asker.nextId();
    this.#greeting = { id, sentMs: this.#environment.steadyNow(), proof };
    this.#socket.send({ ...hello, id });
  }

  /**
   * Shows a newer token on the connection that there is. One that is refused changes nothing there.
   * @param {string} token
   */
  async #renew(token) {
    try {
      await this.#ask({ type: "hello", language: this.language, token });
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      if (!SAY_AGAIN.has(refusal.code)) {
        if (this.#identity.token === token) this.#identity.token = null;
        if (this.player === null) this.#refuseSignIn(refusal.reason);
      }
      this.#wantToken();
      return;
    }
    this.#identity.token = token;
    this.identityRefused = null;
    this.#changed();
  }

  /** @param {Welcome} welcome */
  #takeWelcome(welcome) {
    const proof = welcome.id === this.#greeting?.id ? this.#greeting?.proof : null;
    if (typeof welcome.resume === "string") {
      if (typeof welcome.expires_ms === "number") this.#identity.signIn = welcome.resume;
      else this.#identity.guest = welcome.resume;
    }
    if (proof?.kind === "code" && this.#identity.code === proof.text) this.#identity.code = null;
    if (proof?.kind === "code" || proof?.kind === "token") this.identityRefused = null;
    if (typeof welcome.expires_ms === "number") this.#expectEnd(welcome.expires_ms - welcome.server_ms);
    this.#becomePlayer(welcome.player ?? null);
    if (this.#greeting === null || welcome.id !== this.#greeting.id) return;
    this.clock.distrust(); // another server may have another clock
    this.clock.add(this.#greeting.sentMs, this.#environment.steadyNow(), welcome.server_ms);
    this.#greeting = null;
    this.#socket.greeted(welcome.silence_ms);
    this.lobby.opened();
    for (const table of this.#tables.values()) table.opened();
    this.#asker.opened();
    const { token } = this.#identity;
    if (token !== null && token !== proof?.text) void this.#renew(token); // it came while the greeting was under way
    this.#firstPings = FIRST_PINGS_MS.map((ms) => this.#environment.setTimeout(() => this.#ping(), ms));
  }

  /** @param {Player | null} player */
  #becomePlayer(player) {
    const another = player?.id !== this.player?.id;
    this.player = player;
    if (another) this.#takeWallet(null);
    if (another) this.playSafe.take(null);
    if (another) for (const table of this.#tables.values()) table.playerChanged();
    this.#changed();
  }

  /**
   * The greeting was refused.
   * @param {Refusal} refusal
   */
  #greetingRefused(refusal) {
    const proof = this.#greeting?.proof ?? null;
    this.#greeting = null;
    if (refusal.code === "bad_name") {
      this.#identity.name = null; // it was taken when it was chosen; rules of names may have changed
      this.#greet();
    } else if (proof?.kind === "guest" && (refusal.code === "bad_resume" || refusal.code === "sign_in_needed")) {
      // Another window may have brought a newer token meanwhile.
      if (this.#identity.guest === proof.text) {
        this.identityRefused = refusal.reason;
        this.signInRefused = false;
      }
      this.#greet();
    } else if (proof !== null && proof.kind !== "guest" && !SAY_AGAIN.has(refusal.code)) {
      if (this.#identity[proof.kind] === proof.text) this.#identity[proof.kind] = null;
      // Of a sign-in the server forgets whose it was as soon as it is over.
      this.#refuseSignIn(refusal.code === "bad_resume" ? { key: "token_expired", params: {} } : refusal.reason);
      if (proof.kind === "token") this.#wantToken();
      this.#greet();
    } else {
      this.#socket.reconnect();
    }
  }

  /** @param {Reason} reason */
  #refuseSignIn(reason) {
    this.identityRefused = reason;
    this.signInRefused = true;
    this.#changed();
  }

  /** @param {number} leftMs of the time of what was shown; a token is replaced in time */
  #expectEnd(leftMs) {
    this.#environment.clearTimeout(this.#renewing);
    const waitMs = Math.max(leftMs - RENEW_MS, leftMs / 2);
    this.#renewing = this.#environment.setTimeout(() => this.#wantToken(), Math.min(waitMs, LONGEST_TIMER_MS));
  }

  #wantToken() {
    this.dispatchEvent(new Event("tokenwanted"));
  }

  /** Another window has become somebody: who is nobody here, or known no more, is the same. */
  #guestChangedElsewhere() {
    if (this.player !== null || this.#identity.guest === null || this.signInRefused) return;
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
    if (message.type === "reality_check") this.playSafe.take(message);
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
    const { closeCode } = this.#socket;
    if (closeCode !== undefined && closeCode >= 4500) {
      this.#asker.end(new Refusal("ended"));
      if (closeCode === TOKEN_EXPIRED || closeCode === TOKEN_REVOKED) {
        this.#identity.token = null;
        this.#wantToken();
      }
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
