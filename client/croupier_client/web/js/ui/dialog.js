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
  /** Whether it is to be open: a browser closes any dialog when Escape is pressed twice. */
  #open = false;
  body = element("div", { class: "dialog-body" });
  /** @type {HTMLDialogElement} */
  element;

  /**
   * @param {string} className
   * @param {{ closable?: boolean }} [options] one that is not closable stays until `close` is called
   */
  constructor(className, { closable = true } = {}) {
    made += 1;
    const id = `dialog-${made}`;
    this.#title.id = id;
    this.element = element(
      "dialog",
      { class: className, "aria-labelledby": id },
      element("div", { class: "dialog-head" }, this.#title, this.#close),
      this.body,
    );
    this.#close.hidden = !closable;
    if (!closable) {
      this.element.addEventListener("cancel", (event) => event.preventDefault());
      this.element.addEventListener("close", () => this.#open && this.element.showModal());
      return;
    }
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
    this.#open = true;
    if (!this.element.open) this.element.showModal();
  }

  close() {
    this.#open = false;
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
