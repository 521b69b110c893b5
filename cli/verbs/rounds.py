"""`pairings`, `post`, `round`: a round on the wall and on the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Annotated

import typer

from cli.acts import carry_out
from cli.acts import desk_of
from cli.arguments import UsageError
from cli.arguments import whole_or_none
from cli.diagnostics import say
from cli.guide import next_step
from cli.guide import round_in_words
from cli.matches import find_round
from cli.output import show_json
from cli.output import show_pages
from cli.output import show_table
from cli.views import PAIRING_COLUMNS
from cli.views import counted_in_words
from cli.views import pairing_row
from cli.views import pairings_as_json
from cli.views import refuse_without_swiss
from ledger.errors import NotFound

if TYPE_CHECKING:
    from cli.session import Desk
    from ledger.commands import PostTable
    from ledger.state import Round
    from ledger.state import Tournament


def pairings(
    context: typer.Context,
    number: Annotated[
        str, typer.Option("--round", metavar="N", help="Default: the latest round.")
    ] = "",
    printed: Annotated[
        bool, typer.Option("--print", help="Pages by table and by name, for the wall.")
    ] = False,
    slips: Annotated[bool, typer.Option("--slips", help="Match slips for the tables.")] = False,
) -> None:
    """Show who meets whom; as pages for a printer if you like.

    tourney pairings --print | lp
    tourney pairings --slips > slips.txt
    """
    desk = desk_of(context)
    tournament = desk.book.tournament
    played = _round_of(tournament, whole_or_none("--round", number))
    if desk.json:
        show_json(pairings_as_json(tournament, played))
    elif printed or slips:
        from cli.pages import pairing_pages
        from cli.slips import slip_pages

        show_pages(
            (pairing_pages(tournament, played) if printed else [])
            + (slip_pages(tournament, played) if slips else [])
        )
    else:
        show_table(PAIRING_COLUMNS, [pairing_row(tournament, match) for match in played.matches])
        say(f"{round_in_words(tournament, played)}, {played.status}")


def _round_of(tournament: Tournament, number: int | None) -> Round:
    if number is None and not tournament.rounds:
        raise NotFound("no round is paired yet: use `pair`")
    return find_round(tournament, len(tournament.rounds) if number is None else number)


def post(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="pairings|standings")],
    number: Annotated[
        str, typer.Option("--round", metavar="N", help="Default: the latest round.")
    ] = "",
) -> None:
    """Record what was put on the wall, by its SHA-256.

    Anyone can check a photo of the wall against it later: the table is written as player numbers
    and exact fractions, without names.
    """
    desk = desk_of(context)
    kinds = ("pairings", "standings")
    if what not in kinds:
        raise UsageError(f"post pairings or standings, not {what!r}")
    wanted = whole_or_none("--round", number)
    seen = desk.posted_view()
    command = _posting(seen, what, wanted)
    carry_out(desk, _as_before(desk, command), "this hangs there")
    if what == "standings":
        _warn_of_an_open_round(seen, wanted)


def _posting(tournament: Tournament, what: str, number: int | None) -> PostTable:
    from ledger.commands import PostTable
    from projections import posting
    from projections.standings import standings

    seq = tournament.seq
    if what == "pairings":
        played = _round_of(tournament, number)
        sha256 = posting.fingerprint(posting.posted_pairings(played))
        return PostTable("pairings", played.number, seq, sha256)
    if number is not None:
        find_round(tournament, number)
    refuse_without_swiss(tournament)
    table = standings(tournament, through_round=number)
    last = table.rounds[-1] if table.rounds else 0
    return PostTable("standings", last, seq, posting.fingerprint(posting.posted_standings(table)))


def _warn_of_an_open_round(tournament: Tournament, number: int | None) -> None:
    from projections.standings import standings

    table = standings(tournament, through_round=number)
    if not table.rounds or tournament.rounds[table.rounds[-1] - 1].unreported:
        say(f"these standings are not final: {counted_in_words(tournament, table)}")


def _as_before(desk: Desk, command: PostTable) -> PostTable:
    """Return the posting that told the very same, if there was one: posting again adds nothing."""
    from ledger.commands import PostTable
    from ledger.events.rounds import Posted

    for recorded in reversed(desk.tournament.postings):
        posted = recorded.event
        if isinstance(posted, Posted) and (posted.what, posted.round) == (
            command.what,
            command.round,
        ):
            if posted.sha256 == command.sha256:
                return PostTable(command.what, command.round, posted.up_to, command.sha256)
            break
    return command


def play_round(
    context: typer.Context,
    act: Annotated[
        str, typer.Argument(metavar="[start|close]", help="None: what is open, minutes left.")
    ] = "",
) -> None:
    """Start or close the round in play; or say how it stands."""
    from ledger.commands import CloseRound
    from ledger.commands import StartRound

    desk = desk_of(context)
    if act == "start":
        carry_out(desk, StartRound(), "the round has started")
    elif act == "close":
        carry_out(desk, CloseRound())
    elif act:
        raise UsageError(f"round start, or round close, not {act!r}")
    else:
        _show_round(desk)


def _show_round(desk: Desk) -> None:
    from ledger.progress import latest_round
    from ledger.progress import open_matches

    tournament = desk.book.tournament
    played = latest_round(tournament)
    if played is None:
        raise NotFound("no round is paired yet: use `pair`")
    still_open = open_matches(played)
    left = _minutes_left(played)
    if desk.json:
        value = {
            "round": played.number,
            "stage": played.stage,
            "status": played.status,
            "minutes": played.minutes,
            "minutes_left": left,
            "open": [match.table for match in still_open],
        }
        show_json(value)
        return
    rows = [pairing_row(tournament, match)[:3] for match in still_open]
    show_table(PAIRING_COLUMNS[:3], rows)
    clock = "" if left is None else f", {_clock(left)}"
    say(f"{round_in_words(tournament, played)}, {played.status}{clock}")
    say(next_step(tournament))


def _minutes_left(played: Round) -> int | None:
    """Return the whole minutes left, negative once the time is over; None without a clock."""
    from cli.places import moment_of
    from cli.session import now

    if not played.started_at or not played.minutes or played.status == "closed":
        return None
    try:
        gone = moment_of(now()) - moment_of(played.started_at)
    except ValueError:
        return None
    return -int(-(played.minutes * 60 - gone.total_seconds()) // 60)


def _clock(left: int) -> str:
    minutes = f"{abs(left)} minute{'' if abs(left) == 1 else 's'}"
    return f"{minutes} left" if left > 0 else f"time is over since {minutes}"
