/**
 * Everything that is said in one language, in one value to hand around. A new one is made when the language changes,
 * so whoever keeps one can see that it has.
 *
 * @import { Language } from "../wire/messages.js"
 * @import { Glossary, SentenceKey, Sentences } from "../text/language.js"
 */

import { betName, count, glossary, load, rankName, say } from "../text/language.js";
import { moment, money, pays, percent, shortMoney, signedMoney, whole } from "../text/money.js";

const SUITS = /** @type {Record<string, string>} */ ({ s: "♠", h: "♥", d: "♦", c: "♣" });

/** @typedef {"natural" | "pair" | "card" | "deck" | "shoe" | "coup" | "hand" | "stake" | "point" | "seat"} Noun */

export class Words {
  /** @type {Language} */
  code;
  /** @type {Glossary} */
  terms;
  /** One letter for each outcome, as scoreboards have them. @type {Record<"player" | "banker" | "tie", string>} */
  letters;

  /**
   * Everything that is said in a language, once that is loaded.
   * @param {Language} code
   */
  static async in(code) {
    await load(code);
    return new Words(code);
  }

  /** @param {Language} code of a language that is loaded */
  constructor(code) {
    this.code = code;
    this.terms = glossary(code);
    const { player, banker, tie } = this.terms.outcomes;
    this.letters = { player: player.slice(0, 1), banker: banker.slice(0, 1), tie: tie.slice(0, 1) };
  }

  /**
   * @template {SentenceKey} Key
   * @param {Key} key
   * @param {Sentences[Key] extends (...parameters: infer Parameters) => string ? Parameters : []} parameters
   */
  say(key, ...parameters) {
    return say(this.code, key, ...parameters);
  }

  /** @param {number} cents */
  money(cents) {
    return money(this.code, cents);
  }

  /** Without digits where there are none. @param {number} cents */
  shortMoney(cents) {
    return shortMoney(this.code, cents);
  }

  /** @param {number} cents */
  signed(cents) {
    return signedMoney(this.code, cents);
  }

  /** @param {number} number */
  number(number) {
    return whole(this.code, number);
  }

  /** @param {number} part of one */
  percent(part) {
    return percent(this.code, part);
  }

  /** A part of one, with no more digits than it needs: `5%`. @param {readonly [number, number]} ratio */
  rate([numerator, denominator]) {
    const options = /** @type {const} */ ({ style: "percent", maximumFractionDigits: 2 });
    return new Intl.NumberFormat(this.code, options).format(numerator / denominator);
  }

  /** @param {readonly [number, number]} ratio */
  pays(ratio) {
    return pays(this.code, ratio);
  }

  /** @param {number} epochMs */
  time(epochMs) {
    return moment(this.code, epochMs);
  }

  /**
   * @param {number} number
   * @param {Noun} noun
   */
  counted(number, noun) {
    return count(this.code, number, this.#noun(noun));
  }

  /** A noun by itself, for one. @param {Noun} noun */
  noun(noun) {
    return this.#noun(noun)[0] ?? noun;
  }

  /** @param {Noun} noun */
  #noun(noun) {
    return this.terms[noun];
  }

  /** @param {string} bet */
  bet(bet) {
    return betName(this.code, bet);
  }

  /** @param {readonly string[]} parts */
  list(parts) {
    return new Intl.ListFormat(this.code, { type: "conjunction" }).format(parts);
  }

  /** @param {string} card such as `Td` */
  rank(card) {
    return rankName(this.code, card);
  }

  /** A card as it is written: `10♦`. @param {string} card */
  shortCard(card) {
    return this.rank(card) + (SUITS[card.slice(-1)] ?? "");
  }

  /** A card as it is spoken. @param {string} card */
  cardName(card) {
    return this.say("cardName", { rank: card.slice(0, 1), suit: card.slice(-1) });
  }

  /** A table's name, which is an address, as a title. @param {string} id */
  tableName(id) {
    const words = id.replaceAll("-", " ");
    return words.slice(0, 1).toUpperCase() + words.slice(1);
  }
}
