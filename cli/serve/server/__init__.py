"""The port, the addresses under which it is reached, and the end."""

from __future__ import annotations

import asyncio
import io
import socket
from importlib import import_module
from typing import TYPE_CHECKING

from cli.render.codes import too_narrow
from cli.serve.server.local_names import resolves
from cli.terminal.diagnostics import say
from ledger.errors import LedgerError, Refused, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType

    from cli.desk.effects.reading_desk import LineReader
    from cli.desk.session import Desk
    from cli.serve.api.season_views import SeasonSource
    from cli.serve.server.certificates import Certificate
    from ledger.formats import CardFile

LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104 - asked for by --lan
WAITING_MAX = 2_048
"""Connections that may wait to be taken: a hall that opens its phones at once."""

GRACE_SECONDS = 2
ADDRESS_TICKS = 300
"""How often the server looks whether its address is another one: in tenths of a second."""


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


def addresses(host: str, port: int, name: str = "", cert: Certificate | None = None) -> list[str]:
    """Return the addresses to open, the best first: of this machine in its network, if it may.

    A certificate's own names come first, since a browser takes no other; then a `name` that this
    machine finds itself.
    """
    numbers = [LOOPBACK] if host == LOOPBACK else own_numbers()
    is_found = bool(name) and resolves(name, numbers)
    hosts = [name, *numbers] if is_found else [*numbers, *([name] if name else [])]
    if cert and cert.names:
        hosts = [*cert.names, *hosts]
    scheme = "https" if cert else "http"
    return [f"{scheme}://{each}:{port}/" for each in dict.fromkeys(hosts)]


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


def refuse_absent() -> None:
    """Raise StoreUnavailable where the extra is not installed, before an address is shown."""
    try:
        for name in ("uvicorn", "cli.serve.app", "cli.serve.server.connections"):
            import_module(name)
    except ImportError as error:
        text = f"serving needs {error.name}: pip install 'tourney-ledger[serve]'"
        raise StoreUnavailable(text) from None


def open_keys(desk: Desk) -> None:
    """Open what signs heads and draws here while somebody is at the terminal; later nobody is."""
    from cli.keys import draw_keys, keyring

    stream, used = desk.book.stream, desk.book.tournament.draw_keys[-1:]
    try:
        if keyring.needs_passphrase(keyring.key_path(keyring.LOG, stream)):
            desk.heads.unlock()
        if used and draw_keys.draw_key_path(stream, used[0]).exists():
            draw_keys.hand_in(desk.book)
    except LedgerError as error:
        say(f"{error}; what needs that key is refused on pages, and done at a desk")
    keyring.ask_nobody()


def serve(
    desk: Desk,
    taken: socket.socket,
    reader: LineReader,
    cert: Certificate | None = None,
    season: SeasonSource | None = None,
    cards: CardFile | None = None,
) -> None:
    """Answer until Ctrl-C."""
    import uvicorn

    from cli.serve.app import app_of
    from cli.serve.hall import Hall
    from cli.serve.server.connections import CountedProtocol, Shortage, connections_max

    class Server(uvicorn.Server):
        """Ends the open streams before it waits for its connections."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            hall.end_streams()
            super().handle_exit(sig, frame)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            asyncio.get_running_loop().set_exception_handler(Shortage())
            await super().startup(sockets)

        async def on_tick(self, counter: int) -> bool:
            if counter % ADDRESS_TICKS == ADDRESS_TICKS - 1 and is_open:
                look_at_numbers(seen)
            return await super().on_tick(counter)

    is_open = taken.getsockname()[0] != LOOPBACK
    seen = own_numbers()
    hall = Hall(desk, cards)
    CountedProtocol.most = connections_max()
    config = uvicorn.Config(
        app_of(hall, reader=reader, names=cert.names if cert else (), season=season),
        http=CountedProtocol,
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        proxy_headers=False,  # who guesses at codes would have another address at each try
        timeout_keep_alive=20,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_certfile=cert.cert if cert else None,
        ssl_keyfile=cert.key if cert else None,
    )
    try:
        Server(config).run(sockets=[taken])
    except KeyboardInterrupt:
        return  # the way out


def look_at_numbers(seen: list[str]) -> None:
    """Say where the hall is now, where this machine's numbers are others than were seen."""
    now = own_numbers()
    if now != seen:
        gone, new = set(seen) - set(now), [each for each in now if each not in seen]
        seen[:] = now
        where = f"the hall is at {' and '.join(new)} now" if new else "no other way in is known"
        was = f"this machine is not {' or '.join(sorted(gone))} any more: " if gone else ""
        say(f"{was}{where}; codes that were printed lead to where it was")


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
