/**
 * One table: its view, one's own place there, and everything that can be done at it.
 *
 * Fires `change` with a `detail`:
 * - `events`: what has just happened, for animation; empty when only the own place or the connection has changed.
 * - `replaced`: the view is another one, or has caught up with what happened meanwhile: show it at once, no replay.
 * - `payouts`: payouts that are new.
 * - `notices`: what the server tells of the own seat unasked, in the page's language.
 * Several changes may come in one frame; whoever draws asks for one frame at a time.
 *
 * @import { ClientMessage, HistoryPage, Language, Limits, Me, Offer, OwnRounds, Payout, SeatNotice, ServerMessage,
 *   TableEvent, TableRules, TableView } from "../wire/messages.js"
 * @import { CutPart } from "../fair/cutting.js"
 * @import { Client } from "../wire/client.js"
 * @import { Environment, StorageLike } from "../wire/environment.js"
 * @import { Reason } from "../wire/refusal.js"
 * @import { Statistics } from "./statistics.js"
 * @import { Outcome } from "./betting.js"
 * @import { Stacks } from "./slip.js"
 * @import { UnknownEvent } from "./view.js"
 */

import { Cutting } from "../fair/cutting.js";
import { Fairness } from "../fair/fairness.js";
import { newOperation } from "../wire/environment.js";
import { Refusal } from "../wire/refusal.js";
import { Betting } from "./betting.js";
import { Countdown } from "./countdown.js";
import { Place } from "./place.js";
import { Roads } from "./roads.js";
import { statisticsOf } from "./statistics.js";
import { Stream } from "./stream.js";

/**
 * What a table does, as people see it. `lastSeconds` are those of an open window; a window whose time is up is `closed`
 * before the server has said so.
 * @typedef {"shuffling" | "open" | "lastSeconds" | "closed" | "dealing" | "settling" | "result" | "paused" |
 *   "voiding" | "ended" | "stalled"} PhaseShown
 */

/**
 * @typedef {{ events: (TableEvent | UnknownEvent)[], replaced: boolean, payouts: Payout[], notices: SeatNotice[] }}
 *   TableChange
 */

/**
 * The cut of the next shoe. Hashes are taken first, then values, each for so long.
 * @typedef {object} CutShown
 * @property {number} shoe
 * @property {"hashes" | "values"} stage
 * @property {number | null} secondsLeft null where nobody is seated, and there is nothing to wait for
 * @property {CutPart} part one's own
 * @property {number} contributions hashes that are listed
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
  #cutting;
  #cutCountdown;
  #countdown;
  #stream;
  #betting;
  /** @type {{ amount: number, op: string } | null} */
  #topUp = null;
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
    this.#cutCountdown = new Countdown(ties.client.clock);
    this.#cutting = new Cutting(id, ties.storage, ties.environment.randomBytes);
    this.fairness = new Fairness(id, { fetch: ties.fetch, changed: () => this.#changed() });
    this.place = new Place(this.#storedPaidRound());
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
    const cut = this.view?.cut ?? null;
    if (cut === null) return null;
    return {
      shoe: cut.shoe,
      stage: cut.listed ? "values" : "hashes",
      secondsLeft: cut.until_ms === null ? null : this.#cutCountdown.secondsLeft(cut.shoe, cut.until_ms),
      part: this.#cutting.part(cut),
      contributions: cut.contributions.length,
    };
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

  /**
   * Whether the last slip is repeated by itself in every round that opens while this page watches; kept for this table.
   */
  get autoRebet() {
    return this.#ties.storage.getItem(`croupier.rebet.${this.id}`) === "yes";
  }

  set autoRebet(wanted) {
    this.#ties.storage.setItem(`croupier.rebet.${this.id}`, wanted ? "yes" : "no");
    this.#changed();
  }

  /** Whether this seat takes part in every cut by itself; kept for this browser, yes at first. */
  get autoCut() {
    return this.#ties.storage.getItem("croupier.cut") !== "no";
  }

  set autoCut(wanted) {
    this.#ties.storage.setItem("croupier.cut", wanted ? "yes" : "no");
    this.#cutByItself();
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
  async sit({ buyIn, name, seat }) {
    const { client } = this.#ties;
    if (client.identityRefused !== null) throw new Refusal("identity_refused");
    if (name !== undefined && name !== client.name) await client.setName(name);
    /** @type {ClientMessage} */
    const command = { type: "sit", table: this.id, buy_in: buyIn, op: this.#newOperation() };
    if (seat !== undefined) command.seat = seat;
    await this.#ties.ask(command);
  }

  /**
   * Buys more chips from the wallet. After `no_answer`, the same amount is bought once however often it is asked for.
   * @param {number} cents
   * @returns {Promise<void>}
   */
  async topUp(cents) {
    if (this.#topUp?.amount !== cents) this.#topUp = { amount: cents, op: this.#newOperation() };
    const { amount, op } = this.#topUp;
    try {
      await this.#ties.ask({ type: "top_up", table: this.id, amount, op });
      this.#topUp = null;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "no_answer")) this.#topUp = null;
      throw error;
    }
  }

  /** Gives the seat up and cashes out: at once when nothing is at stake, else after the round. @returns {Promise<void>} */
  async leave() {
    await this.#betting.untilIdle();
    await this.#ties.ask({ type: "leave", table: this.id, op: this.#newOperation() });
  }

  /**
   * Takes part in the cut: sends a hash of bytes that nobody else knows. They are revealed by themselves once it is
   * listed.
   * @returns {Promise<void>}
   */
  async takeCut() {
    const cut = this.view?.cut ?? null;
    if (cut === null) throw new Refusal("cut_closed");
    const hash = this.#cutting.hash(cut);
    this.#changed();
    await this.#ties.ask({ type: "cut", table: this.id, shoe: cut.shoe, op: this.#newOperation(), hash });
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
    this.place.paidRound = this.#storedPaidRound();
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
    else if (message.type === "notice") this.#changed([], false, [], [message]);
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
    if (event.type === "betting") this.#betting.opened(event.round, this.autoRebet);
    if (event.type === "shoe") void this.#askRules();
    this.fairness.happened(event, /** @type {TableView} */ (this.view));
    this.#cutByItself();
    this.#endIfClosed();
    this.#changed([event], replaced);
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
    this.#cutByItself();
    this.#endIfClosed();
    if (this.rules === null || this.rules.rules.digest !== view.rules.digest) void this.#askRules();
    this.#changed([], true);
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
    if (payouts.length > 0) this.#storePaidRound();
    this.#cutByItself();
    this.#changed([], false, payouts);
    this.#betting.rebetIfDue();
  }

  /** What is due in a cut: the hash where that is wanted, and in any case the value of a hash that is listed. */
  #cutByItself() {
    const { cut } = this;
    const isDue = cut !== null && cut.stage === "hashes" && cut.part === "none" && cut.secondsLeft !== null;
    // A refusal is no news: the cut is over, or another window was faster.
    if (isDue && this.autoCut && this.place.known && this.place.seat !== null) this.takeCut().catch(() => {});
    void this.#revealCut();
  }

  async #revealCut() {
    const cut = this.view?.cut ?? null;
    const value = cut === null ? null : this.#cutting.reveal(cut);
    if (cut === null || value === null) return;
    try {
      await this.#ties.ask({ type: "cut", table: this.id, shoe: cut.shoe, op: this.#newOperation(), value });
    } catch {
      this.#cutting.failed(); // the next event or connection tries again, as long as the cut is open
    }
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

  /** The last round whose payout this browser has shown to this player; null when it has shown none. */
  #storedPaidRound() {
    const [player, round] = (this.#ties.storage.getItem(`croupier.paid.${this.id}`) ?? "").split(" ");
    const isOwn = player !== undefined && player === this.#ties.client.player?.id;
    return isOwn && /^\d{1,15}$/.test(round ?? "") ? Number(round) : null;
  }

  #storePaidRound() {
    const player = this.#ties.client.player?.id;
    if (player === undefined || this.place.paidRound === null) return;
    this.#ties.storage.setItem(`croupier.paid.${this.id}`, `${player} ${this.place.paidRound}`);
  }

  /**
   * @param {(TableEvent | UnknownEvent)[]} [events]
   * @param {boolean} [replaced]
   * @param {Payout[]} [payouts]
   * @param {SeatNotice[]} [notices]
   */
  #changed(events = [], replaced = false, payouts = [], notices = []) {
    /** @type {TableChange} */
    const detail = { events, replaced, payouts, notices };
    this.dispatchEvent(new TableChangeEvent(detail));
  }
}

/** What a table's `change` is: a custom event, which older engines outside of browsers do not have. */
export class TableChangeEvent extends Event {
  /** @param {TableChange} detail */
  constructor(detail) {
    super("change");
    this.detail = detail;
  }
}
