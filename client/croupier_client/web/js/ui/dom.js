/**
 * Making and changing elements. Texts go in as text nodes and attributes only: nothing here reads HTML, so a name
 * with markup in it is a name with markup in it.
 */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * An element with attributes and children. A function is a listener for the event its key names ("click"), true an
 * empty attribute, and false, null or undefined no attribute.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/**
 * The same for drawings.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function drawing(tag, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} made
 * @param {Attributes} attributes
 * @param {(Node | string | null)[]} children
 * @returns {Made}
 */
function dress(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else setAttribute(made, name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * Sets, or with false, null or undefined removes, an attribute; touches nothing that is as it should be.
 * @param {Element} of
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function setAttribute(of, name, value) {
  if (value === false || value === null || value === undefined) {
    if (of.hasAttribute(name)) of.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (of.getAttribute(name) !== text) of.setAttribute(name, text);
}

/**
 * Writes a text, if it is another one: what stands still is left alone, also by screen readers.
 * @param {Element} into
 * @param {string} text
 */
export function write(into, text) {
  if (into.textContent !== text) into.textContent = text;
}

/**
 * @param {HTMLElement} of
 * @param {boolean} shown
 */
export function show(of, shown) {
  if (of.hidden === shown) of.hidden = !shown;
}

/**
 * A button with an icon, a word, or both. Holding Enter does not press it again and again.
 * @param {Attributes} attributes
 * @param {...(Node | string | null)} children
 */
export function button(attributes, ...children) {
  const made = element("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("keydown", (event) => {
    if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  });
  return made;
}
