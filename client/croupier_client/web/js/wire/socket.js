/**
 * One websocket after another to one server.
 *
 * What loses a connection: its end, 50 s of silence, or no answer within 2 s after the page was woken. Between tries
 * the wait is random (full jitter), so that thousands of pages do not come back in step. A close code from 4500 to 4999
 * ends it for good; so does `stop`.
 *
 * A page does not see why a handshake failed. So it asks the same address once more, without one: a server that takes
 * nobody in for now says there when to come back.
 *
 * A page that is put away (back/forward cache) gives its connection up itself, since it would be dead on return; a page
 * that comes back, becomes visible or goes online connects at once, or looks whether its connection is alive.
 *
 * @import { ClientMessage, ServerMessage } from "./messages.js"
 * @import { Environment, WebSocketLike } from "./environment.js"
 */

/** @typedef {"connecting" | "open" | "waiting" | "ended"} ConnectionState */

/**
 * @typedef {object} Handlers
 * @property {() => void} opened a connection is there; greet
 * @property {(message: ServerMessage) => void} message a message came
 * @property {() => void} lost the connection is gone, and what was asked on it unanswered
 * @property {() => void} changed the state is another
 * @property {() => void} probe the page woke with an open connection: ask something that is answered at once
 */

export const SUBPROTOCOL = "croupier.v1.json";

const FIRST_WAIT_MS = 250;
/**
 * A page that somebody looks at shows the present within two seconds of the return of a server that was away for less
 * than a minute; half of that is for connecting and drawing.
 */
const LONGEST_WATCHED_WAIT_MS = 1_000;
const WATCHED_MS = 60_000;
const LONGEST_WAIT_MS = 10_000;
/** A connection that lasted so long was good: the next loss starts from short waits again. */
const STABLE_MS = 5_000;
/** A server's Retry-After counts up to this. */
const LONGEST_ASKED_MS = 300_000;
const OPEN_MS = 10_000;
const PROBE_MS = 2_000;
/** A handshake that was begun so long before the page woke was lost with the network. */
const STUCK_MS = 1_000;

/** Until the server names its own with `welcome`. */
const SILENCE_MS = 50_000;

const RECONNECT_BELOW = 4500;
const LAST_FINAL = 4999;

export class Socket {
  /** @type {ConnectionState} */
  state = "connecting";
  /** When the next try is due, by the steady clock; only while waiting. @type {number | undefined} */
  retryAtMs;
  /** Why the last connection ended, where the server said. @type {number | undefined} */
  closeCode;
  /** @type {string | undefined} */
  reason;

  #url;
  #environment;
  #handlers;
  /** @type {WebSocketLike | null} */
  #socket = null;
  #silenceMs = SILENCE_MS;
  #failures = 0;
  #openedAtMs = 0;
  #wasTaken = false;
  /** Before this no try is made, since the server has said so; by the steady clock. */
  #notBeforeMs = 0;
  /** Since when there has been no good connection. @type {number | null} */
  #lostAtMs = null;
  #away = false;
  /** @type {any} */
  #retryTimer;
  /** @type {any} */
  #deadTimer;
  /** @type {(() => void)[]} */
  #unhear = [];

  /**
   * @param {string} url of the websocket
   * @param {Environment} environment
   * @param {Handlers} handlers
   */
  constructor(url, environment, handlers) {
    this.#url = url;
    this.#environment = environment;
    this.#handlers = handlers;
  }

  start() {
    const { page, document } = this.#environment;
    this.#hear(page, "pageshow", (event) => {
      this.#away = false;
      if (/** @type {PageTransitionEvent} */ (event).persisted) this.wake();
    });
    this.#hear(page, "pagehide", () => this.#putAway());
    this.#hear(page, "online", () => this.wake());
    this.#hear(document, "visibilitychange", () => {
      if (document?.visibilityState === "visible") this.wake();
    });
    this.#connect();
  }

  /** Ends the connection for good. */
  stop() {
    for (const unhear of this.#unhear) unhear();
    this.#unhear = [];
    this.#environment.clearTimeout(this.#retryTimer);
    this.#drop(1000);
    this.#become("ended");
  }

  /**
   * The server has greeted: the connection is open, and lost after so much silence.
   * @param {number} silenceMs
   */
  greeted(silenceMs) {
    this.#silenceMs = silenceMs;
    this.#expectSomething(silenceMs);
    this.closeCode = undefined;
    this.reason = undefined;
    this.#become("open");
  }

  /**
   * Sends a command; false when there is no connection.
   * @param {ClientMessage} command
   */
  send(command) {
    if (this.#socket?.readyState !== 1) return false;
    this.#socket.send(JSON.stringify(command));
    return true;
  }

  /** Gives this connection up for another: what comes on it does not join up. */
  reconnect() {
    if (this.#socket !== null) this.#lose(1000);
  }

  /** Connects though the server has ended the last connection for good: there is something new to say. */
  again() {
    if (this.state !== "ended") return;
    this.closeCode = undefined;
    this.reason = undefined;
    this.#connect();
  }

  /** Tries again now instead of when the wait is over. */
  retryNow() {
    if (this.state !== "waiting") return;
    this.#environment.clearTimeout(this.#retryTimer);
    this.#connect();
  }

  #connect() {
    this.#become("connecting");
    const socket = new this.#environment.WebSocket(this.#url, SUBPROTOCOL);
    this.#socket = socket;
    this.#openedAtMs = this.#environment.steadyNow();
    this.#wasTaken = false;
    this.#expectSomething(OPEN_MS);
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#wasTaken = true;
      this.#expectSomething(OPEN_MS);
      this.#handlers.opened();
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      if (this.state === "open") this.#expectSomething(this.#silenceMs);
      this.#handlers.message(JSON.parse(data));
    };
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.#socket) return;
      this.closeCode = code;
      this.reason = reason;
      if (!this.#wasTaken) this.#askWhen();
      this.#lose();
    };
    socket.onerror = () => {}; // `close` follows and says what there is to say
  }

  /** @param {number} [code] to close what is still open with */
  #lose(code) {
    const lastedMs = this.#environment.steadyNow() - this.#openedAtMs;
    const wasOpen = this.state === "open";
    this.#drop(code);
    if (wasOpen && lastedMs >= STABLE_MS) {
      this.#failures = 0;
      this.#lostAtMs = null;
    }
    this.#handlers.lost();
    if (this.closeCode !== undefined && this.closeCode >= RECONNECT_BELOW && this.closeCode <= LAST_FINAL) {
      this.#become("ended");
      return;
    }
    this.#retryAt(this.#environment.steadyNow() + this.#environment.random() * this.#ceilingMs());
  }

  /** @param {number} atMs when to try again, if the server has not asked for more */
  #retryAt(atMs) {
    this.retryAtMs = Math.max(atMs, this.#notBeforeMs);
    this.#become("waiting");
    this.#environment.clearTimeout(this.#retryTimer);
    const waitMs = this.retryAtMs - this.#environment.steadyNow();
    if (!this.#away) this.#retryTimer = this.#environment.setTimeout(() => this.#connect(), waitMs);
  }

  /** Asks when to come back; the answer counts for this wait, or for the next one if that has passed. */
  async #askWhen() {
    const { fetch, random, steadyNow } = this.#environment;
    let asked;
    try {
      asked = Number((await fetch(this.#url.replace(/^ws/, "http"))).headers.get("Retry-After"));
    } catch {
      return; // nobody answers there either
    }
    if (!(asked > 0)) return; // nothing was asked for, or a date, which no server of ours sends
    // Everybody was told the same: within once to twice as long they come back one after another.
    this.#notBeforeMs = steadyNow() + Math.min(asked * 1_000, LONGEST_ASKED_MS) * (1 + random());
    if (this.state === "waiting" && this.retryAtMs !== undefined) this.#retryAt(this.retryAtMs);
  }

  /** The longest that the next wait may be; counts one failure. */
  #ceilingMs() {
    const { document, steadyNow } = this.#environment;
    this.#lostAtMs ??= steadyNow();
    const isWatched = document?.visibilityState !== "hidden" && steadyNow() - this.#lostAtMs < WATCHED_MS;
    const longestMs = isWatched ? LONGEST_WATCHED_WAIT_MS : LONGEST_WAIT_MS;
    const ceilingMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(this.#failures, 16), longestMs);
    this.#failures += 1;
    return ceilingMs;
  }

  /** @param {number} [code] */
  #drop(code) {
    const socket = this.#socket;
    this.#socket = null;
    this.#environment.clearTimeout(this.#deadTimer);
    if (socket !== null && code !== undefined) socket.close(code);
  }

  /** @param {number} withinMs nothing having come by then means that the connection is dead */
  #expectSomething(withinMs) {
    this.#environment.clearTimeout(this.#deadTimer);
    this.#deadTimer = this.#environment.setTimeout(() => this.#lose(1000), withinMs);
  }

  #putAway() {
    this.#away = true;
    this.#environment.clearTimeout(this.#retryTimer);
    if (this.#socket !== null) this.#lose(1000);
  }

  /** The page or the machine may have slept: connects now, or looks whether the connection is alive. */
  wake() {
    if (this.state === "ended") return;
    const isStuck =
      this.state === "connecting" && this.#environment.steadyNow() - this.#openedAtMs >= STUCK_MS;
    if (isStuck) this.#drop(1000);
    if (this.#socket === null) {
      this.#environment.clearTimeout(this.#retryTimer);
      this.#connect();
    } else if (this.state === "open") {
      this.#expectSomething(PROBE_MS);
      this.#handlers.probe();
    }
  }

  /** @param {ConnectionState} state */
  #become(state) {
    if (state !== "waiting") this.retryAtMs = undefined;
    if (state === this.state && state !== "waiting") return;
    this.state = state;
    this.#handlers.changed();
  }

  /**
   * @param {EventTarget | null} target
   * @param {string} type
   * @param {(event: Event) => void} listener
   */
  #hear(target, type, listener) {
    target?.addEventListener(type, listener);
    this.#unhear.push(() => target?.removeEventListener(type, listener));
  }
}
