// Written by `python -m croupier_protocol.browser` from the Python glossary; do not edit it.

/**
 * The terms of the game in one language. A noun is [for one, for many]; `count` of `language.js` counts it.
 * `errors` are the server's texts for its error codes.
 */
export const GLOSSARY = {
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
    "bad_code": "Ce code d’identification a déjà servi ou sa minute est écoulée ; demandez-en un autre.",
    "bad_token": "Ce jeton n’est pas celui de l’exploitant de ce serveur.",
    "token_expired": "Votre identification a expiré ; identifiez-vous à nouveau.",
    "token_revoked": "Votre identification a été révoquée ; identifiez-vous à nouveau.",
    "bad_name": "Ce nom ne peut pas être affiché.",
    "name_taken": "Quelqu’un à cette table porte un nom qui ressemble au vôtre ; choisissez-en un autre.",
    "already_seated": "Vous avez déjà une place ici.",
    "not_seated": "Vous n’avez pas de place à cette table.",
    "seat_taken": "Cette place est prise.",
    "table_full": "Toutes les places de cette table sont prises.",
    "too_many_seats": "Vous avez une place au nombre maximal de tables ; quittez-en d’abord une.",
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
    "excluded": "Vous êtes exclu des tables, et cette période n’est pas terminée.",
    "own_round_stake": "C’est plus que le maximum que vous vous êtes fixé pour une manche.",
    "own_day_stake": "C’est plus que le maximum que vous vous êtes fixé pour une journée.",
    "own_day_time": "Le temps de jeu que vous vous êtes fixé pour une journée est écoulé.",
    "alarm": "Les mises à cette table sont suspendues : la maison examine un défaut.",
    "too_many_guests": "Trop de nouveaux invités depuis votre adresse ; réessayez plus tard.",
    "unknown_rules": "Ce serveur n’a pas les règles de cette table.",
    "busy": "Trop de commandes attendent une réponse ; envoyez la suivante après une réponse.",
    "unavailable": "Le serveur ne peut pas joindre son stockage pour le moment ; réessayez."
  }
};
