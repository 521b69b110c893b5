"""The league's vault at the command line: persons that words mean, and names next to pseudonyms.

A file of pseudonyms or membership numbers, one a line, lists the persons who agreed to be named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from cli import outside
from cli.input.arguments import UsageError
from cli.input.find_people import called, plain
from cli.languages.speaking import in_figures, tr
from cli.terminal.output import say
from cli.terminal.visible import shortened, visible
from ledger.errors import InvalidRuleset, LedgerError, NotFound, Refused
from ledger.files import landed
from ledger.files.access import first_bytes
from ledger.problems import Problem, marked, phrase, problem

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from projections.season.league import Alias, League, LeaguePerson, LogRead
    from projections.season.loading.intake import AliasesOf, LogOutcome
    from projections.season.loading.sources import Source
    from projections.season.vault.public_ids import LogEntry

DEFAULT_LEAGUE = "league.db"
CANDIDATES = 4
_BEGINNING = re.compile(r"[0-9a-f]{8,32}")


def _kept_in(league: str) -> tuple[list[LeaguePerson], list[Alias]]:
    """Who is in the vault, and who each pseudonym stands for; nothing where there is no vault."""
    from projections.season.league import League

    if not Path(league).exists():
        return [], []
    with League(Path(league)) as vault:
        return vault.persons(), vault.aliases()


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


def read_registrations(
    vault: League,
    sources: Sequence[Source],
    taken: Sequence[LogOutcome],
    roots: Mapping[str, str],
) -> list[Alias]:
    """Read the entrants of logs that a season took into the vault; return the aliases.

    `roots` are those of the season's logs, by tournament.
    """
    vault.put_logs(_unread(vault, sources, taken, roots))
    return vault.aliases(roots)


def _unread(
    vault: League,
    sources: Sequence[Source],
    outcomes: Sequence[LogOutcome],
    roots: Mapping[str, str],
) -> Iterator[tuple[LogRead, list[LogEntry]]]:
    """Yield the logs that the vault has not read as the season has them, with their entrants."""
    from projections.season.league import LogRead
    from projections.season.loading.registrations import registrations, unread

    for source, log in unread(sources, outcomes, roots, vault.logs_read()):
        read = LogRead(log.tournament, log.size, roots.get(log.tournament, ""))
        yield read, registrations(source, log.size)


def aliases_ahead(league: Path, season: Path) -> AliasesOf | None:
    """Return what tells persons apart in logs that are only looked at; None without the vault."""
    from projections.season.league import League

    if not league.exists():
        return None
    made_with = vault_of_season(season)

    def aliases_of(
        sources: Sequence[Source], taken: Sequence[LogOutcome], roots: Mapping[str, str]
    ) -> list[tuple[str, str, str]]:
        with League(league) as vault:
            if made_with not in {"", vault.key_digest()}:
                return []
            return list(vault.aliases_with(_unread(vault, sources, taken, roots), roots))

    return aliases_of


def removed_in(vault: League | None, take_back: str, by: str) -> Mapping[str, str]:
    """Return the tournaments that a season leaves out, each with the message about its log.

    There are none if a reason is given to take them back.

    Raises:
        UsageError: the reason, or the person who decides, is missing.
    """
    if bool(take_back.strip()) != bool(by.strip()):
        raise UsageError(tr("--take-back REASON and --by NAME are given together"))
    if vault is None or take_back:
        return {}
    return {
        stream: tr(
            "was removed from the season on {day} by {by}: {reason}; to take it back, use "
            "--take-back REASON --by NAME",
            day=removal.made_at[:10],
            by=removal.made_by,
            reason=removal.reason,
        )
        for stream, removal in vault.removed().items()
    }


def note_taken_back(vault: League, here: Iterable[str], reason: str, by: str) -> None:
    """Put on record that the season contains tournaments again that had been removed."""
    from projections.season.league import Removal

    if reason:
        back = sorted(vault.removed().keys() & set(here))
        now = outside.now()
        vault.record_removals(Removal(now, by, "take back", stream, reason) for stream in back)


@contextmanager
def vault_beside(league: Path, made_with: str, *, other: bool = False) -> Iterator[League | None]:
    """Open the vault for a season, if there is one; None without it.

    `made_with` is the digest of the vault that the season was made with; empty: none. `other` takes
    the pseudonyms of another vault.

    Raises:
        Refused: it is another vault.
    """
    from projections.season.league import League

    if not league.exists():
        if made_with:
            say(
                tr(
                    "the vault {file} is missing: new entrants with public ids are guests",
                    file=str(league),
                )
            )
        yield None
        return
    with League(league) as vault:
        if made_with not in {"", vault.key_digest()} and not other:
            text = marked(
                "the season was made with the vault {made}, and {file} is {found}: every pseudonym "
                "of a public id would change; name the vault of before with --league, or add "
                "--other-vault"
            )
            expected, present = made_with[:8], vault.key_digest()[:8]
            raise Refused(
                problem("league.other_vault", text, made=expected, found=present, file=str(league))
            )
        yield vault


def vault_of_season(season: Path) -> str:
    """Return the digest of the vault that a season was made with; empty if it cannot be read."""
    from cli.season.opening import opened
    from projections.season.league import vault_of

    if not season.exists():
        return ""
    try:
        with opened(season) as connection:
            return vault_of(connection)
    except LedgerError:
        return ""


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
    from projections.season.league import League, everywhere

    with League(Path(league)) as vault:
        pseudonym = pseudonym_of(vault, word, dict.fromkeys(seen, 0))
        return everywhere(vault.aliases()).get(pseudonym, pseudonym)


def seen_in(season: Path) -> dict[str, int]:
    """Return the number of tournaments of each pseudonym, person and guest of a season.

    A season that does not exist has no persons.
    """
    from cli.season.opening import opened

    if not season.exists():
        return {}
    with opened(season) as connection:
        return dict(
            connection.execute(
                "SELECT id, count(DISTINCT tournament) FROM ("
                "SELECT tournament, league_id AS id FROM entrants WHERE league_id != '' "
                "UNION SELECT tournament, person FROM people "
                "WHERE person NOT IN (SELECT league_id FROM entrants) "
                "UNION SELECT people.tournament, concat(people.tournament, '/', people.player) "
                "FROM people JOIN entrants USING (tournament, player) WHERE league_id = ''"
                ") GROUP BY id ORDER BY id"
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
    from cli.season.opening import opened, signing, writing
    from projections.season.league import apply_aliases

    if not season.exists():
        return False
    with vault_beside(league, vault_of_season(season)) as vault:
        if vault is None:
            return False
        with opened(season) as connection:
            aliases = vault.aliases(roots_of(connection))
        if season.is_dir():
            return tell_folder_apart(season, vault, aliases)
        with writing(season) as connection:
            return apply_aliases(connection, aliases, signing(connection), vault.key_digest())


def tell_folder_apart(folder: Path, vault: League, aliases: Iterable[Alias]) -> bool:
    """Make a season in a folder tell persons apart as the vault does; whether it changed."""
    from cli.season.opening import sealing
    from projections.season.loading.manifest import ListedAlias
    from projections.season.loading.publishing import tell_apart

    listed = [ListedAlias(*alias) for alias in aliases]
    return tell_apart(folder, listed, sealing(folder), vault.key_digest())


def roots_of(connection: DuckDBPyConnection) -> dict[str, str]:
    """Return the root of each log of a season, by tournament."""
    return dict(connection.execute("SELECT tournament, root FROM tournaments").fetchall())


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
    names = names_of(league)
    persons = persons_agreed(path, league, seen)
    return {person: names[person] for person in persons if person in names}


def persons_agreed(path: str, league: str, seen: Mapping[str, object]) -> list[str]:
    """Return the persons whom a file of those who agreed lists; raises as `names_agreed`."""
    from projections.season.league import League, everywhere

    persons, problems = dict[str, None](), list[Problem]()
    with League(Path(league)) as vault:
        stands_for = everywhere(vault.aliases())
        pseudonyms = dict.fromkeys([*seen, *stands_for], 0)
        for number, word in _words(Path(path)):
            try:
                pseudonym = pseudonym_of(vault, word, pseudonyms)
                persons[stands_for.get(pseudonym, pseudonym)] = None
            except LedgerError as error:
                line = phrase("{path}: line {line}", path=path, line=number)
                problems += [
                    structs.replace(fault.within(line), code=NotFound.code)
                    for fault in error.problems
                ]
    if problems:
        raise NotFound(*problems[:PROBLEMS_MAX])
    return list(persons)


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
