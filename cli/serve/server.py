"""The port, the addresses under which it is reached, and the end."""

from __future__ import annotations

import io
import socket
from typing import TYPE_CHECKING

from cli.render.codes import too_narrow
from ledger.errors import Refused, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType

    from cli.desk.effects.reading_desk import LineReader
    from cli.desk.session import Desk

LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104 - asked for by --lan
WAITING_MAX = 2_048
"""Connections that may wait to be taken: a hall that opens its phones at once."""

GRACE_SECONDS = 2


def listening(host: str, port: int) -> socket.socket:
    """Take the port; Refused where another program has it, or nobody may."""
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
        taken.listen(WAITING_MAX)
    except (OSError, OverflowError) as error:
        taken.close()
        why = getattr(error, "strerror", None) or error
        raise Refused(f"port {port} cannot be taken ({why}): choose another with --port") from None
    return taken


def addresses(host: str, port: int) -> list[str]:
    """Return the addresses to open: of this machine in its network, where the network may."""
    if host == LOOPBACK:
        return [f"http://{LOOPBACK}:{port}/"]
    return [f"http://{each}:{port}/" for each in own_numbers()]


def own_numbers() -> list[str]:
    """Return this machine's numbers in its networks; its own loopback where it is in none."""
    found: list[str] = []
    # No packet is sent: the system says from which number it would go out.
    for far in ("192.0.2.1", "10.255.255.255", "192.168.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            try:
                asking.connect((far, 9))
                found.append(asking.getsockname()[0])
            except OSError:
                continue
    return list(dict.fromkeys(each for each in found if not each.startswith("0."))) or [LOOPBACK]


def code_of(address: str) -> str:
    """Draw an address as a code that a phone's camera opens."""
    import segno

    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue()


def serve(desk: Desk, taken: socket.socket, reader: LineReader) -> None:
    """Answer until Ctrl-C; StoreUnavailable where the extra is not installed."""
    try:
        import uvicorn

        from cli.serve.app import app_of
    except ImportError as error:
        text = f"serving needs {error.name}: pip install 'tourney-ledger[serve]'"
        raise StoreUnavailable(text) from None
    from cli.serve.hall import Hall

    class Server(uvicorn.Server):
        """Ends the open streams before it waits for its connections."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            hall.end_streams()
            super().handle_exit(sig, frame)

    hall = Hall(desk)
    config = uvicorn.Config(
        app_of(hall, reader=reader),
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    try:
        Server(config).run(sockets=[taken])
    except KeyboardInterrupt:
        return  # the way out


def lines_for(found: Iterable[str]) -> list[str]:
    """Say where the hall is to be seen, and how it ends."""
    first, *others = found
    code = code_of(first)
    narrow = too_narrow(code)
    return [
        *([f"{narrow}, to see it"] if narrow else code.splitlines()),
        f"The event is at {first}",
        *(f"also at {each}" for each in others),
        "Ctrl-C ends it; the log stays as it is.",
    ]
