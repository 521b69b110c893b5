"""Choose the language of an answer: the one asked for, that of the browser, or of the terminal.

Count the languages of the people who are signed in.
"""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING

from cli.languages.speaking import ENGLISH, codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

OPTION, END = "--lang", "--"
FOR_PROGRAMS = frozenset({"--json", "--csv"})
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Variables of the environment that name a language; the first that is set counts."""

ACCEPTED_MAX = 20
"""Languages of a browser's header that are looked at."""

PEOPLE_MAX, IN_USE_SECONDS = 10_000, 2 * 3600
"""Maximum people whose language is kept, and the seconds that it counts after a request."""


class LanguagesInUse:
    """The language of each person who is signed in, as of their latest request."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._latest: dict[str, tuple[str, float]] = {}

    def note(self, person: str, code: str) -> None:
        """Keep the language of a request in place of the person's previous language."""
        self._latest.pop(person, None)
        self._latest[person] = code, self._clock()
        if len(self._latest) > PEOPLE_MAX:
            del self._latest[next(iter(self._latest))]  # the person whose request is the oldest

    def most_used(self) -> list[str]:
        """Return the languages in use, the language of the most people first."""
        since = self._clock() - IN_USE_SECONDS
        counts = Counter(code for code, time in self._latest.values() if time >= since)
        return [code for code, _ in counts.most_common()]


def known(code: str) -> str:
    """Return the code of the language that a tag such as `de-AT` or `de_AT.UTF-8` is of, or ""."""
    letters = code.strip().lower().replace("_", "-").partition(".")[0].partition("-")[0]
    return letters if letters in codes() else ""


def for_browser(chosen: str, accepted: str) -> str:
    """Return the language of a page: the one chosen before, else the best that is accepted.

    `accepted` is the header Accept-Language: tags, each with a weight from 0 to 1.
    """
    if chosen in codes():
        return chosen
    weighed: list[tuple[float, str]] = []
    for part in accepted.split(",")[:ACCEPTED_MAX]:
        tag, _, parameter = part.partition(";")
        if code := known(tag):
            weighed.append((_weight(parameter), code))
    best = max(weighed, key=lambda pair: pair[0], default=(0.0, ENGLISH))  # the first of equals
    return best[1] if best[0] > 0 else ENGLISH


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if 0 <= weight <= 1 else 0.0


def for_terminal(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language of a line: that of `--lang`, else that of the environment.

    What programs read is English. An unknown language is English here; the line is refused where
    its options are read.
    """
    options = arguments[: arguments.index(END)] if END in arguments else arguments
    if not FOR_PROGRAMS.isdisjoint(options):
        return ENGLISH
    if option := _asked(options):
        return known(option) or ENGLISH
    variable = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    return known(variable) or ENGLISH


def _asked(words: Iterable[str]) -> str:
    waiting = False
    for word in words:
        if waiting:
            return word
        name, equals, value = word.partition("=")
        if name == OPTION:
            if equals:
                return value
            waiting = True
    return ""
