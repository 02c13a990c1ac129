/**
 * Why something was not done, in words.
 *
 * @import { Words } from "./words.js"
 * @import { Reason } from "../wire/refusal.js"
 */

/** So many letters a name may have; the server counts what people see. */
const NAME_LETTERS = 20;

/**
 * @param {Reason} reason
 * @param {Words} words
 */
export function reasonInWords({ key, params }, words) {
  const amount = params.limit === undefined ? "" : words.money(params.limit);
  const bet = params.bet === undefined ? "" : words.bet(params.bet);
  switch (key) {
    case "least":
    case "most":
    case "step":
      return words.say(key, { bet, amount });
    case "slip_most":
    case "buy_in_least":
    case "buy_in_most":
      return words.say(key, { amount });
    case "combination":
      if (params.bets === undefined) break; // the server's own, whose text names them
      return words.say("combination", {
        bets: words.list(params.bets.map((name) => words.bet(name))),
        most: params.limit ?? 1,
      });
    case "slip_changed":
    case "nothing_to_undo":
    case "nothing_to_double":
    case "nothing_to_rebet":
    case "unknown_yet":
    case "offline":
    case "no_answer":
    case "identity_refused":
    case "table_closed":
    case "ended":
      return words.say(key);
    case "bad_name":
      return words.say("bad_name", { most: NAME_LETTERS });
    case "betting_closed": // which the page shows anyhow
    case "wrong_round":
    case "malformed": // here the server's text has a detail for whoever writes a client, in English
    case "invalid":
    case "unknown_type":
      return words.terms.errors[key];
  }
  return params.message ?? words.terms.errors[key];
}
