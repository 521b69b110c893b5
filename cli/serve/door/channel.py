"""How a request came: over a connection that nobody else hears, or over one that others may hear.

Private are TLS that ends in this server, and loopback: both ends of the connection and the host
that the browser asked for are this machine. A request that a proxy passed on is neither, whatever
its headers say: nobody here knows how it came to the proxy.
"""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope

FORWARDED = frozenset({b"forwarded", b"via", b"x-real-ip", b"true-client-ip", b"client-ip"})
"""Headers that a proxy adds; so do all that begin with `x-forwarded` or `cf-`."""

ADDRESSES_KEPT = 1_024
"""Addresses and hosts that are kept in mind as this machine or another: a request has three."""

_FORWARDED_BEGINS = (b"x-forwarded", b"cf-connecting", b"x-original", b"x-cluster-client")


def is_private(scope: Scope) -> bool:
    """Return whether nobody but this machine or the other end of a TLS connection hears it."""
    if is_forwarded(scope):
        return False
    return scope["scheme"] == "https" or is_loopback(scope)


def is_forwarded(scope: Scope) -> bool:
    """Return whether a proxy passed the request on."""
    names = (name.lower() for name, _ in scope["headers"])
    return any(name in FORWARDED or name.startswith(_FORWARDED_BEGINS) for name in names)


def is_loopback(scope: Scope) -> bool:
    """Return whether both ends, and the host that was asked for, are this machine."""
    client, server = scope.get("client"), scope.get("server")
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    ends = [end[0] if end else "" for end in (client, server)]
    return len(hosts) == 1 and all(map(_is_this_machine, (*ends, host_name(hosts[0]))))


def host_name(host: str) -> str:
    """Return a Host without its port and without brackets."""
    if host.startswith("["):
        number, _, rest = host[1:].partition("]")
        return number if not rest or rest.startswith(":") else host
    return host.partition(":")[0]


@lru_cache(ADDRESSES_KEPT)
def _is_this_machine(name: str) -> bool:
    try:
        number = ipaddress.ip_address(name)
    except ValueError:
        return name.lower() == "localhost"
    mapped = number.ipv4_mapped if isinstance(number, ipaddress.IPv6Address) else None
    return (mapped or number).is_loopback
