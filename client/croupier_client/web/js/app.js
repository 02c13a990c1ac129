/**
 * The page: one client, one language, and by the address the lobby (`#/`) or a table (`#/t/standard`).
 */

import { ConnectionNotice } from "./ui/notice.js";
import { Lobby } from "./ui/lobby.js";
import { Preferences } from "./ui/preferences.js";
import { Words } from "./ui/words.js";
import { browserStorage } from "./wire/environment.js";
import { Client, socketUrl } from "./wire/client.js";

/** Between two looks at what only time changes: the wait before the next try, and the lobby's countdowns. */
const TICK_MS = 250;

const storage = browserStorage();
const preferences = new Preferences(storage, navigator.languages);
let words = new Words(preferences.language);
const client = new Client({ url: socketUrl(location), storage, language: preferences.language });
const notice = new ConnectionNotice();
/** @type {Lobby | import("./ui/table-page.js").TablePage | null} */
let page = null;
let frame = 0;

async function route() {
  const address = location.hash;
  const table = /^#\/t\/([a-z0-9][a-z0-9-]{0,47})$/.exec(address)?.[1];
  // The table's own files come when a table is opened: the start page does without.
  const next =
    table === undefined
      ? new Lobby(client, preferences)
      : new (await import("./ui/table-page.js")).TablePage(client, table, preferences, words);
  if (location.hash !== address) return; // somewhere else by now, and on the way there
  page?.remove();
  page = next;
  document.body.append(page);
  document.title = table === undefined ? "Croupier" : `${words.tableName(table)} – Croupier`;
  scrollTo(0, 0);
  update();
}

function update() {
  frame = 0;
  if (words.code !== preferences.language) {
    words = new Words(preferences.language);
    client.setLanguage(preferences.language);
  }
  document.documentElement.lang = words.code;
  notice.update(client, words, performance.now());
  page?.update(words);
}

function updateSoon() {
  if (frame === 0) frame = requestAnimationFrame(update);
}

document.body.append(notice);
addEventListener("hashchange", () => void route());
client.addEventListener("change", updateSoon);
client.lobby.addEventListener("change", updateSoon);
preferences.addEventListener("change", updateSoon);
setInterval(() => {
  notice.update(client, words, performance.now());
  if (page instanceof Lobby) page.tick();
}, TICK_MS);
void route();
