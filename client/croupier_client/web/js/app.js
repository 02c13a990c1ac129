/**
 * The page: one client, one language, and by the address the lobby (`#/`) or a table (`#/t/standard`). Files that only
 * one of them needs come when it is opened.
 */

import { ConnectionNotice } from "./ui/notice.js";
import { pageTerms } from "./ui/page-terms.js";
import { Preferences } from "./ui/preferences.js";
import { Words } from "./ui/words.js";
import { arrival } from "./wire/arrival.js";
import { browserStorage } from "./wire/environment.js";
import { Client, socketUrl } from "./wire/client.js";

/** Between two looks at what only time changes: the wait before the next try, and the lobby's countdowns. */
const TICK_MS = 250;

const storage = browserStorage();
const preferences = new Preferences(storage, navigator.languages);
const client = new Client({
  url: socketUrl(location),
  code: arrival.take(),
  storage,
  language: preferences.language,
});
/** The page around this one; null where there is none, as for most. */
const parent =
  window.parent === window
    ? null
    : new (await import("./wire/parent.js")).Parent(window, pageTerms.parents, (token) => client.showToken(token));
const notice = new ConnectionNotice();
let words = await Words.in(preferences.language);
/** @type {import("./ui/lobby.js").Lobby | import("./ui/table-page.js").TablePage | null} */
let page = null;
let frame = 0;

async function route() {
  const address = location.hash;
  const table = /^#\/t\/([a-z0-9][a-z0-9-]{0,47})$/.exec(address)?.[1];
  const next =
    table === undefined
      ? new (await import("./ui/lobby.js")).Lobby(client, preferences)
      : new (await import("./ui/table-page.js")).TablePage(client, table, preferences, words);
  if (location.hash !== address) return; // somewhere else by now, and on the way there
  page?.remove();
  page = next;
  document.body.append(page);
  const house = pageTerms.site.name ?? words.say("title");
  document.title = table === undefined ? house : `${words.tableName(table)} – ${house}`;
  scrollTo(0, 0);
  update();
}

async function translate() {
  const { language } = preferences;
  if (words.code === language) return;
  try {
    const translated = await Words.in(language);
    if (preferences.language !== language) return; // changed again meanwhile
    words = translated;
    client.setLanguage(language);
    updateSoon();
  } catch {
    if (preferences.language === language) preferences.speak(words.code); // it cannot be had now
  }
}

function update() {
  frame = 0;
  document.documentElement.lang = words.code;
  notice.update(client, words, performance.now());
  page?.update(words);
}

function updateSoon() {
  if (frame === 0) frame = requestAnimationFrame(update);
}

document.body.append(notice);
addEventListener("hashchange", () => {
  arrival.look(location, history);
  const code = arrival.take();
  if (code !== null) client.showCode(code);
  void route();
});
client.addEventListener("tokenwanted", () => parent?.want());
parent?.want();
client.addEventListener("change", updateSoon);
client.lobby.addEventListener("change", updateSoon);
preferences.addEventListener("change", () => {
  void translate();
  updateSoon();
});
setInterval(() => {
  notice.update(client, words, performance.now());
  if (page !== null && "tick" in page) page.tick();
}, TICK_MS);
void route();
