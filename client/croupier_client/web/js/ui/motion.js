/**
 * What moves, and for how long. Everything here ends in the state that is there without it: a caller sets the state
 * and asks for the way to it, and where nobody looks or motion is not wanted there is no way, just the state.
 */

/** A card slides, then turns; its face is to be read when it is half turned. As in css/tokens.css. */
const SLIDE_MS = 220;
const TURN_MS = 180;
export const FACE_MS = SLIDE_MS + TURN_MS / 2;

/** Amounts have counted up after this. */
export const COUNT_MS = 600;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether anything may move: somebody looks, and has not asked for stillness. */
export function mayMove() {
  return !still.matches && document.visibilityState === "visible";
}

/**
 * Runs the animation of a class once.
 * @param {Element} of
 * @param {string} className
 */
export function playOnce(of, className) {
  if (document.visibilityState !== "visible") return;
  of.classList.remove(className);
  void (/** @type {HTMLElement} */ (of).offsetWidth); // so that a second play begins anew
  of.classList.add(className);
  for (const animation of of.getAnimations({ subtree: true })) {
    animation.finished.then(
      () => {
        if (of.getAnimations({ subtree: true }).every(({ playState }) => playState === "finished")) {
          of.classList.remove(className);
        }
      },
      () => undefined, // taken away before its end
    );
  }
}

/** @type {WeakMap<Element, { text: string, timer: number }>} */
const waiting = new WeakMap();

/**
 * Writes a text: at once, or when a card that was dealt just now can be read.
 * @param {Element} into
 * @param {string} text
 * @param {boolean} withCard
 */
export function writeWithCard(into, text, withCard) {
  const pending = waiting.get(into);
  if (pending !== undefined) {
    if (pending.text === text && withCard) return;
    clearTimeout(pending.timer);
    waiting.delete(into);
  }
  if (into.textContent === text) return;
  if (!withCard || !mayMove()) {
    into.textContent = text;
    return;
  }
  const timer = window.setTimeout(() => {
    waiting.delete(into);
    into.textContent = text;
  }, FACE_MS);
  waiting.set(into, { text, timer });
}

/** @type {WeakMap<Element, number>} */
const counts = new WeakMap();

/**
 * Shows an amount, counting from the one that is shown.
 * @param {HTMLElement} into
 * @param {number} cents
 * @param {(cents: number) => string} format
 * @param {boolean} moving
 */
export function countTo(into, cents, format, moving) {
  const from = Number(into.dataset["counted"] ?? cents);
  if (from === cents && into.textContent !== "") {
    if (!counts.has(into)) into.textContent = format(cents);
    return;
  }
  cancelAnimationFrame(counts.get(into) ?? 0);
  counts.delete(into);
  into.dataset["counted"] = String(cents);
  if (!moving || !mayMove()) {
    into.textContent = format(cents);
    return;
  }
  const begun = performance.now();
  const step = () => {
    const part = Math.min(1, (performance.now() - begun) / COUNT_MS);
    const eased = 1 - (1 - part) ** 3;
    into.textContent = format(Math.round(from + (cents - from) * eased));
    if (part < 1) counts.set(into, requestAnimationFrame(step));
    else counts.delete(into);
  };
  step();
}

/**
 * Lets a chip travel from one place to another.
 * @param {HTMLElement} chip a copy for the journey
 * @param {DOMRect} from
 * @param {DOMRect} to
 */
export function fly(chip, from, to) {
  if (!mayMove()) return;
  chip.classList.add("flying");
  chip.setAttribute("aria-hidden", "true");
  chip.style.left = `${from.left + from.width / 2}px`;
  chip.style.top = `${from.top + from.height / 2}px`;
  document.body.append(chip);
  const dx = to.left + to.width / 2 - from.left - from.width / 2;
  const dy = to.top + to.height / 2 - from.top - from.height / 2;
  const journey = chip.animate(
    [
      { transform: "translate(-50%, -50%)" },
      { transform: `translate(calc(-50% + ${dx}px), calc(-50% + ${dy}px)) scale(0.8)` },
    ],
    { duration: SLIDE_MS, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" },
  );
  const land = () => chip.remove();
  journey.finished.then(land, land);
}
