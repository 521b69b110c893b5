"""The season as a hall shows it to programs: each view made in a process with an end to everything.

Names are of those alone who agreed. Who is no official of the event sees of the questions what a
season's pages show: those that single nobody out, without groups of persons that are too small.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import finalize

from cli.input.arguments import whole_or_none
from cli.season.opening import season_at
from cli.season.sandbox import bounded
from cli.season.served_views import (
    FOR_READERS,
    CheckedWords,
    ShownFiles,
    season_fits,
    view_made,
)
from ledger.errors import NotFound, Refused
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.serve.views import AskedView


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
            raise Refused("the hall closes")
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
    from cli.season.options import attribute_of
    from projections.season.asking.answering import question_named
    from projections.season.asking.filters import Filters
    from projections.season.ratings import SYSTEMS

    words = asked.words
    if asked.view == "question":
        _refuse_about_persons(question_named(asked.word).name, asked)
    if asked.view == "ratings" and asked.word not in SYSTEMS:
        raise NotFound(f"no rating system {asked.word[:20]!r}: there are {', '.join(SYSTEMS)}")
    days = {name: checked_date(words[name], name) for name in ("from", "to", "at") if name in words}
    last = days.get("to") or days.get("at") or ""
    by = attribute_of(words.get("by", ""))
    filters = Filters(
        words.get("ruleset", ""), words.get("tier", ""), days.get("from", ""), last, by
    )
    return CheckedWords(filters, whole_or_none("top", words.get("top", "")) or 0)


def _refuse_about_persons(question: str, asked: AskedView) -> None:
    """Refuse a question that singles persons out, but of an official."""
    from cli.serve.refusals import NotSignedIn

    if not asked.is_official and question not in FOR_READERS:
        known = ", ".join(FOR_READERS)
        text = "{question} could single persons out, and is for officials; for everybody: {known}"
        raise NotSignedIn(problem("serve.season_persons", text, question=question, known=known))
