"""The round in play: `pairings`, `post`, `round` with its clock, and `repair-round`.

`repair-round` finds the fewest tables to stop and seat again after a late correction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.guide import round_in_words
from cli.desk.posted import posting_of, prove, round_of
from cli.desk.remembered import show_tables, table_of
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason, whole, whole_or_none
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.find_people import labelled
from cli.input.moments import NOW, At, AtRound, look_at, posting_named
from cli.input.options import NeededReason, Reason, flag, option, reason_with, word
from cli.languages.speaking import tr, tr_of
from cli.render.game_tables import (
    counted_in_words,
    pairing_columns,
    pairings_as_json,
    person_columns,
    seat_name,
)
from cli.render.records import as_read, refuse_csv, show_records, shows_table
from cli.terminal.output import say, show, show_table
from cli.terminal.tables import Column
from cli.terminal.visible import how_many, marking_names
from ledger.facts.clock import MINUTES_MAX
from ledger.tournament.progress import latest_round

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.pairing.repair import RepairChoice
    from ledger.rules.rounds import PostTable
    from ledger.tournament.state import Round, Tournament

ROUND_MINUTES_MAX = 1_440
PrintedFile = Annotated[OutFile, option("FILE", "Write to a file; .html for a browser.", "-o")]


@shows_table
def pairings(
    desk: Desk,
    number: Annotated[str, option("N", "The round; default: the latest.", "--round")] = "",
    printed: Annotated[bool, flag("--print", "Pages to post, by table and by name.")] = False,
    slips: Annotated[bool, flag("--slips", "Match slips for the tables.")] = False,
    output: PrintedFile = NO_OUTPUT,
    at: At = "",
) -> None:
    """Show the pairings of a round, or print them.

    With --at posted: the pairings as posted, of the latest round or of round N, and their proof.

    tourney pairings --print -o wall.html
    tourney pairings --slips -o slips.txt
    tourney pairings --print | lp
    """
    is_posted, wanted = posting_named("pairings", at, number)
    if is_posted:
        if slips:
            raise UsageError(tr("--at posted shows what was posted: omit --slips"))
        last, proof = prove(desk, "pairings", wanted)
        tournament = desk.book.tournament
        print_pairings(desk, tournament, round_of(tournament, last), paged=printed, output=output)
        say(proof)
        return
    tournament = look_at(desk, AtRound(at=at))
    played = round_of(tournament, whole_or_none("--round", number))
    if played is latest_round(tournament):
        show_tables(desk)
    print_pairings(desk, tournament, played, paged=printed, slips=slips, output=output)


def print_pairings(
    desk: Desk,
    tournament: Tournament,
    played: Round,
    *,
    paged: bool = False,
    slips: bool = False,
    output: OutFile = NO_OUTPUT,
) -> None:
    """Print a round's tables."""
    if output and not (paged or slips):
        raise UsageError(tr("-o is only for --print and --slips; for a table: --csv > FILE"))
    if (paged or slips) and not desk.json:
        refuse_csv(desk, "--print")
        _print_sheets(desk, tournament, played, output, paged=paged, slips=slips)
    elif show_records(
        desk,
        pairing_columns(tournament),
        played.matches,
        json=lambda: pairings_as_json(tournament, played),
    ):
        said = tr_of("state", played.status)
        say(f"{round_in_words(tournament, played)}, {said}")


def _print_sheets(
    desk: Desk,
    tournament: Tournament,
    played: Round,
    output: OutFile,
    *,
    paged: bool,
    slips: bool,
) -> None:
    """Print pairings or slips as text, or write them to a file."""
    from cli.machine.posted_words import posted_words, sheet_lines
    from cli.render.pages import heading_of, pairing_pages, pairing_tables, slip_pages
    from cli.render.printed_pages import PrintedTable, page_of_tables, slips_page, write_page

    if output and paged and slips:
        raise UsageError(tr("-o writes one file: choose --print or --slips"))
    words = posted_words(desk.book, tournament)
    below = sheet_lines(words)
    sheets = slip_pages(tournament, played, words) if slips else []
    if slips:
        html = slips_page(tournament, played, words)
    else:
        with marking_names():
            tables = [
                PrintedTable(name, columns, records, heading=columns[0].title)
                for name, columns, records in pairing_tables(tournament, played)
            ]
            html = page_of_tables(heading_of(tournament, played), tables, below)
    pages = pairing_pages(tournament, played, below) if paged else []
    write_page(desk, output, html, pages + sheets)


def post(
    desk: Desk,
    what: Annotated[str, word("pairings|standings")],
    number: Annotated[str, option("N", "The round; default: the latest.", "--round")] = "",
) -> None:
    """Record which pairings or standings were posted, by their SHA-256.

    Anyone can later check a photo of the wall against it: the table is recorded as player numbers
    and exact fractions, without names. Run `post` before you print: a sheet shows the six words of
    the latest posting, which players compare with their phones.
    """
    from cli.machine.posted_words import posted_words

    kinds = ("pairings", "standings")
    if what not in kinds:
        raise UsageError(
            tr("post can record only pairings or standings, not {typed}", typed=repr(what))
        )
    wanted = whole_or_none("--round", number)
    seen = desk.posted_view()
    command = posting_of(seen, what, wanted)
    carry_out(
        desk,
        _as_before(desk, command),
        tr("these pairings were posted")
        if what == "pairings"
        else tr("these standings were posted"),
    )
    if words := posted_words(desk.book):
        say(
            tr(
                "six words to compare, on every sheet printed from now on: {words}",
                words=words.line,
            )
        )
    if what == "standings":
        _warn_of_an_open_round(seen, wanted)


def _warn_of_an_open_round(tournament: Tournament, number: int | None) -> None:
    from projections.standings.table import standings

    table = standings(tournament, through_round=number)
    if not table.rounds or tournament.rounds[table.rounds[-1] - 1].unreported:
        say(
            tr(
                "these standings are not final: {counted}",
                counted=counted_in_words(tournament, table),
            )
        )


def _as_before(desk: Desk, command: PostTable) -> PostTable:
    """Return the posting of the very same table, if there was one: posting again adds nothing."""
    from ledger.facts.rounds import Posted
    from ledger.rules.rounds import PostTable

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
def show_round(
    desk: Desk,
    printed: Annotated[
        bool, flag("--print", "A sheet with the end of the round, to post.")
    ] = False,
    output: PrintedFile = NO_OUTPUT,
    moment: AtRound = NOW,
) -> None:
    """Show the round and its clock.

    tourney round start
    tourney round extend 4 5 --reason "a judge was called"
    """
    from cli.render import round_clock

    look_at(desk, moment)
    show_tables(desk)
    if output and not printed:
        raise UsageError(tr("-o is only for --print; for a table: --csv > FILE"))
    if printed and not desk.json:
        refuse_csv(desk, "--print")
        round_clock.print_sheet(desk, output)
        return
    round_clock.show_round(desk)


def watch(
    desk: Desk,
    big: Annotated[bool, flag("--big", "Large digits, with the open tables in turn.")] = False,
) -> None:
    """Show the round and its clock live in the terminal, until Ctrl-C."""
    from cli.render import round_clock

    show_tables(desk)
    round_clock.watch(desk, big=big)


def start(
    desk: Desk,
    minutes: Annotated[
        str, word("[MINUTES]", "The length, if the rules leave it to the organizer.")
    ] = "",
) -> None:
    """Start the round and its clock.

    tourney round start
    tourney round start 50
    """
    from ledger.rules.rounds import StartRound

    length = whole(tr("minutes"), minutes, 1, ROUND_MINUTES_MAX) if minutes else 0
    carry_out(desk, StartRound(length), tr("the round has started"))


def pause(desk: Desk, reason: Reason = "") -> None:
    """Stop the clock of the round until it is resumed."""
    from ledger.rules.clock import PauseRound

    carry_out(desk, PauseRound(reason))


def resume(desk: Desk) -> None:
    """Resume the clock of the round."""
    from ledger.rules.clock import ResumeRound

    carry_out(desk, ResumeRound())


def close(desk: Desk) -> None:
    """Close the round once it has all its results."""
    from ledger.rules.rounds import CloseRound

    carry_out(desk, CloseRound())


def extend(
    desk: Desk,
    table: Annotated[str, word("TABLE|all", "A table, R/T or a player; all: every table.")],
    minutes: Annotated[str, word("MINUTES", "The minutes to add.")],
    reason: NeededReason = "",
) -> None:
    """Give one table, or all tables, more time.

    tourney round extend 4 5 --reason "a judge was called"
    """
    from ledger.rules.clock import ExtendRound, ExtendTable

    needs_reason(reason, tr("an extension"), desk.tournament.ruleset.cites("FFG-CLOCK"))
    longer = whole(tr("minutes"), minutes, 1, MINUTES_MAX)
    if table.lower() == "all":
        carry_out(desk, ExtendRound(longer, reason))
        return
    match = table_of(desk, table)
    carry_out(desk, ExtendTable(match.number, longer, reason))


def call_time(
    desk: Desk,
    left: Annotated[str, option("MINUTES", "Announce that this many minutes are left.")] = "",
) -> None:
    """Call time, or announce how much time is left.

    tourney round time --left 5
    """
    from cli.render.round_clock import early
    from ledger.rules.clock import CallTime

    minutes = whole("--left", left, 1, MINUTES_MAX) if left else 0
    still = early(desk.book.tournament)
    if carry_out(desk, CallTime(minutes), tr("this call was made")) and still > minutes + 1:
        say(
            tr(
                "the clock showed {minutes} left: `undo` undoes the call",
                minutes=how_many(still, "minute"),
            )
        )


def extra_time(desk: Desk, minutes: Annotated[str, word("MINUTES", "The minutes to add.")]) -> None:
    """Add time to every round except the final.

    Only before the tournament, and only if the game allows it.
    """
    from ledger.rules.clock import AnnounceExtraTime

    longer = whole(tr("extra time"), minutes, 0, MINUTES_MAX)
    carry_out(desk, AnnounceExtraTime(longer))


@shows_table
def repair_round(
    desk: Desk,
    do: Annotated[str, option("N", "Carry out the option that stops N tables.", "--do")] = "",
    reason: Annotated[str, reason_with("--do")] = "",
) -> None:
    """List the tables to pair again after a correction, or do so.

    Use it if a result of an earlier round is corrected after the pairing. Each option lists the
    tables to stop and the faults that the pairing would then still have; all other tables stay
    unchanged. Tables with a result, or paired by hand, are never stopped.

        tourney repair-round
        tourney repair-round --do 2 --reason "2/7 was corrected"
    """
    stopped = whole_or_none("--do", do, 0)
    if stopped is None:
        if reason:
            raise UsageError(tr("--reason is only for --do N"))
        _show(desk)
        return
    needs_reason(reason, tr("a repair"), desk.tournament.ruleset.cites("FFG-SWISS-LATER"))
    _do(desk, stopped, reason)


def _show(desk: Desk) -> None:
    from cli.machine.draw_keys import drawing
    from ledger.rules.pairing import choices

    tournament = desk.book.tournament
    found = drawing(desk.book, lambda: choices(tournament, desk.book.context()))
    columns = (
        Column("stopped", value=lambda each: each[0].stopped, only="program"),
        Column("table", right=True, value=lambda each: each[1] + 1),
        *person_columns(tournament, lambda each: each[0].seats[each[1]][0]),
        *person_columns(
            tournament, lambda each: each[0].seats[each[1]][1], "against", key="against"
        ),
    )
    if desk.options.for_person:
        for choice in found:
            show(_in_words(tournament, choice))
            show_table(*as_read(columns, [(choice, at) for at in sorted(choice.seats)]))
    else:
        seats = [(choice, at) for choice in found for at in sorted(choice.seats)]
        show_records(
            desk, columns, seats, json=lambda: [_as_json(tournament, each) for each in found]
        )
        return
    if len(found) == 1:
        say(tr("stopping tables would not improve the round"))
    else:
        say(tr('nothing has changed yet; to do it: `repair-round --do N --reason "…"`'))


def _in_words(tournament: Tournament, choice: RepairChoice) -> str:
    count = choice.stopped
    what = (
        tr("{count}: stop {tables}", count=count, tables=how_many(count, "table"))
        if count
        else tr("0: leave the round unchanged")
    )
    return f"{what}: {', '.join(_costs(tournament, choice))}"


def _costs(tournament: Tournament, choice: RepairChoice) -> Iterator[str]:
    cost = choice.cost
    yield tr("score gap {gap}", gap=cost.gap)
    if cost.rematches:
        yield f"{how_many(cost.rematches, 'rematch', 'rematches')}"
    if cost.bye_place:
        places = how_many(cost.bye_place, "place")
        yield tr("the bye goes to a player {places} too late in the order of byes", places=places)
    if holder := next((max(game) for game in choice.seats.values() if 0 in game), 0):
        yield tr("the bye to {player}", player=labelled(tournament, holder))


def _as_json(tournament: Tournament, choice: RepairChoice) -> dict[str, object]:
    matches = tournament.rounds[-1].matches
    return {
        "stopped": choice.stopped,
        "gap": choice.cost.gap,
        "rematches": choice.cost.rematches,
        "bye_place": choice.cost.bye_place,
        "tables": [
            {
                "table": at + 1,
                "match": matches[at].number,
                "players": choice.seats[at],
                "names": [
                    seat_name(tournament, each) if each else None for each in choice.seats[at]
                ],
            }
            for at in sorted(choice.seats)
        ],
    }


def _do(desk: Desk, stopped: int, reason: str) -> None:
    from ledger.facts.rounds import TablesRepaired
    from ledger.rules.pairing import RepairRound

    recorded = carry_out(desk, RepairRound(stopped, reason), tr("the round stays unchanged"))
    if desk.json:
        return
    tournament = desk.book.tournament
    for each in recorded:
        if isinstance(each.event, TablesRepaired):
            matches = [tournament.rounds[-1].matches[table - 1] for table in each.event.tables]
            show_table(*as_read(pairing_columns(tournament, with_result=False), matches))
