/**
 * What the page's address brings along: a one-time code, behind `#code=`, and after it where to go
 * (`#code=…/t/standard`). The code leaves the address and the history at once; here it is until it is taken.
 */

const CODE = /^#code=([^/]*)(.*)$/;

export class Arrival {
  /** @type {string | null} */
  #code = null;

  /**
   * Looks at the address, and wipes a code from it.
   * @param {{ hash: string, pathname: string, search: string }} location
   * @param {{ replaceState(data: unknown, unused: string, url: string): void }} history
   */
  look({ hash, pathname, search }, history) {
    const [, code, rest] = CODE.exec(hash) ?? [];
    if (code === undefined) return;
    history.replaceState(null, "", `${pathname}${search}#${rest === "" ? "/" : rest}`);
    this.#code = code;
  }

  /** The code that came last; null where there was none, and afterwards. */
  take() {
    const code = this.#code;
    this.#code = null;
    return code;
  }
}

/** That of this page. */
export const arrival = new Arrival();
