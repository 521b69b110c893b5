"""Files that a line gives: rulesets and formats read from files, and files for another verb.

A file that was given to the wrong verb is refused with the verb that takes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from cli.input.arguments import UsageError, choice
from cli.languages.speaking import in_figures, marked, tr, tr_many
from cli.terminal.output import say
from cli.terminal.problems import said
from ledger.errors import InvalidLog, InvalidRuleset, NotFound, Refused
from ledger.files import kinds
from ledger.files.access import first_bytes, kind_at
from ledger.problems import Phrase, phrase

if TYPE_CHECKING:
    from ledger.exchange.lists import WrittenList
    from ledger.facts.base import Tier
    from ledger.facts.shared import Document
    from ledger.formats import CardFile, LoadedFormat
    from ledger.formats.format import Format
    from ledger.rulesets.structures import TypeOfEvent

NOTES_SHOWN = 12
"""How many of the lines that are no part of a list are named one by one."""

TIERS: tuple[Tier, ...] = ("relaxed", "formal", "premier")


def tier_named(typed: str) -> Tier:
    """Return the tier that is typed; UsageError for another word."""
    return choice(typed, TIERS, "tier")


def type_and_tier(text: str, typed: str, typed_tier: str) -> tuple[str, Tier]:
    """Return the typed type and the tier; a tier that is not typed follows from the type.

    Raises:
        UsageError: the ruleset has no such type, or the tier is unknown.
    """
    kind = _type_named(text, typed) if typed else None
    tier = kind.tier if kind and kind.tier else TIERS[0]
    return (kind.name if kind else ""), (tier_named(typed_tier) if typed_tier else tier)


def _type_named(text: str, typed: str) -> TypeOfEvent:
    from ledger.rulesets import parse

    rules = parse(text)
    names = rules.structures.type_names
    if not names:
        raise UsageError(
            tr(
                "{key} has no types of tournament: leave --type out, or choose a ruleset that "
                "has them, such as runewars",
                key=rules.key,
            )
        )
    kind = rules.structures.type_of(typed.lower())
    if kind is None:
        listed = ", ".join(names)
        raise UsageError(
            tr(
                "{key} has no type of tournament {typed}; its types are {listed}",
                key=rules.key,
                typed=f"{typed!r}",
                listed=listed,
            )
        )
    return kind


@contextmanager
def _names(path: str) -> Iterator[None]:
    """Let every problem of a file name it."""
    try:
        yield
    except (InvalidRuleset, Refused) as error:
        named = (each if path in each else f"{path}: {each}" for each in error.sentences)
        raise type(error)(*named) from None


def ruleset_text(key_or_file: str) -> str:
    """Read a ruleset's text by its key or file; UsageError, NotFound, or InvalidRuleset."""
    from ledger import rulesets

    if not key_or_file:
        keys = tr(" or ").join(f"--ruleset {key}" for key in rulesets.names())
        raise UsageError(tr("choose the game: {keys}", keys=keys))
    path = Path(key_or_file)
    if key_or_file not in rulesets.names() and (path.suffix or path.exists()):
        return own_ruleset(key_or_file).text
    key = key_or_file.lower()
    return rulesets.text_of(key if key in rulesets.names() else key_or_file)


def own_ruleset(path: str) -> Document:
    """Load a ruleset of the user's own; NotFound, or InvalidRuleset names every problem."""
    from ledger import rulesets

    with _names(path):
        return rulesets.load_file(Path(path)).document


def own_format(key_or_file: str) -> LoadedFormat:
    """Load a format by key or file, perhaps `:variant`; NotFound, or InvalidRuleset with all."""
    from ledger import formats

    key, _, variant = key_or_file.rpartition(":")
    if not key or (not Path(key).exists() and key not in formats.names()):
        key, variant = key_or_file, ""
    if key in formats.names() or not (Path(key).suffix or Path(key).exists()):
        return formats.load(key_or_file)
    with _names(key):
        return formats.load_file(Path(key), variant)


def read_written_list(
    path: Path, made: Format | None, cards: CardFile | None = None
) -> tuple[WrittenList, str]:
    """Read a file with a list, as `written_list`; NotFound, or Refused with the file's name."""
    from ledger import formats
    from ledger.exchange import lists as handed

    with _names(str(path)):
        data = _bytes_of(path, handed.WRITTEN_BYTES_MAX)
        if made is None:
            return handed.WrittenList(formats.read_list(data)), data.decode("utf-8")
        return written_list(data, made, cards)


def written_list(data: bytes, made: Format, cards: CardFile | None) -> tuple[WrittenList, str]:
    """Read a list as a player's tool wrote it, and the text to hand in; Refused with every problem.

    The text is the tool's own, unless that has to be written down otherwise to be read as this.
    """
    from ledger import formats
    from ledger.exchange import lists as handed
    from ledger.formats.play_lists import as_text

    written = handed.read_written(data, made, cards)
    with suppress(Refused):
        if formats.read_list(data, made.shape) == written.listed:
            return written, data.decode("utf-8")
    text = as_text(written.listed)
    if len(text.encode()) > formats.LIST_BYTES_MAX:
        raise Refused(
            phrase(
                "the list is too long: in full it has more than {most} bytes",
                most=in_figures(formats.LIST_BYTES_MAX),
            )
        )
    return written, text


def say_written(path: Path, written: WrittenList) -> None:
    """Say how many cards were read, and what of the file is no part of the list."""
    say(f"{path}: {said(written.counts)}")
    for note in written.notes[:NOTES_SHOWN]:
        say(f"{path}: {said(note.words)}")
    if (more := len(written.notes) - NOTES_SHOWN) > 0:
        text = tr_many(
            "{path}: {count} more line outside the list",
            "{path}: {count} more lines outside the list",
            more,
            path=path,
        )
        say(text)


def read_card_file(path: Path, loaded: LoadedFormat, *, pass_over: bool = False) -> CardFile:
    """Read the facts of the cards; NotFound, or InvalidRuleset names every row and column.

    A mapping may lie beside it, under its name with `.mapping.toml`; columns that nobody knows are
    left out where that is asked for. What is left out is said.
    """
    from ledger import formats
    from ledger.formats.card_files import CARD_FILE_BYTES_MAX
    from ledger.formats.cards import COLUMNS_SHOWN, MAPPING_BYTES_MAX

    beside = path.with_suffix(".mapping.toml")
    mapping = _bytes_of(beside, MAPPING_BYTES_MAX) if beside.is_file() else b""
    data = _bytes_of(path, CARD_FILE_BYTES_MAX)
    cards = formats.read_cards(data, loaded.format, str(path), mapping, pass_over=pass_over)
    if cards.passed_over:
        more = len(cards.passed_over) - COLUMNS_SHOWN
        named = ", ".join(map(repr, cards.passed_over[:COLUMNS_SHOWN]))
        if more > 0:
            say(
                tr(
                    "{path}: skipped {columns} and {count} more",
                    path=path,
                    columns=named,
                    count=more,
                )
            )
        else:
            say(tr("{path}: skipped {columns}", path=path, columns=named))
    return cards


def _bytes_of(path: Path, most: int) -> bytes:
    """A file's bytes, one more than the most that is taken, so that the reader refuses it."""
    try:
        return first_bytes(path, most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotFound(
            phrase("{path} cannot be read: {reason}", path=str(path), reason=reason)
        ) from None


TAKEN_BY: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        kinds.BACKUP: (marked("tourney restore {file}"), ("restore", "merge")),
        kinds.STORE: (marked("tourney --store {file} tournaments"), ()),
        kinds.SEASON: (marked("tourney season --in {file}"), ()),
        kinds.LOG: (
            marked("tourney import {file}"),
            ("import", "replay", "verify", "diff", "reproduce"),
        ),
        kinds.FOREIGN: (marked("tourney import {file}"), ("import", "reproduce")),
        kinds.PARQUET: (marked("tourney season add {file}"), ()),
        kinds.DISCLOSURE: (
            marked("tourney verify LOG --disclosed {file}"),
            (marked("verify --disclosed"),),
        ),
        kinds.KEY: (marked("tourney key"), ()),
        kinds.HEAD: (marked("tourney checkpoint"), ()),
        kinds.MEMORY: (marked("tourney use"), ()),
    }
)
"""By a file's kind what to type with it, and the verbs that take it."""


def refuse_other_kinds(file: Path, verb: str) -> None:
    """Refuse a file that another verb takes, before a store is made; NotFound, or InvalidLog."""
    if file.is_dir():
        raise NotFound(phrase("{file} is a directory: name the file in it", file=str(file)))
    try:
        found = kind_at(file)
    except FileNotFoundError:
        raise NotFound(phrase("there is no file {file}", file=str(file))) from None
    except OSError:
        return  # the reader says why it cannot be read
    if not found:
        _refuse_hashes(file)
        return
    command, verbs = TAKEN_BY[found]
    if verb not in verbs:
        name = kinds.KINDS[found][1]
        raise InvalidLog(
            phrase(
                "{file} is {kind}: use `{command}`",
                file=str(file),
                kind=Phrase(name),
                command=command.format(file=file),
            )
        )


_SIGNED_HEAD = re.compile(rb"tourney/[^\n]+\n[0-9]+\n[0-9A-Za-z+/=]+\n\n")


def refuse_beside_log(file: Path) -> None:
    """Refuse a file that belongs to a log and is not the log.

    Raises:
        InvalidLog: it is a signed head, or the hashes of a log's lines.
    """
    from ledger.proof.heads import CHECKPOINT

    try:
        beginning = first_bytes(file, kinds.BEGINNING_BYTES)
    except OSError:
        return  # the reader says why it cannot be read
    if _SIGNED_HEAD.match(beginning):
        _name_the_log(
            file, phrase("{file} is the signed head next to a log", file=str(file)), CHECKPOINT
        )
    if beginning and not kinds.kind_of(beginning):
        _refuse_hashes(file)


def _refuse_hashes(file: Path) -> None:
    """Refuse a file by its name: hashes are bytes of any value, and may begin like any text."""
    from ledger.proof.heads import HASHES

    if file.suffix == HASHES and file.is_file() and file.stat().st_size:
        _name_the_log(
            file, phrase("{file} has only the hashes of a log's lines", file=str(file)), HASHES
        )


def _name_the_log(file: Path, what: Phrase, suffix: str) -> NoReturn:
    """Refuse a file and name its log, if it is here."""
    log = file.with_name(file.name.removesuffix(suffix))
    if log != file and log.is_file():
        text = phrase("{what}: name the log itself, {log}", what=what, log=str(log))
        raise InvalidLog(text)
    raise InvalidLog(phrase("{what}: name the log itself", what=what))
