"""Sign-in: a browser proves that it has a link's secret, and its cookie names the visitor.

A cookie is marked with a key in the vault, so that it outlives the server; it counts as long as
its link admits its holder and the browser is kept, which is looked up. A person who overheard a
cookie reads the pages that its owner reads. The cookie enters nothing: acts need a mark, see
`marks.py`.

Each nonce is valid for one proof, and for a minute. A nonce carries its own end and a mark of this
server, so that issuing a nonce takes no memory, and no flood of requests can push out the nonce of
another browser. Only nonces that admitted a browser are remembered, until they end.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import re
from contextlib import suppress
from functools import partial
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cli import outside
from cli.languages.speaking import marked, tr
from cli.serve.door.guard import is_private
from cli.serve.door.pace import Guesses
from cli.serve.refusals import TooMany
from cli.serve.visitors import ASKER, NOBODY, THE_DOOR, Lane, Visitor
from cli.terminal.output import say
from cli.wording.page_words import link_holder
from ledger.books.links import (
    BROWSER,
    LINKS_KEY,
    NONCE_BEGINS,
    SHORT_CODE_LETTERS,
    CookieKind,
    ShownCookie,
    SignedIn,
    acts_key,
    browser_item,
    browsers_of_ended,
    code_of,
    cookie_of,
    cookie_shown,
    digest_of_link,
    held_proof,
    is_browser,
    is_same,
    link_and_browser,
    proof_of,
    secret_of_link,
    short_code_of,
    typed_code,
)
from ledger.errors import LedgerError, Refused, StoreUnavailable
from ledger.facts.office import lets_in
from ledger.problems import phrase, problem
from ledger.rules.keys import NoteGuesses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from starlette.requests import Request
    from starlette.types import Scope

    from cli.desk.session import Desk
    from cli.serve.hall import Hall
    from ledger.store import Store
    from ledger.tournament.state import Tournament
    from ledger.tournament.table_records import Link

NONCE_SECONDS = 60
_NONCE = re.compile(rf"({NONCE_BEGINS}([0-9a-f]{{1,12}})-[0-9a-f]{{32}})-([0-9a-f]{{32}})")


class Nonces:
    """The nonces of one running server; another one, or the same after a restart, takes none."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._key = clock, os.urandom(32)
        self._used: dict[str, float] = {}

    def new(self) -> str:
        """Return a nonce that nobody has had."""
        end = int(self._clock()) + NONCE_SECONDS
        text = f"{NONCE_BEGINS}{end:x}-{os.urandom(16).hex()}"
        return f"{text}-{self._mark(text)}"

    def is_good(self, nonce: str) -> bool:
        """Return whether this server gave the nonce within the minute, and it was not used."""
        match = _NONCE.fullmatch(nonce)
        if match is None or not hmac.compare_digest(self._mark(match[1]), match[3]):
            return False
        return self._clock() < int(match[2], 16) and nonce not in self._used

    def use(self, nonce: str) -> None:
        """Remember that a nonce let a browser in."""
        now = self._clock()
        while self._used and next(iter(self._used.values())) < now:
            del self._used[next(iter(self._used))]
        self._used[nonce] = now + NONCE_SECONDS + 1

    def _mark(self, text: str) -> str:
        return hmac.digest(self._key, text.encode(), "sha256").hex()[:32]


SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
BROWSERS = {"Firefox": "Firefox", "FxiOS": "Firefox", "Edg": "Edge", "CriOS": "Chrome"} | {
    "SamsungBrowser": "Samsung",
    "Chrome": "Chrome",
    "Safari": "Safari",
}


def agent_in_words(agent: str) -> str:
    """Return browser and system, as `Safari, iPhone`."""
    system = next((each for each in SYSTEMS if each in agent), "")
    browser = next((shown for name, shown in BROWSERS.items() if name in agent), "a browser")
    return f"{browser}, {system}" if system else browser


BROWSERS_MAX = 5
"""Browsers that a link works on."""

KEPT_SECONDS = 10.0
"""Seconds that a browser counts which was signed out by another server of the same store."""

TRIES_MAX, TRIES_WAITING_MAX = 500, 20_000
"""Tries that are looked at in one turn of the hall, and tries that may wait."""

KEYS_MAX = 20_000
"""Keys and cookies of browsers that are kept at once: each follows from the vault, and is made or
checked again."""

ANSWERED, OVERHEARD = "answered", "overheard"
_BROWSER_BYTES = 8
_SECURE_COOKIE = "__Host-"
"""A browser keeps a cookie of such a name from TLS alone, and no page without TLS can set it."""


class Tried(NamedTuple):
    """What a browser shows at the door.

    A proof of a secret or a code: the SHA-256 of it, a nonce, and the HMAC of the nonce. Or a
    `code` as it was typed, with `owner` for one of eight letters: a name or number. Or
    `former_browser`, which was let in at another address of this tournament: the number of its
    link and its id, with the HMAC of the nonce by its key of marks. With `only_asks` no browser is
    let in.
    """

    address: str
    agent: str
    digest: str = ""
    nonce: str = ""
    proof: str = ""
    code: str = ""
    owner: str = ""
    cookie: str = ""
    is_private: bool = False
    former_browser: tuple[int, str] = (0, "")
    only_asks: bool = False


class LetIn(NamedTuple):
    """Who was let in, as which browser, and its cookie; `is_kept`: as who it was before.

    The cookie is empty for a browser that only asks for the name behind its key.
    """

    visitor: Visitor
    browser: str
    cookie: str
    is_kept: bool = False


class Session(NamedTuple):
    """A browser that is signed in: its link, its id, how it was let in, and how it asks now."""

    link: Link
    browser: str
    kind: CookieKind
    is_private: bool

    @property
    def needs_mark(self) -> bool:
        """Whether an act of it may be somebody else's who heard its cookie."""
        return not (self.is_private and self.kind == "private")


class _Found(NamedTuple):
    """A link that a try fits, how its browser is let in, and the nonce that is used up."""

    link: Link
    kind: CookieKind
    nonce: str = ""
    is_short: bool = False


class _Waiting(NamedTuple):
    tried: Tried
    answer: asyncio.Future[LetIn]


class Doorkeeper:
    """Knows every link that lets somebody in, and what follows from its key."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._key = hall, b""
        self.guesses, self.nonces = Guesses(), Nonces()
        self._opened: dict[str, bytes] = {}
        """What the vault has of browsers, by name, and until when that counts."""

        self._known_until = 0.0
        self._looking: asyncio.Task[None] | None = None
        self._arrived: list[_Waiting] = []
        self._turns: asyncio.Task[None] | None = None
        self._digests: dict[str, tuple[int, str]] = {}
        """By the SHA-256 of a secret or a code: the number of its link, and that text."""

        self._digested: dict[int, str] = {}
        self._keys: dict[tuple[int, str, bool], bytes] = {}
        self._cookies: dict[str, ShownCookie] = {}
        """Cookies whose mark was right, each with its link as it was then."""

    def cookie_name(self, scope: Scope) -> str:
        """Return the name of this tournament's cookie: over TLS another one than without."""
        name = f"hall_{self._hall.heading.log}"
        return f"{_SECURE_COOKIE}{name}" if scope["scheme"] == "https" else name

    async def visitor(self, request: Request) -> Visitor:
        """Return who asks, by their cookie."""
        session = await self.session(request)
        if session is None:
            return NOBODY
        return visitor_over(session.link, self._why_only_reads(session))

    def _why_only_reads(self, session: Session) -> str:
        """Return why this browser enters nothing: a word of `ONLY_READS`, or "" if it may."""
        if session.kind in {"before", "reading"}:
            return session.kind
        is_heard = session.link.of.startswith("o") and not session.is_private
        return "plain" if is_heard and not self._hall.plain_http else ""

    async def session(self, request: Request) -> Session | None:
        """Return the browser that asks: looked up once for each request."""
        scope = request.scope
        if "session" not in scope:
            shown = await self._shown(cookie_in(scope, self.cookie_name(scope)))
            scope["session"] = Session(*shown, is_private(scope)) if shown else None
        found: Session | None = scope["session"]
        return found

    async def let_in(self, tried: Tried) -> LetIn:
        """Let a browser in; all tries that wait are looked at together.

        Raises:
            Refused: no link has this secret or code, or it is open on too many browsers.
            TooMany: too many wrong codes of eight letters for this link.
        """
        if len(self._arrived) >= TRIES_WAITING_MAX:
            raise StoreUnavailable(
                phrase("too many browsers are signing in at once: try again in a minute")
            )
        waiting = _Waiting(tried, asyncio.get_running_loop().create_future())
        self._arrived.append(waiting)
        if self._turns is None or self._turns.done():
            self._turns = asyncio.create_task(self._take_turns())
        return await waiting.answer

    async def let_out(self, session: Session) -> None:
        """Forget a browser."""
        item = browser_item(session.link.number, session.browser)
        await self._hall.at_desk(lambda desk: self._forget(desk, [item]))

    async def ready(self) -> None:
        """Read the key that links follow from, unless it is known: once, for all who ask."""
        if not self._key:
            await self._look_again()
        if not self._key:  # the store was away, and may say why, or has no key
            self._key = await self._hall.at_desk(_key_of, Lane.ENTERING)

    def keys_of(self, link: Link, browser: str) -> Iterator[bytes]:
        """Yield the keys that a browser may mark its acts with: from the secret, then the code."""
        for is_code in (False, True):
            known = (link.number, browser, is_code)
            key = self._keys.get(known)
            if key is None:
                secret = secret_of_link(self._key, link)
                if not secret:
                    return
                text = code_of(self._key, link) if is_code else secret
                key = acts_key(text, self._hall.event, link.number, browser)
                if len(self._keys) >= KEYS_MAX:
                    self._keys.clear()
                self._keys[known] = key
            yield key

    async def is_open(self, link: Link, browser: str) -> bool:
        """Return whether a browser was not signed out; unchanged while the store is away."""
        if monotonic() >= self._known_until:
            await self._look_again()
        if link.of.startswith("e"):  # for as many as come: none of them is kept
            return True
        item = browser_item(link.number, browser)
        if item not in self._opened:
            await self._look_again()
        return item in self._opened

    def answered_marks(self, link: int) -> bytes:
        """Return the digests of the marks that were answered over a link and left no event."""
        return self._opened.get(browser_item(link, ANSWERED), b"")

    async def keep_answered(self, link: int, digests: bytes) -> None:
        """Keep the digests of marks that were answered, durably."""
        item = browser_item(link, ANSWERED)

        def put(desk: Desk) -> None:
            desk.store().vault_put(desk.book.stream, item, digests)
            self._opened[item] = digests

        await self._hall.at_desk(put)

    async def _shown(self, cookie: str) -> ShownCookie | None:
        if not cookie or not self._hall.links:
            return None
        if not self._key:
            await self.ready()
        shown = self._shown_by(cookie)
        if shown is None or not await self.is_open(shown.link, shown.browser):
            return None
        if shown.link.of.startswith("o"):  # an official may read much: look into the store again
            with suppress(StoreUnavailable):
                await self._hall.at_desk(_nothing, Lane.ENTERING)
        link = self._hall.links.get(shown.link.number)
        return shown if link and self._hall.admits(link) else None

    def _shown_by(self, cookie: str) -> ShownCookie | None:
        """Return what a cookie shows; its mark is computed once, while its link is unchanged."""
        links, shown = self._hall.links, self._cookies.get(cookie)
        if shown is not None and links.get(shown.link.number) == shown.link:
            return shown
        shown = cookie_shown(self._key, links, cookie)
        if shown is not None:
            if len(self._cookies) >= KEYS_MAX:
                self._cookies.clear()
            self._cookies[cookie] = shown
        return shown

    async def _look_again(self) -> None:
        """Read which browsers are signed in: once, for all who ask at this moment."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        await asyncio.shield(self._looking)

    async def _look(self) -> None:
        ASKER.set(THE_DOOR)
        with suppress(StoreUnavailable):
            await self._hall.at_desk(self._read_browsers)

    def _read_browsers(self, desk: Desk) -> Mapping[str, bytes]:
        secrets = desk.store().vault_items(desk.book.stream)
        self._key = self._key or secrets.get(LINKS_KEY, b"")
        ended = browsers_of_ended(secrets, desk.book.tournament.floor.links)
        if ended:
            desk.store().vault_delete_all(desk.book.stream, ended)
        begins = f"{BROWSER}:"
        before, self._opened = (
            self._opened,
            {
                name: item
                for name, item in secrets.items()
                if name.startswith(begins) and name not in ended
            },
        )
        self._make_keys(self._opened.keys() - before.keys(), desk.book.tournament.floor.links)
        self._known_until = monotonic() + KEPT_SECONDS
        return secrets

    def _make_keys(self, items: Iterable[str], links: Mapping[int, Link]) -> None:
        """Make the keys of browsers before their first acts, which may all come in one moment."""
        for item in islice(items, max(KEYS_MAX - len(self._keys), 0)):
            number, browser = link_and_browser(item)
            if link := links.get(number):
                next(self.keys_of(link, browser), None)

    def _forget(self, desk: Desk, items: Sequence[str]) -> None:
        desk.store().vault_delete_all(desk.book.stream, items)
        for item in items:
            self._opened.pop(item, None)

    async def _take_turns(self) -> None:
        """Look at tries, all that have come at a time, as long as any comes."""
        ASKER.set(THE_DOOR)
        while self._arrived:
            turn, self._arrived = self._arrived[:TRIES_MAX], self._arrived[TRIES_MAX:]
            tries = [waiting.tried for waiting in turn]
            answers: Sequence[LetIn | Exception]
            try:
                answers = await self._hall.at_desk(partial(self._tried, tries))
            except Exception as error:  # noqa: BLE001 - those who wait hear of it
                answers = [error] * len(turn)
            for waiting, answer in zip(turn, answers, strict=True):
                if waiting.answer.done():
                    continue  # the browser has gone
                if isinstance(answer, Exception):
                    waiting.answer.set_exception(answer)
                else:
                    waiting.answer.set_result(answer)
            for tried, answer in zip(tries, answers, strict=True):
                if isinstance(answer, Refused) and answer.problems[0].code == "link.not_one":
                    await self._note(tried)

    def _tried(self, tries: Sequence[Tried], desk: Desk) -> list[LetIn | Exception]:
        """Answer tries one after the other; the vault is read once for all, and written once."""
        tournament = desk.book.tournament
        found = [self._found(desk, tournament, tried) for tried in tries]
        if not any(isinstance(each, _Found) for each in found):
            return [each for each in found if isinstance(each, Exception)]
        self._read_browsers(desk)
        put: dict[str, bytes] = {}
        gone: list[str] = []
        answers = [
            self._answer(tried, each, put, gone) if isinstance(each, _Found) else each
            for tried, each in zip(tries, found, strict=True)
        ]
        self._write(desk.store(), desk.book.stream, put, gone)
        return answers

    def _write(
        self, store: Store, stream: str, put: Mapping[str, bytes], gone: Sequence[str]
    ) -> None:
        if put:
            store.vault_put_all(stream, put)
            self._opened |= put
        if gone:
            store.vault_delete_all(stream, gone)
            for item in gone:
                self._opened.pop(item, None)

    def _answer(
        self, tried: Tried, found: _Found, put: dict[str, bytes], gone: list[str]
    ) -> LetIn | Exception:
        """Let a browser in; what is to be written goes to `put` and `gone`."""
        link, kind, nonce, is_short = found
        if nonce and not self.nonces.is_good(nonce):
            return _stale()
        if nonce:
            self.nonces.use(nonce)
        if tried.only_asks:
            return LetIn(visitor_over(link), "", "")
        if is_short:
            kind = self._kind_of_short(link, kind, put)
        if tried.former_browser[0]:
            return self._let_in(link, tried.former_browser[1], kind)
        return self._as_browser(tried, link, kind, put, gone)

    def _as_browser(
        self, tried: Tried, link: Link, kind: CookieKind, put: dict[str, bytes], gone: list[str]
    ) -> LetIn | Exception:
        """Let a browser in as a new one of its link, or as the one that its cookie names."""
        before = cookie_shown(self._key, self._hall.links, tried.cookie)
        former = browser_item(before.link.number, before.browser) if before else ""
        is_there = former in self._opened.keys() | put.keys()
        # A cookie of another link may be a copy: it must not sign its owner out.
        is_own = before is not None and (
            before.link == link or (tried.is_private and before.kind == "private")
        )
        if before and is_there and (before.link, before.kind) == (link, kind):
            return self._let_in(link, before.browser, kind)
        browser = os.urandom(_BROWSER_BYTES).hex()
        if link.of.startswith("e"):
            if before and is_there and self._hall.admits(before.link):  # they stay who they are
                return self._let_in(before.link, before.browser, before.kind, is_kept=True)
            return self._let_in(link, browser, kind)
        begins = f"{browser_item(link.number, '')}"
        names = (name for name in self._opened.keys() | put.keys() if name.startswith(begins))
        opened = {name for name in names if is_browser(name)} - {former, *gone}
        if len(opened) >= BROWSERS_MAX:
            text = marked(
                "this link is already open in {count} browsers: sign out in one of them, or ask "
                "the desk"
            )
            return Refused(problem("link.browsers", text, count=len(opened)))
        signed_in = SignedIn(browser, outside.now(), agent_in_words(tried.agent))
        put[browser_item(link.number, browser)] = msgspec.json.encode(signed_in)
        if is_there and is_own:
            gone.append(former)
            put.pop(former, None)
        return self._let_in(link, browser, kind)

    def _kind_of_short(self, link: Link, kind: CookieKind, put: dict[str, bytes]) -> CookieKind:
        """Return `reading` for a code of eight letters that was ever sent in the open."""
        item = browser_item(link.number, OVERHEARD)
        if item in self._opened or item in put:
            return "reading"
        if kind == "reading":
            put[item] = b"1"
        return kind

    def _let_in(
        self, link: Link, browser: str, kind: CookieKind, *, is_kept: bool = False
    ) -> LetIn:
        cookie = cookie_of(self._key, link, browser, kind)
        only_reads = kind if kind in {"before", "reading"} else ""
        return LetIn(visitor_over(link, only_reads), browser, cookie, is_kept)

    def _found(self, desk: Desk, tournament: Tournament, tried: Tried) -> _Found | Exception:
        """Return the link that a try fits, or why it fits none."""
        if not self._key:
            self._key = _key_of(desk)
        links = tournament.floor.links
        if not self._key or not links:
            return _not_one(tried)
        if code := typed_code(tried.code):
            is_short = len(code) == SHORT_CODE_LETTERS
            by = self._by_short_code if is_short else self._by_code
            return by(tournament, code, tried)
        if not self.nonces.is_good(tried.nonce):
            return _stale()
        if tried.former_browser[0]:
            return self._by_held(desk, tournament, tried)
        number, text = self._digests_of(links).get(tried.digest, (0, ""))
        link = links.get(number)
        works = link is not None and lets_in(tournament, link)
        if not link or not works or not is_same(tried.proof, proof_of(text, tried.nonce)):
            return _not_one(tried)
        return _Found(link, "private" if tried.is_private else "open", tried.nonce)

    async def has_link(self, digest: str) -> bool:
        """Return whether a secret or long code with this SHA-256 is of a valid link here."""

        def has(desk: Desk) -> bool:
            tournament = desk.book.tournament
            self._key = self._key or _key_of(desk)
            number, _ = self._digests_of(tournament.floor.links).get(digest, (0, ""))
            link = tournament.floor.links.get(number)
            return link is not None and lets_in(tournament, link)

        return await self._hall.at_desk(has)

    def _by_held(self, desk: Desk, tournament: Tournament, tried: Tried) -> _Found | Exception:
        """Let a browser in again that is on record in the vault, by the key of its marks.

        It keeps its id, so that the key stays the same. A browser that signed out is not kept.
        """
        number, browser = tried.former_browser
        link, item = tournament.floor.links.get(number), browser_item(number, browser)
        if item not in self._opened:
            self._read_browsers(desk)
        is_kept = is_browser(item) and item in self._opened
        if link is None or not is_kept or not lets_in(tournament, link):
            text = marked(
                "this desk does not know this browser: open the link on your badge at this address"
            )
            return Refused(problem("link.unknown_browser", text))
        keys = self.keys_of(link, browser)
        if not any(is_same(tried.proof, held_proof(key, tried.nonce)) for key in keys):
            return _not_one(tried)
        return _Found(link, "private" if tried.is_private else "open", tried.nonce)

    def _by_code(self, tournament: Tournament, code: str, tried: Tried) -> _Found | Exception:
        """Take a code of 16 letters as it was typed, without a script: over no open connection."""
        if not tried.is_private:
            text = marked(
                "this browser sent its code unencrypted, so other people may have seen it: allow "
                "scripts on this page, because they prove a code without sending it"
            )
            return Refused(problem("link.open_code", text))
        links, digest = tournament.floor.links, digest_of_link(code)
        link = links.get(self._digests_of(links).get(digest, (0, ""))[0])
        if link is None or not lets_in(tournament, link):
            return _not_one(tried)
        return _Found(link, "private")

    def _by_short_code(self, tournament: Tournament, code: str, tried: Tried) -> _Found | Exception:
        """Take a code of eight letters of the link whose owner is named."""
        owned = list(_owned_by(tournament, tried.owner))
        if not owned:
            text = marked(
                "a code of eight letters is from an earlier sheet: also type the name on the "
                "badge, or the number, such as 7 for a player or o1 for an official"
            )
            return Refused(problem("link.whose", text))
        try:
            for link in owned:
                self.guesses.check_short_code(link.number)
        except TooMany as error:
            return error
        for link in owned:
            short = short_code_of(self._key, link)
            if short and is_same(code, short):
                return _Found(link, "private" if tried.is_private else "reading", is_short=True)
        for link in owned:
            self.guesses.wrong_short_code(link.number)
        return _not_one(tried)

    def _digests_of(self, links: Mapping[int, Link]) -> Mapping[str, tuple[int, str]]:
        """Return the secret and the code of every link by their SHA-256; new links are added."""
        for number, link in links.items():
            if self._digested.get(number) == link.digest:
                continue
            self._digested[number] = link.digest
            secret = secret_of_link(self._key, link)
            code = code_of(self._key, link)
            for text in (secret, code) if secret else ():
                self._digests[digest_of_link(text)] = (number, text)
        return self._digests

    async def _note(self, tried: Tried) -> None:
        """Put a burst of wrong tries on record."""
        many = self.guesses.wrong(tried.address)
        if not many:
            return
        say(
            tr(
                "many unknown links were tried within a minute from {address}: {many}",
                address=tried.address,
                many=many,
            )
        )
        try:
            by = await self._hall.at_desk(lambda desk: desk.by)
            await self._hall.act(Visitor(by), outside.draw_id(), NoteGuesses(many, tried.address))
        except LedgerError as error:
            say(tr("this could not be recorded: {error}", error=error))


def cookie_in(scope: Scope, name: str) -> str:
    """Return a cookie of a request by its name, the last one of several; "" without one."""
    wanted, value = name.encode(), b""
    for header, text in scope["headers"]:
        if header == b"cookie":
            for each in text.split(b";"):
                key, _, said = each.strip().partition(b"=")
                value = said if key == wanted else value
    return value.decode("latin-1")


def _not_one(tried: Tried) -> Refused:
    text = marked("no valid link has this {what}: check your badge, or ask the desk")
    what = phrase("code") if tried.code or tried.owner else phrase("address or code")
    return Refused(problem("link.not_one", text, what=what))


def _stale() -> Refused:
    text = marked("this attempt is more than a minute old, or was already used: try again")
    return Refused(problem("link.stale", text))


def _owned_by(tournament: Tournament, owner: str) -> list[Link]:
    """Return the links that let somebody in, of a person or screen by its number or name."""
    words = " ".join(owner.casefold().split()).removeprefix("#")
    if not words:
        return []
    of = f"p{words}" if words.isascii() and words.isdigit() else words
    links = [link for link in tournament.floor.links.values() if lets_in(tournament, link)]
    numbered = [link for link in links if link.of == of]
    if numbered:
        return numbered
    return [link for link in links if _name_of(tournament, link).casefold() == words]


def _name_of(tournament: Tournament, link: Link) -> str:
    return " ".join((tournament.names.get(link.of) or link_holder(tournament, link.of)).split())


def visitor_over(link: Link, only_reads: str = "") -> Visitor:
    """Return whom a link lets in."""
    number, kind = int(link.of[1:]), link.of[0]
    if kind in "se":
        screen = number if kind == "s" else 0
        return Visitor(
            link=link.number,
            is_screen=bool(screen),
            screen=screen,
            is_newcomer=not screen,
            only_reads=only_reads,
        )
    player, official = (number, 0) if kind == "p" else (0, number)
    return Visitor(link.of, player, official, link.number, only_reads=only_reads)


def _key_of(desk: Desk) -> bytes:
    return desk.store().vault_get(desk.book.stream, LINKS_KEY) or b""


def _nothing(_: Desk) -> None:
    """Do nothing at the desk, whose book has then every line of the store."""
