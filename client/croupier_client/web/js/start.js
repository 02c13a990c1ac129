/**
 * Where the page begins. A code is wiped from the address before anything else is loaded or said. What the page needs
 * first is asked for side by side, instead of file after file as each names the next; `index.html` asks for the rest of
 * what `app.js` is made of.
 */

import { arrival } from "./wire/arrival.js";

arrival.look(location, history);

void import("./app.js");
// Those who need these ask for them again, and hear then if they cannot be had.
for (const early of [
  Promise.all([import("./text/language.js"), import("./wire/environment.js")]).then(([language, environment]) =>
    language.load(
      language.firstLanguage(environment.guarded(environment.browserStorage()), navigator.languages),
    ),
  ),
  location.hash.startsWith("#/t/") ? import("./ui/table-page.js") : import("./ui/lobby.js"),
]) {
  early.catch(() => undefined);
}
