"""Who agreed to be named: a file of pseudonyms or membership numbers, one a line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.season.league import names_of, person_behind
from cli.terminal.visible import shortened, visible
from ledger.errors import InvalidRuleset, LedgerError, NotFound
from ledger.files.access import first_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from duckdb import DuckDBPyConnection

BYTES_MAX = 1 << 20
PROBLEMS_MAX = 40
WORD_CELLS = 40


def persons_of(connection: DuckDBPyConnection) -> dict[str, bool]:
    """Everybody whom the season has seen; True where the league has a pseudonym of theirs."""
    return dict(connection.execute("SELECT DISTINCT person, known FROM people").fetchall())


def names_shown(agreed: str, league: str, seen: Mapping[str, object]) -> dict[str, str]:
    """Return the names of those who agreed, or of everybody in the vault where no file says who."""
    return names_agreed(agreed, league, seen) if agreed else names_of(league)


def names_agreed(path: str, league: str, seen: Mapping[str, object]) -> dict[str, str]:
    """Return the names of those whom the file lists, by person; none without a file.

    `seen` are the season's persons. What follows a # is a remark.

    Raises:
        NotFound: the file or the vault is missing, or lines name nobody: each is a problem.
        InvalidRuleset: the file is too large, or no text.
    """
    if not path:
        return {}
    if not Path(league).exists():
        raise NotFound(f"names are in the league's vault, and there is no {league}: name it")
    names, agreed, problems = names_of(league), dict[str, str](), list[str]()
    for number, word in _words(Path(path)):
        try:
            person = person_behind(league, word, seen)
        except LedgerError as error:
            problems.append(f"{path}: line {number}: {error}")
            continue
        if person in names:
            agreed[person] = names[person]
    if problems:
        raise NotFound(*problems[:PROBLEMS_MAX])
    return agreed


def _words(path: Path) -> list[tuple[int, str]]:
    try:
        data = first_bytes(path, BYTES_MAX + 1)
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror or type(error).__name__}") from None
    if len(data) > BYTES_MAX:
        raise InvalidRuleset(f"{path} is larger than {BYTES_MAX:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidRuleset(f"{path} is no text in UTF-8") from None
    lines = enumerate(text.splitlines(), start=1)
    words = ((number, line.partition("#")[0].strip()) for number, line in lines)
    return [(number, shortened(visible(word), WORD_CELLS)) for number, word in words if word]
