"""`rating`: how strong everybody is by the games of the season, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec.structs import replace

from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole_or_none
from cli.input.file_names import OutFile  # noqa: TC001 - typer resolves it
from cli.input.options import flag, option, word
from cli.languages.speaking import tr
from cli.render.records import refuse_csv, show_value, shows_table
from cli.season.answers import (
    draw,
    few_of,
    groups_in_words,
    rows_in_words,
    show_answer,
    tournaments_in_words,
    with_few,
)
from cli.season.league import find_person, names_shown, persons_of
from cli.season.opening import opened
from cli.season.options import (
    AS_TABLE,
    WHOLE_SEASON,
    AnswerOptions,
    SeasonPart,
    day_of,
    groups_by,
)
from cli.terminal.output import Bar, say
from cli.terminal.problems import said
from cli.terminal.visible import how_many, shortened, visible
from cli.verbs.season.stats import TABLE_ROWS
from ledger.errors import NotFound
from ledger.problems import phrase

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from projections.season.asking import Filters
    from projections.season.calibration import MeanInterval
    from projections.season.ratings import Rated, RatedGame
    from projections.season.tables.definitions import Question

NAME_SHOWN = 24
"""How much of a name a picture's heading has."""

PLOTTED = 30
"""How many persons a picture has where --top says nothing."""


class OtherTables(NamedTuple):
    """What is shown in place of the ranking, if anything."""

    calibration: Annotated[
        bool, flag("--calibration", "Expected and actual results, and the log-loss.")
    ] = False
    upsets: Annotated[
        bool, flag("--upsets", "Games won by the player with the lower expected score.")
    ] = False
    factions: Annotated[
        bool, flag("--factions", "Score of each faction beyond the strength of its players.")
    ] = False


RANKING_ALONE = OtherTables()


class Asked(NamedTuple):
    """What of the ratings is wanted, and as what."""

    system: str
    player: str
    other: OtherTables
    top: int
    desk: Desk
    plot: OutFile
    few: str = ""


class Drawn(NamedTuple):
    """What a table is of, beside its rows: everybody's names, and what was looked at."""

    names: Mapping[str, str]
    of: str
    by: str = ""


@shows_table
def rating(
    desk: Desk,
    system: Annotated[str, word("[glicko2|elo|bayes]", "Default: glicko2.")] = "",
    part: SeasonPart = WHOLE_SEASON,
    at: Annotated[str, option("YYYY-MM-DD", "As of the end of that day.")] = "",
    player: Annotated[str, option("WHO", "One person's rating, day by day.")] = "",
    other: OtherTables = RANKING_ALONE,
    shown: AnswerOptions = AS_TABLE,
) -> None:
    """Rate all players by their games in the season.

    Only games that were played count, in the order of their days. In 95 of 100 cases or more, a
    player's strength lies within the interval next to the rating; elo has no intervals. The list is
    ranked by the lower end of the interval; with elo by rating, and players with 10 games or more
    come first. A rating is for one game: if the season has several, choose one with --ruleset.

    tourney rating glicko2 --ruleset l5r --at 2026-06-30 --top 16
    """
    from projections.season.asking import Filters
    from projections.season.charts import refuse_suffix
    from projections.season.ratings import DEFAULT_SYSTEM, SYSTEMS

    system = system or DEFAULT_SYSTEM
    if system not in SYSTEMS:
        raise UsageError(
            tr(
                "{system} is not a rating system: use {systems}",
                system=repr(system),
                systems=", ".join(SYSTEMS),
            )
        )
    if (bool(player), *other).count(True) > 1:
        raise UsageError(tr("choose one of --player, --calibration, --upsets and --factions"))
    if part.by and not other.factions:
        raise UsageError(tr("--by groups only the rows of --factions: add --factions"))
    if shown.plot:
        refuse_csv(desk, "--plot")
    if (other.calibration or other.factions) and shown.top:
        which = "--calibration" if other.calibration else "--factions"
        raise UsageError(tr("{option} shows all its rows: omit --top", option=which))
    if shown.plot:
        refuse_suffix(desk.files.writing(shown.plot))
    begins = day_of(part.first, "--from")
    ends = day_of(at, "--at")
    count = whole_or_none("--top", shown.top) or 0
    asked = Asked(system, player, other, count, desk, shown.plot, shown.min_games)
    _rate(part, Filters(part.ruleset, part.tier, begins, ends, groups_by(part.by)), asked)


def _rate(part: SeasonPart, filters: Filters, asked: Asked) -> None:
    from projections.season.asking import extent, narrow
    from projections.season.grouping.folding import see_groups
    from projections.season.ratings import SYSTEMS, factions_in, games_of

    files = asked.desk.files
    file, league = files.reading(part.file), files.named(part.league)
    with opened(file) as connection, Bar() as bar:
        narrow(connection, filters)
        ruleset = _one_game(connection)
        persons = persons_of(connection)
        person = find_person(league, asked.player, persons) if asked.player else ""
        names = names_shown(files.named(part.agreed), league, persons)
        games = games_of(connection, bar)
        tournaments = tournaments_in_words(replace(filters, ruleset=ruleset), extent(connection))
        if asked.other.factions and asked.plot:
            about = groups_in_words(see_groups(connection, filters))
            tournaments = f"{tournaments}; {about}" if about else tournaments
        played = factions_in(connection) if asked.other.factions else []
    if not games:
        raise NotFound(phrase("no games were played in these tournaments"))
    of = tr("{tournaments}; by {system}", tournaments=tournaments, system=asked.system)
    caption = Drawn(names, of, filters.by)
    if asked.other.factions:
        _leads(games, played, asked, caption)
        return
    until = date.fromisoformat(filters.last).toordinal() if filters.last else games[-1].day
    rated = SYSTEMS[asked.system].rate(games, [person] if person else [], until)
    if asked.other.calibration:
        _calibration(games, rated, asked, caption)
    elif asked.other.upsets:
        with opened(file) as connection:
            narrow(connection, filters)
            _upsets(connection, games, rated, asked, caption)
    elif person:
        _history(rated, person, asked, caption)
    else:
        _ranking(rated, len(games), asked, caption)


def _one_game(connection: DuckDBPyConnection) -> str:
    """The ruleset of what is looked at.

    UsageError where there are several: who is strong at one game may be new to another.
    """
    from projections.season.asking import rulesets_of

    first, *others = rulesets_of(connection)
    if others:
        known = ", ".join((first, *others))
        raise UsageError(
            tr("a rating is for one game: choose it with --ruleset, from {games}", games=known)
        )
    return first


def _ranking(rated: Rated, games: int, asked: Asked, drawn: Drawn) -> None:
    from projections.season.rating_tables import RANKING, ranked_in_words, ranking_rows, shown_by
    from projections.season.ratings import SYSTEMS

    has_intervals = SYSTEMS[asked.system].has_intervals
    table = shown_by(RANKING, has_intervals=has_intervals)

    rows = ranking_rows(rated, date.fromordinal)
    order = ranked_in_words(has_intervals=has_intervals)
    summary = tr(
        "{persons} by {games}, ranked {order}",
        persons=how_many(len(rows), "person"),
        games=how_many(games, "game"),
        order=said(order),
    )
    most = asked.top or (
        PLOTTED if asked.plot else TABLE_ROWS if asked.desk.options.for_person else len(rows)
    )
    more = (
        tr("; these are the first {most}, --top N shows more", most=most)
        if most < len(rows) and not asked.top
        else ""
    )
    seen = drawn.of + rows_in_words(most, len(rows), "person")
    _give(table, rows[:most], asked, drawn._replace(of=seen), summary + more)


def _upsets(
    connection: DuckDBPyConnection,
    games: Sequence[RatedGame],
    rated: Rated,
    asked: Asked,
    drawn: Drawn,
) -> None:
    from projections.season.calibration import upsets_of
    from projections.season.rating_tables import UPSETS, upset_rows
    from projections.season.ratings import played_in

    found = upsets_of(games, rated.expected)
    shown = found[: asked.top or (TABLE_ROWS if asked.desk.options.for_person else len(found))]
    rows = upset_rows(shown, games, played_in(connection, [each.place for each in shown]))
    summary = tr(
        "{upsets} in {games}",
        upsets=how_many(len(found), "upset"),
        games=how_many(len(games), "game"),
    )
    more = tr("; --top N shows more") if len(shown) < len(found) and not asked.top else ""
    _give(UPSETS, rows, asked, drawn, summary + more)


def _history(rated: Rated, person: str, asked: Asked, drawn: Drawn) -> None:
    from projections.season.rating_tables import HISTORY, history_rows, shown_by
    from projections.season.ratings import SYSTEMS

    table = shown_by(HISTORY, has_intervals=SYSTEMS[asked.system].has_intervals)
    rows = history_rows(rated, person, date.fromordinal)
    name = drawn.names.get(person, person)
    summary = f"{name}, {how_many(len(rows), 'day')}"
    played = how_many(rows[-1][-1] if rows else 0, "game")
    shown = drawn._replace(of=f"{shortened(visible(name), NAME_SHOWN)}. {drawn.of}; {played}")
    _give(table, rows[-asked.top :], asked, shown, summary)


def _leads(
    games: Sequence[RatedGame], played: Sequence[tuple[str, str]], asked: Asked, drawn: Drawn
) -> None:
    from projections.season.calibration import FactionGame, faction_leads
    from projections.season.rating_tables import LEADS, lead_rows, shown_by
    from projections.season.ratings import SYSTEMS

    system = SYSTEMS[asked.system]
    table = shown_by(LEADS, has_intervals=system.scale.beginning is not None)
    both = [FactionGame(game, factions) for game, factions in zip(games, played, strict=True)]
    found = faction_leads(both, system)
    summary = tr(
        "{factions} by {games}",
        factions=how_many(len(found), "group" if drawn.by else "faction"),
        games=how_many(len(games), "game"),
    )
    if system.scale.beginning is None:
        summary += tr("; only glicko2 has intervals for factions")
    _give(table, lead_rows(found), asked, drawn, summary)


def _calibration(games: Sequence[RatedGame], rated: Rated, asked: Asked, drawn: Drawn) -> None:
    from projections.season.calibration import scored
    from projections.season.rating_tables import CALIBRATION, calibration_rows

    score = scored(games, asked.system, rated.expected)
    calibration = score.calibration
    mean, low, high = calibration.log_loss
    sure = ""
    if low is not None:
        sure = tr(" ({low} to {high})", low=f"{low:.4f}", high=f"{high:.4f}")
    summary = tr(
        "log-loss per game {mean}{sure} over {games}; for comparison: a coin toss has 0.6931; "
        "always expecting the mean score of the first-listed players has {majority}",
        mean=f"{mean:.4f}",
        sure=sure,
        games=how_many(calibration.games, "game"),
        majority=f"{calibration.majority:.4f}",
    )
    _give(CALIBRATION, calibration_rows(calibration), asked, drawn, summary)
    say(
        tr(
            "Brier score {brier}; lead over a coin (above 0: better than a coin): Brier score "
            "{brier_lead}, log-loss {log_lead}; a draw counts as half a win and half a loss",
            brier=f"{score.brier:.4f}",
            brier_lead=_lead_in_words(score.brier_lead),
            log_lead=_lead_in_words(score.log_lead),
        )
    )


def _lead_in_words(lead: MeanInterval) -> str:
    """Return a lead with its interval, if there is one."""
    mean, low, high = lead
    if low is None or high is None:
        return f"{mean:.4f}"
    return tr("{mean} ({low} to {high})", mean=f"{mean:.4f}", low=f"{low:.4f}", high=f"{high:.4f}")


def _give(
    table: Question, rows: Sequence[Sequence[object]], asked: Asked, drawn: Drawn, summary: str
) -> None:
    """Show or draw a table, and say what it is of."""
    few = few_of(table, asked.few)
    if asked.plot:
        draw(asked.desk.files.writing(asked.plot), table, rows, drawn.names, drawn.of, few)
        show_value(asked.desk, {"file": str(asked.plot), "rows": len(rows)})
    else:
        show_answer(asked.desk, table.columns, rows, drawn.names, few, drawn.by)
    where = f"{asked.plot}: " if asked.plot else ""
    say(with_few(f"{where}{asked.system}: {summary}", few, table.columns, rows))
