/**
 * A room in Node for so many watchers: `node server.mjs ws|socket.io|colyseus WATCHERS EVENT BYTES`.
 *
 * EVENT is JSON, for rooms that encode it themselves; BYTES is the event as Croupier sends it, in base64. The first
 * line that is printed has the port, what each peer asks for and says after the first frame, and, if the server asks
 * for signs of life in messages of its own, how it asks and what it wants to hear. Each asks everyone every
 * KEEPALIVE_MS, as Croupier does. Then each line read is a number of events that everyone gets, and is answered with the microseconds of
 * processor time that they took, until long after the last was written.
 */

import { createServer } from "node:http";
import { createInterface } from "node:readline";

const [kind, watchers, text, encoded] = process.argv.slice(2);
const COUNT = Number(watchers);
const EVENT = JSON.parse(text);
const DONE_MS = 100 + COUNT / 20;
const KEEPALIVE_MS = 20_000;

const http = createServer();

/**
 * @typedef {{ paths: string[], says: number[], binary: boolean, asks?: number[], answer?: number[], send: () => void }} Open
 * @type {Record<string, () => Promise<Open>>}
 */
const rooms = {
  async ws() {
    const { WebSocketServer } = await import("ws");
    const server = new WebSocketServer({ server: http, perMessageDeflate: false });
    // Signs of life as the README of `ws` says.
    server.on("connection", (client) => {
      client.isAlive = true;
      client.on("pong", () => {
        client.isAlive = true;
      });
      client.send("welcome");
    });
    setInterval(() => {
      for (const client of server.clients) {
        if (!client.isAlive) {
          client.terminate();
          continue;
        }
        client.isAlive = false;
        client.ping();
      }
    }, KEEPALIVE_MS);
    const bytes = Buffer.from(encoded, "base64");
    const send = () => {
      for (const client of server.clients) client.send(bytes, { binary: true });
    };
    return { paths: Array(COUNT).fill("/"), says: [...Buffer.from("thanks")], binary: true, send };
  },

  async "socket.io"() {
    const { Server } = await import("socket.io");
    const server = new Server(http, { transports: ["websocket"], pingInterval: KEEPALIVE_MS, perMessageDeflate: false });
    const path = "/socket.io/?EIO=4&transport=websocket";
    return {
      paths: Array(COUNT).fill(path),
      says: [...Buffer.from("40")], // joins the default namespace
      binary: false,
      asks: [...Buffer.from("2")], // ping, and pong, are messages of its own protocol
      answer: [...Buffer.from("3")],
      send: () => server.emit("event", EVENT),
    };
  },

  async colyseus() {
    const { matchMaker, Room, Server } = await import("@colyseus/core");
    const { WebSocketTransport } = await import("@colyseus/ws-transport");
    class Table extends Room {
      patchRate = null;
      maxClients = COUNT;
      seatReservationTimeout = 3_600;
    }
    const server = new Server({
      greet: false,
      gracefullyShutdown: false,
      transport: new WebSocketTransport({ server: http, pingInterval: KEEPALIVE_MS }),
    });
    server.define("table", Table);
    await matchMaker.accept();
    const { roomId, processId } = await matchMaker.createRoom("table", {});
    const paths = [];
    for (let seat = 0; seat < COUNT; seat += 1) {
      const { sessionId } = await matchMaker.joinById(roomId, {});
      paths.push(`/${processId}/${roomId}?sessionId=${sessionId}`);
    }
    const room = matchMaker.getLocalRoomById(roomId);
    return { paths, says: [10], binary: true, send: () => room.broadcast("event", EVENT) }; // 10: joined
  },
};

const { send, ...plan } = await rooms[kind]();
http.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ port: http.address().port, ...plan, first: false, protocol: null }));
});
for await (const line of createInterface({ input: process.stdin })) {
  const began = process.cpuUsage();
  for (let event = 0; event < Number(line); event += 1) send();
  await new Promise((resolve) => setTimeout(resolve, DONE_MS));
  const { user, system } = process.cpuUsage(began);
  console.log(user + system);
}
process.exit(0);
