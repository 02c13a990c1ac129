/**
 * The interface's own sentences in French; the same keys as `en.js`.
 *
 * @type {typeof import("./en.js").en}
 */
export const fr = {
  title: "Croupier",
};
