/**
 * What can be opened at a table. A dialog's files come when it is opened first: most are never opened.
 *
 * @import { TableModel } from "../table/table.js"
 * @import { Client } from "../wire/client.js"
 * @import { Preferences } from "./preferences.js"
 * @import { Words } from "./words.js"
 */

/** @typedef {"sit" | "topup" | "leave" | "rules" | "rounds" | "keys" | "fair" | "ownLimits" | "reality"} DialogName */

/** @typedef {(table: TableModel, words: Words, name: DialogName) => unknown} Opener */

/** How each is made, and opened from then on. Buying chips is taking a seat without a name. */
const MAKERS = {
  /** @type {(client: Client, preferences: Preferences) => Promise<Opener>} */
  sit: async (client, preferences) => {
    const dialog = new (await import("./sit-dialog.js")).SitDialog(client, preferences);
    return (table, words, name) => dialog.open(table, words, name === "topup");
  },
  /** @type {() => Promise<Opener>} */
  leave: async () => {
    const dialog = new (await import("./leave-dialog.js")).LeaveDialog();
    return (table, words) => dialog.open(table, words);
  },
  /** @type {() => Promise<Opener>} */
  rules: async () => {
    const dialog = new (await import("./rules-dialog.js")).RulesDialog();
    return (table, words) => dialog.open(table, words);
  },
  /** @type {() => Promise<Opener>} */
  rounds: async () => {
    const dialog = new (await import("./rounds-dialog.js")).RoundsDialog();
    return (table, words) => dialog.open(table, words);
  },
  /** @type {(client: Client, preferences: Preferences) => Promise<Opener>} */
  keys: async (_, preferences) => {
    const dialog = new (await import("./keys-dialog.js")).KeysDialog(preferences);
    return (_table, words) => dialog.open(words);
  },
  /** @type {(client: Client) => Promise<Opener>} */
  ownLimits: async (client) => {
    const dialog = new (await import("./limits-dialog.js")).LimitsDialog(client);
    return (_table, words) => void dialog.open(words);
  },
  /** @type {(client: Client) => Promise<Opener>} */
  reality: async (client) => {
    const dialog = new (await import("./reality-dialog.js")).RealityDialog(client);
    client.addEventListener("change", () => client.playSafe.check ?? dialog.close());
    return (table, words) => dialog.open(table, words);
  },
  /** @type {() => Promise<Opener>} */
  fair: async () => {
    const dialog = new (await import("./fair-dialog.js")).FairDialog();
    return (table, words) => dialog.open(table, words);
  },
};

export class Dialogs {
  #client;
  #preferences;
  /** @type {Map<keyof typeof MAKERS, Promise<Opener>>} */
  #made = new Map();

  /**
   * @param {Client} client
   * @param {Preferences} preferences
   */
  constructor(client, preferences) {
    this.#client = client;
    this.#preferences = preferences;
  }

  /**
   * Opens a dialog. Rejects where its files cannot be had.
   * @param {DialogName} name
   * @param {TableModel} table
   * @param {Words} words
   */
  async open(name, table, words) {
    const kind = name === "topup" ? "sit" : name;
    const making = this.#made.get(kind) ?? MAKERS[kind](this.#client, this.#preferences);
    this.#made.set(kind, making);
    try {
      (await making)(table, words, name);
    } catch (error) {
      this.#made.delete(kind); // the next click tries again
      throw error;
    }
  }
}
