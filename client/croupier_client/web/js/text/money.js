/**
 * Amounts and times as people read them, by `Intl`. Amounts are whole cents; nothing here makes a fraction of one.
 *
 * @import { Language } from "../wire/messages.js"
 */

/** The locales that write numbers as the texts do: 1,234.50 and 1 234,50. @type {Record<Language, string>} */
const LOCALES = { en: "en-GB", fr: "fr-FR" };

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * @param {Language} language
 * @param {Intl.NumberFormatOptions} options
 */
function format(language, options) {
  const key = language + JSON.stringify(options);
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.NumberFormat(LOCALES[language], options);
    formats.set(key, found);
  }
  return found;
}

/**
 * An amount in units, with both digits: `1,234.50`, `1 234,50`.
 * @param {Language} language
 * @param {number} cents
 */
export function money(language, cents) {
  return written(language, cents, 2);
}

/**
 * An amount in units, without digits where there are none: `25`, `0.25`; for chips and for what lies on a bet.
 * @param {Language} language
 * @param {number} cents
 */
export function shortMoney(language, cents) {
  return written(language, cents, cents % 100 === 0 ? 0 : 2);
}

/**
 * An amount with its sign: `+9.75`, `−5.00`, `0.00`.
 * @param {Language} language
 * @param {number} cents
 */
export function signedMoney(language, cents) {
  const sign = cents > 0 ? "+" : cents < 0 ? "−" : "";
  return sign + money(language, Math.abs(cents));
}

/**
 * Cents are written from two whole numbers: the largest amount divided by 100 is not exact in floating point.
 * @param {Language} language
 * @param {number} cents
 * @param {0 | 2} digits
 */
function written(language, cents, digits) {
  const sign = cents < 0 ? "−" : "";
  const whole = format(language, { maximumFractionDigits: 0 }).format(Math.trunc(Math.abs(cents) / 100));
  if (digits === 0) return sign + whole;
  const mark = language === "fr" ? "," : ".";
  return `${sign}${whole}${mark}${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}

/**
 * The cents that a person wrote in units: digits, and at most two more after the decimal mark; null for anything else.
 * Both marks are understood, and spaces between thousands are overlooked.
 * @param {string} text
 * @returns {number | null}
 */
export function parseMoney(text) {
  const found = /^(\d{1,13})(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/[\s  ]/g, ""));
  return found === null ? null : Number(found[1]) * 100 + Number((found[2] ?? "0").padEnd(2, "0"));
}

/**
 * A whole number with its thousands apart.
 * @param {Language} language
 * @param {number} number
 */
export function whole(language, number) {
  return format(language, { maximumFractionDigits: 0 }).format(number);
}

/**
 * What a bet pays to one, with no more digits than it needs: `8`, `1.5`, `0.54`.
 * @param {Language} language
 * @param {readonly [numerator: number, denominator: number]} ratio
 */
export function pays(language, [numerator, denominator]) {
  return format(language, { maximumFractionDigits: 6 }).format(numerator / denominator);
}

/**
 * A part of one as a percentage: `45.9 %`.
 * @param {Language} language
 * @param {number} part
 */
export function percent(language, part) {
  return format(language, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(part);
}

/**
 * A moment in the reader's own zone: date, hours, minutes and seconds. For show alone; order is told by rounds.
 * @param {Language} language
 * @param {number} epochMs
 */
export function moment(language, epochMs) {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "medium", timeStyle: "medium" }).format(epochMs);
}
