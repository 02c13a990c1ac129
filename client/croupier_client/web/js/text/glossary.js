// Written by `python -m croupier_protocol.browser` from the Python glossary; do not edit it.

/**
 * The terms of the game in each language. A noun is [for one, for many]; `count` of `language.js` counts it.
 * `errors` are the server's texts for its error codes.
 */
export const GLOSSARIES = {
  "en": {
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
      "bad_name": "This name cannot be shown.",
      "name_taken": "Somebody at this table has a name that looks like yours.",
      "already_seated": "You already have a seat here.",
      "not_seated": "You have no seat at this table.",
      "seat_taken": "This seat is taken.",
      "table_full": "Every seat of this table is taken.",
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
      "alarm": "Betting at this table is stopped until the house has looked into a fault.",
      "too_many_guests": "Too many new guests from your address; try again later.",
      "unknown_rules": "This server does not have the rules of this table.",
      "busy": "Too many commands are waiting for an answer; send the next one after a reply.",
      "unavailable": "The server cannot reach its store at the moment; try again."
    }
  },
  "fr": {
    "ranks": {
      "T": "10",
      "J": "V",
      "Q": "D",
      "K": "R"
    },
    "sides": {
      "player": "Joueur",
      "banker": "Banque"
    },
    "outcomes": {
      "player": "Joueur",
      "banker": "Banque",
      "tie": "Égalité"
    },
    "bets": {
      "player": "Joueur",
      "banker": "Banque",
      "tie": "Égalité",
      "player_pair": "Paire Joueur",
      "banker_pair": "Paire Banque",
      "either_pair": "Une paire au moins",
      "perfect_pair": "Paire parfaite",
      "player_bonus": "Bonus Joueur",
      "banker_bonus": "Bonus Banque",
      "tie_0": "Égalité 0",
      "tie_1": "Égalité 1",
      "tie_2": "Égalité 2",
      "tie_3": "Égalité 3",
      "tie_4": "Égalité 4",
      "tie_5": "Égalité 5",
      "tie_6": "Égalité 6",
      "tie_7": "Égalité 7",
      "tie_8": "Égalité 8",
      "tie_9": "Égalité 9",
      "super_6": "Super 6",
      "lucky_6": "Lucky 6",
      "small": "Petit",
      "big": "Grand",
      "dragon_7": "Dragon 7",
      "panda_8": "Panda 8"
    },
    "results": {
      "win": "gagnée",
      "lose": "perdue",
      "push": "rendue",
      "refund": "remboursée"
    },
    "bead_plate": "Plateau de perles",
    "big_road": "Grande route",
    "derived_roads": {
      "big_eye_boy": "Gros œil",
      "small_road": "Petite route",
      "cockroach_road": "Route du cafard"
    },
    "marks": {
      "R": "répétition",
      "B": "rupture"
    },
    "next_wins": {
      "player": "Si le Joueur suit",
      "banker": "Si la Banque suit"
    },
    "ties_after": "une égalité, deux égalités ensuite",
    "both_pairs": "les deux paires",
    "natural": [
      "naturel",
      "naturels"
    ],
    "pair": [
      "paire",
      "paires"
    ],
    "card": [
      "carte",
      "cartes"
    ],
    "deck": [
      "jeu de 52 cartes",
      "jeux de 52 cartes"
    ],
    "shoe": [
      "sabot",
      "sabots"
    ],
    "coup": [
      "coup",
      "coups"
    ],
    "hand": [
      "main",
      "mains"
    ],
    "stake": [
      "mise",
      "mises"
    ],
    "point": [
      "point",
      "points"
    ],
    "seat": [
      "place",
      "places"
    ],
    "commission": "commission",
    "errors": {
      "malformed": "La trame est illisible.",
      "wrong_frame": "Ce sous-protocole attend l’autre type de trame (binaire pour msgpack, texte pour json).",
      "unknown_type": "Ce type de message n’existe pas.",
      "invalid": "Un champ manque, est inconnu ou hors limites.",
      "unknown_table": "Cette table n’existe pas.",
      "not_watching": "Vous ne suivez pas cette table.",
      "too_many_tables": "Cette connexion suit déjà le nombre maximal de tables.",
      "since_ahead": "Ce serveur n’a pas vu l’événement à partir duquel vous reprenez.",
      "sign_in_needed": "Identifiez-vous pour prendre place.",
      "bad_resume": "Ce jeton de reprise n’est pas valable, ou ne l’est plus.",
      "bad_name": "Ce nom ne peut pas être affiché.",
      "name_taken": "Quelqu’un à cette table porte un nom qui ressemble au vôtre.",
      "already_seated": "Vous avez déjà une place ici.",
      "not_seated": "Vous n’avez pas de place à cette table.",
      "seat_taken": "Cette place est prise.",
      "table_full": "Toutes les places de cette table sont prises.",
      "leaving": "Vous quittez cette table ; la manche se termine d’abord.",
      "wallet_short": "Votre portefeuille ne contient pas autant.",
      "bankroll_short": "Les jetons devant vous ne suffisent pas.",
      "unknown_bet": "Cette table ne propose pas cette mise.",
      "combination": "Ces mises ne vont pas ensemble à cette table.",
      "limit": "La table n’accepte pas ce montant.",
      "betting_closed": "Les jeux sont faits.",
      "wrong_round": "Ce n’est pas la manche en cours.",
      "cut_closed": "La coupe de ce sabot n’accepte pas cela maintenant.",
      "cut_differs": "Une autre empreinte vaut pour votre place, ou la valeur n’y correspond pas.",
      "operation_reused": "Ce nom d’opération a déjà servi à autre chose.",
      "alarm": "Les mises à cette table sont suspendues : la maison examine un défaut.",
      "too_many_guests": "Trop de nouveaux invités depuis votre adresse ; réessayez plus tard.",
      "unknown_rules": "Ce serveur n’a pas les règles de cette table.",
      "busy": "Trop de commandes attendent une réponse ; envoyez la suivante après une réponse.",
      "unavailable": "Le serveur ne peut pas joindre son stockage pour le moment ; réessayez."
    }
  }
};
