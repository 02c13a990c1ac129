import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { en } from "../../../client/croupier_client/web/js/text/en.js";
import { fr } from "../../../client/croupier_client/web/js/text/fr.js";
import { betName, count, firstLanguage, glossary, load, rankName } from "../../../client/croupier_client/web/js/text/language.js";
import { money, parseMoney, pays, percent, shortMoney, signedMoney } from "../../../client/croupier_client/web/js/text/money.js";
import { reasonInWords } from "../../../client/croupier_client/web/js/ui/reasons.js";

await Promise.all([load("en"), load("fr")]);

/** Narrow and wide spaces that may not break, as plain ones. */
const plain = (text) => text.replaceAll(/[\u00a0\u202f]/g, " ");

/** A storage with one entry. */
const storage = (kept) => ({ getItem: () => kept, setItem() {}, removeItem() {} });

test("amounts have both digits, and the marks of the language", () => {
  assert.equal(money("en", 123_450), "1,234.50");
  assert.equal(plain(money("fr", 123_450)), "1 234,50");
  assert.equal(money("en", 5), "0.05");
  assert.equal(money("en", -975), "−9.75");
  assert.equal(shortMoney("en", 2_500), "25");
  assert.equal(shortMoney("fr", 25), "0,25");
  assert.deepEqual(["+9.75", "−5.00", "0.00"], [975, -500, 0].map((cents) => signedMoney("en", cents)));
});

test("the largest amount is written to the cent (C12)", () => {
  assert.equal(money("en", 9_007_199_254_740_991), "90,071,992,547,409.91");
  assert.equal(money("en", 9_007_199_254_740_990), "90,071,992,547,409.90");
});

test("amounts as people write them", () => {
  assert.deepEqual(
    ["5", "0.25", "1000,5", "1 234,50", " 20 "].map((text) => parseMoney(text)),
    [500, 25, 100_050, 123_450, 2_000],
  );
  for (const text of ["", "-5", "5.", ".5", "1e3", "5.001", "1,000.50", "NaN", "∞", "0x10"]) {
    assert.equal(parseMoney(text), null, text);
  }
});

test("what is told for whoever writes a client is not told to people, and what the server says to them is", () => {
  const words = { say: () => assert.fail("the page has no sentence of its own"), terms: glossary("fr"), money: String };
  const told = (key, message, limit) => reasonInWords({ key, params: { message, limit } }, words);
  const field = "Un champ manque, est inconnu ou hors limites.";
  assert.equal(told("invalid", `${field} (Expected \`str\` of length <= 80 - at \`$.name\`)`), field);
  const pair = "Ces mises ne vont pas ensemble à cette table. (Joueur, Banque : 1 au plus)";
  assert.equal(told("combination", pair, 1), pair);
});

test("a name that cannot be shown is explained in the language of the page, whatever the server adds", () => {
  const refused = { key: "bad_name", params: { message: "Ce nom ne peut pas être affiché. (it is empty)" } };
  const words = { say: (key, values) => fr[key](values) };
  assert.equal(
    reasonInWords(refused, words),
    "Ce nom ne peut pas être affiché. Un nom a 20 lettres au plus, toutes visibles.",
  );
});

test("pays and parts", () => {
  assert.deepEqual([[8, 1], [3, 2], [27, 50]].map((ratio) => pays("en", ratio)), ["8", "1.5", "0.54"]);
  assert.equal(pays("fr", [3, 2]), "1,5");
  assert.equal(percent("en", 0.4586), "45.9%");
  assert.equal(plain(percent("fr", 0.4586)), "45,9 %");
});

test("nought is singular in French and plural in English (M6)", () => {
  const counted = (language, number) => plain(count(language, number, glossary(language).hand));
  assert.deepEqual([0, 1, 2].map((number) => counted("fr", number)), ["0 main", "1 main", "2 mains"]);
  assert.deepEqual([0, 1, 2].map((number) => counted("en", number)), ["0 hands", "1 hand", "2 hands"]);
});

test("court cards are V, D, R in French, and ten is written out", () => {
  assert.deepEqual(["Jh", "Qd", "Ks", "Tc", "As", "9h"].map((card) => rankName("fr", card)), ["V", "D", "R", "10", "A", "9"]);
  assert.deepEqual(["Jh", "Qd", "Ks", "Tc"].map((card) => rankName("en", card)), ["J", "Q", "K", "10"]);
});

test("terms come from the glossary; a bet that it does not know is called by its name", () => {
  assert.equal(betName("fr", "banker_pair"), "Paire Banque");
  assert.equal(betName("en", "moon_shot"), "moon_shot");
  assert.equal(glossary("fr").errors.betting_closed, "Les jeux sont faits.");
});

test("the language is the one chosen, else the reader's first that there is, else English", () => {
  assert.equal(firstLanguage(storage("fr"), ["en-GB"]), "fr");
  assert.equal(firstLanguage(storage(null), ["de-DE", "fr-CA", "en-US"]), "fr");
  assert.equal(firstLanguage(storage(null), ["de-DE"]), "en");
  assert.equal(firstLanguage(storage("xx"), ["FR"]), "fr");
});

test("both languages have the same sentences, and none is empty", () => {
  assert.deepEqual(Object.keys(fr), Object.keys(en));
  for (const sentences of [en, fr]) {
    for (const [key, sentence] of Object.entries(sentences)) {
      assert.ok(typeof sentence === "function" || sentence.length > 0, key);
      assert.equal(typeof fr[key], typeof en[key], key);
    }
  }
});

test("nothing that people or servers say becomes HTML, and no style or script is inline", () => {
  const root = new URL("../../../client/croupier_client/web/", import.meta.url);
  const scripts = readdirSync(root, { recursive: true }).filter((name) => name.endsWith(".js"));
  assert.ok(scripts.length > 20);
  const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|\beval\b|new Function/;
  for (const name of scripts) {
    const line = readFileSync(new URL(name, root), "utf-8").split("\n").find((each) => forbidden.test(each));
    assert.equal(line, undefined, `${name}: ${line}`);
  }
  const page = readFileSync(new URL("index.html", root), "utf-8");
  assert.doesNotMatch(page, /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
});
