/**
 * Checks a whole shoe from its transcript, the events that the server keeps of it, without having seen any of it.
 *
 * @import { Beacon, PastCoup, TableEvent } from "../wire/messages.js"
 * @import { Fault } from "./check.js"
 */

import { fold, openingView } from "../table/view.js";
import { bytesOf, fromBase64, sameBytes, toHex } from "./bytes.js";
import { ShoeCheck } from "./check.js";
import { sha256 } from "./sha256.js";
import { chainBegin, chainEnd, chainRound } from "./shoe.js";

/**
 * What came of checking a whole shoe.
 * @typedef {object} ShoeReport
 * @property {number} shoe
 * @property {readonly Fault[]} faults none: everything that was published fits
 * @property {number} cards checked
 * @property {number} rounds in the chain
 * @property {readonly number[]} withheld seats that did not reveal their value of the cut
 * @property {Beacon | null} beacon that was named; its value is null where it did not come in time, and is not compared
 *   with what its source says
 * @property {string} seed in base64
 */

/**
 * @param {string} text one event a line
 * @param {readonly PastCoup[]} seen coups of this shoe as this page saw them
 * @returns {ShoeReport}
 * @throws {Error} it is no transcript of a whole shoe
 */
export function checkTranscript(text, seen) {
  const events = text.trimEnd().split("\n").map((line) => /** @type {TableEvent} */ (JSON.parse(line)));
  const [first] = events;
  const last = events.at(-1);
  if (first?.type !== "commitment" || last?.type !== "shoe_end") throw new Error("no transcript of a whole shoe");
  const { table, epoch, rules, rules_text: rulesText, seq } = first;
  let view = { ...openingView(table, epoch, rules), seq: seq - 1 };
  /** @type {ShoeCheck | null} */
  let check = null;
  let chain = new Uint8Array(0);
  let rounds = 0;
  /** @type {Map<number, PastCoup>} */
  const coups = new Map();
  for (const event of events) {
    // The server may have begun a new stream in the middle; the shoe goes on.
    view = fold({ ...view, epoch: event.epoch, seq: event.seq - 1 }, event);
    if (view.shoe === null) continue;
    if (check === null) {
      const { previous, commitment, digest, cut_at: cutAt } = view.shoe;
      const before = previous === null ? null : fromBase64(previous);
      chain = chainBegin(before, fromBase64(commitment), fromBase64(digest), cutAt);
      check = new ShoeCheck(table, view.shoe, rules.digest);
    }
    if (event.type === "shoe") {
      check.open(event);
    } else if (event.type === "card") {
      check.deal(event, view.coup, view.shoe.dealt - 1);
    } else if (event.type === "result" || event.type === "void") {
      const outcome = event.type === "void" ? "void" : event.outcome;
      const { player, banker } = view;
      chain = chainRound(chain, { round: event.round, coup: view.coup, outcome, player: player.cards, banker: banker.cards });
      rounds += 1;
      for (const coup of view.past) coups.set(coup[0], coup);
    } else if (event.type === "shoe_end") {
      check.end(event);
      if (!sameBytes(chainEnd(chain, fromBase64(event.seed), event.reason), fromBase64(event.chain))) {
        check.faults.add("chain");
      }
    }
  }
  if (check === null) throw new Error("no transcript of a whole shoe");
  if (toHex(sha256(bytesOf(rulesText))) !== rules.digest) check.faults.add("rules");
  if (seen.some((coup) => JSON.stringify(coup) !== JSON.stringify(coups.get(coup[0])))) check.faults.add("round");
  const { faults, withheld, counts } = check;
  return { shoe: last.shoe, faults: [...faults], cards: counts.checked, rounds, withheld, beacon: last.beacon, seed: last.seed };
}
