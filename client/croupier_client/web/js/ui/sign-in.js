/**
 * Who may take a seat, and the way to the operator's login, where there is one.
 *
 * @import { Client } from "../wire/client.js"
 */

import { element } from "./dom.js";
import { pageTerms } from "./page-terms.js";

/**
 * A link to it; in a page around this one it leads that page there.
 * @param {string} [classes]
 * @param {...Node} children
 */
export function signInLink(classes = "button", ...children) {
  return element("a", { class: classes, href: pageTerms.sign_in_url, target: "_top" }, ...children);
}

/**
 * Whether whoever this is may take a seat.
 * @param {Client} client
 */
export function mayPlay({ player }) {
  return player !== null || pageTerms.guests;
}
