"""`season`: tournaments taken together: taking logs in, points, and what a change moves."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cli.desk.acts import desk_of
from cli.desk.answers import once
from cli.heads.trust import trust_in
from cli.input.arguments import UsageError
from cli.input.belonging import refuse_others
from cli.season.heads import head_as_json, heads_in_words, signed_in_words
from cli.season.league import DEFAULT_LEAGUE, league_aliases
from cli.season.options import (
    DEFAULT_SEASON,
    AskedPolicy,
    KeepGoing,
    LeagueFile,
    SeasonFile,
    SignedWins,
)
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import complain, say
from cli.terminal.output import show_json, show_table
from cli.terminal.progress import Bar
from cli.terminal.tables import Column
from ledger.errors import NotFound, StoreUnavailable
from ledger.files import landed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from projections.season.loading.adding import LoadTerms, LogOutcome

USAGE = (
    "season add PATH..., season rebuild PATH..., season list, season standings --scheme FILE, "
    "season restate PATH... [--scheme FILE], season archive FOLDER, or season people ..."
)

ARCHIVE = ".parquet"

WRITTEN = frozenset({"new", "grown", "signed"})
"""The fates of a log that change a season."""


def season(
    context: typer.Context,
    act: Annotated[
        str, typer.Argument(metavar="add|rebuild|list|standings|restate|archive|people")
    ] = "list",
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Logs, folders of logs, stores, Parquet files."),
    ] = None,
    file: SeasonFile = DEFAULT_SEASON,
    league: LeagueFile = DEFAULT_LEAGUE,
    scheme: Annotated[str, typer.Option(metavar="FILE", help="The points scheme, as TOML.")] = "",
    at: Annotated[
        str, typer.Option(metavar="YYYY-MM-DD", help="Standings as of the end of that day.")
    ] = "",
    keep_going: KeepGoing = False,
    policy: AskedPolicy = "",
    signed_wins: SignedWins = False,
    member: Annotated[
        str, typer.Option(metavar="NUMBER", help="A membership number, for people name.")
    ] = "",
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides, for people merge, split, forget.")
    ] = "",
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why, for the same.")] = "",
) -> None:
    """Take tournaments together: points, standings, people.

    Logs are checked on the way in, and held to the signed heads beside them; one that is wrong
    changes nothing. The same log again changes nothing, a longer one replaces what it gave before.
    The file can be made anew at any time.

    tourney season add logs/ tourney.db
    tourney season standings --scheme league.toml --at 2026-06-30
    """
    from cli.verbs.season import season_people, season_standings

    desk = desk_of(context)
    given = words or []
    refuse_others(context, f"people {(given or ['list'])[0]}" if act == "people" else act)
    if act in {"add", "rebuild"} and given:
        take = _take if act == "add" else _rebuild
        wanted = _Wanted(given, league, keep_going, signed_wins, policy)
        once(desk, lambda: _tell(take(wanted, Path(file)), file, json=desk.json))
    elif act == "list" and not given:
        _list(Path(file), json=desk.json)
    elif act == "archive" and len(given) == 1:
        once(desk, lambda: _archive(Path(file), Path(given[0]), json=desk.json))
    elif act == "standings" and not given and scheme:
        season_standings.standings(Path(file), league, scheme, at, json=desk.json)
    elif act == "restate" and given:
        restated = season_standings.Asked(given, scheme, policy)
        season_standings.restatement(restated, Path(file), league, json=desk.json)
    elif act == "people":
        asked = season_people.Asked(Path(file), Path(league), member, by, reason)
        season_people.people(desk, given, asked)
    elif act == "standings" and not given:
        raise UsageError("season standings needs the points scheme: --scheme FILE")
    else:
        raise UsageError(USAGE)


class _Wanted(NamedTuple):
    """What is to be taken in: which logs, the league's vault, and how."""

    places: list[str]
    league: str
    keep_going: bool
    signed_wins: bool
    policy: str

    def terms(self) -> LoadTerms:
        """How they are taken; what there is of policies is read."""
        from projections.season.loading.adding import LoadTerms

        return LoadTerms(self.keep_going, self.signed_wins, trust_in(self.policy, "season"))


def _take(wanted: _Wanted, file: Path) -> list[LogOutcome]:
    """Add logs to a season; where there is none, it is there with its first logs or not at all."""
    from projections.season.tables.database import open_season, written

    if not file.exists():
        return _make(wanted, file, is_first=True)
    with written(file), open_season(file) as connection:
        return _taken(connection, wanted, file)


def _rebuild(wanted: _Wanted, file: Path) -> list[LogOutcome]:
    """Make a season anew, whatever the old one is like, and put it in its place."""
    from projections.season.tables.database import refuse_foreign

    if file.is_file():
        refuse_foreign(file)
    return _make(wanted, file, is_first=False)


def _make(wanted: _Wanted, file: Path, *, is_first: bool) -> list[LogOutcome]:
    """Make a season beside its place, and put it there if any log is in it.

    Raises:
        Refused: what is there is none, or belongs to a store.
        StoreUnavailable: it can not be written, or is there meanwhile though this is the first.
    """
    from ledger.files.access import refuse_to_replace
    from ledger.files.durable import put_in_place
    from ledger.files.kinds import SEASON
    from projections.season.tables.database import open_season, written

    refuse_to_replace(file, SEASON)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    log = draft.with_name(f"{draft.name}.wal")
    try:
        with written(file):
            with open_season(draft, create=True, called=file) as connection:
                taken = _taken(connection, wanted, file)
            if log.exists():  # DuckDB had no room to put it into its file, and says nothing
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if is_first and file.exists():
                raise StoreUnavailable(f"{file} was made by another program meanwhile: repeat")
            if any(each.fate != "skipped" for each in taken):
                put_in_place(draft, file)
                file.with_name(f"{file.name}.wal").unlink(missing_ok=True)
    finally:
        _remove(draft)
    return taken


def _remove(path: Path) -> None:
    for each in (path, path.with_name(f"{path.name}.wal")):
        if each.exists():
            each.unlink()


def _taken(connection: DuckDBPyConnection, wanted: _Wanted, file: Path) -> list[LogOutcome]:
    from cli.season.sources import sources_here
    from projections.season.loading.adding import LogOutcome, add
    from projections.season.loading.archive import archives_of, take_back
    from projections.season.people.league import apply_aliases

    places, terms = wanted.places, wanted.terms()
    aliases = league_aliases(wanted.league)
    if aliases is not None:
        apply_aliases(connection, aliases)
    archived = [place for place in places if _is_archive(place)]
    if archived and len(archived) < len(places):
        raise UsageError("logs and Parquet files are taken in one after the other")
    if archived and terms.trust is not None:
        raise UsageError("Parquet files have no head that a policy could check: give the logs")
    if archived:
        back = take_back(connection, archives_of(map(Path, archived)))
        return [LogOutcome(f"{stream[:8]} of the archive", "new", stream) for stream in back]
    with Bar() as bar:
        sources = list(sources_here(places))
        return add(connection, sources, file.resolve().parent, bar, terms)


def _is_archive(place: str) -> bool:
    path = Path(place)
    if path.is_dir():
        return next(path.glob(f"*{ARCHIVE}"), None) is not None
    return path.suffix == ARCHIVE


def _tell(taken: Sequence[LogOutcome], file: str, *, json: bool) -> None:
    from ledger.proof.table import VERIFY_READS
    from projections.verification.closing_table import DERIVED

    if any(each.fate in WRITTEN for each in taken):
        landed.note_place(file)
    for each in taken:
        if each.problem:
            (say if each.fate == "signed" else complain)(each.problem)
        if each.fate == "shorter":
            complain(
                f"{each.where} was left out: the season has a longer log of its tournament, from "
                "an archive, which holds no lines to compare; `season rebuild` from both logs does"
            )
    if json:
        show_json(
            [
                {
                    "where": each.where,
                    "tournament": each.tournament or None,
                    "fate": each.fate,
                    "head": head_as_json(each.signed),
                }
                for each in taken
            ]
        )
    fates = [each.fate for each in taken]
    words = {
        "new": "new",
        "grown": "grown",
        "known": "there already",
        "older": "older than the season's",
        "shorter": "not compared",
        "signed": "in the place of another history",
        "unsigned": "left out for a signed history",
        "skipped": "skipped",
    }
    counted = [f"{fates.count(fate):,} {word}" for fate, word in words.items() if fate in fates]
    say(f"{how_many(len(taken), 'log')}: {', '.join(counted) or 'none'}")
    was_held = {"new", "grown", "known", "older", "signed"}
    if heads := heads_in_words(
        [each.signed for each in taken if each.signed and each.fate in was_held]
    ):
        say(f"heads: {heads}")
        say(f"UNCHECKED in every log: {', '.join(DERIVED)}: {VERIFY_READS}")
    if "skipped" in fates:
        raise typer.Exit(1)


def _list(file: Path, *, json: bool) -> None:
    from projections.season.tables.database import open_season

    with open_season(file, read_only=True) as connection:
        found = connection.execute(
            "SELECT tournament, name, held_on, tier, ruleset, entrants, rounds, size, finished, "
            "signed_size, signed_by, by_policy FROM tournaments ORDER BY held_on, name, tournament"
        )
        names = [column[0] for column in found.description]
        rows = found.fetchall()
    if json:
        show_json([dict(zip(names, row, strict=True)) for row in rows])
        return
    columns = (
        Column("held on"),
        Column("tournament", flexible=True),
        Column("tier", yields=2),
        Column("ruleset", yields=1),
        Column("players", right=True),
        Column("rounds", right=True, yields=3),
        Column(""),
        Column("signed", yields=4),
    )
    show_table(
        columns,
        [
            [
                *(str(day or "?"), name, tier, game, str(entrants), str(rounds)),
                *("" if done else "open", signed_in_words(size, *signed)),
            ]
            for _, name, day, tier, game, entrants, rounds, size, done, *signed in rows
        ],
    )
    if not rows:
        raise NotFound(f"{file} holds no tournament yet: `tourney season add PATH...`")


def _archive(file: Path, folder: Path, *, json: bool) -> None:
    from projections.season.loading.archive import archive
    from projections.season.tables.database import open_season

    with open_season(file, read_only=True) as connection, Bar() as bar:
        made = archive(connection, folder, lambda done, total: bar("written", done, total))
    if json:
        show_json({"written": made.written, "replaced": made.replaced, "kept": made.kept})
    written = how_many(made.written, "finished tournament")
    say(
        f"{folder}: {written} written, {made.replaced} of them in the place of a shorter log's, "
        f"{made.kept} as they were"
    )
