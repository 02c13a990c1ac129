/**
 * What the player has in hand, without any pixels. Two ways to bet meet here:
 *
 * - choose an area, then click chips: they go there (`area`);
 * - take a chip, then tap areas: it goes there, again and again (`chip`).
 *
 * Whichever came first counts until it is put down: by choosing it again, or with Escape. There is never both.
 */

export class Hand {
  /** The area that chips go to. @type {string | null} */
  area = null;
  /** The chip that goes to areas, in cents. @type {number | null} */
  chip = null;
  /** The area that was touched last. @type {string | null} */
  last = null;

  /**
   * An area was clicked. Returns the chip to add to it, if there is one in hand.
   * @param {string} bet
   * @returns {number | null}
   */
  chooseArea(bet) {
    this.last = bet;
    if (this.chip !== null) return this.chip;
    this.area = this.area === bet ? null : bet;
    return null;
  }

  /**
   * A chip of the rack was clicked. Returns the area to add it to, if one is chosen.
   * @param {number} cents
   * @returns {string | null}
   */
  chooseChip(cents) {
    if (this.area !== null) {
      this.last = this.area;
      return this.area;
    }
    this.chip = this.chip === cents ? null : cents;
    return null;
  }

  putDown() {
    this.area = null;
    this.chip = null;
  }
}
