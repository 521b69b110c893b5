"""`rating`: how strong everybody is by the games of the season, and how far that can be trusted."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Annotated
from typing import NamedTuple

import typer

from cli.acts import desk_of
from cli.answers import Heading
from cli.answers import Shown
from cli.answers import show_answer
from cli.arguments import UsageError
from cli.arguments import whole
from cli.diagnostics import say
from cli.league import DEFAULT_LEAGUE
from cli.league import looked_at
from cli.league import names_of
from cli.places import checked_date
from cli.progress import Bar
from cli.verbs.season import DEFAULT_SEASON
from cli.verbs.stats import TABLE_ROWS
from cli.verbs.stats import persons_of
from ledger.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence

    from projections.season.filters import Filters
    from projections.season.questions import Question
    from projections.season.ratings import Game
    from projections.season.ratings import Rated

DEFAULT_SYSTEM = "elo"
PLOTTED = 30
"""How many persons a picture has where --top says nothing."""


class Asked(NamedTuple):
    """What of the ratings is wanted, and as what."""

    system: str
    player: str
    calibration: bool
    top: int
    shown: Shown
    plot: str


def rating(
    context: typer.Context,
    system: Annotated[str, typer.Argument(metavar="[elo|glicko2|bayes]")] = DEFAULT_SYSTEM,
    file: Annotated[
        str, typer.Option("--in", metavar="FILE", help="The season; else ./season.duckdb.")
    ] = DEFAULT_SEASON,
    league: Annotated[
        str, typer.Option(metavar="FILE", help="The league's vault; else ./league.db.")
    ] = DEFAULT_LEAGUE,
    at: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="As of the end of that day.")] = "",
    first: Annotated[
        str, typer.Option("--from", metavar="YYYY-MM-DD", help="From the games of that day on.")
    ] = "",
    ruleset: Annotated[str, typer.Option(metavar="KEY", help="Of this game alone.")] = "",
    tier: Annotated[str, typer.Option(metavar="TIER", help="Of this tier alone.")] = "",
    player: Annotated[
        str, typer.Option(metavar="WHO", help="One person's rating, day by day.")
    ] = "",
    calibration: Annotated[
        bool, typer.Option("--calibration", help="Expected against actual, and the log-loss.")
    ] = False,
    top: Annotated[str, typer.Option(metavar="N", help="The first N.")] = "",
    csv: Annotated[bool, typer.Option("--csv", help="Comma-separated, for a spreadsheet.")] = False,
    plot: Annotated[
        str, typer.Option(metavar="FILE", help="Draw it, as .png, .svg or .html.")
    ] = "",
) -> None:
    """Rate everybody by the games of the season.

    Games that were played count, in the order of their days; each rating has a 95 % interval.

    tourney rating glicko2 --ruleset l5r --at 2026-06-30 --top 16
    """
    from projections.season.filters import Filters
    from projections.season.pictures import refuse_suffix
    from projections.season.ratings import SYSTEMS

    if system not in SYSTEMS:
        raise UsageError(f"no rating system {system!r}: there are {', '.join(SYSTEMS)}")
    if player and calibration:
        raise UsageError("--calibration is of everybody: leave --player out")
    if plot:
        refuse_suffix(Path(plot))
    begins = checked_date(first, "--from") if first else ""
    ends = checked_date(at, "--at") if at else ""
    shown = Shown(csv=csv, json=desk_of(context).json)
    count = whole("--top", top, 1) if top else 0
    asked = Asked(system, player, calibration, count, shown, plot)
    _rate(Path(file), league, Filters(ruleset, tier, begins, ends), asked)


def _rate(file: Path, league: str, filters: Filters, asked: Asked) -> None:
    from projections.season.database import open_season
    from projections.season.filters import narrow
    from projections.season.ratings import SYSTEMS
    from projections.season.ratings.games import games_of

    with open_season(file, read_only=True) as connection, Bar() as bar:
        narrow(connection, filters)
        person = looked_at(league, asked.player, persons_of(connection)) if asked.player else ""
        games = games_of(connection, bar)
    if not games:
        raise NotFound("no game that was played is in these tournaments: there is none to rate")
    rated = SYSTEMS[asked.system](games, person)
    names = names_of(league)
    if asked.calibration:
        _calibration(games, rated, asked, names)
    elif person:
        _history(rated, person, asked, names)
    else:
        _ranking(rated, len(games), asked, names)


def _ranking(rated: Rated, games: int, asked: Asked, names: Mapping[str, str]) -> None:
    from projections.season.ratings.tables import RANKING
    from projections.season.ratings.tables import ranking_rows

    rows = ranking_rows(rated, date.fromordinal)
    told = f"{asked.system}: {len(rows):,} persons by {games:,} games"
    is_table = not (asked.shown.csv or asked.shown.json)
    most = asked.top or (PLOTTED if asked.plot else TABLE_ROWS if is_table else len(rows))
    more = f"; the first {most}, --top N shows more" if most < len(rows) and not asked.top else ""
    _give(RANKING, rows[:most], asked, names, told + more)


def _history(rated: Rated, person: str, asked: Asked, names: Mapping[str, str]) -> None:
    from projections.season.ratings.tables import HISTORY
    from projections.season.ratings.tables import history_rows

    rows = history_rows(rated, date.fromordinal)
    told = f"{asked.system}: {names.get(person, person)}, {len(rows)} days"
    _give(HISTORY, rows[-asked.top :], asked, names, told)


def _calibration(
    games: Sequence[Game], rated: Rated, asked: Asked, names: Mapping[str, str]
) -> None:
    from projections.season.ratings import calibrate
    from projections.season.ratings.tables import CALIBRATION
    from projections.season.ratings.tables import calibration_rows

    found = calibrate(games, rated.expected)
    told = (
        f"{asked.system}: log-loss {found.log_loss:.4f} a game over {found.games:,} games; "
        "knowing nothing loses 0.6931"
    )
    _give(CALIBRATION, calibration_rows(found), asked, names, told)


def _give(
    table: Question,
    rows: Sequence[Sequence[object]],
    asked: Asked,
    names: Mapping[str, str],
    told: str,
) -> None:
    """Show or draw a table, and say what it is of."""
    if asked.plot:
        from projections.season.pictures import write_plot
        from projections.season.plots import chart

        assert table.plot is not None  # noqa: S101 - each of these tables has a picture
        write_plot(Path(asked.plot), chart(table, table.plot, rows, names))
        told = f"{asked.plot}: {told}"
    else:
        columns = [Heading(each.name, each.unit) for each in table.columns]
        show_answer(columns, rows, names, asked.shown)
    say(told)
