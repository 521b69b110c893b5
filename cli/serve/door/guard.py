"""The limits of every request, the headers of every answer, and whether a connection is private.

Every visitor may look. The guard refuses requests that only an attacker's page sends, such as a
host name of its own that points here or a form that another site posts, and limits the cost of a
request.

Private are TLS that ends in this server, and loopback: both ends of the connection and the host
that the browser asked for are this machine. A request that a proxy passed on is not private,
whatever its headers are: this server does not know how the request reached the proxy.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
from functools import lru_cache
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cli.languages.speaking import in_figures, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'"
)
MOVING_POLICY = POLICY.replace("connect-src 'self'", "connect-src 'self' http:")
"""Policy of the pages that people have open when the desk dies (`is_left_open`).

Their script asks the address that a person typed (`static/moved.js`), and the policy must allow
that when the page is opened, before there is such an address. A policy can name neither the numbers
of a network nor "what was typed", so the scheme is the narrowest that works; `http:` includes
https. Scripts still come only from here, and an injected one could send what it read by opening an
address, which no policy forbids. Screens, and pages that sign in or register, keep `'self'`.
"""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    # Not `no-referrer`: a browser would then post the hall's own forms with `Origin: null`.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"tourney", b"hall"),  # a page's script knows by it what another program answered
)
_LEFT_OPEN = re.compile(
    r"/(?:(?:pairings|standings|bracket|clock|line)?|(?:me|desk|judge)(?:/.*)?)/?"
)


def is_left_open(path: str) -> bool:
    """Return whether people have a page open all day: public pages, a player's, an official's."""
    return _LEFT_OPEN.fullmatch(path) is not None


PATH_MAX = 400
"""Bytes of a path with its question."""

HEADERS_MAX = 100
"""What is said beside it, line by line: a browser says about twenty."""

BODY_MAX = 200_000
"""Bytes that are posted at once: a player's list, whose text the log holds to less."""

BODY_SECONDS = 15
"""How long a slow phone may take to send them."""

PORT_MAX, HOSTS_KEPT = 65_535, 256
"""The last port, and of how many hosts it is kept whether they are the server's own."""

_JUDGED_BY = (b"host", b"origin", b"sec-fetch-site", b"content-type", b"content-length")
_HOST = re.compile(
    r"(?P<name>\[[0-9A-Fa-f:.]{2,45}\]|[0-9A-Za-z_.-]{1,253})(?::(?P<port>[0-9]{1,5}))?"
)
"""A name or number with its port. A zone (`%eth0`) is not allowed: no browser sends one."""

_LOCAL = re.compile(r"(?:[0-9a-z_](?:[0-9a-z_-]{0,61}[0-9a-z_])?\.)+local")

READING = frozenset({"GET", "HEAD"})
METHODS = READING | {"POST"}
FORM_TYPE = "application/x-www-form-urlencoded"
JSON_TYPE = "application/json"
FILE_TYPES = ("application/octet-stream", "multipart/form-data")
"""Types of a posted file: from the script of a page, and from its form."""


class _Wrong(NamedTuple):
    """Why a request is not answered."""

    status: HTTPStatus
    text: str


class Guard:
    """Refuses before anything is looked up, and puts the headers on every answer."""

    def __init__(
        self, app: ASGIApp, names: Iterable[str] = (), uploads: frozenset[str] = frozenset()
    ) -> None:
        """`names` are those of the server's own certificate, which nobody else can answer to.

        `uploads` are the paths that take a file: its body is left to the application, unread.
        """
        self._app, self._names, self._uploads = app, frozenset(names), uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        policy = MOVING_POLICY if is_left_open(scope["path"]) else POLICY
        policy_header = (b"content-security-policy", policy.encode())

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], policy_header, *HEADERS]
            await send(message)

        is_file = scope["path"] in self._uploads
        wrong = _wrong(scope, self._names, is_file=is_file)
        if wrong is None and scope["method"] == "POST" and not is_file:
            body = await _body(receive)
            if isinstance(body, bytes):
                await self._app(scope, _again(body, receive), sending)
                return
            wrong = body
        if wrong is not None:
            await _refuse(scope, wrong, sending)
            return
        await self._app(scope, receive, sending)


async def _refuse(scope: Scope, wrong: _Wrong, send: Send) -> None:
    """Answer with one sentence: problem details for a program, text for anybody else."""
    body, kind = f"{wrong.text}\n".encode(), b"text/plain; charset=utf-8"
    if scope["path"].startswith("/api/"):
        value = {"type": "about:blank", "title": wrong.status.phrase, "status": wrong.status.value}
        body, kind = (
            msgspec.json.encode(value | {"detail": wrong.text}),
            b"application/problem+json",
        )
    headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    if wrong.status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers.append((b"allow", ", ".join(sorted(METHODS)).encode()))
    if wrong.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": wrong.status.value, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _body(receive: Receive) -> bytes | _Wrong:
    """Read what is posted, no more than may be, and no longer than may be waited for."""
    found = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return _Wrong(
                        HTTPStatus.BAD_REQUEST, tr("the request is incomplete: send it again")
                    )
                found += message.get("body", b"")
                if len(found) > BODY_MAX:
                    return _too_large()
                if not message.get("more_body"):
                    return bytes(found)
    except TimeoutError:
        return _Wrong(
            HTTPStatus.REQUEST_TIMEOUT, tr("the request took too long to arrive: send it again")
        )


def _too_large() -> _Wrong:
    return _Wrong(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        tr("a request can have at most {body_max} bytes", body_max=in_figures(BODY_MAX)),
    )


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read already, and then what comes."""
    rest: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receiving() -> Message:
        return rest.pop() if rest else await receive()

    return receiving


def _wrong(scope: Scope, names: frozenset[str], *, is_file: bool = False) -> _Wrong | None:
    """Say why a request is not answered: status and sentence."""
    if scope["method"] not in METHODS:
        return _Wrong(HTTPStatus.METHOD_NOT_ALLOWED, tr("only GET, HEAD and POST are allowed"))
    if len(scope["raw_path"]) + len(scope["query_string"]) > PATH_MAX:
        return _Wrong(HTTPStatus.REQUEST_URI_TOO_LONG, tr("the address is too long"))
    if len(scope["headers"]) > HEADERS_MAX:
        return _Wrong(
            HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, tr("the request has too many headers")
        )
    said = _said(scope)
    hosts = said[b"host"]
    if len(hosts) != 1 or not is_own_host(hosts[0], names):
        text = tr("the hall does not answer under this name: open the address that the desk shows")
        return _Wrong(HTTPStatus.MISDIRECTED_REQUEST, text)
    return _wrong_post(scope, said, is_file=is_file) if scope["method"] == "POST" else None


def _wrong_post(
    scope: Scope, said: Mapping[bytes, Sequence[str]], *, is_file: bool
) -> _Wrong | None:
    """Say why nothing is taken from there, or not in this form."""
    origins, sites = said[b"origin"], said[b"sec-fetch-site"]
    own = f"{scope['scheme']}://{said[b'host'][0]}".lower()
    is_own = [each.lower() for each in origins] == [own] if origins else bool(sites)
    if not is_own or any(site != "same-origin" for site in sites):
        text = tr("this was sent from a page at another address: repeat it on the hall's own page")
        return _Wrong(HTTPStatus.FORBIDDEN, text)
    kind = JSON_TYPE if scope["path"].startswith("/api/") else FORM_TYPE
    allowed = FILE_TYPES if is_file else (kind,)
    kinds = [each.partition(";")[0].strip().lower() for each in said[b"content-type"]]
    if len(kinds) != 1 or kinds[0] not in allowed:
        text = tr("this must be sent as {join}", join=" or ".join(allowed))
        return _Wrong(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, text)
    lengths = () if is_file else said[b"content-length"]
    is_long = any(not each.isdecimal() or int(each[:12]) > BODY_MAX for each in lengths)
    return _too_large() if is_long else None


def _said(scope: Scope) -> dict[bytes, list[str]]:
    """Return each header that a request is judged by, with all its values in their order."""
    said: dict[bytes, list[str]] = {name: [] for name in _JUDGED_BY}
    for name, value in scope["headers"]:
        if name in said:
            said[name].append(value.decode("latin-1"))
    return said


@lru_cache(HOSTS_KEPT)
def is_own_host(host: str, names: frozenset[str] = frozenset()) -> bool:
    """Return whether a browser may reach this server under a `Host`.

    Allowed are an IPv4 number, an IPv6 number in brackets, `localhost`, a name in `.local` and the
    `names` of the server's certificate, each with or without a port. Any other name could belong to
    a stranger who points it here, and a page under that name could then read this one. The whole
    text must be of that form: whatever follows a bracket or a port is refused.
    """
    form = _HOST.fullmatch(host)
    if form is None or int(form["port"] or 0) > PORT_MAX:
        return False
    name = form["name"].lower()
    if name.startswith("["):
        return _is_number(IPv6Address, name[1:-1])
    if _is_number(IPv4Address, name):
        return True
    return name == "localhost" or name in names or _LOCAL.fullmatch(name) is not None


def _is_number(kind: type[IPv4Address | IPv6Address], text: str) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True
