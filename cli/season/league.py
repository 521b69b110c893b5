"""The league's vault at the command line: whom words mean, and names beside pseudonyms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cli.input.find_people import plain
from ledger.errors import NotFound, Refused

if TYPE_CHECKING:
    from projections.season.people.league import Alias, League, LeaguePerson

DEFAULT_LEAGUE = "league.db"


def _kept_in(league: str) -> tuple[list[LeaguePerson], list[Alias]]:
    """Who is in the vault, and who each pseudonym stands for; nothing where there is no vault."""
    from projections.season.people.league import League, aliases_of

    if not Path(league).exists():
        return [], []
    with League(Path(league)) as vault:
        return vault.persons(), aliases_of(vault.acts())


def names_of(league: str) -> dict[str, str]:
    """Everybody's name by person; empty where there is no vault."""
    from projections.season.people.league import everywhere

    persons, aliases = _kept_in(league)
    stands_for = everywhere(aliases)
    names: dict[str, str] = {}
    for each in persons:
        names.setdefault(stands_for.get(each.league_id, each.league_id), each.name)
    # A person's own pseudonym names them before a merged one does.
    return names | {each.league_id: each.name for each in persons if each.league_id in names}


def league_aliases(league: str) -> list[Alias] | None:
    """Who each pseudonym stands for; None where there is no vault to say so."""
    return _kept_in(league)[1] if Path(league).exists() else None


def pseudonym_of(vault: League, word: str, seen: Mapping[str, int]) -> str:
    """Find the pseudonym that a word names: itself, or a membership number; never a name.

    `seen` are the pseudonyms that the season's logs know.

    Raises:
        NotFound: nobody has it.
        Refused: it is a name.
    """
    persons = vault.persons()
    if word in seen or any(each.league_id == word for each in persons):
        return word
    by_number = [each.league_id for each in persons if each.member == word]
    if by_number:
        return by_number[0]
    called = [each.league_id for each in persons if plain(each.name) == plain(word)]
    if called:
        raise Refused(
            f"a name is not enough: {len(called)} in the league have that one; give the "
            f"pseudonym or the membership number ({', '.join(called[:4])})"
        )
    raise NotFound(f"no one in the league or the season has the pseudonym or number {word!r}")


def find_person(league: str, word: str, seen: Mapping[str, object]) -> str:
    """Find whom of the season to look at: by pseudonym, membership number or a name of one alone.

    A pseudonym may be given as tables show it, too. `seen` are the season's persons.

    Raises:
        NotFound: nobody is.
        Refused: several are called that.
    """
    from projections.season.people.league import everywhere
    from projections.season.people.pseudonyms import cut_short

    if word in seen:
        return word
    names = names_of(league)
    found = [person for person, name in names.items() if plain(word) in plain(name)]
    exactly = [person for person in found if plain(names[person]) == plain(word)]
    persons, aliases = _kept_in(league)
    stands_for = everywhere(aliases)
    numbered = [each.league_id for each in persons if each.member == word]
    found = (
        sorted(set(exactly or found) & seen.keys())
        or [person for each in numbered if (person := stands_for.get(each, each)) in seen]
        or sorted(person for person in seen if cut_short(person) == word)
    )
    if len(found) > 1:
        several = f"{len(found)} people in the season are called {word!r}"
        raise Refused(f"{several}: {', '.join(found[:4])}")
    if not found:
        raise NotFound(f"no one in the season is called {word!r}")
    return found[0]


def person_behind(league: str, word: str, seen: Mapping[str, object]) -> str:
    """Find the person of the season behind a pseudonym or membership number; raises as above."""
    from projections.season.people.league import League, aliases_of, everywhere

    with League(Path(league)) as vault:
        pseudonym = pseudonym_of(vault, word, dict.fromkeys(seen, 0))
        return everywhere(aliases_of(vault.acts())).get(pseudonym, pseudonym)
