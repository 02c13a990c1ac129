/**
 * Who this browser is to the server: what the next greeting shows, and the chosen name.
 *
 * - A token of the operator's, which the page around this one has given; only in this page's memory.
 * - A one-time code from the address; until it is answered.
 * - The sign-in that a code has brought; it is this window's, over reloads, and nobody else's.
 * - The resume token of a guest. It changes with every connection; the newest is kept, and the windows of a browser
 *   share it. A refused one stays until the player decides to begin anew, or another window brings a newer.
 *
 * @import { Hello } from "./messages.js"
 * @import { Environment, StorageLike } from "./environment.js"
 */

const GUEST = "croupier.resume";
const SIGN_IN = "croupier.sign-in";
const NAME = "croupier.name";

/** @typedef {"token" | "code" | "signIn" | "guest"} ProofKind */
/** @typedef {{ kind: ProofKind, text: string }} Proof what a greeting shows */

export class Identity {
  /** From the page around this one. @type {string | null} */
  token = null;
  /** @type {string | null} */
  code = null;

  #storage;
  #session;

  /**
   * @param {StorageLike} storage a guarded one
   * @param {StorageLike} session a guarded one, of this window alone
   * @param {Environment} environment
   * @param {() => void} changedElsewhere another window has become another guest
   */
  constructor(storage, session, { page }, changedElsewhere) {
    this.#storage = storage;
    this.#session = session;
    page?.addEventListener("storage", (event) => {
      if (/** @type {StorageEvent} */ (event).key === GUEST) changedElsewhere();
    });
  }

  /**
   * What there is to show; null where that is nothing.
   * @returns {Proof | null}
   */
  get proof() {
    for (const kind of /** @type {const} */ (["token", "code", "signIn", "guest"])) {
      const text = this[kind];
      if (text !== null) return { kind, text };
    }
    return null;
  }

  /** @returns {string | null} */
  get signIn() {
    return this.#session.getItem(SIGN_IN);
  }

  set signIn(token) {
    keep(this.#session, SIGN_IN, token);
  }

  /** @returns {string | null} */
  get guest() {
    return this.#storage.getItem(GUEST);
  }

  set guest(token) {
    keep(this.#storage, GUEST, token);
  }

  /** The name that the player chose, for the next seat. @returns {string | null} */
  get name() {
    return this.#storage.getItem(NAME);
  }

  set name(name) {
    keep(this.#storage, NAME, name);
  }
}

/**
 * What a greeting says of a proof.
 * @param {Proof} proof
 * @returns {Partial<Hello>}
 */
export function shown({ kind, text }) {
  if (kind === "token") return { token: text };
  return kind === "code" ? { code: text } : { resume: text };
}

/**
 * @param {StorageLike} storage
 * @param {string} key
 * @param {string | null} value
 */
function keep(storage, key, value) {
  if (value === null) storage.removeItem(key);
  else storage.setItem(key, value);
}
