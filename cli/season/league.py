"""The league's vault at the command line: persons that words mean, and names next to pseudonyms.

A file of pseudonyms or membership numbers, one a line, lists the persons who agreed to be named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from cli.input.find_people import called, plain
from cli.languages.speaking import in_figures
from cli.terminal.visible import shortened, visible
from ledger.errors import InvalidRuleset, LedgerError, NotFound, Refused
from ledger.files import landed
from ledger.files.access import first_bytes
from ledger.problems import Problem, phrase

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from projections.season.league import Alias, League, LeaguePerson

DEFAULT_LEAGUE = "league.db"
CANDIDATES = 4
_BEGINNING = re.compile(r"[0-9a-f]{8,32}")


def _kept_in(league: str) -> tuple[list[LeaguePerson], list[Alias]]:
    """Who is in the vault, and who each pseudonym stands for; nothing where there is no vault."""
    from projections.season.league import League, aliases_of

    if not Path(league).exists():
        return [], []
    with League(Path(league)) as vault:
        return vault.persons(), aliases_of(vault.acts())


def names_of(league: str) -> dict[str, str]:
    """Everybody's name by person; empty where there is no vault."""
    from projections.season.league import everywhere

    persons, aliases = _kept_in(league)
    stands_for = everywhere(aliases)
    names: dict[str, str] = {}
    for person in persons:
        names.setdefault(stands_for.get(person.league_id, person.league_id), person.name)
    # A person's own pseudonym names them before a merged one does.
    return names | {
        person.league_id: person.name for person in persons if person.league_id in names
    }


def league_aliases(league: str) -> list[Alias] | None:
    """Who each pseudonym stands for; None where there is no vault to say so."""
    return _kept_in(league)[1] if Path(league).exists() else None


def begun_by(word: str, ids: Iterable[str]) -> list[str]:
    """List the ids that begin as a word does, which is at least eight digits of one.

    A guest's id is that of the tournament and a number: the word cuts the tournament short.
    """
    begins, slash, number = word.lower().partition("/")
    if not _BEGINNING.fullmatch(begins):
        return []
    split = ((full_id, full_id.partition("/")) for full_id in ids)
    return sorted(
        full_id
        for full_id, (id_, *parts) in split
        if id_.startswith(begins) and parts == [slash, number]
    )


def the_one(word: str, ids: list[str]) -> str:
    """Return the only id that a word begins, if any; Refused of several names them."""
    if len(ids) > 1:
        count, typed, first = len(ids), repr(word), ", ".join(ids[:CANDIDATES])
        text = phrase(
            "{count} ids begin with {word}: {ids}; type more characters",
            count=count,
            word=typed,
            ids=first,
        )
        if count > CANDIDATES:
            text = phrase(
                "{count} ids begin with {word}: {ids} and {more} more; type more characters",
                count=count,
                word=typed,
                ids=first,
                more=count - CANDIDATES,
            )
        raise Refused(text)
    return ids[0] if ids else ""


def pseudonym_of(vault: League, word: str, seen: Mapping[str, int]) -> str:
    """Find the pseudonym that a word names: itself, as tables show it, or a membership number.

    It is never a name.

    `seen` are the pseudonyms that the season's logs know.

    Raises:
        NotFound: nobody has it.
        Refused: it is a name, or begins several.
    """
    persons = vault.persons()
    if word in seen or any(person.league_id == word for person in persons):
        return word
    by_number = [person.league_id for person in persons if person.member == word]
    if by_number:
        return by_number[0]
    pseudonyms = {*seen, *(person.league_id for person in persons)}
    if pseudonym := the_one(word, begun_by(word, pseudonyms)):
        return pseudonym
    same = [person.league_id for person in persons if plain(person.name) == plain(word)]
    if same:
        raise Refused(
            phrase(
                "a name is not enough, as others may have it: give the pseudonym or the "
                "membership number ({ids})",
                ids=", ".join(same[:4]),
            )
        )
    raise NotFound(
        phrase(
            "no one in the league or the season has the pseudonym or number {word}",
            word=f"{word!r}",
        )
    )


def find_person(league: str, word: str, seen: Mapping[str, object]) -> str:
    """Find whom of the season to look at: by pseudonym, membership number or a name of one alone.

    A pseudonym may be given as tables show it, too. `seen` are the season's persons.

    Raises:
        NotFound: nobody is.
        Refused: several are called that.
    """
    from projections.season.league import everywhere

    if word in seen:
        return word
    names = names_of(league)
    matching = [person for person, name in names.items() if plain(word) in plain(name)]
    exactly = called(names, word)
    persons, aliases = _kept_in(league)
    stands_for = everywhere(aliases)
    numbered = [entry.league_id for entry in persons if entry.member == word]
    matching = (
        sorted(set(exactly or matching) & seen.keys())
        or [
            person
            for pseudonym in numbered
            if (person := stands_for.get(pseudonym, pseudonym)) in seen
        ]
        or begun_by(word, seen)
    )
    if len(matching) > 1:
        the_one(word, begun_by(word, matching))
        text = phrase(
            "{count} people in the season are called {word}: {ids}",
            count=len(matching),
            word=repr(word),
            ids=", ".join(matching[:4]),
        )
        raise Refused(text)
    if not matching:
        raise NotFound(phrase("no one in the season is called {word}", word=f"{word!r}"))
    return matching[0]


def person_behind(league: str, word: str, seen: Mapping[str, object]) -> str:
    """Find the person of the season behind a pseudonym or membership number; raises as above."""
    from projections.season.league import League, aliases_of, everywhere

    with League(Path(league)) as vault:
        pseudonym = pseudonym_of(vault, word, dict.fromkeys(seen, 0))
        return everywhere(aliases_of(vault.acts())).get(pseudonym, pseudonym)


def seen_in(season: Path) -> dict[str, int]:
    """How many tournaments of the season each pseudonym is in; none where there is no season."""
    from cli.season.opening import opened

    if not season.exists():
        return {}
    with opened(season) as connection:
        return dict(
            connection.execute(
                "SELECT league_id, count(DISTINCT tournament) FROM entrants "
                "WHERE league_id != '' GROUP BY league_id ORDER BY league_id"
            ).fetchall()
        )


@contextmanager
def vault_at(path: Path) -> Iterator[League]:
    """Open the vault, or make it; one that was made for a refusal goes with it."""
    from projections.season.league import League

    is_new = not path.exists()
    try:
        with League(path, create=True) as vault:
            yield vault
        landed.note_place(str(path))
    except LedgerError:
        if is_new:
            path.unlink(missing_ok=True)
        raise


def apply_decisions(season: Path, league: Path) -> bool:
    """Apply what the league decided to a season, if there is one; return whether rows moved."""
    from cli.season.opening import sealing, signing, writing
    from projections.season.league import apply_aliases
    from projections.season.loading.manifest import ListedAlias
    from projections.season.loading.publishing import tell_apart

    if not season.exists():
        return False
    aliases = league_aliases(str(league)) or []
    if season.is_dir():
        return tell_apart(season, [ListedAlias(*alias) for alias in aliases], sealing(season))
    with writing(season) as connection:
        return apply_aliases(connection, aliases, signing(connection))


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
        raise NotFound(
            phrase(
                "names are in the league's vault, but there is no {league}: give its file",
                league=league,
            )
        )
    names, agreed, problems = names_of(league), dict[str, str](), list[Problem]()
    for number, word in _words(Path(path)):
        try:
            person = person_behind(league, word, seen)
        except LedgerError as error:
            line = phrase("{path}: line {line}", path=path, line=number)
            problems += [
                structs.replace(each.within(line), code=NotFound.code) for each in error.problems
            ]
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
        raise NotFound(
            phrase(
                "{path} cannot be read: {reason}",
                path=str(path),
                reason=error.strerror or type(error).__name__,
            )
        ) from None
    if len(data) > BYTES_MAX:
        raise InvalidRuleset(
            phrase("{path} is larger than {most} bytes", path=str(path), most=in_figures(BYTES_MAX))
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidRuleset(phrase("{path} is not UTF-8 text", path=str(path))) from None
    lines = enumerate(text.splitlines(), start=1)
    words = ((number, line.partition("#")[0].strip()) for number, line in lines)
    return [(number, shortened(visible(word), WORD_CELLS)) for number, word in words if word]
