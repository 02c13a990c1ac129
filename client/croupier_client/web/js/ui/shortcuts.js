/**
 * Single keys, for whoever plays without a mouse. They are silent in fields and dialogs, with Ctrl, Alt or Meta, and
 * while a key is held; the person can turn them off. Letters are those of the language: J for « Joueur ».
 *
 * @import { Words } from "./words.js"
 * @import { Preferences } from "./preferences.js"
 */

/**
 * @typedef {{ kind: "area", bet: string } | { kind: "chip", index: number } |
 *   { kind: "rebet" | "double" | "undo" | "clear" | "deal" | "keys" | "putDown" }} KeyAction
 */

/** @typedef {"keyPlayer" | "keyTie" | "keyBanker" | "keyRebet" | "keyDouble" | "keyUndo" | "keyClear" | "keyDeal"} KeyName */

/**
 * @param {Words} words
 * @returns {Map<string, KeyAction>} by the key's lower-case name
 */
function actions(words) {
  const key = (/** @type {KeyName} */ name) => words.say(name);
  /** @type {[string, KeyAction][]} */
  const found = [
    [key("keyPlayer"), { kind: "area", bet: "player" }],
    [key("keyTie"), { kind: "area", bet: "tie" }],
    [key("keyBanker"), { kind: "area", bet: "banker" }],
    [key("keyRebet"), { kind: "rebet" }],
    [key("keyDouble"), { kind: "double" }],
    [key("keyUndo"), { kind: "undo" }],
    [key("keyClear"), { kind: "clear" }],
    [key("keyDeal"), { kind: "deal" }],
    ["escape", { kind: "putDown" }],
    ["?", { kind: "keys" }],
  ];
  for (let index = 0; index < 9; index += 1) found.push([String(index + 1), { kind: "chip", index }]);
  return new Map(found);
}

/**
 * The legend.
 * @param {Words} words
 * @returns {{ keys: string[], does: string }[]}
 */
export function keysOf(words) {
  const upper = (/** @type {KeyName} */ name) => words.say(name).toUpperCase();
  return [
    {
      keys: [upper("keyPlayer"), upper("keyTie"), upper("keyBanker")],
      does: words.say("keyAreas", { player: words.bet("player"), tie: words.bet("tie"), banker: words.bet("banker") }),
    },
    { keys: ["1", "…", "5"], does: words.say("keyChips") },
    { keys: [upper("keyDeal")], does: words.say("deal") },
    { keys: [upper("keyRebet")], does: words.say("rebet") },
    { keys: [upper("keyDouble")], does: words.say("double") },
    { keys: [upper("keyUndo")], does: words.say("undo") },
    { keys: [upper("keyClear")], does: words.say("clear") },
    { keys: [words.say("keyEscapeName")], does: words.say("keyEscape") },
    { keys: [words.say("keyTabName"), words.say("keyEnterName")], does: words.say("keyTab") },
    { keys: ["?"], does: words.say("keyLegend") },
  ];
}

/**
 * Listens until the signal aborts.
 * @param {() => Words} words
 * @param {Preferences} preferences
 * @param {(action: KeyAction) => void} act
 * @param {AbortSignal} signal
 */
export function listenForKeys(words, preferences, act, signal) {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const { target } = event;
      if (target instanceof HTMLInputElement && target.type !== "checkbox") return;
      const action = actions(words()).get(event.key.toLowerCase());
      if (action === undefined || (!preferences.choices.shortcuts && action.kind !== "putDown")) return;
      event.preventDefault();
      act(action);
    },
    { signal },
  );
}
