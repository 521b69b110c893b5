"""The season as a hall shows it to programs: each view made in a process with an end to everything.

Only persons who agreed have names. A caller who is not an official of the tournament gets, of the
questions, what a season's pages show: those that single out no person, without groups of persons
that are too small.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import finalize

import msgspec

from cli.input.arguments import whole_or_none
from cli.languages.speaking import marked
from cli.season.answers import answer_as_json, few_of, place_as_json
from cli.season.league import names_agreed, persons_of
from cli.season.opening import (
    Origin,
    SafeSeason,
    listed_rows,
    only_known_values,
    season_at,
)
from cli.season.sandbox import bounded, confined_season
from cli.terminal.tables import as_json
from ledger.errors import LedgerError, NotFound, Refused, StoreUnavailable
from ledger.files.system import give_way
from ledger.problems import phrase, problem
from projections.processes import limit_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from duckdb import DuckDBPyConnection

    from cli.serve.views import AskedView
    from projections.season.asking import Filters
    from projections.season.points import Scheme
    from projections.season.tables.definitions import Question

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
    give_way(NICE)
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
        raise Refused(
            phrase("the answer has more than {most} MB: ask for fewer rows, with ?top=", most=most)
        )
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
        known = ", ".join(each.key for each in files.schemes) or phrase(
            "none: `serve --scheme` names one"
        )
        raise NotFound(
            phrase(
                "there is no points scheme {word} here; known: {known}",
                word=repr(asked.word[:40]),
                known=known,
            )
        )
    table = championship(season, scheme, checked.filters.last)
    names = _names(season, files)
    return (place_as_json(row, names) for row in table.rows)


def _questions(
    _: DuckDBPyConnection, __: ShownFiles, asked: AskedView, *___: object
) -> Iterator[object]:
    from projections.season.tables.definitions import questions

    return (
        {"question": each.name, "answers": each.answers}
        for each in questions()
        if asked.is_official or each.name in FOR_READERS
    )


def _question(
    season: DuckDBPyConnection, files: ShownFiles, asked: AskedView, checked: CheckedWords
) -> Iterator[object]:
    from cli.season.league import find_person
    from projections.season.asking import answer, answer_of_groups, narrow, question_named
    from projections.season.grouping.folding import see_groups
    from projections.season.grouping.groups import of_each_group, reads_groups

    question = question_named(asked.word)
    by = checked.filters.by
    by_group = bool(by) and not reads_groups(question)
    if asked.is_official or not reads_groups(question):
        narrow(season, checked.filters)
    else:
        see_groups(season, checked.filters)
    player = asked.words.get("player", "")
    person = find_person(files.league, player, persons_of(season)) if player else ""
    if by_group:
        table = answer_of_groups(season, question, by, person)
        question = of_each_group(question)
    else:
        table = answer(season, question, person)
    rows: Sequence[Sequence[Any]] = table.rows
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

    from projections.season.asking import narrow, rulesets_of
    from projections.season.rating_tables import RANKING, ranking_rows
    from projections.season.ratings import SYSTEMS, games_of

    filters = checked.filters
    narrow(season, filters)
    rulesets = rulesets_of(season)
    if len(rulesets) > 1:
        raise Refused(
            phrase(
                "a rating is for one game: choose it with ?ruleset=, one of {games}",
                games=", ".join(rulesets),
            )
        )
    games = games_of(season, _silent)
    if not games:
        raise NotFound(phrase("no games were played in these tournaments"))
    until = date.fromisoformat(filters.last).toordinal() if filters.last else games[-1].day
    rows = ranking_rows(SYSTEMS[asked.word].rate(games, (), until), date.fromordinal)
    shown = rows[: checked.top] if checked.top else rows
    return answer_as_json(RANKING.columns, shown, _names(season, files), few_of(RANKING, ""))


def _names(season: DuckDBPyConnection, files: ShownFiles) -> Mapping[str, str]:
    try:
        return names_agreed(files.agreed, files.league, persons_of(season))
    except LedgerError:  # which says what the file holds
        raise StoreUnavailable(
            phrase("the list of people who agreed to be named has changed: ask the desk")
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


class ServedSeason:
    """Gives the views of a season's files."""

    def __init__(self, files: ShownFiles) -> None:
        self._files = files
        self._safe = ExitStack()
        finalize(self, self._safe.close)
        self._opened = ""
        self._shown = files

    def stamp(self) -> str:
        """Say which state of the files an answer is of; NotFound where there is no season."""
        season = Path(self._files.season)
        looked = season / "season.json" if season.is_dir() else season
        if not looked.exists():
            raise NotFound(
                problem("serve.season_gone", "there is no season {file}", file=str(season))
            )
        others = (Path(each) for each in (self._files.league, self._files.agreed) if each)
        return repr([_state(each) for each in (looked, *others)])

    def answer(self, asked: AskedView, is_over: Callable[[], bool]) -> bytes:
        """Make a view as JSON; UsageError of words that mean nothing, Refused where it is over."""
        checked = _checked(asked)
        if is_over():
            raise Refused(phrase("the hall closes"))
        return self._made(asked, checked, is_over)

    def check(self) -> None:
        """Raise what speaks against showing it at all."""
        with bounded(season_fits, self._safe_files()):
            return

    def _made(self, asked: AskedView, checked: CheckedWords, is_over: Callable[[], bool]) -> bytes:
        with bounded(view_made, self._safe_files(), asked, checked, is_over=is_over) as (_, blocks):
            return b"".join(blocks)

    def _safe_files(self) -> ShownFiles:
        """Return the files as they may be opened; opened again if they changed, or a copy is lost.

        A copy is in the system's folder for temporary files, which others may tidy up.
        """
        stamp = self.stamp()
        if stamp != self._opened or not Path(self._shown.season).exists():
            self._opened = ""
            self._safe.close()
            season = self._safe.enter_context(
                season_at(Path(self._files.season), hears_signals=False)
            )
            self._shown = self._files._replace(
                season=str(season.file), is_own=season.is_own, signed=season.signed
            )
            self._opened = stamp
        return self._shown


def _state(path: Path) -> tuple[int, ...]:
    with suppress(OSError):
        found = path.stat()
        return found.st_ino, found.st_size, found.st_mtime_ns
    return ()


def _checked(asked: AskedView) -> CheckedWords:
    """Read the words; UsageError, or NotFound of a question that there is not."""
    from cli.input.moments import checked_date
    from cli.season.options import groups_by
    from projections.season.asking import Filters, question_named
    from projections.season.ratings import SYSTEMS

    words = asked.words
    if asked.view == "question":
        _refuse_about_persons(question_named(asked.word), asked)
    if asked.view == "ratings" and asked.word not in SYSTEMS:
        raise NotFound(
            phrase(
                "there is no rating system {word}; known: {known}",
                word=repr(asked.word[:20]),
                known=", ".join(SYSTEMS),
            )
        )
    days = {name: checked_date(words[name], name) for name in ("from", "to", "at") if name in words}
    last = days.get("to") or days.get("at") or ""
    by = groups_by(words.get("by", ""))
    filters = Filters(
        words.get("ruleset", ""), words.get("tier", ""), days.get("from", ""), last, by
    )
    return CheckedWords(filters, whole_or_none("top", words.get("top", "")) or 0)


def _refuse_about_persons(question: Question, view: AskedView) -> None:
    """Refuse a question that singles persons out, but of an official.

    One that is asked of each group does: its rows may be of few persons.
    """
    from cli.serve.refusals import NotSignedIn
    from projections.season.grouping.groups import reads_groups

    of_groups = bool(view.words.get("by")) and not reads_groups(question)
    if not view.is_official and (question.name not in FOR_READERS or of_groups):
        known = ", ".join(FOR_READERS)
        text = marked(
            "{question} could identify individual people, so only officials can see it; "
            "public: {known}"
        )
        raise NotSignedIn(
            problem("serve.season_persons", text, question=question.name, known=known)
        )
