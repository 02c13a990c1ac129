/**
 * Where the page begins. What it needs first is asked for side by side, instead of file after file as each names the
 * next; `index.html` asks for the rest of what `app.js` is made of.
 */

import { firstLanguage, load } from "./text/language.js";
import { browserStorage, guarded } from "./wire/environment.js";

void import("./app.js");
// Those who need these ask for them again, and hear then if they cannot be had.
for (const early of [
  load(firstLanguage(guarded(browserStorage()), navigator.languages)),
  location.hash.startsWith("#/t/") ? import("./ui/table-page.js") : import("./ui/lobby.js"),
]) {
  early.catch(() => undefined);
}
