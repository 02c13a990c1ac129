/**
 * The frame of every dialog: a heading, a way out, and what is in it. The browser's own `dialog` keeps the focus inside
 * and gives it back at the end.
 */

import { button, element, setAttribute, write } from "./dom.js";
import { icon } from "./icons.js";

let made = 0;

export class Dialog {
  #title = element("h2");
  #close = button({ class: "plain", click: () => this.close() }, icon("close"));
  body = element("div", { class: "dialog-body" });
  /** @type {HTMLDialogElement} */
  element;

  /** @param {string} className */
  constructor(className) {
    made += 1;
    const id = `dialog-${made}`;
    this.#title.id = id;
    this.element = element(
      "dialog",
      { class: className, "aria-labelledby": id },
      element("div", { class: "dialog-head" }, this.#title, this.#close),
      this.body,
    );
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.close(); // beside the dialog
    });
  }

  /**
   * @param {string} title
   * @param {string} closeName
   */
  name(title, closeName) {
    write(this.#title, title);
    setAttribute(this.#close, "aria-label", closeName);
  }

  get isOpen() {
    return this.element.open;
  }

  open() {
    if (!this.element.isConnected) document.body.append(this.element);
    if (!this.element.open) this.element.showModal();
  }

  close() {
    this.element.close();
  }
}

/**
 * While something is looked up, when nothing is there, or when it could not be had.
 * @param {string} text
 * @param {string} [className]
 */
export function blank(text, className = "") {
  return element("p", { class: `blank ${className}` }, text);
}
