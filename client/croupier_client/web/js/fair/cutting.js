/**
 * One's own part in the cut of a shoe: first the hash of 32 bytes of one's own, and the bytes themselves once every
 * hash is listed. No I/O.
 *
 * The value is kept until its shoe is opened, so that a page that is reloaded in between, and the other windows of the
 * player, reveal the same one.
 *
 * @import { CutView } from "../wire/messages.js"
 * @import { Environment, StorageLike } from "../wire/environment.js"
 */

import { fromBase64, toBase64 } from "./bytes.js";
import { sha256 } from "./sha256.js";

/**
 * `none`: nothing was sent. `sent`: the hash is on its way, or taken. `listed`: it counts, and the value is to be
 * revealed. `revealed`: the value is on its way, or taken. `leftOut`: the list of hashes does not have it.
 * @typedef {"none" | "sent" | "listed" | "revealed" | "leftOut"} CutPart
 */

export class Cutting {
  #key;
  #storage;
  #randomBytes;
  #revealed = "";

  /**
   * @param {string} table
   * @param {StorageLike} storage
   * @param {Environment["randomBytes"]} randomBytes
   */
  constructor(table, storage, randomBytes) {
    this.#key = `croupier.cut.${table}`;
    this.#storage = storage;
    this.#randomBytes = randomBytes;
  }

  /**
   * @param {CutView} cut
   * @returns {CutPart}
   */
  part(cut) {
    const value = this.#value(cut);
    if (value === null) return "none";
    if (!cut.listed) return "sent";
    const hash = toBase64(sha256(value));
    if (!cut.contributions.some((each) => each.hash === hash)) return "leftOut";
    return this.#revealed === cut.commitment ? "revealed" : "listed";
  }

  /**
   * The hash to send, of a value that is made when there is none for this cut.
   * @param {CutView} cut
   * @returns {string} in base64
   */
  hash(cut) {
    let value = this.#value(cut);
    if (value === null) {
      value = this.#randomBytes(new Uint8Array(32));
      this.#storage.setItem(this.#key, `${cut.commitment} ${toBase64(value)}`);
    }
    return toBase64(sha256(value));
  }

  /**
   * The value to reveal now, once; null when there is none to reveal.
   * @param {CutView} cut
   * @returns {string | null} in base64
   */
  reveal(cut) {
    const value = this.#value(cut);
    if (value === null || this.part(cut) !== "listed") return null;
    this.#revealed = cut.commitment;
    return toBase64(value);
  }

  /** What was revealed did not arrive: it is to be revealed again. */
  failed() {
    this.#revealed = "";
  }

  /** @param {CutView} cut */
  #value({ commitment }) {
    const [about, value] = (this.#storage.getItem(this.#key) ?? "").split(" ");
    return about === commitment && value !== undefined ? fromBase64(value) : null;
  }
}
