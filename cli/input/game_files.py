"""Rulesets, formats, lists and card files, as a person names them."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cli.input.arguments import UsageError, choice
from ledger.errors import InvalidRuleset, NotFound, Refused
from ledger.files.access import first_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.base import Tier
    from ledger.events.opening import Document
    from ledger.formats import CardFile, LoadedFormat, PlayList, Shape

TIERS: tuple[Tier, ...] = ("relaxed", "formal", "premier")


def tier_named(typed: str) -> Tier:
    """Return the tier that is typed; UsageError for another word."""
    return choice(typed, TIERS, "tier")


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
        keys = " or ".join(f"--ruleset {key}" for key in rulesets.names())
        raise UsageError(f"say which game is played: {keys}")
    path = Path(key_or_file)
    if key_or_file not in rulesets.names() and (path.suffix or path.exists()):
        return own_ruleset(key_or_file).text
    return rulesets.text_of(key_or_file)


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


def read_list_file(path: str, shape: Shape | None = None) -> PlayList:
    """Read a player's list; `shape` says whose lines bear upgrades; NotFound, or Refused."""
    from ledger import formats

    with _names(path):
        return formats.read_list(_bytes_of(path, formats.LIST_BYTES_MAX), shape)


def read_card_file(path: str, loaded: LoadedFormat) -> CardFile:
    """Read the facts of the cards; NotFound, or InvalidRuleset names every row and column."""
    from ledger import formats
    from ledger.formats.card_files import CARD_FILE_BYTES_MAX

    return formats.read_cards(_bytes_of(path, CARD_FILE_BYTES_MAX), loaded.format, path)


def _bytes_of(path: str, most: int) -> bytes:
    """A file's bytes, one more than the most that is taken, so that the reader refuses it."""
    try:
        return first_bytes(Path(path), most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotFound(f"{path} cannot be read: {reason}") from None
