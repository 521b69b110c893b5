"""`standings`, `bracket`, `log`: reading the record, now or as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole_or_none
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.moments import NOW, At, AtRound, look_at, posting_named
from cli.input.options import flag, option
from cli.languages.speaking import marked, tr
from cli.machine.posted_words import posted_words, sheet_lines
from cli.render.records import refuse_csv, show_records, shows_table
from cli.terminal.output import say, show_lines, show_pages
from cli.terminal.visible import isolated, marking_names, visible
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

_WHOLE = marked(
    "--final is about the whole tournament: omit --round, --stage, --print and --at posted"
)


@shows_table
def show_standings(
    desk: Desk,
    number: Annotated[str, option("N", "After round N, with later corrections.", "--round")] = "",
    at: At = "",
    stage: Annotated[str, option("N", "Only stage N.")] = "",
    final: Annotated[bool, flag("--final", "The finishing order, bracket included.")] = False,
    top: Annotated[str, option("N", "Only the first N players.")] = "",
    printed: Annotated[bool, flag("--print", "Pages to post.")] = False,
    output: Annotated[
        OutFile, option("FILE", "Write to a file; .html for a browser.", "-o")
    ] = NO_OUTPUT,
) -> None:
    """Show the Swiss standings, or with --final the finishing order.

    On a second day that carries points over, the players cut before it are listed below, with
    their standings at that time. With --at posted: the standings as posted, the latest or those
    of round N, and their proof.

    tourney standings
    tourney standings --round 3
    tourney standings --at round:3
    tourney standings --print -o standings.html
    tourney standings --print | lp
    """
    from cli.input.matches import find_round

    is_posted, of_round = posting_named("standings", at, number)
    if final and (number or stage or printed or is_posted):
        raise UsageError(tr(_WHOLE))
    if is_posted and (output or stage):
        raise UsageError(
            tr("-o writes the current standings: omit --at posted")
            if output
            else tr("--at posted shows what was posted: omit --stage")
        )
    if is_posted:
        _show_posted(desk, of_round, paged=printed)
        return
    last = whole_or_none("--round", number)
    tournament = look_at(desk, AtRound(at=at))
    if final:
        from cli.render.brackets import show_order
        from projections.standings.bracket import finishing_order

        order = finishing_order(tournament)
        if show_order(desk, tournament, order) and not tournament.finished:
            say(tr("the tournament is not finished: places may still change"))
        return
    if last is not None:
        find_round(tournament, last)
    chosen = whole_or_none("--stage", stage)
    first = whole_or_none("--top", top)
    if output:
        if not printed:
            raise UsageError(tr("-o is only for --print; for a table: --csv > FILE"))
        _write_standings(desk, tournament, chosen, last, output)
        return
    print_standings(desk, tournament, chosen, last, paged=printed, top=first)


def _write_standings(
    desk: Desk, tournament: Tournament, stage: int | None, number: int | None, output: OutFile
) -> None:
    """Write a stage's table to a file, for a browser or as text."""
    from cli.input.matches import refuse_without_swiss
    from cli.render.game_tables import counted_in_words
    from cli.render.pages import printed_standings, standings_pages
    from cli.render.printed_pages import PrintedTable, page_of_tables, write_page
    from projections.standings.table import everyone, standings

    refuse_csv(desk, "--print")
    refuse_without_swiss(tournament)
    whole = stage is None and number is None
    table = everyone(tournament) if whole else standings(tournament, stage, number)
    name = tournament.opening.name if tournament.opening else ""
    columns, note = printed_standings(tournament, table), counted_in_words(tournament, table)
    with marking_names():
        title = f"{isolated(visible(name))} - {tr('standings')}"
    sheet = PrintedTable(title, columns, table.rows, note)
    below = sheet_lines(posted_words(desk.book, tournament))
    html = page_of_tables(sheet.title, [sheet], below)
    write_page(desk, output, html, standings_pages(tournament, table, below))


def _show_posted(desk: Desk, number: int | None, *, paged: bool) -> None:
    from cli.desk.posted import prove

    last, proof = prove(desk, "standings", number)
    print_standings(desk, desk.book.tournament, None, last, paged=paged)
    say(proof)


def print_standings(
    desk: Desk,
    tournament: Tournament,
    stage: int | None = None,
    number: int | None = None,
    *,
    paged: bool = False,
    top: int | None = None,
) -> None:
    """Print a stage's table, or its first rows, with a line below those who are in the cut."""
    from cli.input.matches import refuse_without_swiss
    from cli.render.game_tables import counted_in_words, cut_place, standings_columns
    from projections.standings.table import as_json, everyone, standings

    if stage is None:
        refuse_without_swiss(tournament)
    whole = stage is None and number is None
    table = everyone(tournament) if whole else standings(tournament, stage, number)
    if paged and not desk.json:
        from cli.render.pages import standings_pages

        refuse_csv(desk, "--print")
        below = sheet_lines(posted_words(desk.book, tournament))
        show_pages(standings_pages(tournament, table, below))
    elif not show_records(
        desk,
        standings_columns(tournament, table),
        table.rows[:top],
        json=lambda: as_json(table, tournament.names)[:top],
        line_after=cut_place(tournament, table),
    ):
        return
    say(counted_in_words(tournament, table))


@shows_table
def show_bracket(
    desk: Desk,
    moment: AtRound = NOW,
    stage: Annotated[str, option("N", "Only stage N.")] = "",
    printed: Annotated[bool, flag("--print", "Pages to post.")] = False,
    output: Annotated[
        OutFile, option("FILE", "Write to a file; .html for a browser.", "-o")
    ] = NO_OUTPUT,
) -> None:
    """Show the elimination by game number, and how far each player got.

    tourney bracket
    tourney bracket --print -o bracket.html
    """
    if output and not printed:
        raise UsageError(tr("-o is only for --print; for a table: --csv > FILE"))
    chosen = whole_or_none("--stage", stage)
    tournament = look_at(desk, moment)
    if output or (printed and not desk.json):
        _print_bracket_pages(desk, tournament, chosen, output)
    else:
        print_bracket(desk, tournament, chosen)


def _print_bracket_pages(
    desk: Desk, tournament: Tournament, stage: int | None, output: OutFile
) -> None:
    """Print an elimination stage as pages, or write it to a file, for a browser or as text."""
    from cli.render.pages import bracket_pages
    from cli.render.printed_pages import page_of_bracket, write_page
    from projections.standings.bracket import bracket

    refuse_csv(desk, "--print")
    stages = bracket(tournament, stage)
    below = sheet_lines(posted_words(desk.book, tournament))
    pages = bracket_pages(tournament, stages, below)
    if not output:
        show_pages(pages)
        _say_not_begun(stages.rounds)
        return
    write_page(desk, output, page_of_bracket(tournament, stages, below), pages)


def print_bracket(desk: Desk, tournament: Tournament, stage: int | None = None) -> None:
    """Print an elimination stage."""
    from cli.render.brackets import show_games
    from projections.standings.bracket import bracket

    shown = bracket(tournament, stage)
    if show_games(desk, tournament, shown):
        _say_not_begun(shown.rounds)


def _say_not_begun(rounds: Sequence[object]) -> None:
    if not rounds:
        say(tr("the elimination has not begun"))


@shows_table
def show_log(
    desk: Desk,
    last: Annotated[str, option("N", "Only the last N events.", "--last", "-n")] = "",
    moment: AtRound = NOW,
) -> None:
    """Show the log: who did what, and when.

    With --json: the stored lines themselves.
    """
    desk.if_changed = "say"  # who looks for the change sees the lines as they are
    count = whole_or_none("--last", last)
    tournament = look_at(desk, moment)
    after = max(0, len(desk.book.lines) - count) if count else 0
    if desk.json:
        show_lines(desk.book.lines[after:])
        return
    from cli.render.log_tables import show_log
    from cli.wording.event_words import in_words
    from ledger.facts.hands import as_seen

    log, now, by = desk.book.recorded(after), desk.book.tournament, desk.by
    show_log(desk, tournament, log, lambda each: in_words(as_seen(now, by, each.event), tournament))
