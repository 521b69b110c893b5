"""Signed heads for phones, and the receipt of a player's latest result.

A phone that keeps a head notices if the store behind the hall is changed or put back, since the
lines do not continue the head that it kept. The phone reports both heads, and the desk has them
from then on. It also reports, calmly, that this server cannot sign for the log, or shows another
log. A phone cannot detect a server that runs another program: such a server could send another
script.

A receipt is a line of the log and the proof that a signed head covers it. `tourney verify FILE
--policy POLICY` checks it anywhere, without this server and without the log.
"""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeVar

import htpy
import msgspec
from markupsafe import Markup
from msgspec import Meta, Struct, structs
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from cli.desk.guide import round_in_words
from cli.languages.speaking import language, tr
from cli.machine.caveats import keep_report
from cli.machine.checkpoint_file import head_in
from cli.machine.keyring import LOG, key_path, needs_passphrase, passphrase_typed
from cli.machine.noticed import keep_notice
from cli.machine.posted_words import RULE, WordsOfPosting
from cli.machine.renewals import Renewals, log_keys
from cli.render.codes import svg_code
from cli.render.elements import tr_nodes
from cli.serve.acts import player_spoken_for
from cli.serve.pages.frame import Surroundings, own_page, way_to
from cli.serve.refusals import FRESH, Malformed, NotTheirs, plainly, status_of
from cli.serve.visitors import visitor_of
from cli.succession.acts_of_desks import TakeOverLine, take_overs, who_took_over
from cli.terminal.output import say
from cli.terminal.visible import marking_names, visible, visible_lines
from cli.wording.page_words import public_view
from cli.wording.phrases import result_in_words
from ledger.errors import LedgerError, NotFound
from ledger.problems import phrase, problem
from ledger.proof.evidence import Prover, Receipt, write_receipt
from ledger.proof.formats import NOTE_BYTES_MAX, leaf_hash
from ledger.proof.notes import base64_of, vkey
from ledger.proof.signatures import LOG as LOG_ITSELF
from ledger.proof.signatures import origin_of
from ledger.tournament.progress import latest_match_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.machine.checkpoint_file import StoredCheckpoint
    from cli.machine.posted_words import PostedWords
    from cli.serve.hall import Hall
    from ledger.tournament.state import Match, Tournament

Value = TypeVar("Value")

SIGN_SECONDS = 5.0
"""Seconds between two new heads that are signed for phones."""

RECEIPT_SECONDS = 0.5
"""How often one is signed for phones that wait for the receipt of an act."""

TAKE_OVERS_MAX = 8
"""Take-overs that an answer has, the latest ones: a phone that missed more of them asks people."""

SIZE_DIGITS = 12
Note = Annotated[str, Meta(max_length=NOTE_BYTES_MAX)]


class SeenHeads(Struct, frozen=True, forbid_unknown_fields=True):
    """Two heads that a phone saw, and which do not go on from each other."""

    kept: Note
    seen: Note
    renewed: Renewals = ()
    """The lines that renewed a key, as they came with the head that was kept."""


class KeptHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The head that a phone keeps while this server cannot sign, or shows another log."""

    kept: Note
    renewed: Renewals = ()


class ShownHead(Struct, frozen=True):
    """The newest signed head."""

    note: str
    keys: list[str]
    renewed: list[dict[str, str]]
    proof: list[str] | None
    """Proof that all lines of this log continue it; None if it covers more lines."""


class ShownPosting(Struct, frozen=True):
    """The head of the latest posting, which the six words belong to."""

    round: int
    size: int
    root: str
    proof: list[str]
    """Proof that all lines of this log continue it."""


class ShownTakeOver(Struct, frozen=True):
    """The line by which a desk took over, and the root of the lines before it."""

    line: str
    root: str
    proof: list[str]
    """Proof that all lines of this log continue the lines before it."""

    registered: list[str]
    """Proof that they continue the lines before the registration of the key that signed it."""

    earlier: list[ShownTakeOver] = []
    """The take-overs before the last one: a phone may have missed several."""


class Witnessed(Struct, frozen=True):
    """What a phone checks, all of one moment: every proof leads to the tree of all lines here."""

    origin: str
    event: str
    size: int
    root: str
    key: Literal["open", "locked", "away"]
    """The log's key: on this machine, locked by its passphrase, or not on this machine."""
    signed_in: bool
    head: ShownHead | None
    proof: list[str] | None
    """Proof that all lines continue the phone's head; None if that head covers more lines."""
    posting: ShownPosting | None
    takeover: ShownTakeOver | None
    """The last take-over of this log, which phones check with the keys that they know.

    It has those before it: a phone believes the first one by a key that it knew, and each of the
    others by a key that the one before leads to.
    """


class SignedHeads:
    """Routes for questions about heads."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._prover, self._signed_at = hall, Prover(), -SIGN_SECONDS
        self._renewals: dict[int, dict[str, str]] = {}
        self._signed_since: dict[TakeOverLine, int] = {}
        self._words, self._said = WordsOfPosting(), ""
        self._shown: tuple[str, dict[str, Markup]] = "", {}
        self.routes = [
            Route("/head", self.page),
            Route("/api/v1/head", self.head),
            Route("/api/v1/consistency", self.consistency),
            Route("/api/v1/witness", self.witness),
            Route("/api/v1/forks", self.report, methods=["POST"]),
            Route("/api/v1/kept", self.notice, methods=["POST"]),
        ]

    async def head(self, _: Request) -> Response:
        """Answer with the newest head and the log's keys, as a policy has them."""
        return _json(await self._hall.at_desk(self._newest))

    async def consistency(self, request: Request) -> Response:
        """Answer with the proof that the log of `to` events goes on from the one of `from`."""
        old, new = (asked_size(request, name) for name in ("from", "to"))
        return _json({"proof": await self._hall.at_desk(lambda desk: self._proof(desk, old, new))})

    async def witness(self, request: Request) -> Response:
        """Answer with all that a phone checks; `kept` is how many events its own head covers."""
        kept = asked_size(request, "kept") if "kept" in request.query_params else 0
        visitor = await visitor_of(request)
        work, is_in = self.witnessed, bool(visitor.link)
        return _json(await self._hall.at_desk(lambda desk: work(desk, kept, signed_in=is_in)))

    async def notice(self, request: Request) -> Response:
        """Keep a phone's head while this server cannot sign for its log, or shows another log."""
        try:
            sent = msgspec.json.decode(await request.body(), type=KeptHead)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Malformed(phrase("this is not a head")) from None
        note = sent.kept.encode()

        def keep(desk: Desk) -> bool:
            is_signed = _key_state(desk) == "open" and self._head_if_any(desk) is not None
            beside = self._hall.beside()
            return keep_notice(desk.book, note, sent.renewed, others_only=is_signed, beside=beside)

        return _json({"kept": await self._hall.at_desk(keep)})

    async def report(self, request: Request) -> Response:
        """Keep two heads that contradict each other, and say so at the desk."""
        try:
            heads = msgspec.json.decode(await request.body(), type=SeenHeads)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Malformed(phrase("these are not two heads")) from None
        notes = [heads.kept.encode(), heads.seen.encode()]
        said = await self._hall.at_desk(lambda desk: keep_report(desk.book, notes, heads.renewed))
        if said:
            say(said)
        return _json({"kept": bool(said)})

    async def page(self, _: Request) -> Response:
        """Answer with the newest head as text and as a code."""
        shown = await self._hall.at_desk(self._drawn)
        return HTMLResponse(own_page(self._hall.heading, tr("Signed head"), shown), headers=FRESH)

    def _drawn(self, desk: Desk) -> Markup:
        """Return the page of the newest head; the code of a head is drawn once in each language."""
        value = self._newest(desk)
        note = str(value["note"])
        if self._shown[0] != note:
            self._shown = note, {}
        in_languages, spoken = self._shown[1], language()
        if spoken not in in_languages:
            in_languages[spoken] = Markup(htpy.fragment[_shown(value)])  # noqa: S704 - made by htpy
        return in_languages[spoken]

    def witnessed(self, desk: Desk, kept: int, *, signed_in: bool) -> Witnessed:
        """Return what a phone checks, from one reading of the store."""
        head = self._head_if_any(desk)
        book = desk.book
        posted, size = self._words.now(book), len(book.lines)
        self._prove(book.lines)
        return Witnessed(
            origin=origin_of(book.stream),
            event=self._hall.name,
            size=size,
            root=base64_of(self._prover.root(size)),
            key=_key_state(desk),
            signed_in=signed_in,
            head=self._shown_head(desk, head) if head else None,
            proof=self._proof_to(kept, size),
            posting=self._shown_posting(posted, size) if posted else None,
            takeover=self._shown_take_over(desk, size),
        )

    def _shown_take_over(self, desk: Desk, size: int) -> ShownTakeOver | None:
        """Return the last take-over with those before it; None without one."""
        acts = [self._take_over(desk, seq, size) for seq in take_overs(desk.book)]
        if not acts:
            return None
        return structs.replace(acts[-1], earlier=acts[-TAKE_OVERS_MAX:-1])

    def _take_over(self, desk: Desk, seq: int, size: int) -> ShownTakeOver:
        line, root = desk.book.lines[seq - 1], base64_of(self._prover.root(seq - 1))
        act = TakeOverLine(line.decode(), root)
        if act not in self._signed_since:
            self._signed_since[act] = who_took_over(desk.book, act, is_past=True).since
        since = self._signed_since[act]
        proof, registered = (self._proof_to(event - 1, size) or [] for event in (seq, since))
        return ShownTakeOver(act.line, root, proof, registered)

    def _shown_head(self, desk: Desk, head: StoredCheckpoint) -> ShownHead:
        keys = [vkey(key) for key in log_keys(desk.book)]
        proof = self._proof_to(head.size, len(desk.book.lines))
        return ShownHead(head.note, keys, self._renewed(desk), proof)

    def _shown_posting(self, posted: PostedWords, size: int) -> ShownPosting:
        proof = self._proof_to(posted.size, size) or []
        return ShownPosting(posted.round, posted.size, base64_of(posted.root), proof)

    def _head_if_any(self, desk: Desk) -> StoredCheckpoint | None:
        """Return the newest head; None without one. What kept it from being signed is said once.

        A phone sees by itself that the lines are not those of the head.
        """
        problem, head = "", None
        try:
            head = desk.heads.kept()
            head = self._signed(desk, head)
        except LedgerError as error:
            problem = str(error)
        if problem and problem != self._said:
            say(tr("no head is signed for phones: {problem}", problem=problem))
        self._said = problem
        return head

    def _proof_to(self, old: int, new: int) -> list[str] | None:
        if not 0 < old <= new:
            return None
        return [base64_of(each) for each in self._prover.consistency(old, new)]

    def _signed(self, desk: Desk, kept: StoredCheckpoint | None) -> StoredCheckpoint | None:
        """Sign a new head if the last one is behind, and it is time; return the newest."""
        is_behind = kept is None or kept.size < len(desk.book.lines)
        is_due = time.monotonic() - self._signed_at >= SIGN_SECONDS
        if is_behind and is_due and _key_state(desk) == "open":
            self._signed_at = time.monotonic()
            return desk.heads.sign() or kept
        return kept

    def _newest(self, desk: Desk) -> dict[str, object]:
        kept = self._signed(desk, desk.heads.kept())
        if kept is None:
            raise NotFound(phrase("no head of this log was signed on this computer yet"))
        return {
            "note": kept.note,
            "size": kept.size,
            "keys": [vkey(key) for key in log_keys(desk.book)],
            "renewed": self._renewed(desk),
        }

    def _renewed(self, desk: Desk) -> list[dict[str, str]]:
        """Return the lines by which a key of the log signed for the next one, in their order.

        Each with the root of the lines before it, which is signed with it.
        """
        keys = desk.book.tournament.keys.values()
        for since in (key.since for key in keys if key.holder == LOG_ITSELF and key.agreed):
            if since not in self._renewals:
                self._prove(desk.book.lines)
                root = base64_of(self._prover.root(since - 1))
                line = desk.book.lines[since - 1].decode()
                self._renewals[since] = {"line": line, "root": root}
        return [each for _, each in sorted(self._renewals.items())]

    def prover(self, desk: Desk) -> Prover:
        """Return the hashes of all lines that a desk has."""
        self._prove(desk.book.lines)
        return self._prover

    def covering(self, desk: Desk, size: int) -> ShownHead | None:
        """Return the newest head if it covers so many events; sign one if that is all that lacks.

        A phone waits for it just after an act, so many are signed in no second.
        """
        kept = desk.heads.kept()
        is_due = time.monotonic() - self._signed_at >= RECEIPT_SECONDS
        if (kept is None or kept.size < size) and is_due and _key_state(desk) == "open":
            self._signed_at = time.monotonic()
            kept = desk.heads.sign() or kept
        self._prove(desk.book.lines)
        is_here = kept is not None and size <= kept.size <= self._prover.size
        return self._shown_head(desk, kept) if kept is not None and is_here else None

    def _prove(self, lines: Sequence[bytes]) -> None:
        """Hash the lines that are new, or all of them if the store went back or is another."""
        done = self._prover.size
        if done > len(lines) or (
            done and self._prover.leaf(done - 1) != leaf_hash(lines[done - 1])
        ):
            self._prover = Prover()
        for line in lines[self._prover.size :]:
            self._prover.add(leaf_hash(line))

    def _proof(self, desk: Desk, old: int, new: int) -> list[str]:
        lines = desk.book.lines
        if not 0 < old <= new <= len(lines):
            raise NotFound(
                phrase(
                    "this log has {events} events: no proof from {old} to {new}",
                    events=len(lines),
                    old=old,
                    new=new,
                )
            )
        self._prove(lines)
        return [base64_of(each) for each in self._prover.consistency(old, new)]


def _key_state(desk: Desk) -> Literal["open", "locked", "away"]:
    """Return whether the log's key is on this machine, and opens without a person being asked."""
    path = key_path(LOG, desk.book.stream)
    if not path.exists():
        return "away"
    if needs_passphrase(path) and not passphrase_typed(path):
        return "locked"
    return "open" if desk.heads.has_key_in_use() else "away"


def asked_size(request: Request, name: str) -> int:
    """Return the number of events that a question names; Malformed if it is not a number."""
    text = request.query_params.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= SIZE_DIGITS):
        raise Malformed(phrase("{name} must be a number of events", name=name))
    return int(text)


def _shown(value: dict[str, object]) -> htpy.Node:
    note = str(value["note"])
    code = Markup(svg_code(note.encode()))  # noqa: S704 - drawn here, of bytes
    return [
        htpy.h2[tr("Six words below each page")],
        htpy.p[
            tr(
                "The words come from each line of the log, up to the round that they name. One "
                "changed line gives different words."
            )
        ],
        htpy.p[tr(RULE)],
        htpy.h2[tr("The log's signed head")],
        htpy.p[
            tr(
                "It covers the first {size} events of the log, and no others. A phone that "
                "opens these pages keeps it, and checks that the next head continues it.",
                size=value["size"],
            )
        ],
        htpy.div(class_="code")[code],
        htpy.pre(id="head")[visible_lines(note)],
        htpy.p[
            tr_nodes(
                "Scan the code and save its text as a file: {command} compares it with any copy of "
                "the log, and so does the page {page} in a folder that was published on another "
                "host.",
                command=htpy.code["tourney diff FILE LOG --policy POLICY"],
                page=htpy.code["head.html"],
            )
        ],
    ]


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)


FILE = "/me/receipt.tlog-proof"
AROUND = Surroundings(script="player", kind="player")


class ShownReceipt(NamedTuple):
    """A receipt, and a description of its act."""

    receipt: Receipt
    result: str
    where: str


class Receipts:
    """The receipt of a player's latest result, by its path."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._prover = hall, Prover()
        self.routes = [Route("/me/receipt", self.page), Route(FILE, self.file)]

    async def page(self, request: Request) -> Response:
        """Answer with the receipt as a code, and what it says."""
        status = HTTPStatus.OK
        try:
            shown: htpy.Node = await self._of(request, _drawn_page)
        except NotFound as error:
            shown, status = _none_yet(error), status_of(error)
        whole = own_page(self._hall.heading, tr("Receipt"), shown, around=AROUND)
        return HTMLResponse(whole, status, FRESH)

    async def file(self, request: Request) -> Response:
        """Answer with the receipt as a file to keep."""
        content = await self._of(request, lambda shown: write_receipt(shown.receipt))
        headers = FRESH | {"content-disposition": 'attachment; filename="receipt.tlog-proof"'}
        return Response(content, media_type="text/plain", headers=headers)

    async def _of(self, request: Request, work: Callable[[ShownReceipt], Value]) -> Value:
        """Return the result of `work` on a player's receipt, within the budget of the link."""
        visitor = await visitor_of(request)
        player_spoken_for(visitor, "")
        if not visitor.player:
            raise NotTheirs(
                problem(
                    "serve.no_player", "a receipt is for a player's own match: sign in as a player"
                )
            )
        return await self._hall.at_desk(lambda desk: work(self._made(desk, visitor.player)))

    def _made(self, desk: Desk, player: int) -> ShownReceipt:
        tournament = desk.book.tournament
        match = latest_match_of(tournament, player)
        if match is None or not match.result_seq:
            raise NotFound(
                phrase("Your latest match has no result yet: the receipt follows the result")
            )
        kept, lines = desk.heads.kept(), desk.book.lines
        if kept is None or kept.size < match.result_seq:
            raise NotFound(
                phrase("No signed head covers your result yet: try again in a few seconds")
            )
        for line in lines[self._prover.size :]:
            self._prover.add(leaf_hash(line))
        place = match.result_seq - 1
        proof = self._prover.inclusion(place, kept.size)
        receipt = Receipt(place, proof, kept.note.encode(), lines[place])
        return ShownReceipt(receipt, *_in_words(public_view(tournament), match))


@marking_names()
def _in_words(tournament: Tournament, match: Match) -> tuple[str, str]:
    result = result_in_words(tournament, match, match.result) if match.result else ""
    played = tournament.rounds[match.round - 1]
    return result, tr(
        "{round}, table {table}",
        round=round_in_words(tournament, played),
        table=match.table,
    )


def _none_yet(error: NotFound) -> htpy.Node:
    """Return the page without a receipt: the reason, and the way back to the table."""
    return htpy.div(class_="empty")[
        htpy.p[tr("{reason}.", reason=plainly(error))],
        htpy.p[htpy.a(href="me", class_="button main")[tr("My table")]],
    ]


@marking_names()
def _drawn_page(shown: ShownReceipt) -> Markup:
    return Markup(htpy.fragment[_page(shown)])  # noqa: S704 - made by htpy


def _page(shown: ShownReceipt) -> htpy.Node:
    head = head_in(shown.receipt.note)
    code = svg_code(write_receipt(shown.receipt._replace(extra=b"")))
    return [
        way_to("me", tr("Back to my table")),
        htpy.p(class_="about")[shown.where],
        htpy.p(class_="result")[visible(shown.result)],
        htpy.p[
            tr(
                "This is entry {position} of {size} in the log {origin}. The log's signature "
                "covers all of them: if this entry is ever removed or changed, you can prove it "
                "with this receipt.",
                position=shown.receipt.position + 1,
                size=head.size,
                origin=head.origin,
            )
        ],
        htpy.div(class_="code")[Markup(code)],  # noqa: S704 - drawn here, of bytes
        way_to(FILE, tr("Save as a file"), download=True),
        htpy.p(class_="about")[
            tr("tourney verify FILE --policy POLICY checks it on any computer.")
        ],
    ]
