/**
 * One table: its view, one's own place there, and everything that can be done at it.
 *
 * Fires `change`, a `TableChangeEvent`.
 * Several changes may come in one frame; whoever draws asks for one frame at a time.
 *
 * @import { ClientMessage, HistoryPage, Language, Limits, Me, Offer, OwnRounds, Payout, ServerMessage, TableEvent,
 *   TableRules, TableView } from "../wire/messages.js"
 * @import { Client } from "../wire/client.js"
 * @import { Environment, StorageLike } from "../wire/environment.js"
 * @import { Reason } from "../wire/refusal.js"
 * @import { Statistics } from "./statistics.js"
 * @import { Outcome } from "./betting.js"
 * @import { TableChange } from "./change.js"
 * @import { CutShown } from "./cut-part.js"
 * @import { Stacks } from "./slip.js"
 */

import { Fairness } from "../fair/fairness.js";
import { newOperation } from "../wire/environment.js";
import { Betting } from "./betting.js";
import { TableChangeEvent } from "./change.js";
import { Countdown } from "./countdown.js";
import { CutPart } from "./cut-part.js";
import { Place } from "./place.js";
import { Roads } from "./roads.js";
import { Seating } from "./seating.js";
import { statisticsOf } from "./statistics.js";
import { Stream } from "./stream.js";
import { keepToldRound, toldRound } from "./told-rounds.js";

/**
 * What a table does, as people see it. `lastSeconds` are those of an open window; a window whose time is up is `closed`
 * before the server has said so.
 * @typedef {"shuffling" | "open" | "lastSeconds" | "closed" | "dealing" | "settling" | "result" | "paused" |
 *   "voiding" | "ended" | "stalled"} PhaseShown
 */

/**
 * What a table needs of the client.
 * @typedef {object} Ties
 * @property {Client} client
 * @property {Environment} environment
 * @property {StorageLike} storage
 * @property {() => boolean} isOpen
 * @property {(command: ClientMessage) => Promise<any>} ask
 * @property {(command: ClientMessage) => boolean} send
 * @property {() => number} nextId
 * @property {() => void} reconnect
 * @property {(path: string) => Promise<Uint8Array>} fetch
 * @property {() => void} lookUpWallet
 */

const LAST_SECONDS = 3;

export class TableModel extends EventTarget {
  /** The table's name. @type {string} */
  id;
  /** One's own place here. @type {Place} */
  place;
  /** Why this table cannot be watched any more; null while it can. @type {Reason | null} */
  ended = null;
  /** The rules in words and as data, in the client's language; null until they have come. @type {TableRules | null} */
  rules = null;
  /** What this page has checked of the cards. @type {Fairness} */
  fairness;

  #ties;
  #countdown;
  #cut;
  #stream;
  #betting;
  #seating;
  /** @type {{ past: TableView["past"], roads: Roads, statistics: Statistics } | null} */
  #drawn = null;

  /**
   * @param {string} id
   * @param {Ties} ties
   */
  constructor(id, ties) {
    super();
    this.id = id;
    this.#ties = ties;
    this.#countdown = new Countdown(ties.client.clock);
    this.#cut = new CutPart({
      table: id,
      environment: ties.environment,
      storage: ties.storage,
      clock: ties.client.clock,
      cut: () => this.view?.cut ?? null,
      shoe: () => this.view?.shoe ?? null,
      seated: () => this.place.known && this.place.seat !== null,
      ask: ties.ask,
      changed: () => this.#changed(),
    });
    this.fairness = new Fairness(id, { fetch: ties.fetch, changed: () => this.#changed() });
    this.place = new Place(this.#toldRound());
    this.#stream = new Stream({
      table: id,
      environment: ties.environment,
      isOpen: ties.isOpen,
      send: ties.send,
      nextId: ties.nextId,
      reconnect: ties.reconnect,
      watched: () => this.#watched(),
      replaced: (isSnapshot) => this.#replaced(isSnapshot),
      happened: (event, isOld) => this.#happened(/** @type {TableEvent} */ (event), isOld),
      refused: (refusal) => this.#end(refusal.reason),
    });
    this.#betting = new Betting({
      table: id,
      place: this.place,
      refusal: () => this.betRefusal,
      terms: () => this.limits && { limits: this.limits, offer: this.offer },
      round: () => this.view?.round ?? 0,
      openRound: () => this.#openRound(),
      ask: ties.ask,
      newOperation: () => this.#newOperation(),
      changed: () => this.#changed(),
    });
    this.#seating = new Seating({
      table: id,
      client: ties.client,
      ask: ties.ask,
      newOperation: () => this.#newOperation(),
    });
    this.walletChanged();
  }

  // What there is to see.

  /** The table as everyone sees it; null before it has come. @returns {TableView | null} */
  get view() {
    return this.#stream.view;
  }

  /** Whether the view is live on this connection, and no memory of the last one. */
  get live() {
    return this.#stream.isLive;
  }

  /** Since when the table stands still because of a fault, by the server's clock; null while it is live. */
  get stalledSinceMs() {
    return this.#stream.stalledSinceMs;
  }

  /** Limits in force; null before they are known. @returns {Limits | null} */
  get limits() {
    const row = this.#ties.client.lobby.tables.find(({ table }) => table === this.id);
    return row?.limits ?? this.rules?.limits ?? null;
  }

  /** Bets on offer with their pays, commission, and which go together; null before they are known. @returns {Offer | null} */
  get offer() {
    return this.rules?.offer ?? null;
  }

  /** Seconds left to bet, never below 0 and never rising; null when none are counted. @returns {number | null} */
  secondsLeft() {
    const view = this.view;
    if (view === null || view.phase !== "betting" || view.closes_at_ms === null) return null;
    return this.#countdown.secondsLeft(view.round, view.closes_at_ms);
  }

  /** @returns {PhaseShown | null} */
  get phaseShown() {
    const view = this.view;
    if (view === null) return null;
    if (this.stalledSinceMs !== null) return "stalled";
    if (view.phase !== "betting") return view.phase;
    const left = this.secondsLeft();
    if (left === null || left > LAST_SECONDS) return "open";
    return left > 0 ? "lastSeconds" : "closed";
  }

  /** The cut of the next shoe; null when none is being cut. @returns {CutShown | null} */
  get cut() {
    return this.#cut.shown;
  }

  /** Shoes whose order leaves out this player's part in the cut. @returns {readonly number[]} */
  get leftOut() {
    return this.#cut.leftOut;
  }

  /** Every road of the running shoe. @returns {Roads} */
  get roads() {
    return this.#draw().roads;
  }

  /** Statistics of the running shoe. @returns {Statistics} */
  get statistics() {
    return this.#draw().statistics;
  }

  /** The chips of the slip as the player wants it, bottom first. @returns {Stacks} */
  get stacks() {
    return this.#betting.stacks;
  }

  /** Why no bet can be placed now; null when one can. @returns {Reason | null} */
  get betRefusal() {
    if (this.#ties.client.connection.state === "ended") return { key: "ended", params: {} };
    if (!this.#ties.isOpen() || !this.live) return { key: "offline", params: {} };
    if (!this.place.known || this.limits === null) return { key: "unknown_yet", params: {} };
    if (this.place.seat === null) return { key: "not_seated", params: {} };
    if (this.place.leaving) return { key: "leaving", params: {} };
    const phase = this.phaseShown;
    return phase === "open" || phase === "lastSeconds" ? null : { key: "betting_closed", params: {} };
  }

  /** Whether a bet can be placed now. */
  get canBet() {
    return this.betRefusal === null;
  }

  // Watching.

  /** Starts watching. */
  open() {
    if (this.#stream.isWanted) return;
    this.ended = null;
    this.#ties.client.lobby.follow();
    this.#stream.start();
  }

  /** Stops watching; a seat stays one's own. */
  close() {
    if (!this.#stream.isWanted) return;
    this.#stream.stop();
    this.place.watched();
    this.#ties.client.lobby.unfollow();
    if (this.#ties.isOpen()) this.#ties.send({ type: "unwatch", table: this.id });
  }

  // Betting. Every change is sent at once; each returns whether it was, or why not.

  /**
   * A chip more on a bet.
   * @param {string} bet
   * @param {number} cents
   * @returns {Outcome}
   */
  add(bet, cents) {
    return this.#betting.add(bet, cents);
  }

  /**
   * The top chip of a bet taken off.
   * @param {string} bet
   * @returns {Outcome}
   */
  takeTop(bet) {
    return this.#betting.takeTop(bet);
  }

  /**
   * As much on a bet as limits and bankroll allow.
   * @param {string} bet
   * @returns {Outcome}
   */
  allIn(bet) {
    return this.#betting.allIn(bet);
  }

  /** The last change of this round taken back. @returns {Outcome} */
  undo() {
    return this.#betting.undo();
  }

  /** Everything taken off. @returns {Outcome} */
  clear() {
    return this.#betting.clear();
  }

  /** Every bet twice. @returns {Outcome} */
  double() {
    return this.#betting.double();
  }

  /** The last settled slip at this table instead of the slip there is: all of it, or nothing and why. @returns {Outcome} */
  rebet() {
    return this.#betting.rebet();
  }

  /** Whether the table lets bets be repeated by themselves; not before that is known. */
  get mayAutoRebet() {
    return this.rules !== null && this.rules.auto_rebet !== false;
  }

  /** Whether the last slip is repeated by itself in every round that opens while this page watches; kept for this table. */
  get autoRebet() {
    return this.mayAutoRebet && this.#ties.storage.getItem(`croupier.rebet.${this.id}`) === "yes";
  }

  /** Bets are not repeated over a reality check that nobody has answered. */
  get #repeatsBets() {
    return this.autoRebet && this.#ties.client.playSafe.check === null;
  }

  set autoRebet(wanted) {
    this.#ties.storage.setItem(`croupier.rebet.${this.id}`, wanted ? "yes" : "no");
    this.#changed();
  }

  /** Whether this seat takes part in every cut by itself; kept for this browser, yes at first. */
  get autoCut() {
    return this.#cut.byItself;
  }

  set autoCut(wanted) {
    this.#cut.byItself = wanted;
    this.#changed();
  }

  // What the table is asked for. Each promise rejects with a `Refusal`.

  /** Ready: the slip stands, and without one this round is passed. @returns {Promise<void>} */
  deal() {
    return this.#betting.deal();
  }

  /**
   * Takes a seat, with chips for `buyIn` cents from the wallet.
   * @param {{ buyIn: number, name?: string, seat?: number }} wish
   * @returns {Promise<void>}
   */
  sit(wish) {
    return this.#seating.sit(wish);
  }

  /**
   * Buys more chips from the wallet. After `no_answer`, the same amount is bought once however often it is asked for.
   * @param {number} cents
   * @returns {Promise<void>}
   */
  topUp(cents) {
    return this.#seating.topUp(cents);
  }

  /** Gives the seat up and cashes out: at once when nothing is at stake, else after the round. @returns {Promise<void>} */
  async leave() {
    await this.#betting.untilIdle();
    await this.#seating.leave();
  }

  /** Takes part in the cut. @returns {Promise<void>} */
  takeCut() {
    return this.#cut.take();
  }

  /**
   * Finished rounds of everyone, newest first: those before round `before`, or the latest.
   * @param {number} [before]
   * @param {number} [limit]
   * @returns {Promise<HistoryPage>}
   */
  history(before, limit = 20) {
    const command = { type: /** @type {const} */ ("history"), table: this.id, limit };
    return this.#ties.ask(before === undefined ? command : { ...command, before });
  }

  /**
   * One's own settled rounds at all tables; see `Client.myRounds`.
   * @param {string} [before]
   * @returns {Promise<OwnRounds>}
   */
  myRounds(before) {
    return this.#ties.client.myRounds(before);
  }

  /**
   * The rules of the running shoe, in words and as data.
   * @param {Language} language
   * @returns {Promise<TableRules>}
   */
  rulesText(language) {
    return this.#ties.ask({ type: "rules", table: this.id, language });
  }

  // What the client tells.

  /** A connection is open. */
  opened() {
    this.#stream.opened();
  }

  /** The connection is gone. */
  lost() {
    this.#stream.lost();
    this.place.watched();
    if (this.#stream.isWanted) this.#changed();
  }

  /** The client is somebody else now, or nobody. */
  playerChanged() {
    this.place.nobody();
    this.place.paidRound = this.#toldRound();
    this.#changed();
  }

  walletChanged() {
    this.place.wallet = this.#ties.client.wallet?.balance ?? null;
    if (this.#stream.isWanted) this.#changed();
  }

  languageChanged() {
    this.rules = null;
    if (this.#stream.isWanted && this.view !== null) void this.#askRules();
  }

  /** @param {ServerMessage} message */
  take(message) {
    if (message.type === "me") this.#takeMe(message);
    else if (message.type === "payout") this.#told(this.place.takePayout(message.payout));
    else if (message.type === "notice") this.#changed({ notices: [message] });
    else this.#stream.take(message);
    if (message.type === "stalled" || message.type === "live") this.#changed();
  }

  /** A `watch` is sent: what is known of the own place is to be told anew. */
  #watched() {
    if (this.#ties.client.player === null) {
      this.place.nobody();
      this.#ties.lookUpWallet();
      return null;
    }
    this.place.watched();
    return this.place.paidRound;
  }

  /** @param {Reason} reason for which nothing more comes */
  #end(reason) {
    if (!this.#stream.isWanted) return;
    this.#stream.stop();
    this.ended = reason;
    this.#ties.client.lobby.unfollow();
    this.#changed();
  }

  #endIfClosed() {
    const view = this.view;
    if (view?.phase === "ended") this.#end({ key: "table_closed", params: { message: view.reason ?? "" } });
  }

  /**
   * @param {TableEvent} event
   * @param {boolean} replaced
   */
  #happened(event, replaced) {
    this.place.closed(this.#openRound());
    if (event.type === "betting") this.#betting.opened(event.round, this.#repeatsBets);
    if (event.type === "shoe") void this.#askRules();
    this.fairness.happened(event, /** @type {TableView} */ (this.view));
    this.#cut.doWhatIsDue();
    this.#endIfClosed();
    this.#changed({ events: [event], replaced });
    this.#betting.rebetIfDue();
  }

  /**
   * The view is another one, or about to catch up.
   * @param {boolean} isSnapshot the view did not come of events
   */
  #replaced(isSnapshot) {
    const view = /** @type {TableView} */ (this.view);
    this.place.closed(this.#openRound());
    if (isSnapshot) this.fairness.replaced(view);
    if (this.place.startsAt(view)) this.#stream.watch();
    this.#cut.doWhatIsDue();
    this.#endIfClosed();
    if (this.rules === null || this.rules.rules.digest !== view.rules.digest) void this.#askRules();
    this.#changed({ replaced: true });
  }

  /** @param {Me} me */
  #takeMe(me) {
    const { known, seat } = this.place;
    const payouts = this.place.takeMe(me);
    // Chips of a seat that was given up, by whomever, are in the wallet now.
    if (!known || seat !== this.place.seat) this.#ties.lookUpWallet();
    this.#told(payouts);
  }

  /** @param {Payout[]} payouts */
  #told(payouts) {
    if (payouts.length > 0) {
      keepToldRound(this.#ties.storage, this.id, this.#ties.client.player?.id, this.place.paidRound);
    }
    this.#cut.doWhatIsDue();
    this.#changed({ payouts });
    this.#betting.rebetIfDue();
  }

  async #askRules() {
    const { language } = this.#ties.client;
    try {
      const rules = await this.rulesText(language);
      if (language !== this.#ties.client.language) return;
      this.rules = rules;
      this.#changed();
    } catch {
      // Without them the server alone judges bets; the next shoe or connection asks again.
    }
  }

  #openRound() {
    const view = this.view;
    return view !== null && view.phase === "betting" ? view.round : null;
  }

  #newOperation() {
    return newOperation(this.#ties.environment);
  }

  #draw() {
    const past = this.view?.past ?? [];
    if (this.#drawn?.past !== past) {
      this.#drawn = { past, roads: Roads.of(past), statistics: statisticsOf(past) };
    }
    return this.#drawn;
  }

  #toldRound() {
    return toldRound(this.#ties.storage, this.id, this.#ties.client.player?.id);
  }

  /** @param {Partial<TableChange>} [change] */
  #changed(change = {}) {
    this.dispatchEvent(new TableChangeEvent(change));
  }
}
