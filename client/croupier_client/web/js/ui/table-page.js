/**
 * One table: everything that is shown of it, and what the player does there.
 *
 * @import { Outcome } from "../table/betting.js"
 * @import { TableChange } from "../table/change.js"
 * @import { TableModel } from "../table/table.js"
 * @import { Client } from "../wire/client.js"
 * @import { Reason } from "../wire/refusal.js"
 * @import { DialogName } from "./dialogs.js"
 * @import { KeyAction } from "./shortcuts.js"
 * @import { Preferences } from "./preferences.js"
 * @import { SoundName } from "./sound.js"
 * @import { Words } from "./words.js"
 */

import { Refusal } from "../wire/refusal.js";
import { Announcer } from "./announcer.js";
import { chipFace } from "./chip.js";
import { element } from "./dom.js";
import { Dialogs } from "./dialogs.js";
import { dragChips } from "./drag.js";
import { Felt } from "./felt.js";
import { Hand } from "./in-hand.js";
import { Hands } from "./hands.js";
import { fly } from "./motion.js";
import { PhaseLine } from "./phase.js";
import { Rack } from "./rack.js";
import { Scoreboard } from "./scoreboard.js";
import { listenForKeys } from "./shortcuts.js";
import { Side } from "./side.js";
import { mayPlay } from "./sign-in.js";
import { Strip } from "./sheet.js";
import { TopBar } from "./topbar.js";

const phone = matchMedia("(max-width: 700px)");

export class TablePage extends HTMLElement {
  #client;
  #table;
  #preferences;
  /** @type {Words} */
  #words;
  #hand = new Hand();
  /** Why the last thing the player did was not done; null once something was. @type {Reason | null} */
  #refused = null;
  #refusedRound = 0;
  /** What the server told of the own seat unasked, such as that it will be given up; shown until something is done. */
  #notice = "";

  #topbar;
  #phase = new PhaseLine();
  #hands = new Hands();
  #felt = new Felt();
  #rack = new Rack();
  #side = new Side();
  #scoreboard = new Scoreboard();
  #board = element("section", { class: "board panel" }, this.#scoreboard);
  #right = element("div", { class: "right" }, this.#rack);
  #strip = new Strip();
  #announcer = new Announcer();
  #main;
  #dialogs;

  #gone = new AbortController();
  #frame = 0;
  /** Whether the next frame has to draw anew, and not only to move the countdown on. */
  #stale = false;
  /** Whether what is drawn next only caught up with the present. */
  #replaced = true;
  #happened = false;
  /** @type {TableModel["phaseShown"]} */
  #phaseDrawn = null;
  /** How long the window is, as far as this page has seen it. */
  #whole = 0;
  #wholeRound = -1;

  /**
   * @param {Client} client
   * @param {string} id of the table
   * @param {Preferences} preferences
   * @param {Words} words
   */
  constructor(client, id, preferences, words) {
    super();
    this.#client = client;
    this.#table = client.table(id);
    this.#preferences = preferences;
    this.#words = words;
    this.#topbar = new TopBar(preferences);
    this.#dialogs = new Dialogs(client, preferences);
    this.#main = element(
      "main",
      { class: "table-main" },
      element("section", { class: "stage" }, this.#phase, this.#hands, this.#strip),
      this.#felt,
      this.#right,
    );
    this.append(this.#topbar, this.#main, this.#announcer);
    this.#listen();
  }

  connectedCallback() {
    const { signal } = (this.#gone = new AbortController());
    this.#table.addEventListener("change", (event) => this.#changed(/** @type {any} */ (event).detail), { signal });
    listenForKeys(() => this.#words, this.#preferences, (action) => this.#key(action), signal);
    phone.addEventListener("change", () => this.#arrange(), { signal });
    document.addEventListener("visibilitychange", () => this.#soon(true), { signal });
    // A page that is kept for the back button comes back as it was left: without a connection, and saying so.
    addEventListener("pagehide", () => this.#draw(), { signal });
    this.#arrange();
    this.#table.open();
    this.#soon(true);
  }

  disconnectedCallback() {
    this.#gone.abort();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#table.close();
  }

  /** Language, connection or preferences have changed. @param {Words} words */
  update(words) {
    this.#words = words;
    this.#soon(false);
  }

  // Drawing: at most once a frame, and never while nobody can see it.

  /** @param {TableChange} change */
  #changed({ events, replaced, payouts, notices }) {
    const notice = notices.at(-1);
    if (notice !== undefined) this.#notice = notice.message;
    if (events.length > 0) this.#happened = true;
    if (!replaced) {
      if (events.some(({ type }) => type === "card")) this.#sound("card");
      if (payouts.some(({ returned }) => returned > 0)) this.#sound("win");
    }
    if (payouts.length > 0) this.#happened = true;
    this.#soon(replaced);
  }

  /** @param {boolean} replaced */
  #soon(replaced) {
    this.#replaced ||= replaced || document.visibilityState !== "visible";
    this.#stale = true;
    this.#nextFrame();
  }

  #nextFrame() {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#stale || this.#table.phaseShown !== this.#phaseDrawn) this.#draw();
      else this.#tick();
    });
  }

  #draw() {
    this.#stale = false;
    const moving = this.#happened && !this.#replaced;
    this.#replaced = false;
    this.#happened = false;
    const table = this.#table;
    const words = this.#words;
    const { view, phaseShown } = table;
    this.#phaseDrawn = phaseShown;
    if (view !== null && view.round !== this.#refusedRound) this.#refused = null;
    this.dataset["phase"] = phaseShown ?? "arriving";
    this.classList.toggle("live", table.live);
    this.classList.toggle("gone", table.ended !== null && view === null);
    this.classList.toggle("seated", table.place.seat !== null);
    this.#topbar.update(table, words);
    this.#phase.update(table, words, moving);
    if (view !== null) this.#hands.update(view, words, moving);
    // Once the cards have spoken, what was refused before them is past: its place is for what the stakes brought.
    const over = view !== null && view.outcome !== null;
    const reason = over ? null : (this.#refused ?? table.place.refused);
    this.#felt.update(table, this.#hand, reason, words, moving);
    this.#rack.update(table, mayPlay(this.#client), this.#hand, reason, this.#notice, words, moving);
    this.#side.update(table, this.#client.player?.id ?? null, words);
    this.#scoreboard.update(table.roads, words);
    this.#strip.update(table, words);
    this.#announcer.update(table, words);
    if (this.#client.playSafe.check !== null) this.#open("reality");
    this.#tick();
  }

  /** Moves the countdown on, frame by frame while it runs. */
  #tick() {
    const left = this.#table.live ? this.#table.secondsLeft() : null;
    const round = this.#table.view?.round ?? 0;
    if (left !== null && round !== this.#wholeRound) {
      this.#wholeRound = round;
      this.#whole = left;
    }
    this.#rack.countdown.update(left, this.#whole);
    if (left !== null && left > 0) this.#nextFrame();
  }

  /** On a phone, scoreboard and side column lie in the sheet, and actions in the menu. */
  #arrange() {
    this.#topbar.fold(phone.matches);
    if (phone.matches) {
      this.#strip.hold(this.#board, this.#side);
    } else {
      this.#right.append(this.#side);
      this.#main.append(this.#board);
    }
  }

  // Playing.

  #listen() {
    const on = (/** @type {HTMLElement} */ part, /** @type {string} */ type, /** @type {(detail: any) => void} */ act) =>
      part.addEventListener(type, (event) => act(/** @type {CustomEvent} */ (event).detail));
    on(this.#topbar, "open", (dialog) => this.#open(dialog));
    on(this.#felt, "choose", (bet) => this.#chooseArea(bet));
    on(this.#felt, "takeoff", (bet) => this.#takeOff(bet));
    on(this.#rack, "chip", (cents) => this.#chooseChip(cents));
    on(this.#rack, "deal", () => this.#deal());
    on(this.#rack, "rebet", () => this.#done(this.#table.rebet()));
    on(this.#rack, "double", () => this.#done(this.#table.double()));
    on(this.#rack, "undo", () => this.#done(this.#table.undo()));
    on(this.#rack, "clear", () => this.#done(this.#table.clear()));
    on(this.#rack, "always", (always) => (this.#table.autoRebet = always));
    on(this.#rack, "sit", () => this.#open("sit"));
    on(this.#rack, "cut", () => this.#cut());
    on(this.#rack, "topup", () => this.#open("topup"));
    dragChips(this.#rack, (cents, bet) => {
      this.#hand.last = bet;
      this.#add(bet, cents);
    });
  }

  /** @param {string} bet */
  #chooseArea(bet) {
    const chip = this.#hand.chooseArea(bet);
    if (chip === null) this.#soon(false);
    else this.#add(bet, chip);
  }

  /** @param {number} cents */
  #chooseChip(cents) {
    const bet = this.#hand.chooseChip(cents);
    if (bet === null) this.#soon(false);
    else this.#add(bet, cents);
  }

  /**
   * @param {string} bet
   * @param {number} cents
   */
  #add(bet, cents) {
    const outcome = this.#table.add(bet, cents);
    this.#done(outcome);
    if (!outcome.ok) return;
    this.#sound("chip");
    const from = this.#rack.chip(cents);
    const to = this.#felt.area(bet)?.place;
    if (from === null || to === undefined) return;
    const chips = this.#table.limits?.chips ?? [];
    fly(chipFace(cents, chips, this.#words), from.getBoundingClientRect(), to.getBoundingClientRect());
  }

  /** @param {string} bet */
  #takeOff(bet) {
    this.#hand.last = bet;
    this.#done(this.#table.takeTop(bet));
  }

  #deal() {
    this.#table.deal().then(
      () => this.#done({ ok: true }),
      (error) => {
        if (!(error instanceof Refusal)) throw error;
        this.#done({ ok: false, ...error.reason });
      },
    );
  }

  #cut() {
    this.#table.takeCut().then(
      () => this.#done({ ok: true }),
      (error) => {
        if (!(error instanceof Refusal)) throw error;
        this.#done({ ok: false, ...error.reason });
      },
    );
  }

  /** @param {Outcome} outcome */
  #done(outcome) {
    this.#refused = outcome.ok ? null : { key: outcome.key, params: outcome.params };
    this.#refusedRound = this.#table.view?.round ?? 0;
    if (outcome.ok) this.#notice = "";
    this.#soon(false);
  }

  /** @param {SoundName} name */
  #sound(name) {
    if (this.#preferences.choices.sound) void import("./sound.js").then(({ play }) => play(name), () => undefined);
  }

  /** @param {DialogName} dialog */
  #open(dialog) {
    this.#dialogs.open(dialog, this.#table, this.#words).catch(() => this.#done({ ok: false, key: "offline", params: {} }));
  }

  /** @param {KeyAction} action */
  #key(action) {
    const table = this.#table;
    switch (action.kind) {
      case "area":
        if (this.#felt.area(action.bet) !== null && table.canBet) this.#chooseArea(action.bet);
        return;
      case "chip": {
        const cents = table.limits?.chips[action.index];
        if (cents !== undefined && table.canBet) this.#chooseChip(cents);
        return;
      }
      case "deal":
        this.#deal();
        return;
      case "keys":
        this.#open("keys");
        return;
      case "putDown":
        this.#hand.putDown();
        this.#soon(false);
        return;
      default:
        this.#done(table[action.kind]());
    }
  }
}

customElements.define("croupier-table", TablePage);
