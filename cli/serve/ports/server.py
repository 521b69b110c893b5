"""The server of the hall: its port, the addresses of this machine, and the end.

If zeroconf is installed, the machine answers to its name in `.local` while the hall is open.
"""

from __future__ import annotations

import io
import math
import socket
import sys
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from msgspec import structs

from cli.languages.speaking import tr
from cli.machine.draw_keys import machine_name
from cli.render.codes import too_narrow
from cli.serve.ports.numbers import LOOPBACK, code_for_phones, own_numbers
from cli.terminal.output import finish, say, show
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cli.desk.in_hand import ListedTournament
    from cli.desk.session import Desk, LineReader
    from cli.serve.door.owner import Owner, OwnersBrowser
    from cli.serve.entry import ServedStore
    from cli.serve.ports.certificates import Certificate, SecurePort
    from cli.serve.views import SeasonSource
    from ledger.formats import CardFile

SERVICE = "_http._tcp.local."


def local_name() -> str:
    """Return the name under which phones find this machine without a number: `desk.local`."""
    return f"{machine_name().partition('.')[0].lower()}.local"


def resolves(name: str, numbers: Sequence[str]) -> bool:
    """Whether this machine itself finds its name, as most phones then do."""
    try:
        resolved = socket.getaddrinfo(name, None, socket.AF_INET)
    except OSError:
        return False
    return any(address[4][0] in numbers for address in resolved)


@contextmanager
def announced(title: str, port: int, numbers: Sequence[str]) -> Iterator[str]:
    """Answer to this machine's name, and yield the name; yield "" if that is not possible."""
    try:
        from zeroconf import ServiceInfo, Zeroconf
    except ImportError:
        yield ""
        return
    name = local_name()
    label = "".join(letter for letter in title if letter.isalnum() or letter == " ")[:40].strip()
    info = ServiceInfo(
        SERVICE,
        f"{label or 'tourney'} {port}.{SERVICE}",
        addresses=[socket.inet_aton(number) for number in numbers],
        port=port,
        server=f"{name}.",
    )
    try:
        responder = Zeroconf(interfaces=list(numbers))
    except OSError as error:
        say(tr("no name in .local: {reason}", reason=error.strerror or error))
        yield ""
        return
    try:
        try:
            responder.register_service(info, allow_name_change=True)
        except Exception as error:  # noqa: BLE001 - of another program's network code
            say(tr("no name in .local: {reason}", reason=error or type(error).__name__))
            name = ""
        yield name
    finally:
        responder.close()


EVERYWHERE = "0.0.0.0"  # noqa: S104 - asked for by --lan
CONNECT_SECONDS = 0.5
WAITING_MAX = 2_048
"""Connections that may wait to be taken: a hall that opens its phones at once."""

SWITCH_SECONDS = 0.001
"""How long one thread keeps another from running: an act goes from the thread that hears it to the
one that writes it and back, while the second one makes pages."""


def listening(host: str, port: int) -> socket.socket:
    """Open the port.

    Raises:
        Refused: another program uses the port, or the system does not allow it.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(WAITING_MAX)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise Refused(
            phrase(
                "port {port} cannot be used ({reason}): choose another with --port",
                port=port,
                reason=str(reason),
            )
        ) from None
    return listener


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
    return [f"{scheme}://{place}:{port}/" for place in dict.fromkeys(hosts)]


def answers_at(address: str) -> bool:
    """Return whether a program takes connections at an address now."""
    parts = urlsplit(address)
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 80), CONNECT_SECONDS):
            return True
    except OSError:
        return False


def code_of(address: str) -> str:
    """Draw an address as a code that a phone's camera opens."""
    import segno

    picture = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(picture, compact=True, border=2)
    return picture.getvalue()


INSTALL = "pip install 'tourney-ledger[serve]'"
"""Command that installs the extra."""


def can_serve() -> bool:
    """Return whether the extra that serves is installed."""
    return not _absent()


def refuse_absent() -> None:
    """Raise StoreUnavailable if the extra is not installed, before an address is shown."""
    if name := _absent():
        raise StoreUnavailable(
            phrase("serving needs {name}: {command}", name=name, command=INSTALL)
        )


def _absent() -> str:
    """Return the missing module that serving needs; empty if all modules are installed."""
    try:
        for name in ("uvicorn", "cli.serve.app", "cli.serve.ports.connections"):
            import_module(name)
    except ImportError as error:
        return error.name or str(error)
    return ""


def open_keys(desk: Desk) -> None:
    """Open the keys of heads and draws while a person can type their passphrases."""
    from cli.machine import draw_keys, keyring

    stream, used = desk.book.stream, desk.book.tournament.draw_keys[-1:]
    try:
        if keyring.needs_passphrase(keyring.key_path(keyring.LOG, stream)):
            desk.heads.unlock()
        if used and draw_keys.draw_key_path(stream, used[0]).exists():
            draw_keys.hand_in(desk.book)
    except LedgerError as error:
        say(
            tr(
                "{reason}; acts that need this key are refused on pages: do them at a desk",
                reason=error,
            )
        )
    keyring.ask_nobody()


class HallOptions(NamedTuple):
    """Options of a hall: its certificates, season, card file and second port."""

    cert: Certificate | None = None
    season: SeasonSource | None = None
    cards: CardFile | None = None
    secure: SecurePort | None = None
    opens_browser: bool = False
    """Whether the owner's browser is opened."""

    streams: Sequence[str] = ()
    """The tournaments that are served from the start."""

    public_address: Callable[[], str] = str
    """Return where phones open this server, as its number is in the network now."""


NO_OPTIONS = HallOptions()


def serve(
    desk: Desk,
    taken: socket.socket,
    reader: LineReader,
    options: HallOptions = NO_OPTIONS,
) -> None:
    """Answer until Ctrl-C, on one port, and on a second one over TLS if there is one."""
    from cli.serve.door.owner import Owner, OwnersBrowser
    from cli.serve.entry import Addresses
    from cli.serve.looking import Looking
    from cli.serve.ports.connections import CountedProtocol, HallServer, config_of, connections_max

    cert, _, _, secure, opens_browser, streams, _ = options
    host, port = taken.getsockname()
    options = options._replace(public_address=lambda: addresses(host, port, cert=cert)[0])
    CountedProtocol.most = connections_max()
    names = [name for each in (cert, secure and secure.cert) if each for name in each.names]
    owner, browser = Owner(), OwnersBrowser()
    store = store_of(desk, reader, options, owner, names)
    app = Addresses(streams, store, owner, Looking(), names)
    second = (config_of(app, secure.cert, is_first=False), secure.taken) if secure else None
    looking = (
        None
        if host == LOOPBACK
        else partial(look_at_numbers, own_numbers(), options.public_address)
    )
    sys.setswitchinterval(SWITCH_SECONDS)
    _let_the_owner_in(owner, browser, port, cert, opens_browser=opens_browser)
    try:
        HallServer(config_of(app, cert), app.end_streams, looking, second).run(sockets=[taken])
    except KeyboardInterrupt:
        return  # the way out
    finally:
        browser.close()


def _let_the_owner_in(
    owner: Owner,
    browser: OwnersBrowser,
    port: int,
    cert: Certificate | None,
    *,
    opens_browser: bool,
) -> None:
    """Open the owner's browser, or say by which address the owner signs in."""
    place = f"{'https' if cert else 'http'}://{LOOPBACK}:{port}/owner"
    if opens_browser and browser.open(f"{place}#{owner.new_token()}"):
        return
    show(
        tr(
            "At this computer, open {address} (once)",
            address=f"{place}#{owner.new_token(math.inf)}",
        )
    )
    finish()


def served_here(desk: Desk) -> list[str]:
    """Return the tournaments to serve: the one in hand, and those that the owner has opened."""
    from cli.desk.in_hand import listed_tournaments

    if not desk.has_store():
        return []
    in_store = {listed.stream for listed in listed_tournaments(desk.store())}
    served = [stream for stream in desk.memory.served if stream in in_store]
    if not in_store or desk.stream in served:
        return served
    return [desk.stream, *served]


def store_of(
    desk: Desk, reader: LineReader, options: HallOptions, owner: Owner, names: Sequence[str]
) -> ServedStore:
    """Return what the owner's pages do with the store of this folder."""
    from cli.desk.in_hand import listed_tournaments, recall, remember
    from cli.desk.session import Desk as OwnDesk
    from cli.serve.app import app_of
    from cli.serve.entry import Served, ServedStore
    from cli.serve.hall import Hall

    # The desk of the terminal has its log folded, and the keys that were opened at the start.
    desks = {desk.stream: desk} if options.streams else {}

    def served(stream: str) -> Served:
        own_desk = desks.pop(stream, None)
        if own_desk is None:
            own_desk = OwnDesk(desk.options._replace(tournament=stream, store=desk.location), ())
        hall = Hall(own_desk, options.cards)
        hall.private_address = options.secure.address if options.secure else ""
        hall.public_address = options.public_address
        return Served(hall, app_of(hall, None, reader, names, options.season, owner))

    def listed() -> list[ListedTournament]:
        own_desk = OwnDesk(desk.options._replace(store=desk.location), ())
        try:
            return listed_tournaments(own_desk.store()) if own_desk.has_store() else []
        finally:
            own_desk.close()

    def keep(streams: Sequence[str]) -> None:
        try:
            remember(structs.replace(recall(), served=tuple(streams)))
        except OSError as error:
            say(
                tr(
                    "which tournaments are open cannot be kept here ({reason})",
                    reason=error.strerror,
                )
            )

    return ServedStore(desk.location, listed, served, keep)


def secure_lines(secure: SecurePort) -> list[str]:
    """Return the address of officials over TLS, and the fingerprint that proves this machine."""
    from cli.serve.ports.certificates import fingerprint

    return [
        tr("Officials act at {address}", address=secure.address),
        tr("their browser warns once: accept only a certificate with this SHA-256 fingerprint"),
        f"  {fingerprint(secure.cert.cert)}",
    ]


def look_at_numbers(seen: list[str], public_address: Callable[[], str] = str) -> None:
    """Report the hall's new address, and its code, if this machine's numbers have changed."""
    try:
        now = own_numbers()
    except OSError:  # the system has no free file descriptor: try again at the next tick
        return
    if now != seen:
        gone, new = set(seen) - set(now), [number for number in now if number not in seen]
        seen[:] = now
        where = (
            tr("the hall is now at {addresses}", addresses=tr(" and ").join(new))
            if new
            else tr("no other address is known")
        )
        was = (
            tr("this computer is no longer {addresses}: ", addresses=tr(" or ").join(sorted(gone)))
            if gone
            else ""
        )
        say(
            tr(
                "{was}{where}; printed codes still lead to the old address: print them again",
                was=was,
                where=where,
            )
        )
        for line in code_lines(public_address()):
            say(line)


def code_lines(address: str) -> list[str]:
    """Return the line with the code of an address, or no line if phones cannot open it."""
    code = code_for_phones(address)
    text = tr("pages that lost their desk take the code {code}", code=code)
    return [text] if code else []


def lines_for(
    found: Iterable[str], secure: SecurePort | None = None, public: str = ""
) -> list[str]:
    """Return the lines with the hall's address, the officials' address, and how the hall ends.

    `public` is the address that a code names.
    """
    first, *others = found
    code = code_of(first)
    narrow = too_narrow(code)
    return [
        *([tr("{narrow} to see it", narrow=narrow)] if narrow else code.splitlines()),
        tr("The tournament is at {first}", first=first),
        *(tr("also at {address}", address=address) for address in others),
        *code_lines(public),
        *(secure_lines(secure) if secure else ()),
        tr("Press Ctrl-C to stop; the log stays unchanged."),
    ]
