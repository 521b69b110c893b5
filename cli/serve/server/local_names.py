"""The machine's name in `.local`, answered to as long as the hall is open, if zeroconf is there."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cli.machine.draw_keys import machine_name
from cli.terminal.output import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SERVICE = "_http._tcp.local."


def local_name() -> str:
    """Return the name under which phones find this machine without a number: `desk.local`."""
    return f"{machine_name().partition('.')[0].lower()}.local"


def resolves(name: str, numbers: Sequence[str]) -> bool:
    """Whether this machine itself finds its name, as most phones then do."""
    try:
        found = socket.getaddrinfo(name, None, socket.AF_INET)
    except OSError:
        return False
    return any(each[4][0] in numbers for each in found)


@contextmanager
def announced(title: str, port: int, numbers: Sequence[str]) -> Iterator[str]:
    """Answer to this machine's name; gives it, or nothing where that is not possible here."""
    try:
        from zeroconf import ServiceInfo, Zeroconf
    except ImportError:
        yield ""
        return
    name = local_name()
    label = "".join(each for each in title if each.isalnum() or each == " ")[:40].strip()
    info = ServiceInfo(
        SERVICE,
        f"{label or 'tourney'} {port}.{SERVICE}",
        addresses=[socket.inet_aton(each) for each in numbers],
        port=port,
        server=f"{name}.",
    )
    try:
        responder = Zeroconf(interfaces=list(numbers))
    except OSError as error:
        say(f"no name in .local: {error.strerror or error}")
        yield ""
        return
    try:
        try:
            responder.register_service(info, allow_name_change=True)
        except Exception as error:  # noqa: BLE001 - of another program's network code
            say(f"no name in .local: {error or type(error).__name__}")
            name = ""
        yield name
    finally:
        responder.close()
