/**
 * All tables, those that are about to open first.
 *
 * @import { Client } from "../wire/client.js"
 * @import { TableInfo } from "../wire/messages.js"
 * @import { Preferences } from "./preferences.js"
 * @import { Words } from "./words.js"
 */

import { element, show, write } from "./dom.js";
import { LobbyCard } from "./lobby-card.js";
import { pageTerms } from "./page-terms.js";
import { mayPlay, signInLink } from "./sign-in.js";
import { Switches } from "./switches.js";

/** How soon a table of this phase takes bets: open ones first, then those that come next. */
const SOON = { betting: 0, result: 1, shuffling: 2, settling: 3, dealing: 4, closed: 5, voiding: 6, paused: 7, ended: 8 };

/** The order stands for so long, so that a card does not run away from the finger that is about to touch it. */
const ORDER_MS = 10_000;

export class Lobby extends HTMLElement {
  #client;
  #switches;
  #title = element("h1");
  #leadText = element("span");
  #signIn = signInLink("sign-in");
  #lead = element("p", { class: "quiet" }, this.#leadText, " ", this.#signIn);
  #grid = element("div", { class: "lobby-grid" });
  #blankTitle = element("strong");
  #blankText = element("span");
  #blank = element("div", { class: "blank lobby-blank" }, this.#blankTitle, this.#blankText);
  /** @type {Map<string, LobbyCard>} */
  #cards = new Map();
  #orderedMs = -Infinity;

  /**
   * @param {Client} client
   * @param {Preferences} preferences
   */
  constructor(client, preferences) {
    super();
    this.#client = client;
    this.#switches = new Switches(preferences);
    this.append(
      element(
        "header",
        { class: "lobby-top" },
        element("div", {}, this.#title, this.#lead),
        this.#switches,
      ),
      element("main", {}, this.#grid, this.#blank),
    );
    const { footer, links } = pageTerms.site;
    if (footer === null && links.length === 0) return;
    this.append(
      element(
        "footer",
        { class: "lobby-foot small quiet" },
        element("p", {}, footer),
        ...links.map(({ text, url }) => element("a", { href: url, target: "_top" }, text)),
      ),
    );
  }

  connectedCallback() {
    this.#client.lobby.follow();
  }

  disconnectedCallback() {
    this.#client.lobby.unfollow();
  }

  /** @param {Words} words */
  update(words) {
    write(this.#title, pageTerms.site.name ?? words.say("lobbyTitle"));
    const playing = mayPlay(this.#client);
    write(this.#leadText, words.say(playing ? "lobbyLead" : "lobbyLeadSignIn"));
    show(this.#signIn, !playing && this.#signIn.hasAttribute("href"));
    write(this.#signIn, words.say("signIn"));
    this.#switches.update(words);
    const { tables, known } = this.#client.lobby;
    show(this.#blank, tables.length === 0);
    this.#blank.classList.toggle("waiting", !known);
    write(this.#blankTitle, words.say(known ? "lobbyEmpty" : "lobbyWaiting"));
    write(this.#blankText, known ? words.say("lobbyEmptyDetail") : "");
    this.#arrange(tables);
    for (const info of tables) this.#cards.get(info.table)?.update(info, words);
    this.tick();
  }

  /** Moves the countdowns on. */
  tick() {
    const serverMs = this.#client.clock.nowMs();
    for (const card of this.#cards.values()) card.tick(serverMs);
  }

  /** @param {readonly TableInfo[]} tables */
  #arrange(tables) {
    const names = new Set(tables.map(({ table }) => table));
    let changed = false;
    for (const [name, card] of this.#cards) {
      if (names.has(name)) continue;
      card.remove();
      this.#cards.delete(name);
    }
    for (const name of names) {
      if (this.#cards.has(name)) continue;
      this.#cards.set(name, new LobbyCard());
      changed = true;
    }
    const held = this.#grid.matches(":hover, :focus-within");
    if (!changed && (held || performance.now() - this.#orderedMs < ORDER_MS)) return;
    this.#orderedMs = performance.now();
    const wanted = [...tables]
      .sort((one, other) => SOON[one.phase] - SOON[other.phase] || (one.closes_at_ms ?? 0) - (other.closes_at_ms ?? 0))
      .map(({ table }) => /** @type {LobbyCard} */ (this.#cards.get(table)));
    if (wanted.some((card, at) => this.#grid.children[at] !== card)) this.#grid.append(...wanted);
  }
}

customElements.define("croupier-lobby", Lobby);
