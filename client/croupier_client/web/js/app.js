/** The page: one client, and what is shown of it. */

import { browserStorage, guarded } from "./wire/environment.js";
import { Client, socketUrl } from "./wire/client.js";
import { firstLanguage } from "./text/language.js";

const language = firstLanguage(guarded(browserStorage()), navigator.languages);
document.documentElement.lang = language;

export const client = new Client({ url: socketUrl(location), language });
