/** The interface's own sentences in English; `fr.js` has the same keys. Terms of the game are in `glossary-en.js`. */

const SUITS = /** @type {Record<string, string>} */ ({ s: "spades", h: "hearts", d: "diamonds", c: "clubs" });
const RANKS = /** @type {Record<string, string>} */ ({ A: "Ace", T: "10", J: "Jack", Q: "Queen", K: "King" });

export const en = {
  title: "Croupier",

  // Everywhere.
  close: "Close",
  menu: "Menu",
  cancel: "Cancel",
  oneMoment: "One moment",
  lookingUp: "Looking it up",
  older: "Older rounds",
  sound: "Sound",
  soundIsOn: "Sound is on",
  soundIsOff: "Sound is off",
  otherLanguage: "Français",
  cardName: (/** @type {{ rank: string, suit: string }} */ { rank, suit }) =>
    `${RANKS[rank] ?? rank} of ${SUITS[suit] ?? suit}`,

  // The connection.
  connecting: "Connecting",
  reconnecting: "Connection lost. Reconnecting now.",
  reconnectingIn: (/** @type {{ seconds: number }} */ { seconds }) =>
    `Connection lost. Reconnecting in ${seconds} s.`,
  retryNow: "Try now",
  connectionEnded: "The server has ended this connection for good.",
  reload: "Load the page again",
  identityRefused: "The server no longer knows this browser’s player. You can watch, or begin as a new guest.",
  beginAnew: "Begin as a new guest",
  signIn: "Sign in",
  goOnAsGuest: "Go on as a guest",
  goOnWatching: "Just watch",
  signInRefusedGoOn: "Go on",

  // The lobby.
  lobby: "Tables",
  lobbyTitle: "Tables",
  lobbyLead: "Live baccarat, for play money. Watch any table; take a seat when you like.",
  lobbyLeadSignIn: "Live baccarat, for play money. Watch any table; sign in to take a seat.",
  lobbyWaiting: "Looking for tables",
  lobbyEmpty: "No table is open",
  lobbyEmptyDetail: "Tables appear here as soon as the house opens them.",
  ruleSet: (/** @type {{ rules: string }} */ { rules }) => `${rules} rules`,
  seated: (/** @type {{ count: string }} */ { count }) => `${count} seated`,
  watching: (/** @type {{ count: string }} */ { count }) => `${count} watching`,
  limits: (/** @type {{ least: string, most: string }} */ { least, most }) => `${least} – ${most}`,
  noCoupsYet: "First coup of the shoe",
  phaseOpen: "Bets are open",
  phaseOpenLabel: (/** @type {{ seconds: number }} */ { seconds }) => `Bets are open, ${seconds} s left`,
  phaseClosed: "No more bets",
  phaseDealing: "Dealing",
  phaseResult: "Result",
  phaseShuffling: "Shuffling",
  phasePaused: "Paused",
  phaseVoid: "Round void",
  phaseEnded: "Closed for good",

  // The top of a table.
  toLobby: "Back to all tables",
  rules: "Rules",
  rounds: "Rounds",
  keys: "Keyboard",
  leave: "Leave the table",
  roundOnly: (/** @type {{ round: string, coup: string, shoe: string }} */ { round }) => `Round ${round}`,
  roundOfShoe: (/** @type {{ round: string, coup: string, shoe: string }} */ { round, coup, shoe }) =>
    `Round ${round} · coup ${coup} of shoe ${shoe}`,
  shoeProgress: (/** @type {{ dealt: string, cards: string, cut: string }} */ { dealt, cards, cut }) =>
    `${dealt} of ${cards} cards dealt; the cut card lies after ${cut}`,
  seriesProgress: (/** @type {{ coup: string, coups: string }} */ { coup, coups }) =>
    `Coup ${coup} of a series of ${coups}, each from a fresh deck`,
  fairness: "Fairness",
  about: (/** @type {{ what: string, says: string }} */ { what, says }) => `${what}: ${says}`,
  fairUnchecked: "Not checked here",
  fairFault: "Something does not fit",
  fairChecked: (/** @type {{ cards: string }} */ { cards }) => `${cards} checked`,
  fairExplained:
    "Before a shoe opens, the house publishes a digest of every card in it. Each card that is dealt comes with what " +
    "is needed to compare it, and this page does so as it lands.",
  fairLeftOut: (/** @type {{ shoe: string }} */ { shoe }) => `Your part in the cut of shoe ${shoe} was left out.`,
  fairBeacon: (/** @type {{ round: string, source: string, value: string }} */ { round, source, value }) =>
    `A public value counts for the order of this shoe: round ${round} of ${source}, ${value}.`,
  fairBeaconAwaited: (/** @type {{ round: string, source: string }} */ { round, source }) =>
    `A public value will count for the order of this shoe: round ${round} of ${source}.`,
  fairBeaconMissing: (/** @type {{ round: string, source: string }} */ { round, source }) =>
    `The public value named for this shoe, round ${round} of ${source}, did not come in time and does not count.`,
  fairLater: "When this shoe has ended, the whole of it can be checked here: seed, order and every card.",
  fairWhole: (/** @type {{ shoe: string }} */ { shoe }) => `Check all of shoe ${shoe}`,
  fairWholeRight: "Everything fits: seed, order and every card.",
  fairWholeWrong: "Something does not fit.",
  fairWholeUnknown: "The server could not give what the check needs.",
  cutShoe: "Cut the shoe",

  // What the table does.
  arriving: "Coming to the table",
  tableEnded: "This table is not here",
  tableEndedDetail: "It may have been closed. Go back to see which tables are open.",
  notLive: "Reconnecting",
  notLiveDetail: "This is the table as it was last seen.",
  betsOpen: "Place your bets",
  lastSeconds: "Last seconds",
  lastCoup: "Last coup of the shoe",
  noMoreBets: "No more bets",
  dealing: "Dealing",
  playerWins: (/** @type {{ high: number, low: number }} */ { high, low }) => `Player wins, ${high} to ${low}`,
  bankerWins: (/** @type {{ high: number, low: number }} */ { high, low }) => `Banker wins, ${high} to ${low}`,
  tieResult: (/** @type {{ total: number }} */ { total }) => `Tie at ${total}`,
  voided: "This round is void",
  voidedDetail: "Every stake is returned.",
  firstRound: "The first round begins shortly",
  nextRound: "The next round begins shortly",
  shuffling: "Shuffling and cut",
  series: (/** @type {{ number: number }} */ { number }) => `Series ${number}: a fresh deck for every coup`,
  newShoe: (/** @type {{ number: number, card: string, burnt: string }} */ { number, card, burnt }) =>
    `Shoe ${number}: ${card} is turned up, ${burnt} burnt`,
  paused: "The table is paused",
  pausedDetail: "The house goes on with it when it is ready. Your chips stay yours.",
  stalled: "The table stands still",
  stalledDetail: "The server has a fault to mend. Bets that stand keep standing.",

  // Bets.
  mainBets: "Main bets",
  sideBets: "Side bets",
  pays: (/** @type {{ pay: string }} */ { pay }) => `${pay} to 1`,
  paysLess: (/** @type {{ pay: string, rate: string }} */ { pay, rate }) => `${pay} to 1, less ${rate}`,
  paysUpTo: (/** @type {{ pay: string }} */ { pay }) => `up to ${pay} to 1`,
  areaLabel: (/** @type {{ bet: string, pay: string, amount: string }} */ { bet, pay, amount }) =>
    `${bet}, pays ${pay}, ${amount}`,
  noBet: "no bet",
  yourBet: (/** @type {{ amount: string }} */ { amount }) => `your bet ${amount}`,
  takeOff: (/** @type {{ bet: string }} */ { bet }) => `Take the top chip off ${bet}`,
  onTable: (/** @type {{ amount: string }} */ { amount }) => `${amount} on the table`,
  wonLess: (/** @type {{ gained: string, commission: string }} */ { gained, commission }) =>
    `${gained} after ${commission} commission`,
  stakePushed: "Push",
  stakeRefunded: "Stake returned",

  // The rack.
  bankroll: "Bankroll",
  wallet: "Wallet",
  stake: "Stake",
  walletLater: "–",
  chips: "Chips",
  chip: (/** @type {{ amount: string }} */ { amount }) => `Chip of ${amount}`,
  undo: "Undo",
  clear: "Clear",
  double: "Double",
  rebet: "Rebet",
  rebetAlways: "Rebet every round",
  deal: "Deal",
  ready: "Ready",
  dealLabel: "Deal: you are ready, your bets stand",
  passLabel: "Deal: you are ready and pass this round",
  readyLabel: "You are ready",
  takeSeat: "Take a seat",
  topUp: "Buy more chips",
  placeUnknown: "Looking up your place",
  watchingOnly: "You are watching. Take a seat to bet.",
  watchingSignIn: "You are watching. Sign in to take a seat.",
  leavingAfter: "You leave when this round has been played.",
  slipCounts: "Your bets count. Good luck.",
  waitForWindow: "Bets open again with the next round.",
  slipSending: "Sending your bets",
  readyStands: "Ready. The cards come when everyone is.",
  readyPassed: "You pass this round.",
  chipInHand: (/** @type {{ chip: string }} */ { chip }) => `Chip ${chip} in hand: choose where it goes.`,
  slipStands: "Your bets stand, with Deal or without.",
  areaChosen: (/** @type {{ bet: string }} */ { bet }) => `${bet} chosen: click chips to put them there.`,
  howToBet: (/** @type {{ least: string }} */ { least }) => `Choose an area, then chips. The least is ${least}.`,

  // Why something was not done.
  least: (/** @type {{ bet: string, amount: string }} */ { bet, amount }) => `${bet} takes ${amount} or more.`,
  most: (/** @type {{ bet: string, amount: string }} */ { bet, amount }) => `${bet} takes ${amount} at most.`,
  step: (/** @type {{ bet: string, amount: string }} */ { bet, amount }) => `${bet} takes steps of ${amount}.`,
  slip_most: (/** @type {{ amount: string }} */ { amount }) => `All your bets together may be ${amount} at most.`,
  buy_in_least: (/** @type {{ amount: string }} */ { amount }) => `Take ${amount} or more to the table.`,
  buy_in_most: (/** @type {{ amount: string }} */ { amount }) => `No more than ${amount} in front of you.`,
  combination: (/** @type {{ bets: string, most: number }} */ { bets, most }) =>
    most === 1 ? `One of ${bets} only.` : `No more than ${most} of ${bets}.`,
  slip_changed: "Another window of yours changed your bets.",
  nothing_to_undo: "There is nothing to undo.",
  nothing_to_double: "There is no bet to double.",
  nothing_to_rebet: "There is no earlier bet to repeat.",
  unknown_yet: "One moment: your place is being looked up.",
  offline: "There is no connection at the moment.",
  no_answer: "The server did not answer in time; it may have been done.",
  identity_refused: "The server no longer knows this browser’s player.",
  bad_name: (/** @type {{ most: number }} */ { most }) =>
    `This name cannot be shown. A name has ${most} letters at most, all of which can be seen.`,
  table_closed: "The house has closed this table.",
  ended: "This connection has ended.",

  // Taking a seat.
  name: "Name",
  nameNote: "What others at the table see. Leave it empty to be given one.",
  buyIn: "Chips to take to the table",
  buyInNote: (/** @type {{ least: string, most: string }} */ { least, most }) => `${least} to ${most}.`,
  buyInNoteWallet: (/** @type {{ least: string, most: string, wallet: string }} */ { least, most, wallet }) =>
    `${least} to ${most}. Your wallet holds ${wallet}.`,
  topUpAmount: "Chips to buy",
  amountUnreadable: "Write an amount, such as 200 or 12.50.",
  sitDown: "Sit down",
  buyChips: "Buy chips",

  // Leaving.
  leaveTitle: "Leave the table",
  leaveText: (/** @type {{ amount: string }} */ { amount }) =>
    `Your ${amount} in chips go back to your wallet, and others may take your seat.`,
  leaveAtStake: "The running round is played out first.",
  stay: "Stay",

  // Playing safely.
  ownLimits: "My limits",
  limitsText: "A stricter limit counts at once, a looser one after a day. Days are those of UTC.",
  limitRound: "Most in a round",
  limitDay: "Most in a day, at all tables",
  limitTime: "Minutes at the tables in a day",
  limitReality: "Minutes from one reality check to the next",
  limitNone: "Empty is no limit.",
  limitPlayed: (/** @type {{ played: string }} */ { played }) => `Empty is no limit. Today: ${played}.`,
  limitUsual: (/** @type {{ usual: string }} */ { usual }) => `Empty is as the house has it: ${usual}.`,
  limitComesAt: (/** @type {{ limit: string, time: string }} */ { limit, time }) => `${limit} from ${time} on.`,
  limitEndsAt: (/** @type {{ time: string }} */ { time }) => `No limit from ${time} on.`,
  limitsSave: "Set limits",
  limitsSaved: "Your limits are set.",
  minutes: (/** @type {{ count: string }} */ { count }) => `${count} min`,
  minutesUnreadable: "Write minutes, up to 1440.",
  days: (/** @type {{ count: number }} */ { count }) => (count === 1 ? "1 day" : `${count} days`),
  excludeTitle: "Stop playing for a while",
  excludeText: "Your running bets are played out and your seats cashed out. You cannot take this back.",
  excludeFor: "For how long",
  exclude: "Exclude me",
  excludeYes: (/** @type {{ days: string }} */ { days }) => `Yes, for ${days}`,
  excludedUntil: (/** @type {{ time: string }} */ { time }) =>
    `You are excluded from the tables until ${time}. You may watch.`,
  realityTitle: "A look at the clock",
  realityTime: (/** @type {{ minutes: string }} */ { minutes }) => `You have been at the tables for ${minutes} minutes.`,
  realityStaked: "Staked",
  realityNet: "Won or lost",
  realityGoOn: "Go on playing",

  // The right column.
  side: "Right column",
  tabStatistics: "Shoe",
  tabPeople: "Players",
  tabRounds: "My rounds",
  board: "Roads and statistics",
  statisticsEmpty: "No coup of this shoe has been played yet.",
  countAndPart: (/** @type {{ count: string, part: string }} */ { count, part }) => `${count} · ${part}`,
  streakNow: "Running streak",
  streakOf: (/** @type {{ side: string, length: string }} */ { side, length }) => `${side} × ${length}`,
  longest: (/** @type {{ side: string }} */ { side }) => `Longest ${side} streak`,
  naturals: "Naturals",
  playerPairs: "Player pairs",
  bankerPairs: "Banker pairs",
  peopleNone: "Nobody is seated. The first seat is yours if you like.",
  peopleReady: (/** @type {{ bettors: string, ready: string }} */ { bettors, ready }) =>
    `${bettors} with bets · ${ready} ready`,
  seatNumber: (/** @type {{ number: number }} */ { number }) => `Seat ${number}`,
  you: "you",
  morePeople: (/** @type {{ count: string }} */ { count }) => `and ${count} more`,
  myRoundsNone: "Your settled rounds are listed here.",

  // Rounds.
  roundsOwn: "Mine",
  roundsAll: "This table",
  noOwnRounds: "You have no settled round yet.",
  noRounds: "No round has been played yet.",
  roundAt: (/** @type {{ round: string, table: string }} */ { round, table }) => `Round ${round} · ${table}`,
  bet: "Bet",
  win: "Win",
  lessCommission: (/** @type {{ commission: string }} */ { commission }) => `less ${commission} commission`,
  returned: "Returned",
  bankrollChange: (/** @type {{ before: string, after: string }} */ { before, after }) =>
    `Bankroll ${before} before, ${after} after`,

  // Roads, for screen readers.
  roadEmpty: (/** @type {{ road: string }} */ { road }) => `${road}: empty`,
  beadsInWords: (/** @type {{ road: string, coups: string, last: string }} */ { road, coups, last }) =>
    `${road}: ${coups}; the last ones: ${last}`,
  bigRoadInWords: (/** @type {{ road: string, winner: string, run: number }} */ { road, winner, run }) =>
    `${road}: ${winner}, ${run} in a row`,
  derivedInWords: (/** @type {{ road: string, last: string }} */ { road, last }) => `${road}: lately ${last}`,
  noMark: "no mark",

  // Announcements.
  sayOpen: (/** @type {{ seconds: number }} */ { seconds }) => `Place your bets, ${seconds} seconds.`,
  sayOpenLast: (/** @type {{ seconds: number }} */ { seconds }) =>
    `Place your bets, ${seconds} seconds. Last coup of the shoe.`,
  sayLastSeconds: "Three seconds left.",
  sayReturned: (/** @type {{ amount: string }} */ { amount }) => `${amount} returned to you`,

  // Keys.
  keyPlayer: "p",
  keyTie: "t",
  keyBanker: "b",
  keyRebet: "r",
  keyDouble: "d",
  keyUndo: "u",
  keyClear: "c",
  keyDeal: "g",
  keyAreas: (/** @type {{ player: string, tie: string, banker: string }} */ { player, tie, banker }) =>
    `${player}, ${tie}, ${banker}: choose, or put the chip in hand there`,
  keyChips: "Chips, the smallest first",
  keyEscapeName: "Esc",
  keyEscape: "Put down chip or area",
  keyTabName: "Tab",
  keyEnterName: "Enter",
  keyTab: "Go to everything else, and press it",
  keyLegend: "This list",
  keysOn: "Use single keys",
};
