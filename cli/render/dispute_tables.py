"""Tables of disputes and of reports to be confirmed, and one match's story."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.people import labelled, name_of, with_names
from cli.render.log_table import show_log
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_table
from cli.terminal.tables import Column
from cli.wording.dispute_words import claim_in_words, next_act
from cli.wording.event_words import in_words, result_in_words
from cli.wording.floor_words import table_in_words
from ledger.events.rounds import RoundPaired
from ledger.tournament import disputes as readings
from projections.matches.round_clock import minutes_between

if TYPE_CHECKING:
    from ledger.books.book import Book
    from ledger.lines.line import Recorded
    from ledger.tournament.disputes import Dispute
    from ledger.tournament.state import Match, Tournament

_DISPUTES = (
    Column("table"),
    Column("since", yields=1),
    Column("reported", flexible=True, wraps=True),
    Column("against it", flexible=True, wraps=True),
    Column("state"),
)
_UNCONFIRMED = (
    Column("table"),
    Column("since", yields=1),
    Column("reported", flexible=True, wraps=True),
)


def minutes_since(at: str, now: str) -> int:
    """Count the whole minutes from a line's clock until now; 0 where the clocks disagree."""
    return max(0, minutes_between(at, now))


def show_disputes(tournament: Tournament, now: str, *, settled: bool, json: bool) -> None:
    """Print what is disputed and who has to act."""
    from projections.matches.dispute_status import disputes_as_json

    listed = tournament.floor.disputes if settled else readings.unsettled(tournament)
    if json:
        values = disputes_as_json(tournament, settled=settled)
        ages = [minutes_since(each.against.at, now) for each in listed]
        aged = [value | {"minutes": age} for value, age in zip(values, ages, strict=True)]
        show_json([with_names(tournament, each) for each in aged])
        return
    show_table(_DISPUTES, [_row(tournament, each, now) for each in listed])
    for each in readings.unsettled(tournament):
        say(next_act(tournament, each))
    if not listed:
        say("nothing is disputed")


def _row(tournament: Tournament, dispute: Dispute, now: str) -> list[str]:
    from projections.matches.dispute_status import state_in_words

    return [
        table_in_words(tournament, dispute.match),
        f"{minutes_since(dispute.against.at, now)} min",
        claim_in_words(tournament, dispute.match, dispute.reported),
        claim_in_words(tournament, dispute.match, dispute.against),
        state_in_words(tournament, dispute),
    ]


def show_unconfirmed(tournament: Tournament, now: str, *, json: bool) -> None:
    """Print the reports that do not count before they are confirmed."""
    waiting = sorted(tournament.floor.unconfirmed.items())
    if json:
        show_json(
            [
                {
                    "match": number,
                    "round": tournament.matches[number].round,
                    "table": tournament.matches[number].table,
                    "seq": claim.seq,
                    "player": claim.player,
                    "name": name_of(tournament, claim.player) if claim.player else None,
                    "since": claim.at,
                    "minutes": minutes_since(claim.at, now),
                }
                for number, claim in waiting
            ]
        )
        return
    rows = [
        [
            table_in_words(tournament, number),
            f"{minutes_since(claim.at, now)} min",
            claim_in_words(tournament, number, claim),
        ]
        for number, claim in waiting
    ]
    show_table(_UNCONFIRMED, rows)
    say(f"{how_many(len(rows), 'report')} to be confirmed")


def show_story(book: Book, match: Match, *, json: bool) -> None:
    """Print everything that the log tells of a match."""
    from projections.matches.stories import story_as_json, story_in

    tournament = book.tournament
    told = story_in(book, match)
    if json:
        show_json(with_names(tournament, story_as_json(match, told)))
        return
    show(_heading(tournament, match))
    show_log(tournament, told, lambda recorded: _told(recorded, match, tournament))
    dispute = readings.dispute_of(tournament, match.number)
    if dispute is not None:
        say(next_act(tournament, dispute))


def _told(recorded: Recorded, match: Match, tournament: Tournament) -> str:
    event = recorded.event
    if not isinstance(event, RoundPaired):
        return in_words(event, tournament)
    hand = match.table <= event.by_hand
    how = "set by hand" if hand else "drawn"
    reason = f": {event.reason}" if hand and event.reason.strip() else ""
    return f"paired at table {match.table}, {how}{reason}"


def _heading(tournament: Tournament, match: Match) -> str:
    seated = " and ".join(labelled(tournament, player) for player in match.players)
    where = f"round {match.round}, table {match.table}"
    if match.result is None:
        waiting = match.number in tournament.floor.unconfirmed
        stands = "a bye" if match.is_bye else "not confirmed yet" if waiting else "no result yet"
        return f"{where}: {seated}; {stands}"
    return f"{where}: {result_in_words(tournament, match, match.result)}"
