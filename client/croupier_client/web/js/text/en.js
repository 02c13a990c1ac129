/** The interface's own sentences in English; `fr.js` has the same keys. */
export const en = {
  title: "Croupier",
};
