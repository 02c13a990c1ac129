// Written by `python -m croupier_protocol.browser` from the Python glossary; do not edit it.

/**
 * The terms of the game in one language. A noun is [for one, for many]; `count` of `language.js` counts it.
 * `errors` are the server's texts for its error codes.
 */
export const GLOSSARY = {
  "ranks": {
    "T": "10"
  },
  "sides": {
    "player": "Player",
    "banker": "Banker"
  },
  "outcomes": {
    "player": "Player",
    "banker": "Banker",
    "tie": "Tie"
  },
  "bets": {
    "player": "Player",
    "banker": "Banker",
    "tie": "Tie",
    "player_pair": "Player Pair",
    "banker_pair": "Banker Pair",
    "either_pair": "Either Pair",
    "perfect_pair": "Perfect Pair",
    "player_bonus": "Player Bonus",
    "banker_bonus": "Banker Bonus",
    "tie_0": "Tie 0",
    "tie_1": "Tie 1",
    "tie_2": "Tie 2",
    "tie_3": "Tie 3",
    "tie_4": "Tie 4",
    "tie_5": "Tie 5",
    "tie_6": "Tie 6",
    "tie_7": "Tie 7",
    "tie_8": "Tie 8",
    "tie_9": "Tie 9",
    "super_6": "Super 6",
    "lucky_6": "Lucky 6",
    "small": "Small",
    "big": "Big",
    "dragon_7": "Dragon 7",
    "panda_8": "Panda 8"
  },
  "results": {
    "win": "won",
    "lose": "lost",
    "push": "push",
    "refund": "refunded"
  },
  "bead_plate": "Bead plate",
  "big_road": "Big road",
  "derived_roads": {
    "big_eye_boy": "Big eye boy",
    "small_road": "Small road",
    "cockroach_road": "Cockroach road"
  },
  "marks": {
    "R": "repeats",
    "B": "breaks"
  },
  "next_wins": {
    "player": "If Player is next",
    "banker": "If Banker is next"
  },
  "ties_after": "one tie, two ties after it",
  "both_pairs": "both pairs",
  "natural": [
    "natural",
    "naturals"
  ],
  "pair": [
    "pair",
    "pairs"
  ],
  "card": [
    "card",
    "cards"
  ],
  "deck": [
    "deck",
    "decks"
  ],
  "shoe": [
    "shoe",
    "shoes"
  ],
  "coup": [
    "coup",
    "coups"
  ],
  "hand": [
    "hand",
    "hands"
  ],
  "stake": [
    "stake",
    "stakes"
  ],
  "point": [
    "point",
    "points"
  ],
  "seat": [
    "seat",
    "seats"
  ],
  "commission": "commission",
  "errors": {
    "malformed": "The frame cannot be decoded.",
    "wrong_frame": "This subprotocol takes the other kind of frame (binary for msgpack, text for json).",
    "unknown_type": "There is no such message type.",
    "invalid": "A field is missing, unknown or out of bounds.",
    "unknown_table": "There is no such table.",
    "not_watching": "You are not watching this table.",
    "too_many_tables": "This connection watches as many tables as it may.",
    "since_ahead": "This server has not seen the event you resume from.",
    "sign_in_needed": "Sign in to sit at a table.",
    "bad_resume": "This resume token is not valid, or not any more.",
    "bad_code": "This sign-in code has been used, or its minute is over; ask for another one.",
    "bad_token": "This token is not of this server's operator.",
    "token_expired": "The time of your sign-in is over; sign in again.",
    "token_revoked": "Your sign-in has been revoked; sign in again.",
    "bad_name": "This name cannot be shown.",
    "name_taken": "Somebody at this table has a name that looks like yours; choose another one.",
    "already_seated": "You already have a seat here.",
    "not_seated": "You have no seat at this table.",
    "seat_taken": "This seat is taken.",
    "table_full": "Every seat of this table is taken.",
    "too_many_seats": "You have seats at as many tables as you may; leave one of them first.",
    "leaving": "You are leaving this table; the round is played out first.",
    "wallet_short": "Your wallet does not hold that much.",
    "bankroll_short": "The chips in front of you are not enough.",
    "unknown_bet": "This table does not offer that bet.",
    "combination": "These bets may not stand together at this table.",
    "limit": "The table does not take this amount.",
    "betting_closed": "No more bets: the window is closed.",
    "wrong_round": "This is not the running round.",
    "cut_closed": "The cut of this shoe does not take this now.",
    "cut_differs": "Another hash stands for your seat, or the value does not match it.",
    "operation_reused": "This operation name was used for something else.",
    "excluded": "You are excluded from the tables, and that is not over yet.",
    "own_round_stake": "This is more than the most you have set yourself for a round.",
    "own_day_stake": "This is more than the most you have set yourself for a day.",
    "own_day_time": "The time at the tables that you have set yourself for a day is over.",
    "alarm": "Betting at this table is stopped until the house has looked into a fault.",
    "too_many_guests": "Too many new guests from your address; try again later.",
    "unknown_rules": "This server does not have the rules of this table.",
    "busy": "Too many commands are waiting for an answer; send the next one after a reply.",
    "unavailable": "The server cannot reach its store at the moment; try again."
  }
};
