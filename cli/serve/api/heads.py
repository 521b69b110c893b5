"""Signed heads for phones: the newest one, that it goes on from another, and what a phone saw.

A phone that keeps a head notices when the store behind the hall is changed or put back, since the
next head does not go on from the one it kept. It reports both, and the desk has them from then on.
What it cannot see is a server that is not this program: that one could send it another script.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import htpy
import msgspec
from markupsafe import Markup
from msgspec import Meta, Struct
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from cli.heads.keys_in_use import log_keys
from cli.heads.renewals import Renewals  # noqa: TC001 - msgspec reads it
from cli.heads.reported import keep_report
from cli.keys.keyring import LOG, key_path, needs_passphrase, passphrase_typed
from cli.render.codes import svg_code
from cli.serve.pages.frame import own_page
from cli.serve.refusals import FRESH, Malformed
from cli.terminal.diagnostics import say
from cli.terminal.visible import visible
from ledger.errors import NotFound
from ledger.proof.evidence.notes import base64_of, vkey
from ledger.proof.evidence.prover import Prover
from ledger.proof.formats import NOTE_BYTES_MAX, leaf_hash
from ledger.proof.holders import LOG as LOG_ITSELF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

    from cli.desk.session import Desk
    from cli.serve.hall import Hall

SIGN_SECONDS = 5.0
"""How often a new head is signed for phones that ask."""

SIZE_DIGITS = 12
Note = Annotated[str, Meta(max_length=NOTE_BYTES_MAX)]


class SeenHeads(Struct, frozen=True, forbid_unknown_fields=True):
    """Two heads that a phone saw, and which do not go on from each other."""

    kept: Note
    seen: Note
    renewed: Renewals = ()
    """The lines that renewed a key, as they came with the head that was kept."""


class SignedHeads:
    """What is asked about heads, by its path."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._prover, self._signed_at = hall, Prover(), -SIGN_SECONDS
        self._renewals: dict[int, dict[str, str]] = {}
        self.routes = [
            Route("/head", self.page),
            Route("/api/v1/head", self.head),
            Route("/api/v1/consistency", self.consistency),
            Route("/api/v1/forks", self.report, methods=["POST"]),
        ]

    async def head(self, _: Request) -> Response:
        """Answer with the newest head and the log's keys, as a policy has them."""
        return _json(await self._hall.at_desk(self._newest))

    async def consistency(self, request: Request) -> Response:
        """Answer with the proof that the log of `to` events goes on from the one of `from`."""
        old, new = (_size(request, name) for name in ("from", "to"))
        return _json({"proof": await self._hall.at_desk(lambda desk: self._proof(desk, old, new))})

    async def report(self, request: Request) -> Response:
        """Keep two heads that contradict each other, and say so at the desk."""
        try:
            heads = msgspec.json.decode(await request.body(), type=SeenHeads)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise Malformed("these are no two heads") from None
        notes = [heads.kept.encode(), heads.seen.encode()]
        said = await self._hall.at_desk(lambda desk: keep_report(desk.book, notes, heads.renewed))
        if said:
            say(said)
        return _json({"kept": bool(said)})

    async def page(self, _: Request) -> Response:
        """Answer with the newest head as text and as a code."""
        value = await self._hall.at_desk(self._newest)
        return HTMLResponse(own_page(self._hall.name, "Signed head", _shown(value)), headers=FRESH)

    def _newest(self, desk: Desk) -> dict[str, object]:
        lines, kept = desk.book.lines, desk.heads.kept()
        is_behind = kept is None or kept.size < len(lines)
        if is_behind and time.monotonic() - self._signed_at >= SIGN_SECONDS and _may_sign(desk):
            self._signed_at = time.monotonic()
            kept = desk.heads.sign() or kept
        if kept is None:
            raise NotFound("no head of this log was signed on this machine yet")
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
        held = desk.book.tournament.keys.values()
        for since in (each.since for each in held if each.holder == LOG_ITSELF and each.agreed):
            if since not in self._renewals:
                self._prove(desk.book.lines)
                root = base64_of(self._prover.root(since - 1))
                line = desk.book.lines[since - 1].decode()
                self._renewals[since] = {"line": line, "root": root}
        return [each for _, each in sorted(self._renewals.items())]

    def _prove(self, lines: Sequence[bytes]) -> None:
        for line in lines[self._prover.size :]:
            self._prover.add(leaf_hash(line))

    def _proof(self, desk: Desk, old: int, new: int) -> list[str]:
        lines = desk.book.lines
        if not 0 < old <= new <= len(lines):
            raise NotFound(f"the log has {len(lines)} events here: none of {old} and {new}")
        self._prove(lines)
        return [base64_of(each) for each in self._prover.consistency(old, new)]


def _may_sign(desk: Desk) -> bool:
    """Whether the log's key is here and opens without anybody being asked."""
    path = key_path(LOG, desk.book.stream)
    return path.exists() and (not needs_passphrase(path) or bool(passphrase_typed(path)))


def _size(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= SIZE_DIGITS):
        raise Malformed(f"{name} says how many events")
    return int(text)


def _shown(value: dict[str, object]) -> htpy.Node:
    note = str(value["note"])
    code = Markup(svg_code(note.encode()))  # noqa: S704 - drawn here, of bytes
    return [
        htpy.h2["The log's signed head"],
        htpy.p[
            f"It stands for the first {value['size']} events of the log, and for no others. A "
            "phone that opens these pages keeps it, and checks that the next one goes on from it."
        ],
        htpy.div(class_="code")[code],
        htpy.pre(id="head")["\n".join(map(visible, note.splitlines()))],
        htpy.p[
            "Scan the code and keep its text as a file: ",
            htpy.code["tourney compare FILE LOG --policy POLICY"],
            " holds it to any copy of the log, and so does the page ",
            htpy.code["head.html"],
            " of a folder that was published on another host.",
        ],
    ]


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json", headers=FRESH)
