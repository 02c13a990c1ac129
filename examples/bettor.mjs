// A player in one file: sits down, bets 5.00 on Player once, tells what came of it, and leaves.
// Needs only Node and the package `ws` (npm install ws).
//
// node bettor.mjs ws://localhost:8000/ws standard

import { randomBytes } from "node:crypto";
import WebSocket from "ws";

const [url = "ws://localhost:8000/ws", table = "standard"] = process.argv.slice(2);
const socket = new WebSocket(url, ["croupier.v1.json"], { perMessageDeflate: false });
const op = () => randomBytes(12).toString("base64url"); // names an action: sent again, it happens once
const units = (cents) => (cents / 100).toFixed(2);

let seen = null; // epoch and seq of the last event
let me = null; // one's own place, as the server told it last
let staked = null; // the round that has our slip

const send = (message) => socket.send(JSON.stringify(message));

function end(status, text) {
  console.log(text);
  process.exitCode = status;
  socket.close();
}

/** Counts an event; an unknown one too. */
function follows(message) {
  const next = seen && message.epoch === seen.epoch && message.seq === seen.seq + 1;
  seen = { epoch: message.epoch, seq: message.seq };
  return next;
}

const on = {
  snapshot(message) {
    if (seen === null) send({ type: "sit", id: 1, table, buy_in: 100_00, op: op() });
    seen = { epoch: message.epoch, seq: message.seq };
  },
  me(message) {
    const { seat, bankroll = 0, wallet = 0 } = message; // what is null or 0 may be left out
    if (message.id === 3) return end(0, `left with a wallet of ${units(wallet)}`);
    if (!me && seat) console.log(`seat ${seat}, ${units(bankroll)}`);
    me = seat ? message : null;
  },
  betting({ round }) {
    if (me === null || staked !== null) return;
    send({ type: "slip", id: 2, table, round, rev: me.rev, op: op(), bets: { player: 5_00 } });
  },
  slip_accepted({ round }) {
    staked = round;
    send({ type: "deal", table, round, op: op() });
  },
  card({ hand, card, total }) {
    console.log(`  ${hand.padEnd(6)}  ${card}  ${total}`);
  },
  result({ outcome, player, banker }) {
    console.log(`${outcome}: player ${player.total}, banker ${banker.total}`);
  },
  payout({ payout }) {
    const [bet] = payout.bets;
    console.log(`${bet.bet} ${units(bet.stake)}: ${bet.result}, ${units(bet.returned)} back`);
    send({ type: "leave", id: 3, table, op: op() });
  },
  error(message) {
    // A slip that came too late is for the next window; everything else is not for us to mend.
    if (message.id !== 2) end(1, message.message);
  },
};

socket.on("open", () => {
  send({ type: "hello", name: "Node" });
  send({ type: "watch", table });
});
socket.on("message", (data) => {
  const message = JSON.parse(data);
  const event = message.table === table && "seq" in message && "at_ms" in message;
  if (event && !follows(message)) return end(1, "an event is missing: watch again with `since`");
  on[message.type]?.(message); // types that we do not know are passed over
});
socket.on("error", (error) => end(1, String(error)));
socket.on("close", (code) => {
  if (code !== 1000 && code !== 1005) process.exitCode = 1; // 4000 to 4499 would mean: connect again
});
