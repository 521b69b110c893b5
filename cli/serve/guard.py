"""What no request passes, and what every answer carries.

Everybody in the hall may look; the guard keeps out what only an attacker's page sends, such as a
host name of its own that points here, and holds what a request may cost.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
PATH_MAX = 400
"""Bytes of a path with its question."""

READING = frozenset({"GET", "HEAD"})


class Guard:
    """Refuses before anything is looked up, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        refused = _problem(scope)
        if refused:
            status, text = refused
            body = f"{text}\n".encode()
            headers = [(b"content-type", b"text/plain; charset=utf-8")]
            if status == 405:  # noqa: PLR2004 - as RFC 9110 asks
                headers.append((b"allow", b"GET, HEAD"))
            await sending({"type": "http.response.start", "status": status, "headers": headers})
            await sending({"type": "http.response.body", "body": body})
            return
        await self._app(scope, receive, sending)


def _problem(scope: Scope) -> tuple[int, str] | None:
    """Say why a request is not answered: status and sentence."""
    if scope["method"] not in READING:
        return 405, "these pages are for reading"
    if len(scope["raw_path"]) + len(scope["query_string"]) > PATH_MAX:
        return 414, "the address is too long"
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) != 1 or not is_own_host(hosts[0].decode("latin-1")):
        return 421, "the address of this page has another name: open the one that the desk shows"
    return None


def is_own_host(host: str) -> bool:
    """Whether a browser may have this server under that name: a number, localhost, or `.local`.

    Any other name could be somebody's that points here, whose page would then read this one.
    """
    name = host.rpartition(":")[0] if host.count(":") == 1 else host
    if host.startswith("["):
        name = host[1:].partition("]")[0]
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.lower() == "localhost" or name.lower().endswith(".local")
    return True
