"""Each view of a season that a hall shows, made of its tables in a process of its own."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cli.season.answers import answer_as_json, few_of, place_as_json
from cli.season.naming import names_agreed, persons_of
from cli.season.opening import Origin, SafeSeason, listed_rows, only_known_values
from cli.season.sandbox import confined_season
from cli.terminal.tables import as_json
from ledger.errors import LedgerError, NotFound, Refused, StoreUnavailable
from projections.processes import limit_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from duckdb import DuckDBPyConnection

    from cli.serve.views import AskedView
    from projections.season.asking.filters import Filters
    from projections.season.asking.questions import Question
    from projections.season.points import Scheme

ANSWER_BYTES_MAX = 8_000_000
NICE = 10
"""By how much the hall itself goes before a question."""

FOR_READERS = (
    "extensions",
    "faction-matchups",
    "faction-trend",
    "factions",
    "first-and-side",
    "outcomes",
    "pairing-quality",
    "round-length",
)
"""Questions that single nobody out."""


class ShownFiles(NamedTuple):
    """What a season is made of: its file or folder, the league's vault, who agreed, schemes."""

    season: str
    league: str
    agreed: str
    schemes: tuple[Scheme, ...]
    is_own: bool = False
    """Whether this machine left or verified every byte of the season."""

    signed: Origin = "unsigned"
    """What is true of the tournaments that the season's head covers."""


class CheckedWords(NamedTuple):
    """The words of a view, as numbers and filters."""

    filters: Filters
    top: int


def view_made(
    files: ShownFiles, asked: AskedView, checked: CheckedWords
) -> tuple[None, list[bytes]]:
    """Make a view, in the process of its own."""
    with suppress(AttributeError, OSError):  # not every system has it
        os.nice(NICE)
    place = Path(files.season)
    with only_known_values(SafeSeason(place, place, files.signed, is_own=files.is_own)):
        season = confined_season(files.season)
        limit_memory()
        return None, [view_of(season, files, asked, checked)]


def season_fits(files: ShownFiles) -> tuple[None, list[bytes]]:
    """Raise what speaks against showing a season, in the process of its own."""
    season = confined_season(files.season)
    names_agreed(files.agreed, files.league, persons_of(season))
    return None, []


def view_of(
    season: DuckDBPyConnection, files: ShownFiles, asked: AskedView, checked: CheckedWords
) -> bytes:
    """Make a view as JSON; Refused where it is too large."""
    content = msgspec.json.encode(list(_VIEWS[asked.view](season, files, asked, checked)))
    if len(content) > ANSWER_BYTES_MAX:
        most = ANSWER_BYTES_MAX // 1_000_000
        raise Refused(f"the answer has more than {most} MB: ask for fewer rows, with ?top=")
    return content


def _events(season: DuckDBPyConnection, files: ShownFiles, *_: object) -> Iterator[object]:
    place = Path(files.season)
    shown = SafeSeason(place, place, files.signed, is_own=files.is_own)
    return map(as_json, listed_rows(shown, season))


def _schemes(_: DuckDBPyConnection, files: ShownFiles, *__: object) -> Iterator[object]:
    return ({"scheme": each.key, "name": each.name} for each in files.schemes)


def _standings(
    season: DuckDBPyConnection, files: ShownFiles, asked: AskedView, checked: CheckedWords
) -> Iterator[object]:
    from projections.season.points import championship

    scheme = next((each for each in files.schemes if each.key == asked.word), None)
    if scheme is None:
        known = ", ".join(each.key for each in files.schemes) or "none: `serve --scheme` names one"
        raise NotFound(f"no points scheme {asked.word[:40]!r} is served here; there are {known}")
    table = championship(season, scheme, checked.filters.last)
    names = _names(season, files)
    return (place_as_json(row, names) for row in table.rows)


def _questions(
    _: DuckDBPyConnection, __: ShownFiles, asked: AskedView, *___: object
) -> Iterator[object]:
    from projections.season.asking.questions import questions

    return (
        {"question": each.name, "answers": each.answers}
        for each in questions()
        if asked.is_official or each.name in FOR_READERS
    )


def _question(
    season: DuckDBPyConnection, files: ShownFiles, asked: AskedView, checked: CheckedWords
) -> Iterator[object]:
    from cli.season.league import find_person
    from projections.season.asking.answering import answer, question_named
    from projections.season.asking.filters import narrow

    question = question_named(asked.word)
    narrow(season, checked.filters)
    player = asked.words.get("player", "")
    person = find_person(files.league, player, persons_of(season)) if player else ""
    rows: Sequence[Sequence[Any]] = answer(season, question, person).rows
    if not asked.is_official:
        rows = _without_small_groups(season, question, rows)
    shown = rows[: checked.top] if checked.top else rows
    return answer_as_json(question.columns, shown, _names(season, files), few_of(question, ""))


def _without_small_groups(
    season: DuckDBPyConnection, question: Question, rows: Sequence[Sequence[Any]]
) -> Sequence[Sequence[Any]]:
    """Leave out the rows that a season's pages do not break out either."""
    from projections.season import for_readers

    if question.name == "factions":
        found, width = for_readers.factions_left_out(rows), 2
    elif question.name == "faction-matchups":
        found, width = for_readers.matchups_left_out(rows), 3
    elif question.name == "faction-trend":
        found, width = for_readers.months_left_out(season), 3
    else:
        return rows
    hidden = found.small | found.further
    return [row for row in rows if tuple(row[:width]) not in hidden]


def _ratings(
    season: DuckDBPyConnection, files: ShownFiles, asked: AskedView, checked: CheckedWords
) -> Iterator[object]:
    from datetime import date

    from projections.season.asking.filters import narrow, rulesets_of
    from projections.season.rating_tables import RANKING, ranking_rows
    from projections.season.ratings import SYSTEMS, games_of

    filters = checked.filters
    narrow(season, filters)
    rulesets = rulesets_of(season)
    if len(rulesets) > 1:
        raise Refused(f"a rating is of one game: ?ruleset= says which, of {', '.join(rulesets)}")
    games = games_of(season, _silent)
    if not games:
        raise NotFound("no game that was played is in these tournaments")
    until = date.fromisoformat(filters.last).toordinal() if filters.last else games[-1].day
    rows = ranking_rows(SYSTEMS[asked.word].rate(games, "", until), date.fromordinal)
    shown = rows[: checked.top] if checked.top else rows
    return answer_as_json(RANKING.columns, shown, _names(season, files), few_of(RANKING, ""))


def _names(season: DuckDBPyConnection, files: ShownFiles) -> Mapping[str, str]:
    try:
        return names_agreed(files.agreed, files.league, persons_of(season))
    except LedgerError:  # which says what the file holds
        raise StoreUnavailable(
            "the file of who agreed to be named has changed: ask the desk"
        ) from None


def _silent(_what: str, _done: int, _total: int) -> None:
    """Nobody is at a terminal."""


_VIEWS: dict[str, Callable[..., Iterable[object]]] = {
    "events": _events,
    "schemes": _schemes,
    "standings": _standings,
    "questions": _questions,
    "question": _question,
    "ratings": _ratings,
}
"""What makes each view, by its name."""
