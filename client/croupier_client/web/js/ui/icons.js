/** Icons, drawn on 24 × 24 with one stroke. */

import { drawing } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  undo: "M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3",
  clear: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  double: "M8 9l-3 3 3 3M16 9l3 3-3 3M5 12h14M12 4v4M12 16v4",
  rebet: "M19 12a7 7 0 1 1-2.2-5.1M19 3v4.5h-4.5",
  rules: "M5 4h9a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM9 9h5M9 13h5",
  rounds: "M12 7v5l3 2M4.5 12a7.5 7.5 0 1 0 2.2-5.3M4 4v4h4",
  soundOn: "M4 10v4h3l5 4V6L7 10zM16 9.5a4 4 0 0 1 0 5M18.5 7a8 8 0 0 1 0 10",
  soundOff: "M4 10v4h3l5 4V6L7 10zM16 10l5 5M21 10l-5 5",
  gauge: "M4 17a8 8 0 1 1 16 0M12 17l4-5",
  keys: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
  people: "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19c.6-3.2 2.9-5 6-5s5.400 1.800 6 5M16 5.300a3 3 0 0 1 0 5.400M17.500 14.300c1.900.7 3.100 2.300 3.500 4.700",
  chart: "M5 20V10M12 20V4M19 20v-7",
  seal: "M12 3l7 3v5c0 4.500-2.800 8-7 10-4.200-2-7-5.500-7-10V6z",
  sealChecked: "M12 3l7 3v5c0 4.500-2.800 8-7 10-4.200-2-7-5.500-7-10V6zM8.500 12l2.500 2.500 4.500-5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  leave: "M14 4h5v16h-5M4 12h10M10 8l4 4-4 4",
  chips: "M12 9c4 0 7-1.300 7-3s-3-3-7-3-7 1.300-7 3 3 3 7 3zM5 6v6c0 1.700 3 3 7 3s7-1.300 7-3V6M5 12v6c0 1.700 3 3 7 3s7-1.300 7-3v-6",
  eye: "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  seat: "M7 12V6a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v6M5 12h14v4H5zM7 16v4M17 16v4",
  side: "M4 5h16v14H4zM15 5v14",
  road: "M4 20V4h16v16zM4 9.300h16M4 14.600h16M9.300 4v16M14.600 4v16",
};

/**
 * @param {keyof typeof PATHS} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  return drawing(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    drawing("path", { d: PATHS[name] ?? "" }),
  );
}
