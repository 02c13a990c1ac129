/**
 * The switches for language and sound, wherever they stand.
 *
 * @import { Words } from "./words.js"
 * @import { Preferences } from "./preferences.js"
 */

import { button, element, setAttribute, write } from "./dom.js";
import { icon } from "./icons.js";

export class Switches extends HTMLElement {
  #preferences;
  #sound = button({ class: "plain", click: () => this.#turnSound() });
  #soundWord = element("span", { class: "spoken word", "aria-hidden": "true" });
  #language = button({ class: "plain language", click: () => this.#turnLanguage() }, element("span"));

  /** @param {Preferences} preferences */
  constructor(preferences) {
    super();
    this.#preferences = preferences;
    this.append(this.#sound, this.#language);
  }

  /** @param {Words} words */
  update(words) {
    const on = this.#preferences.choices.sound;
    const shown = on ? "soundOn" : "soundOff";
    if (this.#sound.dataset["icon"] !== shown) {
      this.#sound.dataset["icon"] = shown;
      this.#sound.replaceChildren(icon(shown), this.#soundWord);
    }
    write(this.#soundWord, words.say(on ? "soundIsOn" : "soundIsOff"));
    setAttribute(this.#sound, "aria-pressed", String(on));
    setAttribute(this.#sound, "aria-label", words.say("sound"));
    setAttribute(this.#sound, "title", words.say(on ? "soundIsOn" : "soundIsOff"));
    const other = words.code === "en" ? "fr" : "en";
    write(/** @type {HTMLElement} */ (this.#language.firstElementChild), words.say("otherLanguage"));
    setAttribute(this.#language, "lang", other);
  }

  #turnSound() {
    this.#preferences.choose({ sound: !this.#preferences.choices.sound });
  }

  #turnLanguage() {
    this.#preferences.speak(this.#preferences.language === "en" ? "fr" : "en");
  }
}

customElements.define("croupier-switches", Switches);
