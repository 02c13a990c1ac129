"""What a gateway takes in, as the configuration says it."""

from typing import Annotated

from msgspec import Meta, Struct


class GatewayLimits(Struct, frozen=True):
    """How many websockets and seats there may be, whose addresses are told apart, whose pages may connect.

    20,000 spectators take about 300 MB, and telling all of them one event a quarter of a second; more are
    better served by another worker. By `per_address` a school or an office behind one address comes in, and
    one machine cannot take all places. No proxy is trusted unless named: any visitor can write its header.
    """

    connections: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000_000,
            description="Websockets of each worker; over it a handshake gets status 503 with Retry-After."
            " Never more than the limit of open files leaves room for.",
            extra={"unit": "websockets"},
        ),
    ] = 20_000
    per_address: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000_000,
            description="Websockets of one address (IPv6: of a /64) at each worker; over it a handshake gets"
            " status 429.",
            extra={"unit": "websockets"},
        ),
    ] = 250
    tables_per_player: Annotated[
        int,
        Meta(
            ge=0,
            le=1_000_000,
            description="Tables at which a player may have a seat at the same time, at all servers; 0 for as"
            " many as there are.",
            extra={"unit": "tables"},
        ),
    ] = 8
    trusted_proxies: Annotated[
        tuple[str, ...],
        Meta(
            description="Whose X-Forwarded-For is believed: addresses or networks.",
            examples=[["10.0.0.7", "10.1.0.0/16"]],
        ),
    ] = ()
    exempt: Annotated[
        tuple[str, ...],
        Meta(
            description="Addresses or networks that are not counted by address, here and among new guests,"
            " such as a load tester's; this machine's own never are.",
            examples=[["192.0.2.0/24"]],
        ),
    ] = ()
    origins: Annotated[
        tuple[str, ...],
        Meta(
            description="Other sites whose pages may connect, and may have the browser table in a frame and"
            " sign its player in. This server's own pages may connect, and programs, which name none.",
            examples=[["https://house.example"]],
        ),
    ] = ()
