/**
 * Pages of the browser table without a browser: the whole client in Node, driven line by line.
 *
 * Each line of standard input is a job `{ id, page, run?, until?, seconds? }`: `run` is an expression evaluated in the
 * page, `until` one that is evaluated after every change until it is true. Each answer is a line `{ id, value }` or
 * `{ id, error }`. In an expression there are `page`, its `client` and its `table`; pages of one storage are windows of
 * one browser.
 */

import { createInterface } from "node:readline";

import { WebSocket } from "ws";

import { browserEnvironment } from "../../client/croupier_client/web/js/wire/environment.js";
import { Client } from "../../client/croupier_client/web/js/wire/client.js";

/** A storage that several pages share, and which tells the others of a change, as a browser's does. */
class SharedStorage {
  #kept = new Map();
  pages = [];

  getItem(key) {
    return this.#kept.get(key) ?? null;
  }

  setItem(key, value, from) {
    this.#kept.set(key, value);
    this.#tell(key, from);
  }

  removeItem(key, from) {
    this.#kept.delete(key);
    this.#tell(key, from);
  }

  #tell(key, from) {
    for (const page of this.pages) {
      if (page !== from) page.events.dispatchEvent(Object.assign(new Event("storage"), { key }));
    }
  }
}

/** One window. */
class Page {
  events = new EventTarget();
  /** Every view by its `seq`, as JSON. */
  views = new Map();
  /** Every payout that was told, by round. */
  payouts = [];
  /** What was told as news: the `seq` of events that are to be animated. */
  news = [];
  waiting = new Set();
  /** How far the user's clock is off. */
  wallOffMs = 0;
  sockets = [];

  constructor({ url, table, storage, language = "en" }) {
    this.options = { url, table, storage, language };
    storage.pages.push(this);
    this.load();
  }

  /** A new client, as after F5: what the last one had on its way is gone. */
  load() {
    for (const socket of this.sockets) socket.terminate();
    this.sockets = [];
    this.client?.stop();
    const { url, table, storage, language } = this.options;
    const page = this;
    this.client = new Client({
      url,
      language,
      environment: {
        ...browserEnvironment(),
        WebSocket: class extends WebSocket {
          constructor(address, protocol) {
            super(address, protocol, { perMessageDeflate: false });
            page.sockets.push(this);
          }
        },
        wallNow: () => Date.now() + this.wallOffMs,
        page: this.events,
      },
      storage: {
        getItem: (key) => storage.getItem(key),
        setItem: (key, value) => storage.setItem(key, value, this),
        removeItem: (key) => storage.removeItem(key, this),
      },
    });
    this.table = this.client.table(table);
    this.client.addEventListener("change", () => this.#look());
    this.table.addEventListener("change", ({ detail }) => {
      const { view } = this.table;
      if (view !== null) this.views.set(view.seq, JSON.stringify(view));
      if (!detail.replaced) this.news.push(...detail.events.map(({ seq }) => seq));
      this.payouts.push(...detail.payouts);
      this.#look();
    });
    this.table.open();
  }

  /** Cuts the connection, as a network does. */
  cut() {
    for (const socket of this.sockets) socket.terminate();
  }

  #look() {
    for (const look of [...this.waiting]) look();
  }

  evaluate(expression) {
    return new Function("page", "client", "table", `return (${expression});`)(this, this.client, this.table);
  }

  async until(expression, seconds) {
    const deadline = performance.now() + seconds * 1000;
    while (!this.evaluate(expression)) {
      if (performance.now() > deadline) throw new Error(`${expression} did not come within ${seconds} s`);
      await new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          this.waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, 100); // some conditions are about time
        this.waiting.add(done);
      });
    }
  }
}

const storages = new Map();
const pages = new Map();

async function carryOut({ page: name, open, run, until, seconds = 20 }) {
  if (open !== undefined) {
    const storage = storages.get(open.storage) ?? new SharedStorage();
    storages.set(open.storage, storage);
    pages.set(name, new Page({ ...open, storage }));
    return null;
  }
  const page = pages.get(name);
  if (until !== undefined) await page.until(until, seconds);
  return run === undefined ? null : await page.evaluate(run);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...job } = JSON.parse(line);
  carryOut(job).then(
    (value) => console.log(JSON.stringify({ id, value: value ?? null })),
    (error) => console.log(JSON.stringify({ id, error: error.code ?? String(error.stack ?? error) })),
  );
}
process.exit(0);
