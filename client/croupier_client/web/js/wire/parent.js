/**
 * The page that this one lies in, where the operator has named it: it knows who its visitor is, and says so with a token
 * of the operator's.
 *
 *     this page                                        the page around it
 *     { type: "croupier.token_wanted" }  ────────────▶
 *                                        ◀────────────  { type: "croupier.token", token: "…" }
 *
 * The first question says that this page is ready. It asks again while it wants a token and gets none, and before the
 * time of one is over. A token may come unasked too.
 */

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * What it needs of the page's window.
 * @typedef {object} WindowLike
 * @property {any} parent another window than this one
 * @property {{ origin: string, ancestorOrigins?: ArrayLike<string> }} location
 * @property {(type: "message", listener: (event: any) => void) => void} addEventListener
 */

export class Parent {
  #window;
  #origins;
  #setTimeout;
  #isWanted = false;
  #isWaiting = false;
  #waitMs = FIRST_WAIT_MS;

  /**
   * @param {WindowLike} window of this page
   * @param {readonly string[]} origins of the pages that may be around it, beside this server's own
   * @param {(token: string) => void} take
   * @param {(work: () => void, ms: number) => void} [later]
   */
  constructor(window, origins, take, later = (work, ms) => void setTimeout(work, ms)) {
    this.#window = window;
    this.#setTimeout = later;
    const named = [window.location.origin, ...origins];
    const above = window.location.ancestorOrigins?.[0];
    // Firefox does not tell which page is above. A message to an origin that is not there is not delivered.
    this.#origins = above === undefined ? named : named.filter((origin) => origin === above);
    window.addEventListener("message", ({ source, origin, data }) => {
      if (source !== window.parent || !this.#origins.includes(origin)) return;
      if (data?.type !== "croupier.token" || typeof data.token !== "string") return;
      this.#isWanted = false;
      this.#waitMs = FIRST_WAIT_MS;
      take(data.token);
    });
  }

  /** Asks for a token, and again until one comes. */
  want() {
    this.#isWanted = true;
    if (!this.#isWaiting) this.#ask();
  }

  #ask() {
    for (const origin of this.#origins) {
      this.#window.parent.postMessage({ type: "croupier.token_wanted" }, origin);
    }
    this.#isWaiting = true;
    this.#setTimeout(() => {
      this.#isWaiting = false;
      if (this.#isWanted) this.#ask();
    }, this.#waitMs);
    this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
  }
}
