/**
 * The page: one client, one language, and by the address the lobby (`#/`) or a table (`#/t/standard`).
 */

import { ConnectionNotice } from "./ui/notice.js";
import { Lobby } from "./ui/lobby.js";
import { Preferences } from "./ui/preferences.js";
import { TablePage } from "./ui/table-page.js";
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
/** @type {Lobby | TablePage | null} */
let page = null;
let frame = 0;

function route() {
  const table = /^#\/t\/([a-z0-9][a-z0-9-]{0,47})$/.exec(location.hash)?.[1];
  page?.remove();
  page = table === undefined ? new Lobby(client, preferences) : new TablePage(client, table, preferences, words);
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
addEventListener("hashchange", route);
client.addEventListener("change", updateSoon);
client.lobby.addEventListener("change", updateSoon);
preferences.addEventListener("change", updateSoon);
setInterval(() => {
  notice.update(client, words, performance.now());
  if (page instanceof Lobby) page.tick();
}, TICK_MS);
route();
