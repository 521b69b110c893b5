"""Each verb with a value at each of its parameters, in each spelling that a line may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cli.input.arguments import VALUED
from cli.input.options import files_in
from cli.verbs import VERBS
from cli.verbs.catalogue import function_of
from cli.verbs.on_pages import FIRST_WORDS
from cli.verbs.tree import command_of

if TYPE_CHECKING:
    from collections.abc import Iterator

FILLED = {
    "R/T": "1/1",
    "R/T|SEQ": "1/1",
    "PLAYER FILE": "#1",
    "PLAYER FILE|FOLDER": "#1",
    "PLAYER NAME": "#1",
    "PLAYER": "#1",
    "pairings|standings": "pairings",
    "[LEADER CONSENT]": "",
}
"""What is typed for the words before the one that is tried, by metavar; else 1."""

NEEDED = ("reason", "what")


class SpelledLine(NamedTuple):
    """The words of a line, the verb that it is for, and whether its value names a file."""

    words: tuple[str, ...]
    path: str
    names_file: bool

    @property
    def is_for_pages(self) -> bool:
        """Whether a page takes lines of this verb."""
        return self.path.split()[0] in FIRST_WORDS

    @property
    def typed(self) -> str:
        """The line as it is typed, its words in quotes."""
        return " ".join(f'"{word}"' for word in self.words)


def lines_with(value: str) -> Iterator[SpelledLine]:
    """Yield lines of every verb with the value at each of its parameters, in each spelling."""
    for path in VERBS:
        files = files_in(function_of(VERBS[path]))
        for param in command_of(path).params:
            if getattr(param, "is_flag", False):
                continue
            for words in _spelled(path, param, value):
                yield SpelledLine(words, path, param.name in files)


def lines_with_store(value: str) -> Iterator[SpelledLine]:
    """Yield lines of the page's verbs with the value at each option that every verb has."""
    for path in sorted(path for path in VERBS if path.split()[0] in FIRST_WORDS):
        verb, before = tuple(path.split()), _words_before(path, None)
        for option in VALUED:
            spelled = [(option, value), (f"{option}={value}",), (f"{option}{value}",)]
            spelled += [(option[:-1], value), (option.upper(), value)]
            for words in spelled:
                yield SpelledLine((*verb, *words, *before), path, option == "--store")
                yield SpelledLine((*words, *verb, *before), path, option == "--store")
                yield SpelledLine((*verb, *before, *words), path, option == "--store")


def _spelled(path: str, param: Any, value: str) -> Iterator[tuple[str, ...]]:  # noqa: ANN401 - typer's own type
    verb = tuple(path.split())
    loud = tuple(word.upper() for word in verb)
    if param.param_type_name == "argument":
        before = _words_before(path, param)
        more = _needed(path)
        for several in ((value,), (_filled(param), value), (value, value)):
            yield (*verb, *more, *before, *several)
            yield (*verb, *more, "--", *before, *several)
        yield (*loud[:1], *verb[1:], *more, *before, value)
        return
    before = _words_before(path, None)
    for option in param.opts:
        if option.startswith("--"):
            spelled: tuple[tuple[str, ...], ...] = (
                (option, value),
                (f"{option}={value}",),
                (f"{option}{value}",),
                (option.upper(), value),
                *((option[:end], value) for end in (4, 5, len(option) - 1)),
                *((f"{option[:end]}={value}",) for end in (4, 5, len(option) - 1)),
            )
        else:
            spelled = (
                (option, value),
                (f"{option}{value}",),
                (f"{option}={value}",),
                (f"{option.upper()}{value}",),
            )
        for words in spelled:
            yield (*verb, *before, *_needed(path, param), *words)
            yield (*verb, *words, *_needed(path, param), "--", *before)
            yield (*loud[:1], *verb[1:], *before, *words)


def _words_before(path: str, tried: Any) -> list[str]:  # noqa: ANN401 - as above
    """Return what is typed for the words that are needed before the one that is tried."""
    words: list[str] = []
    for param in command_of(path).params:
        if param is tried:
            break
        if param.param_type_name == "argument" and (param.required or tried is not None):
            words.append(_filled(param))
    return words


def _filled(param: Any) -> str:  # noqa: ANN401 - as above
    return FILLED.get(param.metavar, "1")


def _needed(path: str, tried: Any = None) -> list[str]:  # noqa: ANN401 - as above
    """Return the options without which a verb reads nothing."""
    return [
        f"--{param.name}=x"
        for param in command_of(path).params
        if param is not tried and param.name in NEEDED and param.param_type_name != "argument"
    ]
