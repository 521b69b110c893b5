"""Options that every verb has, taken out of the line wherever they stand; `--` ends them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from cli.languages.choice import OPTION, known
from cli.languages.speaking import codes, tr

Word = TypeVar("Word", bound=str)


class UsageError(Exception):
    """The line cannot be understood; the text says what to type."""


class Options(NamedTuple):
    """What was said for any verb; empty where nothing was."""

    store: str = ""
    tournament: str = ""
    acting: str = ""
    on_behalf_of: str = ""
    command_id: str = ""
    format: str = "text"
    """How the answer is written: one of `FORMATS`, or `text` for a person."""

    yes: bool = False
    """Go on where a warning would ask on a terminal."""

    log: str = ""
    """The file of a log, which is read in place of a store."""

    lang: str = ""
    """The code of the language of the answer."""

    policy: str = ""
    unsigned: str = ""
    """The policy for the head of that file, or the reason to accept lines without a head."""

    @property
    def for_person(self) -> bool:
        """Whether a person is to read the answer, no script and no spreadsheet."""
        return self.format == "text"


FOR_PLAYER = "on_behalf_of"
SEALING = frozenset({"backup", "export"})
"""The verbs that write a file for a reader's key, whose `--for` is their own."""

VALUED: Mapping[str, str] = MappingProxyType(
    {
        "--store": "store",
        "-t": "tournament",
        "--tournament": "tournament",
        "--as": "acting",
        "--for": FOR_PLAYER,
        "--id": "command_id",
        "--log": "log",
        OPTION: "lang",
    }
)
"""The options with a value, and the field that each fills."""

OF_LOG: Mapping[str, str] = MappingProxyType({"--policy": "policy", "--unsigned": "unsigned"})
"""The options with a value that belong to `--log`; without it they are a verb's own."""

SHARED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "--at": ("MOMENT", "The record then: event 57, 14:05, round:3 or posted."),
        "--round": ("N", "The record at the close of round N."),
        "--reason": ("TEXT", "Why; the log keeps it."),
        "--output": ("FILE", "Write to a file, in place of stdout."),
        "--in": ("FILE", "The season; default ./season.duckdb."),
        "--league": ("FILE", "The league's vault; default ./league.db."),
        "--policy": ("POLICY", "A policy, whose keys must have signed the head of a log."),
        "--unsigned": ("REASON", "Accept lines that no signed head covers; REASON is kept."),
    }
)
"""Options that many verbs take with one meaning: what follows each, and its help."""

FORMATS: Mapping[str, str] = MappingProxyType({"--json": "json", "--csv": "csv"})

PAIRED = ("--table", "--named-bye")
"""The options that take two words, as `--table A B`; the parser below takes one."""

WHOLE_MAX = 2**53 - 1

END = "--"
"""The end of the options in a line."""

SEPARATOR = "\0"
"""Between the two: no argument of a process can hold it."""


def split_global_options(arguments: Sequence[str]) -> tuple[Options, list[str]]:
    """Split a line into every verb's options and the rest.

    Shared options before the verb are moved behind its words.

    Raises:
        UsageError: an option lacks its value.
    """
    found: dict[str, str] = {}
    rest: list[str] = []
    yes = False
    valued = {**VALUED, **OF_LOG} if _names_log(arguments) else VALUED
    words = iter(_with_shared_behind(arguments))
    for word in words:
        name, equals, value = _split(word)
        if word == END:
            rest += [word, *words]
        elif word == "--yes":
            yes = True
        elif word in FORMATS:
            if found.setdefault("format", FORMATS[word]) != FORMATS[word]:
                raise UsageError(tr("{options}: choose one", options=tr(" and ").join(FORMATS)))
        elif name in valued:
            given = value if equals else next(words, "")
            if not given:
                raise UsageError(tr("{option} needs a value", option=name))
            if found.setdefault(valued[name], given) != given:
                raise UsageError(tr("{option} is given twice", option=name))
        elif word in PAIRED:
            rest += [word, SEPARATOR.join((next(words, ""), next(words, "")))]
        else:
            rest.append(word)
    _refuse_language(found.get("lang", ""))
    _refuse_two_places(found)
    _leave_reader(found, rest)
    return Options(yes=yes, **found), rest


def _refuse_language(asked: str) -> None:
    if asked and not known(asked):
        known_codes = ", ".join(codes())
        raise UsageError(
            tr(
                "{option} {language}: choose one of {codes}",
                option=OPTION,
                language=asked,
                codes=known_codes,
            )
        )


def _with_shared_behind(arguments: Sequence[str]) -> list[str]:
    """Move the shared options that stand before the verb behind its words."""
    before: list[str] = []
    moved: list[str] = []
    words = list(arguments)
    while words and words[0].startswith("-") and words[0] != END:
        name, equals, _ = _split(words[0])
        is_valued = name in VALUED or name in SHARED
        count = 2 if is_valued and not equals else 1
        (moved if name in SHARED else before).extend(words[:count])
        del words[:count]
    if moved and not words:
        raise UsageError(
            tr("{option} is an option of verbs: add the verb, such as `standings`", option=moved[0])
        )
    end = len(_before_end(words))
    return [*before, *words[:end], *moved, *words[end:]]


def _refuse_two_places(fields: Mapping[str, str]) -> None:
    if {"log", "store"} <= fields.keys():
        raise UsageError(tr("--log FILE is read in place of a store: omit --store or --log"))


def _before_end(arguments: Sequence[str]) -> Sequence[str]:
    """Return the words of a line that can be options: those before `--`."""
    return arguments[: arguments.index(END)] if END in arguments else arguments


def _names_log(arguments: Sequence[str]) -> bool:
    """Return whether a line names the file of a log."""
    return any(word.partition("=")[0] == "--log" for word in _before_end(arguments))


def asks_for_json(arguments: Sequence[str]) -> bool:
    """Return whether a line asks for JSON, even if the program cannot read the line."""
    return "--json" in _before_end(arguments)


def _leave_reader(found: dict[str, str], rest: list[str]) -> None:
    """Leave `--for` to the verbs that seal a file for a reader, on no player's word."""
    verb = next((place for place, word in enumerate(rest) if not word.startswith("-")), None)
    if verb is not None and rest[verb] in SEALING and FOR_PLAYER in found:
        rest[verb + 1 : verb + 1] = ["--for", found.pop(FOR_PLAYER)]


def _split(word: str) -> tuple[str, str, str]:
    if word.startswith("-t") and not word.startswith("--") and len(word) > len("-t"):
        return "-t", "=", word[2:].removeprefix("=")
    return word.partition("=") if word.startswith("--") else (word, "", "")


def needs_reason(reason: str, act: str, clause: str = "") -> None:
    """Ask why something is done that is logged with its reason; UsageError names the act."""
    if reason.strip():
        return
    text = tr("{act} needs --reason WHY", act=act)
    raise UsageError(f"{text} ({clause})" if clause else text)


def with_reason(words: Sequence[str] | None, reason: str) -> str:
    """Return a decision with its reason behind it, of which one may be missing."""
    return ": ".join(filter(None, (" ".join(words or ()).strip(), reason.strip())))


def whole(option: str, typed: str, least: int, most: int = WHOLE_MAX) -> int:
    """Read a whole number; UsageError for what is no number, or out of bounds."""
    if typed.isascii() and typed.isdigit() and len(typed) <= len(str(WHOLE_MAX)):
        number = int(typed)
        if least <= number <= most:
            return number
    from cli.terminal.visible import shortened

    bounds = {"option": option, "least": least, "typed": shortened(repr(typed), 40)}
    if most < WHOLE_MAX:
        text = tr(
            "{option} must be a whole number from {least} to {most}, not {typed}",
            most=most,
            **bounds,
        )
        raise UsageError(text)
    raise UsageError(tr("{option} must be a whole number from {least}, not {typed}", **bounds))


def whole_or_none(option: str, typed: str, least: int = 1) -> int | None:
    """Read a whole number that may be left out; UsageError as `whole`."""
    return whole(option, typed, least) if typed else None


def choice(word: str, known: Sequence[Word], what: str) -> Word:
    """Find a known word by its beginning; hyphens are spaces; UsageError for none or several."""
    spelled = {each: each.replace("-", " ") for each in known}
    sought = word.lower().replace("-", " ")
    found = [each for each in known if spelled[each] == sought]
    found = found or [each for each in known if spelled[each].startswith(sought)]
    if len(found) == 1:
        return found[0]
    from difflib import get_close_matches

    near = [] if found else get_close_matches(sought, list(map(str, known)), n=2)
    raise UsageError(
        tr("no {what} {typed}; {hint}", what=what, typed=repr(word), hint=meant(near, known))
    )


def meant(near: Sequence[str], known: Iterable[str]) -> str:
    """Ask whether one of the near words is meant; without any, name all that is known."""
    if near:
        return tr("did you mean {words}?", words=tr(" or ").join(near))
    return tr("known: {words}", words=", ".join(known))
