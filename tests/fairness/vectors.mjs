// An independent implementation of docs/fairness.md, against its vectors: node vectors.mjs FILE.
// Prints one line a vector, and ends with status 1 at the first thing that differs.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const hex = (text) => Buffer.from(text, "hex");
const u32 = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};
const sha = (...parts) => {
  const hash = createHash("sha256");
  parts.forEach((part) => hash.update(part));
  return hash.digest();
};
const mac = (key, ...parts) => {
  const hmac = createHmac("sha256", key);
  parts.forEach((part) => hmac.update(part));
  return hmac.digest();
};

function* numbers(seed, deck) {
  for (let block = 0; ; block += 1) {
    const bytes = mac(seed, "croupier shoe order 1", u32(deck), u32(block));
    for (let at = 0; at < 32; at += 4) yield bytes.readUInt32BE(at);
  }
}

function order(seed, decks, deck) {
  const one = [..."shdc"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
  const cards = Array.from({ length: decks }, () => one).flat();
  const stream = numbers(seed, deck);
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const fair = Math.floor(2 ** 32 / (last + 1)) * (last + 1);
    let number = stream.next().value;
    while (number >= fair) number = stream.next().value;
    const drawn = number % (last + 1);
    [cards[last], cards[drawn]] = [cards[drawn], cards[last]];
  }
  return cards;
}

function check(vector) {
  const differs = [];
  const same = (name, bytes) => {
    if (bytes.toString("hex") !== vector[name]) differs.push(name);
  };
  const seed = hex(vector.seed);
  const named = vector.beacon === null ? "" : `${vector.beacon.source} ${vector.beacon.round}\n`;
  const head = `${vector.table}\n${vector.shoe}\n${vector.rules_digest}\n${named}`;
  const commitment = sha("croupier shoe commitment 1\n", head, seed);
  same("commitment", commitment);
  const counted = vector.values.map((value, index) => {
    if (value === null) return hex(vector.hashes[index]);
    if (sha(hex(value)).toString("hex") !== vector.hashes[index]) differs.push("hashes");
    return hex(value);
  });
  let label = "croupier cut 1\n";
  if (vector.beacon !== null) {
    label = "croupier cut with beacon 1\n";
    const drawn = sha("croupier beacon 1\n", named, hex(vector.beacon.value));
    same("beacon_hash", drawn);
    counted.push(drawn);
  }
  const orderSeed = mac(seed, label, u32(vector.values.length), ...counted);
  same("order_seed", orderSeed);
  const entries = [];
  for (let deck = 0; deck < (vector.coups ?? 1); deck += 1) {
    const cards = order(orderSeed, vector.decks, deck);
    if (deck === 0 && cards.slice(0, 12).join(" ") !== vector.order_begins) differs.push("order_begins");
    cards.slice(0, vector.coups === null ? undefined : 6).forEach((card, position) => {
      const salt = mac(orderSeed, "croupier card salt 1\n", u32(deck), u32(position)).subarray(0, 16);
      if (entries.length === 0) same("salt_0", salt);
      entries.push(sha("croupier card 1\n", u32(deck), u32(position), card, salt));
    });
  }
  same("entry_0", entries[0]);
  same("entry_7", entries[7]);
  const digest = sha(...entries);
  same("digest", digest);
  const cut = `${vector.cut_at ?? ""}\n`;
  let chain = sha("croupier shoe begins 1\n", Buffer.alloc(32), commitment, digest, cut);
  same("chain_begin", chain);
  for (const { round, coup, outcome, player, banker } of vector.rounds) {
    chain = sha("croupier round 1\n", chain, `${round} ${coup} ${outcome} ${player} ${banker}\n`);
  }
  same("chain_rounds", chain);
  same("chain_end", sha("croupier shoe ends 1\n", chain, seed, `${vector.reason}\n`));
  const unopened = sha("croupier shoe begins 1\n", Buffer.alloc(32), commitment, "\n");
  same("chain_never_opened", sha("croupier shoe ends 1\n", unopened, seed, `${vector.reason}\n`));
  return differs;
}

let failed = false;
for (const vector of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const differs = check(vector);
  console.log(differs.length ? `differs: ${differs.join(", ")}` : "same");
  failed ||= differs.length > 0;
}
process.exitCode = failed ? 1 : 0;
