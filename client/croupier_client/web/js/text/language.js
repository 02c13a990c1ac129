/**
 * The language of the page: chosen by the browser's, switchable, kept. The game's terms come from the glossary, the
 * interface's own sentences from `en.js` and `fr.js`, which have the same keys. A language is loaded when it is
 * spoken: most people never need the other one.
 *
 * A sentence is a text, or a function that makes one from parameters. Nothing here is ever HTML.
 *
 * @import { Language } from "../wire/messages.js"
 * @import { StorageLike } from "../wire/environment.js"
 */

import { whole } from "./money.js";

/** @typedef {typeof import("./en.js").en} Sentences */
/** @typedef {keyof Sentences} SentenceKey */
/** @typedef {typeof import("./glossary-en.js").GLOSSARY} Glossary */

const KEPT = "croupier.language";

/** What has been loaded. @type {Map<Language, { sentences: Sentences, terms: Glossary }>} */
const texts = new Map();

/** @type {Language[]} */
export const LANGUAGES = ["en", "fr"];

/**
 * The language to begin with: the one chosen before, else the first of the reader's that there is, else English.
 * @param {StorageLike} storage
 * @param {readonly string[]} preferred as `navigator.languages`
 * @returns {Language}
 */
export function firstLanguage(storage, preferred) {
  const kept = storage.getItem(KEPT);
  const wanted = [kept, ...preferred].map((tag) => tag?.slice(0, 2).toLowerCase());
  return LANGUAGES.find((language) => language === wanted.find((tag) => tag === "en" || tag === "fr")) ?? "en";
}

/**
 * Keeps a choice.
 * @param {StorageLike} storage
 * @param {Language} language
 */
export function keepLanguage(storage, language) {
  storage.setItem(KEPT, language);
}

/**
 * Loads a language, before anything is said in it. Rejects where its files cannot be had.
 * @param {Language} language
 */
export async function load(language) {
  if (texts.has(language)) return;
  const [sentences, { GLOSSARY: terms }] = await (language === "fr"
    ? Promise.all([import("./fr.js").then(({ fr }) => fr), import("./glossary-fr.js")])
    : Promise.all([import("./en.js").then(({ en }) => en), import("./glossary-en.js")]));
  texts.set(language, { sentences, terms });
}

/** @param {Language} language */
function textsOf(language) {
  const found = texts.get(language);
  if (found === undefined) throw new Error(`load("${language}") comes first`);
  return found;
}

/**
 * One of the interface's own sentences.
 * @template {SentenceKey} Key
 * @param {Language} language
 * @param {Key} key
 * @param {Sentences[Key] extends (...parameters: infer Parameters) => string ? Parameters : []} parameters
 * @returns {string}
 */
export function say(language, key, ...parameters) {
  const { sentences } = textsOf(language);
  const sentence = /** @type {string | ((...parameters: any[]) => string)} */ (sentences[key]);
  return typeof sentence === "string" ? sentence : sentence(...parameters);
}

/**
 * The game's terms.
 * @param {Language} language
 * @returns {Glossary}
 */
export function glossary(language) {
  return textsOf(language).terms;
}

/**
 * A number of things. In French nought takes the singular, in English the plural.
 * @param {Language} language
 * @param {number} number
 * @param {readonly string[]} noun of the glossary: for one, for many
 */
export function count(language, number, [one, many]) {
  const single = language === "fr" ? number < 2 : number === 1;
  return `${whole(language, number)} ${single ? one : many}`;
}

/**
 * A bet's name.
 * @param {Language} language
 * @param {string} bet
 * @returns {string}
 */
export function betName(language, bet) {
  return /** @type {Record<string, string>} */ (glossary(language).bets)[bet] ?? bet;
}

/**
 * The rank of a card as the language writes it.
 * @param {Language} language
 * @param {string} card such as `Qd`
 * @returns {string}
 */
export function rankName(language, card) {
  const rank = card.slice(0, 1);
  return /** @type {Record<string, string>} */ (glossary(language).ranks)[rank] ?? rank;
}
