// Written by `python -m croupier_protocol.browser` from the message types; do not edit it.

export type Language = "en" | "fr";

export interface Hello {
  type: "hello";
  language?: Language;
  token?: string | null;
  code?: string | null;
  resume?: string | null;
  name?: string | null;
  test?: boolean;
  id?: number | null;
}

export interface Lobby {
  type: "lobby";
  follow?: boolean;
  id?: number | null;
}

export interface Since {
  epoch: string;
  seq: number;
}

export interface Watch {
  type: "watch";
  table: string;
  since?: Since | null;
  paid_round?: number | null;
  id?: number | null;
}

export interface Unwatch {
  type: "unwatch";
  table: string;
  id?: number | null;
}

export interface Rules {
  type: "rules";
  table: string;
  language?: Language | null;
  id?: number | null;
}

export interface History {
  type: "history";
  table: string;
  before?: number | null;
  limit?: number;
  id?: number | null;
}

export interface Sit {
  type: "sit";
  table: string;
  buy_in: number;
  op: string;
  seat?: number | null;
  id?: number | null;
}

export interface TopUp {
  type: "top_up";
  table: string;
  amount: number;
  op: string;
  id?: number | null;
}

export interface Leave {
  type: "leave";
  table: string;
  op: string;
  id?: number | null;
}

export interface Slip {
  type: "slip";
  table: string;
  round: number;
  rev: number;
  op: string;
  bets: Record<string, number>;
  id?: number | null;
}

export interface Deal {
  type: "deal";
  table: string;
  round: number;
  op: string;
  id?: number | null;
}

export interface Cut {
  type: "cut";
  table: string;
  shoe: number;
  op: string;
  hash?: string | null;
  value?: string | null;
  id?: number | null;
}

export interface MyRounds {
  type: "my_rounds";
  before?: string | null;
  limit?: number;
  id?: number | null;
}

export interface MyLimits {
  type: "limits";
  round_stake?: number | null;
  day_stake?: number | null;
  day_minutes?: number | null;
  reality_minutes?: number | null;
  op?: string | null;
  id?: number | null;
}

export interface Exclude {
  type: "exclude";
  days: number;
  op: string;
  id?: number | null;
}

export interface GoOn {
  type: "go_on";
  id?: number | null;
}

export interface Wallet {
  type: "wallet";
  id?: number | null;
}

export interface Ping {
  type: "ping";
  id?: number | null;
}

export interface RulesRef {
  name: string;
  digest: string;
}

export interface Beacon {
  source: string;
  round: number;
  due_ms: number;
  value: string | null;
}

export interface ShoeCommitted {
  type: "commitment";
  shoe: number;
  rules: RulesRef;
  rules_text: string;
  commitment: string;
  previous: string | null;
  cut_until_ms: number | null;
  beacon: Beacon | null;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface Contribution {
  seat: number;
  player: string;
  hash: string;
  value: string | null;
}

export interface CutListed {
  type: "cut_list";
  shoe: number;
  contributions: readonly (Contribution)[];
  reveal_until_ms: number;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface Burn {
  shown: string;
  burnt: number;
}

export interface ShoeOpened {
  type: "shoe";
  shoe: number;
  decks: number;
  rules: RulesRef;
  cards: number;
  burn: Burn | null;
  cut_at: number | null;
  coups: number | null;
  contributions: readonly (Contribution)[];
  digest: string;
  burn_salt: string | null;
  beacon: Beacon | null;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface ShoeEnded {
  type: "shoe_end";
  shoe: number;
  reason: string | null;
  seed: string;
  contributions: readonly (Contribution)[];
  burnt: readonly (string)[];
  chain: string;
  beacon: Beacon | null;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface BettingOpened {
  type: "betting";
  round: number;
  shoe: number;
  coup: number;
  closes_at_ms: number;
  last: boolean;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface BetsChanged {
  type: "bets";
  round: number;
  totals: Record<string, number>;
  bettors: number;
  ready: number;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface BettingClosed {
  type: "closed";
  round: number;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export type Side = "player" | "banker";

export interface CardDealt {
  type: "card";
  round: number;
  hand: Side;
  index: number;
  card: string;
  total: number;
  proof: string;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export type Outcome = "player" | "banker" | "tie";

export interface HandView {
  cards: readonly (string)[];
  total: number;
}

export interface RoundResult {
  type: "result";
  round: number;
  outcome: Outcome;
  player: HandView;
  banker: HandView;
  natural: boolean;
  player_pair: boolean;
  banker_pair: boolean;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface RoundSettled {
  type: "settled";
  round: number;
  staked: number;
  returned: number;
  paid: number;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface RoundVoided {
  type: "void";
  round: number;
  reason: string;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface Player {
  id: string;
  name: string;
}

export interface SeatChanged {
  type: "seat";
  seat: number;
  player: Player | null;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface Paused {
  type: "paused";
  reason: string;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface Resumed {
  type: "resumed";
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export interface TableClosed {
  type: "table_closed";
  reason: string;
  table: string;
  epoch: string;
  seq: number;
  due_ms: number;
  at_ms: number;
}

export type Phase = "shuffling" | "betting" | "closed" | "dealing" | "settling" | "result" | "voiding" | "paused" | "ended";

export interface ShoeView {
  number: number;
  decks: number;
  cards: number;
  burn: Burn | null;
  cut_at: number | null;
  coups: number | null;
  dealt: number;
  commitment: string;
  previous: string | null;
  contributions: readonly (Contribution)[];
  digest: string;
  end: string | null;
  beacon: Beacon | null;
}

export interface CutView {
  shoe: number;
  rules: RulesRef;
  commitment: string;
  previous: string | null;
  until_ms: number | null;
  listed: boolean;
  contributions: readonly (Contribution)[];
  beacon: Beacon | null;
}

export type PastCoup = [round: number, outcome: Outcome, player_total: number, banker_total: number, natural: boolean, player_pair: boolean, banker_pair: boolean];

export interface TakenSeat {
  seat: number;
  player: Player;
}

export interface TableView {
  type: "snapshot";
  table: string;
  epoch: string;
  seq: number;
  rules: RulesRef;
  phase: Phase;
  round: number;
  shoe: ShoeView | null;
  cut: CutView | null;
  coup: number;
  last: boolean;
  closes_at_ms: number | null;
  player: HandView;
  banker: HandView;
  outcome: Outcome | null;
  natural: boolean;
  player_pair: boolean;
  banker_pair: boolean;
  past: readonly (PastCoup)[];
  reason: string | null;
  totals: Record<string, number>;
  bettors: number;
  ready: number;
  seats: readonly (TakenSeat)[];
}

export interface Welcome {
  type: "welcome";
  version: string;
  server_ms: number;
  silence_ms: number;
  player?: Player | null;
  resume?: string | null;
  expires_ms?: number | null;
  id?: number | null;
}

export interface Limits {
  main_least: number;
  main_most: number;
  other_least: number;
  other_most: number;
  step: number;
  slip_most: number;
  chips: readonly (number)[];
  buy_in_least: number;
  buy_in_most: number;
  seats: number;
}

export interface TableInfo {
  table: string;
  rules: RulesRef;
  pace: string;
  phase: Phase;
  round: number;
  coup: number;
  closes_at_ms: number | null;
  spectators: number;
  seated: number;
  limits: Limits;
  past: readonly (PastCoup)[];
}

export interface LobbyState {
  type: "lobby";
  server_ms: number;
  tables: readonly (TableInfo)[];
  id?: number | null;
}

export interface LobbyUpdate {
  type: "lobby_update";
  server_ms: number;
  tables: readonly (TableInfo)[];
  closed: readonly (string)[];
}

export interface Watching {
  type: "watching";
  table: string;
  epoch: string;
  seq: number;
  resumed: boolean;
  id?: number | null;
}

export interface Unwatched {
  type: "unwatched";
  table: string;
  id?: number | null;
}

export interface Paragraph {
  kind: "paragraph";
  text: string;
  notable: boolean;
}

export interface Table {
  kind: "table";
  caption: string;
  columns: readonly (string)[];
  rows: readonly (readonly (string)[])[];
  numbers: readonly (number)[];
}

export interface Section {
  heading: string;
  blocks: readonly (Paragraph | Table)[];
}

export type Ratio = [numerator: number, denominator: number];

export interface OfferedBet {
  bet: string;
  pays: readonly (Ratio)[];
  commission: boolean;
}

export type Rounding = "up" | "down";

export interface CommissionOffer {
  rate: Ratio;
  step: number;
  rounding: Rounding;
}

export interface Combination {
  bets: readonly (string)[];
  most: number;
}

export interface Offer {
  decks: number;
  bets: readonly (OfferedBet)[];
  commission: CommissionOffer | null;
  combination: Combination;
}

export interface TableRules {
  type: "rules";
  table: string;
  rules: RulesRef;
  limits: Limits;
  language: Language;
  title: string;
  sections: readonly (Section)[];
  offer: Offer;
  auto_rebet?: boolean;
  id?: number | null;
}

export interface RoundRecord {
  round: number;
  shoe: number;
  coup: number;
  rules: RulesRef;
  player: HandView;
  banker: HandView;
  outcome: Outcome | null;
  natural: boolean;
  player_pair: boolean;
  banker_pair: boolean;
  ended_at_ms: number;
  reason: string | null;
}

export interface HistoryPage {
  type: "history";
  table: string;
  rounds: readonly (RoundRecord)[];
  more: boolean;
  id?: number | null;
}

export type Result = "win" | "lose" | "push" | "refund";

export interface BetResult {
  bet: string;
  stake: number;
  result: Result;
  win: number;
  commission: number;
  returned: number;
}

export interface Payout {
  table: string;
  round: number;
  bets: readonly (BetResult)[];
  returned: number;
  bankroll: number;
}

export interface Me {
  type: "me";
  table: string;
  rev: number;
  seat?: number | null;
  bankroll?: number;
  round?: number;
  slip?: Record<string, number>;
  ready?: boolean;
  leaving?: boolean;
  last_slip?: Record<string, number>;
  payouts?: readonly (Payout)[];
  wallet?: number | null;
  id?: number | null;
}

export interface SlipAccepted {
  type: "slip_accepted";
  table: string;
  round: number;
  rev: number;
  bets: Record<string, number>;
  bankroll: number;
  id?: number | null;
}

export interface SlipChanged {
  type: "slip_changed";
  table: string;
  round: number;
  rev: number;
  bets: Record<string, number>;
  bankroll: number;
  id?: number | null;
}

export interface CutTaken {
  type: "cut_taken";
  table: string;
  shoe: number;
  id?: number | null;
}

export interface PaidOut {
  type: "payout";
  payout: Payout;
}

export type NoticeCode = "idle" | "cashed_out" | "removed" | "excluded" | "time_over";

export interface SeatNotice {
  type: "notice";
  table: string;
  code: NoticeCode;
  message: string;
  reason?: string | null;
}

export interface OwnRound {
  table: string;
  rules: RulesRef;
  player: HandView;
  banker: HandView;
  outcome: Outcome | null;
  payout: Payout;
  bankroll_before: number;
  ended_at_ms: number;
}

export interface OwnRounds {
  type: "my_rounds";
  rounds: readonly (OwnRound)[];
  next?: string | null;
  id?: number | null;
}

export interface WalletState {
  type: "wallet";
  balance: number;
  refill_to?: number;
  refill_at_ms?: number | null;
  id?: number | null;
}

export interface WaitingLimit {
  limit: string;
  value: number | null;
  from_ms: number;
}

export interface OwnLimits {
  type: "limits";
  round_stake?: number | null;
  day_stake?: number | null;
  day_minutes?: number | null;
  reality_minutes?: number | null;
  reality_usual?: number;
  waiting?: readonly (WaitingLimit)[];
  excluded_until_ms?: number | null;
  played_minutes?: number;
  id?: number | null;
}

export interface RealityCheck {
  type: "reality_check";
  minutes: number;
  staked: number;
  net: number;
  message: string;
}

export interface Pong {
  type: "pong";
  server_ms: number;
  id?: number | null;
}

export interface Heartbeat {
  type: "heartbeat";
  server_ms: number;
}

export interface Stalled {
  type: "stalled";
  table: string;
  since_ms: number;
}

export interface Live {
  type: "live";
  table: string;
}

export type ErrorCode = "malformed" | "wrong_frame" | "unknown_type" | "invalid" | "unknown_table" | "not_watching" | "too_many_tables" | "since_ahead" | "sign_in_needed" | "bad_resume" | "bad_code" | "bad_token" | "token_expired" | "token_revoked" | "bad_name" | "name_taken" | "already_seated" | "not_seated" | "seat_taken" | "table_full" | "too_many_seats" | "leaving" | "wallet_short" | "bankroll_short" | "unknown_bet" | "combination" | "limit" | "betting_closed" | "wrong_round" | "cut_closed" | "cut_differs" | "operation_reused" | "excluded" | "own_round_stake" | "own_day_stake" | "own_day_time" | "alarm" | "too_many_guests" | "unknown_rules" | "busy" | "unavailable";

export interface Error {
  type: "error";
  code: ErrorCode;
  message: string;
  server_ms: number;
  table?: string | null;
  bet?: string | null;
  limit?: number | null;
  id?: number | null;
}

export type ClientMessage = Hello | Lobby | Watch | Unwatch | Rules | History | Sit | TopUp | Leave | Slip | Deal | Cut | MyRounds | MyLimits | Exclude | GoOn | Wallet | Ping;

export type TableEvent = ShoeCommitted | CutListed | ShoeOpened | ShoeEnded | BettingOpened | BetsChanged | BettingClosed | CardDealt | RoundResult | RoundSettled | RoundVoided | SeatChanged | Paused | Resumed | TableClosed;

export type PrivateMessage = Welcome | LobbyState | LobbyUpdate | Watching | Unwatched | TableRules | HistoryPage | Me | SlipAccepted | SlipChanged | CutTaken | PaidOut | SeatNotice | OwnRounds | WalletState | OwnLimits | RealityCheck | Pong | Heartbeat | Stalled | Live | Error;

export type ServerMessage = TableEvent | TableView | PrivateMessage;

export type CloseCode = 4000 | 4001 | 4002 | 4500 | 4501 | 4502 | 4503;
