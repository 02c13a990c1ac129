"""`make phone`: tables for the local network, with their address to type and to scan."""

import socket
import sys
from pathlib import Path
from typing import Final

import segno

from croupier_server.commands import serve
from croupier_server.configuring.sections import ServerSection

ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address that is nobody's: asking for the way there sends nothing, and names this machine's own."""

NO_NETWORK: Final = 2


def local_address() -> str | None:
    """The address of this machine in its local network; None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(ELSEWHERE)
        except OSError:
            return None
        address = str(way.getsockname()[0])
    return None if address.startswith("127.") else address


def invitation(url: str) -> str:
    """The address as text and as a code that a phone's camera reads, for a terminal of any colours.

    >>> print(invitation("http://192.0.2.7:8000/").splitlines()[0])
    Open http://192.0.2.7:8000/ on a phone in the same network, or scan:
    """
    rows = [[bool(module) for module in row] for row in segno.make(url, error="m").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    # Two rows in one line of half blocks, dark on light whatever the terminal's colours are.
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    lines = [
        "".join(blocks[above, below] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
    code = "\n".join(f"\033[97;40m{line}\033[0m" for line in lines)
    return f"Open {url} on a phone in the same network, or scan:\n\n{code}\n"


def main(port: int = ServerSection().port, data: Path = Path(".data")) -> int:
    """Serves the default tables on the local network, to guests."""
    address = local_address()
    if address is None:
        sys.stderr.write("croupier: this machine is in no network; join the one that the phone is in\n")
        return NO_NETWORK
    sys.stderr.write(invitation(f"http://{address}:{port}/") + "\n")
    return serve(bind=address, port=port, guests=True, data=data)


if __name__ == "__main__":
    sys.exit(main())
