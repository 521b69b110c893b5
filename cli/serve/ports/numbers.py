"""The numbers of this machine in its networks."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

LOOPBACK = "127.0.0.1"


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


def is_loopback(address: str) -> bool:
    """Return whether only this machine reaches an address."""
    host = urlsplit(address).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")
