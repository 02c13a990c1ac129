/** The countdown: a ring that empties, with the seconds in it. It warms at three seconds. */

import { drawing, element, setAttribute, write } from "./dom.js";

const RADIUS = 46;
const AROUND = 2 * Math.PI * RADIUS;

/** From here on the ring is warm. */
export const WARM_S = 3;

/** A ring with its own clock face. It is decoration to screen readers: what counts is announced elsewhere. */
export class Countdown extends HTMLElement {
  #left = drawing("circle", {
    class: "ring-left",
    cx: 50,
    cy: 50,
    r: RADIUS,
    "stroke-dasharray": AROUND,
    pathLength: AROUND,
  });
  #seconds = element("span", { class: "ring-seconds" });

  constructor() {
    super();
    setAttribute(this, "aria-hidden", "true");
    this.append(
      drawing(
        "svg",
        { viewBox: "0 0 100 100" },
        drawing("circle", { class: "ring-track", cx: 50, cy: 50, r: RADIUS }),
        this.#left,
      ),
      this.#seconds,
    );
  }

  /**
   * @param {number | null} seconds what is left; null: nothing is counted
   * @param {number} whole how long the window is, as far as it is known
   */
  update(seconds, whole) {
    const running = seconds !== null && seconds > 0;
    const part = running ? Math.min(1, seconds / Math.max(whole, seconds, 1)) : 0;
    setAttribute(this.#left, "stroke-dashoffset", String(Math.round(AROUND * (1 - part))));
    this.classList.toggle("warm", running && seconds <= WARM_S);
    this.classList.toggle("idle", !running);
    write(this.#seconds, running ? String(Math.ceil(seconds)) : "");
  }
}

customElements.define("croupier-countdown", Countdown);
