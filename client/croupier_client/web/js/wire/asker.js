/**
 * Commands that have an answer, asked over one connection after another until it comes.
 *
 * A question is asked again on every new connection for 10 s. An operation, which has an `op`, is sent again under the
 * same `op` for 30 s, also after a refusal that passes: however often it is sent, it is carried out once.
 *
 * @import { ClientMessage, ErrorCode, ServerMessage } from "./messages.js"
 * @import { Environment } from "./environment.js"
 */

import { Refusal } from "./refusal.js";

const QUESTION_MS = 10_000;
const OPERATION_MS = 30_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

/** Refusals that pass. They leave open whether an operation was carried out. @type {Set<ErrorCode>} */
const TRY_AGAIN = new Set(["busy", "unavailable"]);

/**
 * @typedef {object} Pending
 * @property {ClientMessage} command
 * @property {(answer: any) => void} resolve
 * @property {(refusal: Refusal) => void} reject
 * @property {number} tries refusals that pass, so far
 * @property {any} deadline a timer
 * @property {any} retry a timer
 */

export class Asker {
  /** @type {Map<number, Pending>} by the id under which it was sent last */
  #pending = new Map();
  #lastId = 0;
  #environment;
  #send;

  /**
   * @param {Environment} environment
   * @param {(command: ClientMessage) => boolean} send false when there is no connection
   */
  constructor(environment, send) {
    this.#environment = environment;
    this.#send = send;
  }

  /** An id that no other command has. */
  nextId() {
    this.#lastId += 1;
    return this.#lastId;
  }

  /**
   * The answer to a command.
   * @param {ClientMessage} command without an id
   * @returns {Promise<any>} rejects with a `Refusal`; `no_answer` when none came in time
   */
  ask(command) {
    return new Promise((resolve, reject) => {
      /** @type {Pending} */
      const pending = { command, resolve, reject, tries: 0, deadline: null, retry: null };
      const patienceMs = "op" in command ? OPERATION_MS : QUESTION_MS;
      pending.deadline = this.#environment.setTimeout(() => this.#fail(pending, new Refusal("no_answer")), patienceMs);
      this.#dispatch(pending);
    });
  }

  /** A new connection is greeted: what has no answer is asked again. */
  opened() {
    for (const [id, pending] of [...this.#pending]) {
      this.#pending.delete(id);
      this.#environment.clearTimeout(pending.retry);
      this.#dispatch(pending);
    }
  }

  /**
   * Takes a message; false when it answers nothing that was asked here.
   * @param {ServerMessage} message
   */
  take(message) {
    const id = "id" in message ? message.id : null;
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (typeof id !== "number" || pending === undefined) return false;
    if (message.type === "error" && "op" in pending.command && TRY_AGAIN.has(message.code)) {
      const ceilingMs = Math.min(FIRST_WAIT_MS * 2 ** pending.tries, LONGEST_WAIT_MS);
      pending.tries += 1;
      pending.retry = this.#environment.setTimeout(() => {
        if (!this.#pending.delete(id)) return;
        this.#dispatch(pending);
      }, this.#environment.random() * ceilingMs);
      return true;
    }
    this.#pending.delete(id);
    this.#environment.clearTimeout(pending.deadline);
    if (message.type === "error") pending.reject(Refusal.of(message));
    else pending.resolve(message);
    return true;
  }

  /**
   * There will be no more connections.
   * @param {Refusal} refusal
   */
  end(refusal) {
    for (const pending of [...this.#pending.values()]) this.#fail(pending, refusal);
  }

  /** @param {Pending} pending */
  #dispatch(pending) {
    const id = this.nextId();
    this.#pending.set(id, pending);
    this.#send({ ...pending.command, id });
  }

  /**
   * @param {Pending} pending
   * @param {Refusal} refusal
   */
  #fail(pending, refusal) {
    for (const [id, each] of this.#pending) if (each === pending) this.#pending.delete(id);
    this.#environment.clearTimeout(pending.deadline);
    this.#environment.clearTimeout(pending.retry);
    pending.reject(refusal);
  }
}
