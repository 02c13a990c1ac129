/**
 * Taking a seat, with a name and chips; later, buying more.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Client } from "../wire/client.js"
 * @import { Words } from "./words.js"
 * @import { Preferences } from "./preferences.js"
 */

import { Refusal } from "../wire/refusal.js";
import { Dialog } from "./dialog.js";
import { button, element, setAttribute, show, write } from "./dom.js";
import { MoneyField } from "./money-field.js";
import { inCurrency } from "./page-terms.js";
import { reasonInWords } from "./reasons.js";

/** As many characters as the server looks at; it counts what people see, and refuses what is too long. */
const NAME_LENGTH = 64;

export class SitDialog {
  #dialog = new Dialog("sit-dialog");
  #name = element("input", { type: "text", id: "player-name", maxlength: NAME_LENGTH, autocomplete: "nickname" });
  #nameLabel = element("label", { for: "player-name" });
  #nameNote = element("p", { class: "small quiet", id: "player-name-note" });
  #nameField = element("div", { class: "field" }, this.#nameLabel, this.#name, this.#nameNote);
  #amount = new MoneyField();
  #wrong = element("p", { class: "wrong", role: "alert" });
  #cancel = button({ click: () => this.#dialog.close() });
  #submit = element("button", { class: "next", type: "submit" });
  #client;
  #preferences;
  /** @type {TableModel | null} */
  #table = null;
  /** @type {Words | null} */
  #words = null;
  #topUp = false;
  #busy = false;

  /**
   * @param {Client} client
   * @param {Preferences} preferences
   */
  constructor(client, preferences) {
    this.#client = client;
    this.#preferences = preferences;
    setAttribute(this.#name, "aria-describedby", "player-name-note");
    this.#dialog.body.append(
      element(
        "form",
        {
          class: "sit-form",
          novalidate: true,
          submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.#send();
          },
        },
        this.#nameField,
        this.#amount.element,
        this.#wrong,
        element("div", { class: "dialog-actions" }, this.#cancel, this.#submit),
      ),
    );
  }

  /**
   * @param {TableModel} table
   * @param {Words} words
   * @param {boolean} topUp
   */
  open(table, words, topUp) {
    const { limits, place } = table;
    if (limits === null) return;
    this.#table = table;
    this.#words = words;
    this.#topUp = topUp;
    const money = (/** @type {number} */ cents) => words.money(cents);
    this.#dialog.name(words.say(topUp ? "topUp" : "takeSeat"), words.say("close"));
    write(this.#nameLabel, words.say("name"));
    write(this.#nameNote, words.say("nameNote"));
    show(this.#nameField, !topUp);
    this.#name.value = this.#client.name ?? "";
    const { least, most } = buyInBounds(table);
    const first = Math.min(most, Math.max(least, this.#preferences.choices.buyIn ?? 200_00));
    const note =
      place.wallet === null
        ? words.say("buyInNote", { least: money(least), most: money(most) })
        : words.say("buyInNoteWallet", { least: money(least), most: money(most), wallet: money(place.wallet) });
    const picks = [100_00, 200_00, 500_00, 1_000_00].filter((pick) => pick >= least && pick <= most);
    this.#amount.begin(inCurrency(words.say(topUp ? "topUpAmount" : "buyIn")), note, picks, first, words);
    write(this.#wrong, "");
    write(this.#cancel, words.say("cancel"));
    this.#setBusy(false);
    this.#dialog.open();
    if (!topUp && this.#name.value === "") this.#name.focus();
    else this.#submit.focus();
  }

  async #send() {
    const table = this.#table;
    const words = this.#words;
    if (table === null || words === null || this.#busy) return;
    const cents = this.#amount.cents;
    this.#amount.invalid(cents === null);
    if (cents === null) {
      write(this.#wrong, words.say("amountUnreadable"));
      return;
    }
    this.#setBusy(true);
    write(this.#wrong, "");
    const name = this.#name.value.trim();
    try {
      if (this.#topUp) await table.topUp(cents);
      else await table.sit(name === "" ? { buyIn: cents } : { buyIn: cents, name });
      this.#preferences.choose({ buyIn: cents });
      this.#dialog.close();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "already_seated") this.#dialog.close();
      else write(this.#wrong, await this.#why(error, words));
      // Whoever was nobody is a new guest by now, of whose wallet the refusal says nothing.
      void this.#client.lookUpWallet();
    } finally {
      this.#setBusy(false);
    }
  }

  /**
   * Why not; who is excluded is told until when.
   * @param {Refusal} refusal
   * @param {Words} words
   */
  async #why(refusal, words) {
    const limits = refusal.code === "excluded" ? await this.#client.playSafe.limits().catch(() => null) : null;
    const until = limits?.excluded_until_ms ?? null;
    return until === null
      ? reasonInWords(refusal.reason, words)
      : words.say("excludedUntil", { time: words.time(until) });
  }

  /** @param {boolean} busy */
  #setBusy(busy) {
    const words = this.#words;
    if (words === null) return;
    this.#busy = busy;
    setAttribute(this.#submit, "aria-disabled", busy ? "true" : null);
    write(this.#submit, words.say(busy ? "oneMoment" : this.#topUp ? "buyChips" : "sitDown"));
  }
}

/**
 * What can be bought now: at least what the table asks for, at most what it allows in front of a seat, and no more than
 * the wallet holds.
 * @param {TableModel} table
 */
function buyInBounds({ limits, place }) {
  if (limits === null) return { least: 0, most: 0 };
  const seated = place.seat !== null;
  const least = seated && place.bankroll > 0 ? limits.step : limits.buy_in_least;
  const most = Math.min(limits.buy_in_most - place.bankroll, place.wallet ?? Infinity);
  return { least, most: Math.max(least, most) };
}
