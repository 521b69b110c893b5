"""How a request came: over a connection that nobody else hears, or over one that others may hear.

Private are TLS that ends in this server, and loopback: both ends of the connection and the host
that the browser asked for are this machine. A request that a proxy passed on is neither, whatever
its headers say: nobody here knows how it came to the proxy.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope

ADDRESSES_KEPT = 1_024
"""Addresses and hosts that are kept in mind as this machine or another: a request has three."""

_FORWARDED = re.compile(
    rb"^(?:(?:forwarded|via|x-real-ip|true-client-ip|client-ip)$"
    rb"|x-forwarded|cf-connecting|x-original|x-cluster-client)",
    re.MULTILINE,
)
"""Headers that a proxy adds: some by their whole name, others by its beginning."""


def is_private(scope: Scope) -> bool:
    """Return whether nobody but this machine or the other end of a TLS connection hears it."""
    return (scope["scheme"] == "https" or is_loopback(scope)) and not is_forwarded(scope)


def is_forwarded(scope: Scope) -> bool:
    """Return whether a proxy passed the request on."""
    names = b"\n".join([name for name, _ in scope["headers"]])
    return _FORWARDED.search(names.lower()) is not None


def is_loopback(scope: Scope) -> bool:
    """Return whether both ends, and the host that was asked for, are this machine."""
    client, server = scope.get("client"), scope.get("server")
    if not (client and _is_this_machine(client[0]) and server and _is_this_machine(server[0])):
        return False
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    return len(hosts) == 1 and _is_host_of_this_machine(hosts[0])


def host_name(host: str) -> str:
    """Return a Host without its port and without brackets."""
    if host.startswith("["):
        number, _, rest = host[1:].partition("]")
        return number if not rest or rest.startswith(":") else host
    return host.partition(":")[0]


@lru_cache(ADDRESSES_KEPT)
def _is_host_of_this_machine(host: bytes) -> bool:
    return _is_this_machine(host_name(host.decode("latin-1")))


@lru_cache(ADDRESSES_KEPT)
def _is_this_machine(name: str) -> bool:
    try:
        number = ipaddress.ip_address(name)
    except ValueError:
        return name.lower() == "localhost"
    mapped = number.ipv4_mapped if isinstance(number, ipaddress.IPv6Address) else None
    return (mapped or number).is_loopback
