"""What the page of the wire says in words, before and between what the types say; `describe` writes it."""

from typing import Final

from croupier_protocol.codec import AT_MS_BYTES
from croupier_protocol.messages.events import (
    BetsChanged,
    BettingClosed,
    BettingOpened,
    CardDealt,
    CutListed,
    Paused,
    Resumed,
    RoundResult,
    RoundSettled,
    RoundVoided,
    SeatChanged,
    ShoeCommitted,
    ShoeEnded,
    ShoeOpened,
    TableClosed,
    TableEvent,
)

FOLDS: Final[dict[type[TableEvent], str]] = {
    ShoeCommitted: "`phase` is `shuffling`; `cut` is a new one, not `listed`, until `cut_until_ms`",
    CutListed: "`cut` is `listed` with these `contributions`, until `reveal_until_ms`",
    ShoeOpened: (
        "`phase` is `shuffling`; `rules` are its; `shoe` is a new one with the `commitment` and `previous` "
        "of `cut`, of which `dealt` is 1 and the cards burnt, or 0 without `burn`; `cut` is null; no cards, "
        "no `outcome`, no `reason`; `coup` is 0, `last` false, `closes_at_ms` null, `past` empty"
    ),
    ShoeEnded: (
        "`phase` is `shuffling`; `shoe.end` is its `chain`. While there is a `cut`: that becomes the `shoe`, "
        "with no cards, and `phase` stays"
    ),
    BettingOpened: (
        "`phase` is `betting`; `round`, `coup`, `last` and `closes_at_ms` are its; no cards, no `outcome`, "
        "no `reason`, no `totals`, nobody who has bet or is ready; in a series `shoe.dealt` is 0. For the "
        "`round` of before only `closes_at_ms` changes"
    ),
    BetsChanged: "`totals`, `bettors` and `ready` are its",
    BettingClosed: "`phase` is `closed`",
    CardDealt: "`phase` is `dealing`; the hand has the card more, and its `total`; `shoe.dealt` is one more",
    RoundResult: (
        "`phase` is `settling`; hands, `outcome`, `natural` and pairs are its; `past` has one more at its end"
    ),
    RoundSettled: "`phase` is `result`",
    RoundVoided: "`phase` is `voiding`; `reason` is its",
    SeatChanged: "`seats` has its player there, or nobody; by seat, the lowest first",
    Paused: "`phase` is `paused`; `reason` is its",
    Resumed: "`phase` is `result`; no `reason`",
    TableClosed: "`phase` is `ended`; `reason` is its",
}
"""What `croupier_protocol.view` does with each event."""

CONVERSATION: Final = """\
→ {"type":"hello","id":1,"name":"Ana"}
← {"type":"welcome","version":"0.1.0","server_ms":1700000000100,"silence_ms":50000,"id":1}
→ {"type":"watch","id":2,"table":"standard"}
← {"type":"watching","table":"standard","epoch":"7c1f","seq":40,"resumed":false,"id":2}
← {"type":"snapshot","table":"standard","epoch":"7c1f","seq":40,"phase":"result","round":6,…}
→ {"type":"sit","id":3,"table":"standard","buy_in":10000,"op":"sit-4f1c0a9d"}
← {"type":"welcome",…,"player":{"id":"g4f1c0a9d3e2b5768","name":"Ana"},"resume":"g4f1c…"}
← {"type":"me","table":"standard","rev":1,"seat":1,"bankroll":10000,"wallet":90000,"id":3}
← {"type":"seat","seat":1,"player":{"id":"g4f1c0a9d3e2b5768","name":"Ana"},…,"seq":41,"due_ms":…,"at_ms":…}
← {"type":"betting","round":7,"shoe":1,"coup":7,"closes_at_ms":1700000015300,"last":false,…,"seq":42,…}
→ {"type":"slip","id":4,"table":"standard","round":7,"rev":1,"op":"slip-83ab51e0","bets":{"player":500}}
← {"type":"slip_accepted","table":"standard","round":7,"rev":2,"bets":{"player":500},"bankroll":9500,"id":4}
→ {"type":"deal","id":5,"table":"standard","round":7,"op":"deal-0c93d7f2"}
← {"type":"me","table":"standard","rev":2,"seat":1,"bankroll":9500,"round":7,"slip":{"player":500},…,"id":5}
← {"type":"bets","round":7,"totals":{"player":500},"bettors":1,"ready":1,…,"seq":43,…}
← {"type":"closed","round":7,…,"seq":44,…}
← {"type":"card","round":7,"hand":"player","index":0,"card":"9s","total":9,"proof":"ADha…",…,"seq":45,…}
  … three cards, "seq" 46 to 48 …
← {"type":"result","round":7,"outcome":"player","player":{"cards":["9s","Kd"],"total":9},…,"seq":49,…}
← {"type":"settled","round":7,"staked":500,"returned":1000,"paid":1,…,"seq":50,…}
← {"type":"payout","payout":{"table":"standard","round":7,"bets":[…],"returned":1000,"bankroll":10500}}
  … the connection breaks; on the next one: …
→ {"type":"hello","id":1,"name":"Ana","resume":"g4f1c…"}
→ {"type":"watch","id":2,"table":"standard","since":{"epoch":"7c1f","seq":50},"paid_round":7}
← {"type":"welcome",…,"player":{"id":"g4f1c0a9d3e2b5768","name":"Ana"},"resume":"g4f1c…","id":1}
← {"type":"watching","table":"standard","epoch":"7c1f","seq":53,"resumed":true,"id":2}
  … the events 51 to 53, then …
← {"type":"me","table":"standard","rev":3,"seat":1,"bankroll":10500,"round":7,"last_slip":{"player":500}}\
"""
"""Abbreviated by `…`; what stands in full is a message that the codec takes, which a test looks at."""

INTRODUCTION: Final = f"""\
# The wire

This page is written by `python -m croupier_protocol.describe docs` from the message types; do not edit it.
The same types as JSON Schema are in [protocol.schema.json](protocol.schema.json), and as an AsyncAPI
document in [asyncapi.json](asyncapi.json); a frame of every message in both forms is in
[golden](../tests/protocol/golden), whole rounds in [transcripts](../tests/transcripts). A client in under 60
lines is in [examples](../examples/README.md).

## Connecting

Open a websocket at `/ws` and offer one of these subprotocols:

{{subprotocols}}

The messages are the same in both. Every message is a map with a `type`. A client ignores fields and types
that it does not know, and counts an event of an unknown type by its `seq`; the server refuses fields and
types that it does not know. Compression is off. Who offers no subprotocol gets MessagePack; who offers
others alone is refused with status 400. Bytes are base64 with padding (RFC 4648, section 4) in JSON, and
`bin` in MessagePack.

A command may carry an `id`, any number that the client chooses; its answer carries the same, as does the
`error` that refuses it. Commands of one connection are carried out one after another, in their order; events
may come before an answer. `hello` names the language for texts and is best sent first; its answer `welcome`
names `silence_ms`. An event is what has a `seq` and an `at_ms`.

A round at a table with the rules `standard`, by a new guest that cuts no shoe (the fields that matter):

```
{{conversation}}
```

## Watching and resuming

`watch` is answered by `watching`, and then by a `snapshot`: the table as everyone sees it after the event
`seq`. From there on every event of the table follows, in order, each with a `seq` one higher than the last.
A view is a fold: a snapshot with its later events applied is the later snapshot.

After a lost connection, send `watch` with `since`, the `epoch` and `seq` of the last event seen. When
`watching` says `resumed`, exactly the events after that one follow; otherwise a `snapshot` comes and
replaces everything known before. Every connection, on any server, can resume every table.

An `epoch` is one life of the stream. When an event has another epoch, or a `seq` that is not the last one
and one, the view is no longer good: drop what comes, send `watch` again with the last good `since`, and go
on after its `watching`. An event is never "old": a smaller `seq` means that the stream began again.

`since_ahead` says that this server has not seen that event yet; another one may have. After it was said
three times in a row, watch without `since`.

## Playing

Whoever only watches needs no `hello`. A connection becomes somebody by `hello` with `resume`, or by its
first `sit`: then it is a new guest, if the server takes guests, and `welcome` comes before the answer to
`sit`. It names the `player`, as everyone sees it, and a `resume` token. After a lost connection send
`hello` with `resume` first, then `watch`; `bad_resume` means that nobody is known by that token, and the
connection is nobody. The token is the whole proof of who one is: keep it, show it to nobody, and keep the
newest. The one before stays good until a minute after the newest was first used, so a lost answer locks
nobody out. A `name` has at most 20 letters; names that look alike do not sit at one table.

`me` is one's own place at a table, whole. It comes after `watch` to whoever is somebody, with a seat or
without, after everything that changes it, and after a fault; it replaces what was known before. `me`,
`payout` and `notice` go to connections that watch the table: watch before you sit. What a table takes, as
limits, chips, bets and which of them go together, is in its `rules`, and what a newcomer can buy in for in
`wallet`. `slip` states everything that is to stand on the round, builds on the `rev` of the last `me`,
`slip_accepted` or `slip_changed`, and moves only the difference. Keep one slip in flight, and send the
newest wish after the answer. `slip_changed` says that another connection of the same player was faster, and
what stands now. A slip that is accepted takes a ready mark back; the connection that sent it is told by the
answer, and may get no `me` for it.

Every `op` is a name that the client makes for one action; 16 random letters do. Sent again with the same
`op` after a lost answer, an action happens once and is answered as it was the first time.

A round that is settled brings `payout` to each of one's connections that watch the table. Payouts missed
while away come in the `payouts` of the `me` after `watch`, if `paid_round` says which was the last one
seen; older ones are in `my_rounds`.

## Checking a shoe

`commitment` begins a shoe; seated players may send `cut` with a `hash`, and once `cut_list` names it, with
the `value`. `shoe` fixes the order by the digest of a list of commitments to its cards, every `card` opens
its own, and `shoe_end` opens the rest. How each is made, and how to check it, is in [fairness](fairness.md).

## Time

All times are whole milliseconds of the store's clock. `due_ms` is when a step was due, `at_ms` when the
store took it. `at_ms` is the last field of every event, and in MessagePack its last {AT_MS_BYTES} bytes are
an unsigned big-endian integer (format `uint 64`): the store writes it into an event that was encoded before
its time was known. `ping` and `pong` tell how far the own clock is away; the shortest round trip tells
best.

## Silence

When nothing else was sent for a while, the server sends `heartbeat`. A client that has received nothing for
the `silence_ms` of `welcome` gives the connection up and makes a new one. Between tries it waits a random
time of up to 0.25 s, then up to twice as long each time, at most 10 s.

A server that takes nobody in for now answers the handshake with status 503, or 429 when too many connections
come from one address, and with `Retry-After` in seconds; a plain GET of the same address is answered alike,
for pages, which do not see the answer to a handshake. A client comes back after a random time between once
and twice as long.

A connection may send 200 commands a second, and 600 at once; some count for more: `lobby` as 20, `watch`,
`rules`, `history`, `my_rounds` and `sit` as 5. What is over that is refused as `busy`, and whoever goes on
is cut with 4501. So is, without `busy`, who sends more than 64 KiB a second, or 512 KiB at once; each frame,
pings too, counts as 100 bytes more than it has.

`stalled` says that a table stands still because of a fault; `live` ends it. Neither has a `seq`.
"""
