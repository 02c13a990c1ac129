/**
 * Who this browser is to the server: the resume token, which is the whole proof, and the chosen name.
 *
 * The token changes with every connection; the newest is kept, and the windows of a browser share it. Nothing here ever
 * drops a token by itself: a refused one stays until the player decides to begin anew, or another window brings a newer.
 *
 * @import { Environment, StorageLike } from "./environment.js"
 */

const TOKEN = "croupier.resume";
const NAME = "croupier.name";

export class Identity {
  #storage;

  /**
   * @param {StorageLike} storage a guarded one
   * @param {Environment} environment
   * @param {() => void} changedElsewhere another window has stored another token
   */
  constructor(storage, { page }, changedElsewhere) {
    this.#storage = storage;
    page?.addEventListener("storage", (event) => {
      if (/** @type {StorageEvent} */ (event).key === TOKEN) changedElsewhere();
    });
  }

  /** @returns {string | null} */
  get token() {
    return this.#storage.getItem(TOKEN);
  }

  set token(token) {
    if (token === null) this.#storage.removeItem(TOKEN);
    else this.#storage.setItem(TOKEN, token);
  }

  /** The name that the player chose, for the next seat. @returns {string | null} */
  get name() {
    return this.#storage.getItem(NAME);
  }

  set name(name) {
    if (name === null) this.#storage.removeItem(NAME);
    else this.#storage.setItem(NAME, name);
  }
}
