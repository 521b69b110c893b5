"""What was put on the wall: what a posting records, and the proof that it can be shown again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.matches import find_round, refuse_without_swiss
from cli.languages.speaking import marked, tr
from ledger.errors import NotFound, Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.facts.rounds import Posted
    from ledger.rules.rounds import PostTable
    from ledger.tournament.state import Round, Tournament

HASH_SHOWN = 16


def round_of(tournament: Tournament, number: int | None) -> Round:
    """Find a round by its number; without one the latest; NotFound where none is paired."""
    if number is None and not tournament.rounds:
        raise NotFound(phrase("no round is paired yet: use `pair`"))
    return find_round(tournament, len(tournament.rounds) if number is None else number)


def posting_of(tournament: Tournament, what: str, number: int | None) -> PostTable:
    """Make the posting of pairings or standings as they stand; NotFound with nothing to post."""
    from ledger.rules.rounds import PostTable
    from projections.standings.table import (
        fingerprint,
        posted_pairings,
        posted_standings,
        standings,
    )

    seq = tournament.seq
    if what == "pairings":
        played = round_of(tournament, number)
        sha256 = fingerprint(posted_pairings(played))
        return PostTable("pairings", played.number, seq, sha256)
    if number is not None:
        find_round(tournament, number)
    refuse_without_swiss(tournament)
    table = standings(tournament, through_round=number)
    last = table.rounds[-1] if table.rounds else 0
    return PostTable("standings", last, seq, fingerprint(posted_standings(table)))


def prove(desk: Desk, what: str, number: int | None) -> tuple[int, str]:
    """Go back to what hung on the wall last, and prove it; returns its round, and what to say."""
    from cli.input.moments import event_in_words, last_posting
    from ledger.lines.line import encode

    recorded, posted = last_posting(desk, what, number)
    text = (
        marked("pairings of round {round}, posted by {event}")
        if what == "pairings"
        else marked("standings of round {round}, posted by {event}")
    )
    posting = tr(text, round=posted.round, event=event_in_words(desk, encode(recorded)))
    sha256 = f"SHA-256 {posted.sha256[:HASH_SHOWN]}…"
    if not is_the_same(desk.book.tournament, posted):
        raise Refused(
            phrase(
                "the {posting} do not match the log: made again as of event {up_to}, they do not "
                "have the {sha256} that {engine} posted",
                posting=posting,
                up_to=posted.up_to,
                sha256=sha256,
                engine=posted.engine,
            )
        )
    return posted.round, tr("the same as the {posting}: {sha256}", posting=posting, sha256=sha256)


def is_the_same(tournament: Tournament, posted: Posted) -> bool:
    """Whether what was posted would be posted again as it was."""
    try:
        again = posting_of(tournament, posted.what, posted.round or None)
    except NotFound:  # it was not there yet
        return False
    return (again.round, again.sha256) == (posted.round, posted.sha256)
