/**
 * Every table of the server, live while it is followed.
 *
 * @import { ClientMessage, LobbyState, LobbyUpdate, TableInfo } from "./messages.js"
 */

/** Fires `change` whenever a row has changed. */
export class LobbyModel extends EventTarget {
  /** Every table, by name; empty until the first answer. @type {TableInfo[]} */
  tables = [];
  /** Whether `tables` is what the server has now, and not a memory. */
  known = false;

  #followers = 0;
  #send;

  /** @param {(command: ClientMessage) => boolean} send */
  constructor(send) {
    super();
    this.#send = send;
  }

  /** Starts following. Each `follow` needs its `unfollow`. */
  follow() {
    this.#followers += 1;
    if (this.#followers === 1) this.#send({ type: "lobby", follow: true });
  }

  unfollow() {
    this.#followers -= 1;
    if (this.#followers > 0) return;
    this.known = false;
    this.#send({ type: "lobby", follow: false });
  }

  /** A new connection: asks again for what is followed. */
  opened() {
    if (this.#followers > 0) this.#send({ type: "lobby", follow: true });
  }

  lost() {
    this.known = false;
    this.dispatchEvent(new Event("change"));
  }

  /** @param {LobbyState | LobbyUpdate} message */
  take(message) {
    if (this.#followers === 0) return;
    const rows = new Map(message.type === "lobby" ? [] : this.tables.map((row) => [row.table, row]));
    for (const row of message.tables) rows.set(row.table, row);
    if (message.type === "lobby_update") for (const table of message.closed) rows.delete(table);
    this.tables = [...rows.values()].sort((one, other) => (one.table < other.table ? -1 : 1));
    this.known ||= message.type === "lobby";
    this.dispatchEvent(new Event("change"));
  }
}
