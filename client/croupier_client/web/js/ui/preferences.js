/**
 * What this browser remembers of the person: language, sound, shortcuts, the last buy-in. Fires
 * `change`. Storage may be forbidden or full; then a choice lasts as long as the page.
 *
 * @import { StorageLike } from "../wire/environment.js"
 * @import { Language } from "../wire/messages.js"
 */

import { firstLanguage, keepLanguage } from "../text/language.js";
import { guarded } from "../wire/environment.js";

const KEY = "croupier.preferences";

/**
 * @typedef {object} Choices
 * @property {boolean} sound
 * @property {boolean} shortcuts single keys, such as B for Banker
 * @property {boolean} side whether the right column is open
 * @property {number | null} buyIn cents
 */

/** @type {Choices} */
const FIRST = { sound: false, shortcuts: true, side: true, buyIn: null };

export class Preferences extends EventTarget {
  #storage;
  /** @type {Choices} */
  #choices;
  /** @type {Language} */
  language;

  /**
   * @param {StorageLike | null} storage
   * @param {readonly string[]} languages that the person reads, as `navigator.languages`
   */
  constructor(storage, languages) {
    super();
    this.#storage = guarded(storage);
    this.language = firstLanguage(this.#storage, languages);
    this.#choices = { ...FIRST, ...read(this.#storage.getItem(KEY)) };
  }

  get choices() {
    return this.#choices;
  }

  /** @param {Partial<Choices>} choices */
  choose(choices) {
    this.#choices = { ...this.#choices, ...choices };
    this.#storage.setItem(KEY, JSON.stringify(this.#choices));
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Language} language */
  speak(language) {
    this.language = language;
    keepLanguage(this.#storage, language);
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * What is stored may be from anybody, at any time: only what has the right type is taken.
 * @param {string | null} text
 * @returns {Partial<Choices>}
 */
function read(text) {
  /** @type {Record<string, unknown>} */
  let stored = {};
  try {
    const parsed = JSON.parse(text ?? "{}");
    if (typeof parsed === "object" && parsed !== null) stored = parsed;
  } catch {
    return {};
  }
  /** @type {Partial<Choices>} */
  const choices = {};
  for (const name of /** @type {const} */ (["sound", "shortcuts", "side"])) {
    const value = stored[name];
    if (typeof value === "boolean") choices[name] = value;
  }
  const buyIn = stored["buyIn"];
  if (typeof buyIn === "number" && Number.isSafeInteger(buyIn) && buyIn > 0) choices.buyIn = buyIn;
  return choices;
}
