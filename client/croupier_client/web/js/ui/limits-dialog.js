/**
 * What the player limits for itself: stakes, time, reality checks, and whether it plays at all.
 *
 * @import { Client } from "../wire/client.js"
 * @import { OwnLimits, WaitingLimit } from "../wire/messages.js"
 * @import { LimitChange } from "../wire/play-safe.js"
 * @import { Words } from "./words.js"
 */

import { parseMoney } from "../text/money.js";
import { Refusal } from "../wire/refusal.js";
import { Dialog, blank } from "./dialog.js";
import { button, element, setAttribute, write } from "./dom.js";
import { reasonInWords } from "./reasons.js";

/** The limits in the order of the form, with the sentence that names each. */
const NAMES = /** @type {const} */ ({
  round_stake: "limitRound",
  day_stake: "limitDay",
  day_minutes: "limitTime",
  reality_minutes: "limitReality",
});

/** @typedef {keyof typeof NAMES} Name */

const MONEY = new Set(["round_stake", "day_stake"]);

/** For how many days one may exclude oneself here. */
const DAYS = [1, 7, 30, 180, 365];

const MOST_MINUTES = 1_440;

export class LimitsDialog {
  #dialog = new Dialog("limits-dialog");
  #client;
  /** Counts openings: an answer to an earlier one is not shown. */
  #opening = 0;

  /** @param {Client} client */
  constructor(client) {
    this.#client = client;
  }

  /** @param {Words} words */
  async open(words) {
    this.#opening += 1;
    const opening = this.#opening;
    this.#dialog.name(words.say("ownLimits"), words.say("close"));
    this.#dialog.body.replaceChildren(blank(words.say("lookingUp"), "waiting"));
    this.#dialog.open();
    try {
      const limits = await this.#client.playSafe.limits();
      if (opening === this.#opening) this.#show(limits, words, "");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (opening === this.#opening) this.#dialog.body.replaceChildren(blank(reasonInWords(error.reason, words)));
    }
  }

  /**
   * @param {OwnLimits} limits
   * @param {Words} words
   * @param {string} done what has just been done
   */
  #show(limits, words, done) {
    const until = limits.excluded_until_ms ?? null;
    if (until !== null) {
      this.#dialog.body.replaceChildren(
        element("p", { class: "notable", role: "status" }, words.say("excludedUntil", { time: words.time(until) })),
      );
      return;
    }
    const wrong = element("p", { class: "wrong", role: "alert" });
    const inputs = /** @type {Record<Name, HTMLInputElement>} */ ({});
    const fields = names().map((name) => this.#field(name, limits, words, inputs));
    const status = element("p", { class: "small", role: "status" });
    const submit = element("button", { class: "next", type: "submit" }, words.say("limitsSave"));
    const form = element(
      "form",
      {
        class: "limits-form",
        novalidate: true,
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const change = read(inputs, limits, wrong, words);
          if (change !== null) void this.#do(() => this.#client.playSafe.limit(change), words, "limitsSaved", wrong);
        },
      },
      element("p", { class: "quiet" }, words.say("limitsText")),
      ...fields,
      wrong,
      status,
      element("div", { class: "dialog-actions" }, submit),
    );
    this.#dialog.body.replaceChildren(form, this.#exclusion(words));
    if (done === "") return;
    write(status, done); // into what is there already, so that it is read out
    submit.focus();
  }

  /**
   * @param {Name} name
   * @param {OwnLimits} limits
   * @param {Words} words
   * @param {Record<Name, HTMLInputElement>} inputs
   */
  #field(name, limits, words, inputs) {
    const input = element("input", {
      type: "text",
      id: `limit-${name}`,
      inputmode: MONEY.has(name) ? "decimal" : "numeric",
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": `limit-${name}-note`,
    });
    input.value = plain(name, limits[name] ?? null, words);
    inputs[name] = input;
    const coming = (limits.waiting ?? []).find(({ limit }) => limit === name) ?? null;
    return element(
      "div",
      { class: "field" },
      element("label", { for: input.id }, words.say(NAMES[name])),
      input,
      element("p", { class: "small quiet", id: `limit-${name}-note` }, note(name, limits, coming, words)),
    );
  }

  /** @param {Words} words */
  #exclusion(words) {
    const wrong = element("p", { class: "wrong", role: "alert" });
    const days = element(
      "select",
      { id: "exclude-days" },
      ...DAYS.map((count) => element("option", { value: count }, words.say("days", { count }))),
    );
    const sure = element("div", { class: "dialog-actions", hidden: true });
    const ask = button({ click: () => this.#makeSure(ask, sure, days, words, wrong) }, words.say("exclude"));
    days.addEventListener("change", () => {
      sure.hidden = true;
      ask.hidden = false;
    });
    return element(
      "section",
      { class: "exclusion", "aria-labelledby": "exclude-title" },
      element("h3", { id: "exclude-title" }, words.say("excludeTitle")),
      element("p", { class: "quiet" }, words.say("excludeText")),
      element("div", { class: "field" }, element("label", { for: "exclude-days" }, words.say("excludeFor")), days),
      wrong,
      element("div", { class: "dialog-actions" }, ask),
      sure,
    );
  }

  /**
   * Nothing takes an exclusion back, so it is asked once more.
   * @param {HTMLButtonElement} ask
   * @param {HTMLElement} sure
   * @param {HTMLSelectElement} days
   * @param {Words} words
   * @param {HTMLElement} wrong
   */
  #makeSure(ask, sure, days, words, wrong) {
    const count = Number(days.value);
    const yes = button(
      { class: "exclude-yes", click: () => void this.#do(() => this.#client.playSafe.exclude(count), words, "", wrong) },
      words.say("excludeYes", { days: words.say("days", { count }) }),
    );
    const no = button({ class: "next", click: () => { sure.hidden = true; ask.hidden = false; ask.focus(); } }, words.say("cancel"));
    sure.replaceChildren(yes, no);
    ask.hidden = true;
    sure.hidden = false;
    no.focus();
  }

  /**
   * @param {() => Promise<OwnLimits>} act
   * @param {Words} words
   * @param {"limitsSaved" | ""} done
   * @param {HTMLElement} wrong
   */
  async #do(act, words, done, wrong) {
    const opening = this.#opening;
    write(wrong, "");
    try {
      const limits = await act();
      if (opening === this.#opening) this.#show(limits, words, done === "" ? "" : words.say(done));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      write(wrong, reasonInWords(error.reason, words));
    }
  }
}

/** @returns {Name[]} */
function names() {
  return /** @type {Name[]} */ (Object.keys(NAMES));
}

/**
 * A limit as one would type it; nothing for none.
 * @param {Name} name
 * @param {number | null} value
 * @param {Words} words
 */
function plain(name, value, words) {
  if (value === null) return "";
  if (!MONEY.has(name)) return String(value);
  const mark = words.code === "fr" ? "," : ".";
  const units = String(Math.floor(value / 100));
  return value % 100 === 0 ? units : `${units}${mark}${String(value % 100).padStart(2, "0")}`;
}

/**
 * @param {Name} name
 * @param {number} value
 * @param {Words} words
 */
function written(name, value, words) {
  return MONEY.has(name) ? words.money(value) : words.say("minutes", { count: words.number(value) });
}

/**
 * What stands below a field: what comes later, or what an empty one means.
 * @param {Name} name
 * @param {OwnLimits} limits
 * @param {WaitingLimit | null} coming
 * @param {Words} words
 */
function note(name, limits, coming, words) {
  if (coming !== null) {
    const time = words.time(coming.from_ms);
    return coming.value === null
      ? words.say("limitEndsAt", { time })
      : words.say("limitComesAt", { limit: written(name, coming.value, words), time });
  }
  if (name === "day_minutes") {
    return words.say("limitPlayed", { played: written(name, limits.played_minutes ?? 0, words) });
  }
  const usual = limits.reality_usual ?? 0;
  if (name === "reality_minutes" && usual > 0) {
    return words.say("limitUsual", { usual: written(name, usual, words) });
  }
  return words.say("limitNone");
}

/**
 * What the form changes; null where something in it cannot be read, which is told.
 * @param {Record<Name, HTMLInputElement>} inputs
 * @param {OwnLimits} limits
 * @param {HTMLElement} wrong
 * @param {Words} words
 * @returns {LimitChange | null}
 */
function read(inputs, limits, wrong, words) {
  /** @type {LimitChange} */
  const change = {};
  for (const name of names()) {
    const input = inputs[name];
    const value = valueOf(name, input.value.trim());
    setAttribute(input, "aria-invalid", value === null ? "true" : null);
    if (value === null) {
      write(wrong, words.say(MONEY.has(name) ? "amountUnreadable" : "minutesUnreadable"));
      input.focus();
      return null;
    }
    const waits = (limits.waiting ?? []).some(({ limit }) => limit === name);
    if (value !== (limits[name] ?? 0) || waits) change[name] = value;
  }
  return change;
}

/**
 * @param {Name} name
 * @param {string} text
 * @returns {number | null} 0 for no limit; null where it is none
 */
function valueOf(name, text) {
  if (text === "") return 0;
  if (MONEY.has(name)) return parseMoney(text);
  const minutes = /^\d{1,4}$/.test(text) ? Number(text) : null;
  return minutes !== null && minutes <= MOST_MINUTES ? minutes : null;
}
