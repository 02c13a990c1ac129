/** Dragging chips from the rack to an area, with mouse or finger. A press that does not move stays a click. */

const BEGINS_PX = 8;

/**
 * @param {HTMLElement} rack where chips are, each with its cents in `data-cents`
 * @param {(cents: number, bet: string) => void} drop
 */
export function dragChips(rack, drop) {
  rack.addEventListener("pointerdown", (down) => {
    const chip = /** @type {HTMLElement | null} */ (/** @type {Element} */ (down.target).closest("[data-cents]"));
    if (chip === null || down.button !== 0 || chip.getAttribute("aria-disabled") === "true") return;
    const face = /** @type {HTMLElement} */ (chip.firstElementChild);
    /** @type {HTMLElement | null} */
    let ghost = null;
    /** @type {Element | null} */
    let over = null;
    const ends = new AbortController();
    const { signal } = ends;

    const areaAt = (/** @type {PointerEvent} */ { clientX, clientY }) =>
      document.elementFromPoint(clientX, clientY)?.closest("[data-bet]") ?? null;

    const move = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== down.pointerId) return;
      const away = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
      if (ghost === null && away < BEGINS_PX) return;
      if (ghost === null) {
        ghost = /** @type {HTMLElement} */ (face.cloneNode(true));
        ghost.classList.add("flying", "dragged");
        document.body.append(ghost);
      }
      ghost.style.left = `${event.clientX}px`;
      ghost.style.top = `${event.clientY}px`;
      const area = areaAt(event);
      if (area === over) return;
      over?.classList.remove("under-chip");
      over = area;
      over?.classList.add("under-chip");
    };
    const end = (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== down.pointerId) return;
      ends.abort();
      over?.classList.remove("under-chip");
      if (ghost === null) return;
      ghost.remove();
      // The click that follows a drag means nothing.
      const swallow = (/** @type {Event} */ click) => click.stopPropagation();
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
      const bet = event.type === "pointerup" ? areaAt(event)?.getAttribute("data-bet") : null;
      if (typeof bet === "string") drop(Number(chip.dataset["cents"]), bet);
    };
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", end, { signal });
    addEventListener("pointercancel", end, { signal });
  });
}
