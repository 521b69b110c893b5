"""Ports for servers of tests."""

from __future__ import annotations

import errno
import socket
from secrets import randbelow

FIRST, AFTER_LAST = 20_000, 32_000
"""Below the numbers that systems give to connections, which come and go at any moment."""


def free_port() -> int:
    """Return a port that nobody has now; nor has anybody the next one, which is that of `--tls`."""
    while True:
        port = FIRST + randbelow(AFTER_LAST - FIRST)
        if _is_free(port) and _is_free(port + 1):
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as taken:
        try:
            taken.bind(("", port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return False
    return True
