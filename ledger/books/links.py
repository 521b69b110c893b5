"""The secrets of links, and the proofs and marks of browsers that never send a secret.

The secrets follow from one key in the vault, so that a lost sheet can be printed again.

    links-key            every secret, code and cookie of this tournament follows from it
    browser:7:<id>       a browser that link 7 let in: since when, and what it calls itself
    browser:7:answered   marks of acts over link 7 that were answered and left no event
    browser:7:overheard  link 7's code of eight letters was typed over an open connection

A link's secret is in its address; the log has its SHA-256. A code of 16 letters (80 bits) is for
typing, and is proved in the same way as a secret. Sheets that were printed before such codes have
codes of eight letters, which are short enough to be guessed; links of today have none.

A browser that signs in sends the SHA-256 of its secret and an HMAC of a nonce. It keeps a key K
that follows from the secret, and each of its acts carries a mark that is made with K. A listener
learns neither the secret nor K, and a mark fits only one act of one browser.

    proof = HMAC-SHA-256(secret, nonce)
    K     = HMAC-SHA-256(secret, acts LF log LF link LF browser)
    mark  = HMAC-SHA-256(K, log LF link LF browser LF path LF id LF seen LF body)
    held  = HMAC-SHA-256(K, nonce)

The last one is the proof of a browser that comes from another address of its tournament: it has
forgotten the secret, and kept K.

All are written as hex digits. The secret is the text behind the # in the address of a link, or its
code of 16 letters. A nonce begins with "in-", so that no nonce makes a proof that is a K.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
from msgspec import Struct

from ledger.tournament.table_records import Link  # noqa: TC001 - a NamedTuple's

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.store import Store

LINKS_KEY = "links-key"
BROWSER = "browser"
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What a code is made of: no letter that looks like a digit."""

CODE_LETTERS, SHORT_CODE_LETTERS = 16, 8
"""Letters of a code, and of a code on an earlier sheet; a letter has five bits."""

_LETTER_BITS = 5
_PRINTED_GROUP = 4
_SECRET_BYTES = 20
_BROWSER_ITEM = re.compile(rf"{BROWSER}:([1-9][0-9]*):([0-9a-f]{{16}})")
_COOKIE = re.compile(r"([1-9][0-9]{0,6})\.([0-9a-f]{16})\.(?:([a-z]{4,7})\.)?([0-9a-f]{40})")

CookieKind = Literal["open", "private", "reading", "before"]
"""How a browser was let in.

`open`: by a proof, over a connection that others may hear; each act needs a mark.
`private`: over loopback or TLS, where acts need no mark.
`reading`: by a code of eight letters over an open connection; such a browser only reads.
`before`: by a release that had no marks; such a browser only reads.
"""


_KINDS: dict[str, CookieKind] = {
    "open": "open",
    "private": "private",
    "reading": "reading",
    "before": "before",
}


class SignedIn(Struct, frozen=True):
    """A browser that a link let in: its id, since when, and what it calls itself."""

    browser: str
    since: str
    agent: str


def links_key(store: Store, stream: str, draw: Callable[[], bytes]) -> bytes:
    """Return the key that the links of a tournament follow from; draw one where it has no such."""
    if store.vault_get(stream, LINKS_KEY) is None:
        store.vault_put(stream, LINKS_KEY, draw())
    return store.vault_get(stream, LINKS_KEY) or b""


def secret_of(key: bytes, command_id: str, of: str) -> str:
    """Return the secret of the link that a command issues to a person, a screen or the event."""
    return _as_secret(_follows(key, f"link-16 {command_id} {of}"))


def secret_of_link(key: bytes, link: Link) -> str:
    """Return the secret of a link that was issued, or "" if it does not follow from this key."""
    secret = secret_of(key, link.command_id, link.of)
    if digest_of_link(secret) == link.digest:
        return secret
    secret = _earlier_secret(key, link)
    return secret if digest_of_link(secret) == link.digest else ""


def _earlier_secret(key: bytes, link: Link) -> str:
    """Return the secret of a link whose sheet has a code of eight letters."""
    return _as_secret(_follows(key, f"link {link.command_id} {link.of}"))


def _as_secret(mac: bytes) -> str:
    return urlsafe_b64encode(mac[:_SECRET_BYTES]).decode()[:27]


def digest_of_link(secret: str) -> str:
    """Return what the log has of a secret."""
    return sha256(secret.encode()).hexdigest()


def is_of(key: bytes, link: Link) -> bool:
    """Return whether a link's secret follows from this key."""
    return bool(secret_of_link(key, link))


def code_of(key: bytes, link: Link) -> str:
    """Return the code of 16 letters that is typed in the place of a link's secret."""
    return _letters(_follows(key, f"code-16 {link.digest}"), CODE_LETTERS)


def short_code_of(key: bytes, link: Link) -> str:
    """Return the code of eight letters on a link's earlier sheet, or "" if it never had one."""
    if digest_of_link(_earlier_secret(key, link)) != link.digest:
        return ""
    return _letters(_follows(key, f"code {link.digest}"), SHORT_CODE_LETTERS, SHORT_CODE_LETTERS)


def _letters(mac: bytes, count: int, size: int = 10) -> str:
    number = int.from_bytes(mac[:size])
    return "".join(LETTERS[number >> (_LETTER_BITS * place) & 31] for place in range(count))


def shown_code(code: str) -> str:
    """Return a code as it is printed: in groups of four letters."""
    return "-".join(
        code[start : start + _PRINTED_GROUP] for start in range(0, len(code), _PRINTED_GROUP)
    )


def typed_code(text: str) -> str:
    """Return a code that was typed, in any case and with spaces, as it was made."""
    return re.sub(r"[\s-]", "", text).upper()


def cookie_of(key: bytes, link: Link, browser: str, kind: CookieKind) -> str:
    """Return the cookie of a browser that a link let in."""
    return f"{link.number}.{browser}.{kind}.{_cookie_mark(key, link, browser, kind)}"


class ShownCookie(NamedTuple):
    """A cookie whose mark fits: its link, its browser, and how that browser was let in."""

    link: Link
    browser: str
    kind: CookieKind


def cookie_shown(key: bytes, links: Mapping[int, Link], cookie: str) -> ShownCookie | None:
    """Return a cookie's link and browser, or None if its mark is wrong or its link has ended."""
    match = _COOKIE.fullmatch(cookie)
    link = links.get(int(match[1])) if match else None
    if match is None or link is None or link.until:
        return None
    kind = _KINDS.get(match[3] or "before")
    if kind is None:
        return None
    is_own = hmac.compare_digest(match[4], _cookie_mark(key, link, match[2], kind))
    return ShownCookie(link, match[2], kind) if is_own else None


def browser_item(link: int, browser: str) -> str:
    """Name the item of the vault that a browser is."""
    return f"{BROWSER}:{link}:{browser}"


def browsers_of_ended(secrets: Mapping[str, bytes], links: Mapping[int, Link]) -> list[str]:
    """Name the browsers that a vault keeps of links that have ended permanently."""
    ended = {number for number, link in links.items() if link.until}
    opened = filter(None, map(_BROWSER_ITEM.fullmatch, secrets))
    return [browser[0] for browser in opened if int(browser[1]) in ended]


def link_and_browser(item: str) -> tuple[int, str]:
    """Return the link and the browser that an item of the vault is; (0, "") for any other item."""
    match = _BROWSER_ITEM.fullmatch(item)
    return (int(match[1]), match[2]) if match else (0, "")


def is_browser(item: str) -> bool:
    """Return whether an item of the vault is a browser."""
    return _BROWSER_ITEM.fullmatch(item) is not None


def browsers_in(secrets: Mapping[str, bytes]) -> Iterator[tuple[int, SignedIn]]:
    """Yield the browsers that links let in, each with its link; in order of time."""
    found: list[tuple[int, SignedIn]] = []
    for name, value in secrets.items():
        matched = _BROWSER_ITEM.fullmatch(name)
        if matched:
            said = msgspec.json.decode(value, type=SignedIn)
            found.append((int(matched[1]), said))
    yield from sorted(found, key=lambda each: each[1].since)


def _cookie_mark(key: bytes, link: Link, browser: str, kind: CookieKind) -> str:
    way = "" if kind == "before" else f" {kind}"
    return _follows(key, f"cookie {link.digest} {browser}{way}").hex()[:40]


def _follows(key: bytes, what: str) -> bytes:
    return hmac.digest(key, what.encode(), "sha256")


NONCE_BEGINS = "in-"
"""Beginning of a nonce, which no log's number has: the proof of a K is never a mark."""

MARK_DIGITS = 64
"""Hex digits of a proof and of a mark."""


class MarkedAct(NamedTuple):
    """Act that a mark covers; its id and the event that it had seen are those of its body."""

    path: str
    id: str
    seen: str
    body: bytes


def proof_of(secret: str, nonce: str) -> str:
    """Return what shows that a browser has a secret, for one nonce."""
    return hmac.digest(secret.encode(), nonce.encode(), "sha256").hex()


def acts_key(secret: str, log: str, link: int, browser: str) -> bytes:
    """Return the key K, which one browser marks its acts with."""
    text = f"acts\n{log}\n{link}\n{browser}"
    return hmac.digest(secret.encode(), text.encode(), "sha256")


def held_proof(key: bytes, nonce: str) -> str:
    """Return what shows that a browser has a K, for one nonce."""
    return hmac.digest(key, nonce.encode(), "sha256").hex()


def mark_of(key: bytes, log: str, link: int, browser: str, act: MarkedAct) -> str:
    """Return the mark of an act."""
    head = f"{log}\n{link}\n{browser}\n{act.path}\n{act.id}\n{act.seen}\n"
    return hmac.digest(key, head.encode("utf-8", "surrogatepass") + act.body, "sha256").hex()


def shown_at_door(secret: str, nonce: str) -> dict[str, str]:
    """Return the form by which a program signs in over a link, without sending its secret."""
    proof = proof_of(secret, nonce)
    return {"digest": digest_of_link(secret), "nonce": nonce, "proof": proof}


class ActMarks(NamedTuple):
    """The key with which a program that is signed in marks its acts, and what the key is for."""

    key: bytes
    log: str
    link: int
    browser: str

    def of(self, path: str, command_id: str, body: bytes) -> str:
        """Return the mark of an act that names no event that it had seen."""
        act = MarkedAct(path, command_id, "", body)
        return mark_of(self.key, self.log, self.link, self.browser, act)


def marks_of(secret: str, log: str, link: int, browser: str) -> ActMarks:
    """Return the marks of a browser that a link let in."""
    return ActMarks(acts_key(secret, log, link, browser), log, link, browser)


def is_same(shown: str, made: str) -> bool:
    """Return whether a proof or mark is the expected one, in a time that tells nothing."""
    return hmac.compare_digest(shown.encode("utf-8", "surrogatepass"), made.encode())
