"""The secrets of links, which follow from one key in the vault: a lost sheet is printed again.

    links-key            what every secret, code and cookie of this tournament follows from
    browser:7:<id>       a browser that link 7 let in: since when, and what it calls itself

A link's secret is in its address; the log has the SHA-256 of it. Its code is for those
who type: too short to have a digest on record; tries are counted where it is taken.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.store import Store
    from ledger.tournament.links import Link

LINKS_KEY = "links-key"
BROWSER = "browser"
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What a code is made of: no letter that looks like a digit."""

CODE_LETTERS = 8
_SECRET_BYTES = 20
_BROWSER_ITEM = re.compile(rf"{BROWSER}:([1-9][0-9]*):([0-9a-f]{{16}})")
_COOKIE = re.compile(r"([1-9][0-9]{0,6})\.([0-9a-f]{16})\.([0-9a-f]{40})")


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
    """Return the secret of the link that a command gives to somebody."""
    return urlsafe_b64encode(_follows(key, f"link {command_id} {of}")[:_SECRET_BYTES]).decode()[:27]


def digest_of_link(secret: str) -> str:
    """Return what the log has of a secret."""
    return sha256(secret.encode()).hexdigest()


def is_of(key: bytes, link: Link) -> bool:
    """Whether a link's secret follows from this key."""
    return digest_of_link(secret_of(key, link.command_id, link.of)) == link.digest


def code_of(key: bytes, link: Link) -> str:
    """Return the code that is typed in the place of a link's secret."""
    found = int.from_bytes(_follows(key, f"code {link.digest}")[:CODE_LETTERS])
    return "".join(LETTERS[found >> (5 * place) & 31] for place in range(CODE_LETTERS))


def shown_code(code: str) -> str:
    """Return a code as it is printed: in two halves."""
    return f"{code[: CODE_LETTERS // 2]}-{code[CODE_LETTERS // 2 :]}"


def typed_code(text: str) -> str:
    """Return a code that was typed, in any case and with spaces, as it was made."""
    return re.sub(r"[\s-]", "", text).upper()


def cookie_of(key: bytes, link: Link, browser: str) -> str:
    """Return what a browser shows from now on."""
    return f"{link.number}.{browser}.{_mark(key, link, browser)}"


def carry_key(key: bytes, link: Link) -> bytes:
    """Return what a browser that a link let in marks acts with that another's phone carries."""
    return _follows(key, f"carry {link.digest}")


def link_shown(key: bytes, links: Mapping[int, Link], cookie: str) -> tuple[Link, str] | None:
    """Return the link that let a browser in, and the browser; None for a cookie of no link."""
    found = _COOKIE.fullmatch(cookie)
    link = links.get(int(found[1])) if found else None
    if found is None or link is None:
        return None
    is_own = hmac.compare_digest(found[3], _mark(key, link, found[2]))
    return (link, found[2]) if is_own and not link.until else None


def browser_item(link: int, browser: str) -> str:
    """Name the item of the vault that a browser is."""
    return f"{BROWSER}:{link}:{browser}"


def browsers_of_ended(secrets: Mapping[str, bytes], links: Mapping[int, Link]) -> list[str]:
    """Name the browsers that a vault keeps of links that have ended permanently."""
    ended = {number for number, link in links.items() if link.until}
    opened = filter(None, map(_BROWSER_ITEM.fullmatch, secrets))
    return [browser[0] for browser in opened if int(browser[1]) in ended]


def browsers_in(secrets: Mapping[str, bytes], link: int = 0) -> Iterator[tuple[int, SignedIn]]:
    """Yield the browsers that links let in, of one link or of all; in order of time."""
    found: list[tuple[int, SignedIn]] = []
    for name, value in secrets.items():
        matched = _BROWSER_ITEM.fullmatch(name)
        if matched and (not link or int(matched[1]) == link):
            said = msgspec.json.decode(value, type=SignedIn)
            found.append((int(matched[1]), said))
    yield from sorted(found, key=lambda each: each[1].since)


def _mark(key: bytes, link: Link, browser: str) -> str:
    return _follows(key, f"cookie {link.digest} {browser}").hex()[:40]


def _follows(key: bytes, what: str) -> bytes:
    return hmac.digest(key, what.encode(), "sha256")
