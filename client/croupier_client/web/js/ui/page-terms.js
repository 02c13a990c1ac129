/**
 * What the operator says of this page: the server writes it into the page's head. The texts are the same in every
 * language, and go where they are shown as text.
 *
 * @typedef {object} SiteTerms
 * @property {string | null} name of the house
 * @property {string | null} currency what the play money is called
 * @property {string | null} footer text at the foot of the lobby
 * @property {{ text: string, url: string }[]} links beside it
 *
 * @typedef {object} PageTerms
 * @property {string[]} parents origins of the pages that this one may lie in, and that sign its player in
 * @property {boolean} guests whether somebody who has not signed in may take a seat
 * @property {string | null} sign_in_url of the operator's login
 * @property {SiteTerms} site
 * @property {boolean} play_safe whether players may limit themselves
 */

/**
 * @param {string} text JSON; what is not in it is as on a server that says nothing
 * @returns {PageTerms}
 */
export function readTerms(text) {
  const site = { name: null, currency: null, footer: null, links: [] };
  return { parents: [], guests: true, sign_in_url: null, site, play_safe: false, ...JSON.parse(text) };
}

/**
 * The name of a sum of money, with what the money is called.
 * @param {string} name
 */
export function inCurrency(name) {
  const { currency } = pageTerms.site;
  return currency === null ? name : `${name} (${currency})`;
}

export const pageTerms = readTerms(
  document.querySelector('meta[name="croupier-page"]')?.getAttribute("content") ?? "{}",
);
