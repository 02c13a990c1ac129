/** Quiet sounds, made here: a tap for a card, a lower one for chips, two notes for a win. Off until asked for. */

/** @typedef {"card" | "chip" | "win"} SoundName */

/** Frequencies in hertz, one after the other. @type {Record<SoundName, number[]>} */
const NOTES = { card: [320], chip: [210], win: [523, 784] };
const NOTE_S = 0.09;
const VOLUME = 0.05;

/** @type {AudioContext | null} */
let context = null;

/** @param {SoundName} name */
export function play(name) {
  if (document.visibilityState !== "visible") return;
  context ??= new AudioContext();
  const begin = context.currentTime;
  NOTES[name].forEach((hertz, at) => {
    if (context === null) return;
    const tone = context.createOscillator();
    const volume = context.createGain();
    const from = begin + at * NOTE_S;
    tone.type = name === "win" ? "sine" : "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(VOLUME, from);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + NOTE_S * 1.6);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + NOTE_S * 1.7);
  });
}
