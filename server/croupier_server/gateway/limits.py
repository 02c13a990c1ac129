"""What a gateway takes in, as the configuration says it."""

from typing import Annotated

from msgspec import Meta, Struct


class GatewayLimits(Struct, frozen=True):
    """How many websockets there may be, whose addresses are told apart, and whose pages may connect.

    - `connections`: of one worker. 20,000 spectators take about 300 MB, and telling all of them one event a
      quarter of a second; more are better served by another worker. It is never more than the limit of open
      files leaves room for.
    - `per_address`: of one address at one worker, IPv6 by /64: a school or an office behind one address comes
      in, and one machine cannot take all places.
    - `trusted_proxies`: addresses or networks whose `X-Forwarded-For` is believed. None unless named: any
      visitor can write that header.
    - `exempt`: addresses or networks that are not counted, here and among new guests, such as a load
      tester's; this machine's own never are.
    - `origins`: other sites whose pages may connect, such as https://house.example. This server's own may,
      and programs, which name none.
    """

    connections: Annotated[int, Meta(ge=1, le=1_000_000)] = 20_000
    per_address: Annotated[int, Meta(ge=1, le=1_000_000)] = 250
    trusted_proxies: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
