/**
 * A word about the connection, above everything, whenever it is not there.
 *
 * @import { Client } from "../wire/client.js"
 * @import { Words } from "./words.js"
 */

import { button, element, show, write } from "./dom.js";

export class ConnectionNotice extends HTMLElement {
  #text = element("span");
  #action;
  #box;
  /** @type {(() => void) | null} */
  #act = null;

  constructor() {
    super();
    this.#action = button({ click: () => this.#act?.() });
    this.#box = element("div", { class: "notice", role: "status", hidden: true }, this.#text, this.#action);
    this.append(this.#box);
  }

  /**
   * @param {Client} client
   * @param {Words} words
   * @param {number} nowMs of `performance.now()`
   */
  update(client, words, nowMs) {
    const { connection, identityRefused } = client;
    const { text, action, act } = noticeInWords(connection, identityRefused !== null, words, nowMs);
    show(this.#box, text !== "");
    write(this.#text, text);
    show(this.#action, action !== "");
    write(this.#action, action);
    this.#act = act === "retry" ? () => client.retryNow() : act === "begin" ? () => client.beginAnew() : () => location.reload();
  }
}

/**
 * @param {Client["connection"]} connection
 * @param {boolean} unknown whether the server does not know this player any more
 * @param {Words} words
 * @param {number} nowMs
 * @returns {{ text: string, action: string, act: "retry" | "begin" | "reload" }}
 */
function noticeInWords(connection, unknown, words, nowMs) {
  if (connection.state === "ended") {
    return { text: words.say("connectionEnded"), action: words.say("reload"), act: "reload" };
  }
  if (connection.state === "waiting") {
    const seconds = Math.max(0, Math.ceil(((connection.retryAtMs ?? nowMs) - nowMs) / 1000));
    return {
      text: seconds > 0 ? words.say("reconnectingIn", { seconds }) : words.say("reconnecting"),
      action: seconds > 1 ? words.say("retryNow") : "",
      act: "retry",
    };
  }
  if (unknown) return { text: words.say("identityRefused"), action: words.say("beginAnew"), act: "begin" };
  return { text: "", action: "", act: "retry" };
}

customElements.define("croupier-notice", ConnectionNotice);
