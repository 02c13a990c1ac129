/**
 * What the operator says of this page: the server writes it into the page's head.
 *
 * @typedef {object} PageTerms
 * @property {string[]} parents origins of the pages that this one may lie in, and that sign its player in
 * @property {boolean} guests whether somebody who has not signed in may take a seat
 * @property {string | null} sign_in_url of the operator's login
 */

/**
 * @param {string} text JSON; what is not in it is as on a server that says nothing
 * @returns {PageTerms}
 */
export function readTerms(text) {
  return { parents: [], guests: true, sign_in_url: null, ...JSON.parse(text) };
}

export const pageTerms = readTerms(
  document.querySelector('meta[name="croupier-page"]')?.getAttribute("content") ?? "{}",
);
