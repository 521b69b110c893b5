"""The numbers of this machine in its networks, and the code of an address that people type.

A page that has lost its desk has a field for the code of another address (`static/moved.js`):
`192.168.1.9-NF` is `http://192.168.1.9:8600/`, and `https://desk.example:8443-ZB` has all parts.
The last two characters check the others: they catch one wrong character, and two neighbours that
changed places. They protect from typing errors, and from nothing else: the page checks the log.
"""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from ledger.books.links import LETTERS

LOOPBACK = "127.0.0.1"

PORT = 8600
"""The port of a hall, which a code omits."""

_TYPED = "0123456789abcdefghijklmnopqrstuvwxyz.:-_/[]"
"""Characters of an address; a letter counts as its place here and one more."""

_PRIME, _FACTOR = 1_021, 31
"""Every power of the factor is a different weight below the prime, for longer than any address.

So one other character, or two neighbours that changed places, always change the sum. It is below
the prime, so it is two of 32 letters.
"""


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


def typed_address(address: str) -> str:
    """Return the code of an address: its short form, a dash and two characters that check it."""
    parts = urlsplit(address)
    scheme = "" if parts.scheme == "http" else f"{parts.scheme}://"
    short = f"{scheme}{parts.netloc.lower().removesuffix(f':{PORT}')}"
    return f"{short}-{check_letters(short)}"


def code_for_phones(address: str) -> str:
    """Return the code of an address, or "" if phones cannot open the address."""
    return typed_address(address) if address and not is_loopback(address) else ""


def check_letters(short: str) -> str:
    """Return the two letters that check the short form of an address."""
    total = 0
    for letter in short:
        total = (total * _FACTOR + _TYPED.index(letter) + 1) % _PRIME
    high, low = divmod(total, len(LETTERS))
    return LETTERS[high] + LETTERS[low]
