/**
 * A word about the connection, above everything, whenever it is not there.
 *
 * @import { Client } from "../wire/client.js"
 * @import { ErrorCode } from "../wire/messages.js"
 * @import { Words } from "./words.js"
 */

import { TOKEN_EXPIRED, TOKEN_REVOKED } from "../wire/client.js";
import { button, element, show, write } from "./dom.js";
import { pageTerms } from "./page-terms.js";
import { signInLink } from "./sign-in.js";

export class ConnectionNotice extends HTMLElement {
  #text = element("span");
  #signIn = signInLink();
  #action;
  #box;
  /** @type {(() => void) | null} */
  #act = null;

  constructor() {
    super();
    this.#action = button({ click: () => this.#act?.() });
    this.#box = element("div", { class: "notice", role: "status", hidden: true }, this.#text, this.#signIn, this.#action);
    this.append(this.#box);
  }

  /**
   * @param {Client} client
   * @param {Words} words
   * @param {number} nowMs of `performance.now()`
   */
  update(client, words, nowMs) {
    const { text, action, act, signIn } = noticeInWords(client, words, nowMs);
    show(this.#box, text !== "");
    write(this.#text, text);
    show(this.#signIn, signIn === true && pageTerms.sign_in_url !== null);
    write(this.#signIn, words.say("signIn"));
    show(this.#action, action !== "");
    write(this.#action, action);
    this.#act = act === "retry" ? () => client.retryNow() : act === "begin" ? () => client.beginAnew() : () => location.reload();
  }
}

/**
 * @param {Client} client
 * @param {Words} words
 * @param {number} nowMs
 * @returns {{ text: string, action: string, act: "retry" | "begin" | "reload", signIn?: boolean }}
 */
function noticeInWords({ connection, identityRefused, signInRefused, player }, words, nowMs) {
  const { errors } = words.terms;
  if (connection.state === "ended") {
    const { closeCode } = connection;
    if (closeCode === TOKEN_EXPIRED || closeCode === TOKEN_REVOKED) {
      const text = closeCode === TOKEN_EXPIRED ? errors.token_expired : errors.token_revoked;
      return { text, action: words.say("reload"), act: "reload", signIn: true };
    }
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
  if (identityRefused !== null && signInRefused) {
    const text = errors[/** @type {ErrorCode} */ (identityRefused.key)] ?? words.say("identity_refused");
    const goOn = player !== null ? "signInRefusedGoOn" : pageTerms.guests ? "goOnAsGuest" : "goOnWatching";
    return { text, action: words.say(goOn), act: "begin", signIn: player === null };
  }
  if (identityRefused !== null) {
    return { text: words.say("identityRefused"), action: words.say("beginAnew"), act: "begin" };
  }
  return { text: "", action: "", act: "retry" };
}

customElements.define("croupier-notice", ConnectionNotice);
