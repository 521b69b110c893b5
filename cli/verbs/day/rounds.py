"""`pairings`, `post`, `round`: a round on the wall and on the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import carry_out, desk_of
from cli.desk.guide import round_in_words
from cli.desk.posted import posting_of, prove, round_of
from cli.desk.seen import show_tables, table_of
from cli.input.arguments import UsageError, needs_reason, whole, whole_or_none
from cli.input.belonging import refuse_others
from cli.input.moments import AsPosted, At, AtRound, AtTime, look_at
from cli.render.game_tables import counted_in_words, pairing_columns, pairings_as_json
from cli.render.records import refuse_csv, show_records, shows_table
from cli.terminal.diagnostics import say
from cli.terminal.output import show_pages
from ledger.events.clock import MINUTES_MAX
from ledger.tournament.progress import latest_round

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.decisions.clock import ExtendTable
    from ledger.decisions.rounds import PostTable
    from ledger.tournament.state import Round, Tournament


@shows_table
def pairings(
    context: typer.Context,
    number: Annotated[
        str, typer.Option("--round", metavar="N", help="Default: the latest round.")
    ] = "",
    printed: Annotated[
        bool, typer.Option("--print", help="Pages by table and by name, for the wall.")
    ] = False,
    slips: Annotated[bool, typer.Option("--slips", help="Match slips for the tables.")] = False,
    at: At = "",
    time: AtTime = "",
    posted: AsPosted = False,
) -> None:
    """Show who meets whom; as pages for a printer if you like.

    With --posted, of the latest round or of round N: what hung on the wall, and the proof of it.

    tourney pairings --print | lp
    tourney pairings --slips > slips.txt
    """
    desk = desk_of(context)
    wanted = whole_or_none("--round", number)
    if posted:
        if at or time or slips:
            raise UsageError("--posted is what hung on the wall: leave --at, --time, --slips out")
        last, told = prove(desk, "pairings", wanted)
        tournament = desk.book.tournament
        print_pairings(desk, tournament, round_of(tournament, last), paged=printed)
        say(told)
        return
    tournament = look_at(desk, at=at, time=time)
    played = round_of(tournament, wanted)
    if played is latest_round(tournament):
        show_tables(desk)
    print_pairings(desk, tournament, played, paged=printed, slips=slips)


def print_pairings(
    desk: Desk,
    tournament: Tournament,
    played: Round,
    *,
    paged: bool = False,
    slips: bool = False,
) -> None:
    """Print a round's tables."""
    if (paged or slips) and not desk.json:
        from cli.render.pages import pairing_pages
        from cli.render.slips import slip_pages

        refuse_csv(desk, "--print")
        show_pages(
            (pairing_pages(tournament, played) if paged else [])
            + (slip_pages(tournament, played) if slips else [])
        )
    elif show_records(
        desk,
        pairing_columns(tournament),
        played.matches,
        json=lambda: pairings_as_json(tournament, played),
    ):
        say(f"{round_in_words(tournament, played)}, {played.status}")


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
    command = posting_of(seen, what, wanted)
    carry_out(desk, _as_before(desk, command), "this hangs there")
    if what == "standings":
        _warn_of_an_open_round(seen, wanted)


def _warn_of_an_open_round(tournament: Tournament, number: int | None) -> None:
    from projections.standings.table import standings

    table = standings(tournament, through_round=number)
    if not table.rounds or tournament.rounds[table.rounds[-1] - 1].unreported:
        say(f"these standings are not final: {counted_in_words(tournament, table)}")


def _as_before(desk: Desk, command: PostTable) -> PostTable:
    """Return the posting that told the very same, if there was one: posting again adds nothing."""
    from ledger.decisions.rounds import PostTable
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


@shows_table
def play_round(
    context: typer.Context,
    act: Annotated[
        str,
        typer.Argument(metavar="[start|extend|time|extra|close]", help="None: what is open."),
    ] = "",
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[TABLE] [MINUTES]", help="What it takes.")
    ] = None,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why a table is extended.")] = "",
    left: Annotated[
        str, typer.Option(metavar="MINUTES", help="With time: a warning, so much is left.")
    ] = "",
    watched: Annotated[
        bool, typer.Option("--watch", help="Live in the terminal, until Ctrl-C.")
    ] = False,
    at: At = "",
    number: AtRound = "",
    time: AtTime = "",
    posted: AsPosted = False,
) -> None:
    """Show the round and its clock; start, extend, close it.

    `extra` makes every round but the final longer, before the event, where the game allows it.

        tourney round start
        tourney round extend 4 5 --reason "a judge was called"
        tourney round time
        tourney round --watch
    """
    from cli.render import round_clock

    desk = desk_of(context)
    refuse_others(context, act or ("--watch" if watched else ""))
    if watched:
        show_tables(desk)
        round_clock.watch(desk)
    elif act:
        _act_on_round(desk, act, words or [], reason, left)
    else:
        look_at(desk, at=at, number=number, time=time, posted=posted)
        show_tables(desk)
        round_clock.show_round(desk)


def _act_on_round(desk: Desk, act: str, words: list[str], reason: str, left: str) -> None:
    from ledger.decisions.clock import AnnounceExtraTime
    from ledger.decisions.rounds import CloseRound, StartRound

    takes = {"extend": 2, "extra": 1}.get(act, 0)
    if len(words) != takes:
        raise UsageError(_SHAPES.get(act, f"round {act} takes no further words"))
    match act:
        case "start":
            carry_out(desk, StartRound(), "the round has started")
        case "close":
            carry_out(desk, CloseRound())
        case "extend":
            carry_out(desk, _extension(desk, words, reason))
        case "time":
            _call(desk, whole("--left", left, 1, MINUTES_MAX) if left else 0)
        case "extra":
            carry_out(desk, AnnounceExtraTime(whole("extra time", words[0], 0, MINUTES_MAX)))
        case _:
            raise UsageError(f"round start, or round close, extend, time, extra; not {act!r}")


def _call(desk: Desk, minutes: int) -> None:
    """Call the time; a call that comes early is no mistake for sure, but is told."""
    from cli.render.round_clock import early
    from ledger.decisions.clock import CallTime

    still = early(desk.book.tournament)
    if carry_out(desk, CallTime(minutes), "that was called") and still > minutes + 1:
        say(f"the clock said {still} minutes: `undo` takes the call back")


_SHAPES = {
    "extend": 'say which table and how long, as round extend 4 5 --reason "a judge was called"',
    "extra": "say how many minutes longer the rounds are, as round extra 30",
}


def _extension(desk: Desk, words: list[str], reason: str) -> ExtendTable:
    from ledger.decisions.clock import ExtendTable

    needs_reason(reason, "an extension", "FFG-CLOCK")
    match = table_of(desk, words[0])
    return ExtendTable(match.number, whole("minutes", words[1], 1, MINUTES_MAX), reason)
