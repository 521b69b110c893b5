"""Archetypes: what a list is called, by rules over its cards that an organizer writes as TOML.

The first archetype whose conditions a list meets gives the name. Lists are read when rows are
derived, since the season keeps no list: a row has the name, what else would have fitted, and the
SHA-256 of the file, as attributes of the entrant. So a season stays as small as it was, the same
logs with the same file give the same rows, and rows by two files can be told apart.

A list with a hidden part counts as disclosed when the end of the tournament has revealed its key.
Until then the attribute is what a sealed text is, which is not a group.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import Meta

from ledger.errors import InvalidLog, InvalidRuleset, LedgerError, Refused
from ledger.facts import hands
from ledger.formats.cards import folded
from ledger.formats.play_lists import COUNT_MAX, PlayList, plain, read_part
from ledger.lines.texts import UNOPENED
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import Faction, Key, Line, Part, TomlFiles, twice
from ledger.tournament.state import Tournament
from projections.season.grouping import groups

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FILE_BYTES_MAX = 256_000
ATTRIBUTE = "archetype"
BETWEEN = "; "

Copies = Annotated[int, Meta(ge=0, le=COUNT_MAX)]
Attribute = Annotated[str, Meta(pattern=r"\A[a-z0-9]+([ -][a-z0-9]+)*\Z", max_length=32)]


class Condition(Part, frozen=True):
    """Requirement of a list: a number of copies of certain cards, or of different cards.

    Without `cards` every card of the `section` counts; without a section, every card of the list.
    """

    cards: tuple[Line, ...] = ()
    section: Line = ""
    least: Copies | None = None
    most: Copies | None = None
    different: Copies | None = None
    """At least so many of the cards, whatever the copies."""

    def problems_at(self, where: str) -> Iterator[Phrase]:
        """Yield what contradicts itself, with its place."""
        if not (self.cards or self.section):
            yield phrase("{where}: name cards, a section or both", where=where)
        if self.least is not None and self.most is not None and self.least > self.most:
            yield phrase("{where}: least is above most", where=where)
        if self.different is not None and self.cards and self.different > len(self.cards):
            yield phrase("{where}: different is above the number of cards", where=where)

    def is_met(self, lines: Sequence[ListedCard]) -> bool:
        """Return whether a list meets it; without numbers it needs one copy."""
        names = {folded(card) for card in self.cards}
        copies_of = Counter[str]()
        for line in lines:
            is_of = not self.section or folded(self.section) in {line.section, plain(line.section)}
            if is_of and (not names or names & {line.name, line.title}):
                copies_of[line.title if line.title in names else line.name] += line.copies
        copies = sum(copies_of.values())
        bounds = (self.least, self.most, self.different)
        least = 1 if bounds == (None, None, None) else self.least or 0
        most = COUNT_MAX * len(lines) if self.most is None else self.most
        return least <= copies <= most and len(copies_of) >= (self.different or 0)


class Archetype(Part, frozen=True):
    """A name, and what a list must have for it: all of the conditions, and any of others."""

    name: Faction
    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()

    def fits(self, lines: Sequence[ListedCard]) -> bool:
        """Return whether a list meets the conditions."""
        any_is_met = any(condition.is_met(lines) for condition in self.any) if self.any else True
        return any_is_met and all(condition.is_met(lines) for condition in self.all)


class ArchetypeFile(Part, frozen=True):
    """Lists that a file is about, the attribute that it fills, and archetypes by precedence.

    `otherwise` is the name of a list that no archetype fits; None: such a list gets no name.
    """

    ruleset: Key
    archetypes: tuple[Archetype, ...]
    format: str = ""
    attribute: Attribute = ATTRIBUTE
    otherwise: Faction | None = None

    def problems(self) -> Iterator[Phrase | str]:
        """Yield what is wrong beyond the form."""
        if not self.archetypes:
            yield phrase("archetypes: at least one is needed")
        for name in twice(archetype.name for archetype in self.archetypes):
            yield phrase("archetypes: the name {name} is used twice", name=repr(name))
        for number, archetype in enumerate(self.archetypes, start=1):
            where = f"archetypes {number}"
            if not archetype.all and not archetype.any:
                yield phrase("{where}: it has no condition: use otherwise", where=where)
            if archetype.name in groups.NOT_DISCLOSED:
                yield phrase("{where}: {name} is not a name", where=where, name=archetype.name)
            for condition in (*archetype.all, *archetype.any):
                yield from condition.problems_at(where)


class ListedCard(NamedTuple):
    """A card of a list: where, its name with and without what distinguishes it, how many copies."""

    section: str
    name: str
    title: str
    copies: int


class Archetypes(NamedTuple):
    """An archetype file, and the SHA-256 of its bytes in hex."""

    rules: ArchetypeFile
    sha256: str

    def is_for(self, tournament: Tournament) -> bool:
        """Return whether the file is about the lists of a tournament."""
        opening = tournament.opening
        assert opening is not None  # noqa: S101 - a checked log begins with it
        key = opening.format.key if opening.format else ""
        return self.rules.ruleset == opening.ruleset.key and self.rules.format in {"", key}

    @property
    def keys(self) -> tuple[str, str, str]:
        """Return the attributes that it fills: the name, what else fits, and the digest."""
        name = self.rules.attribute
        return name, f"{name}{groups.ALSO}", f"{name}{groups.RULES}"


FILES = TomlFiles("archetype file", ArchetypeFile, FILE_BYTES_MAX)


def load_archetypes(path: Path) -> Archetypes:
    """Read an archetype file.

    Raises:
        NotFound: it cannot be read.
        InvalidRuleset: every problem found, each with the file's name.
    """
    try:
        text = FILES.text_in(path)
        return Archetypes(FILES.parse(text), hashlib.sha256(text.encode()).hexdigest())
    except InvalidRuleset as error:
        named = (x if str(path) in str(x) else x.within(str(path)) for x in error.problems)
        raise InvalidRuleset(*named) from None


def refuse_two_for_one(files: Iterable[Archetypes]) -> None:
    """Raise Refused if two files fill one attribute of the same lists."""
    formats_of: dict[tuple[str, str], list[str]] = {}
    for file in files:
        before = formats_of.setdefault((file.rules.ruleset, file.rules.attribute), [])
        if before and (file.rules.format in {"", *before} or "" in before):
            raise Refused(
                phrase(
                    "two files fill {attribute} of {ruleset}: give one, or name their formats",
                    attribute=file.rules.attribute,
                    ruleset=file.rules.ruleset,
                )
            )
        before.append(file.rules.format)


def name_lists(tournament: Tournament, files: Iterable[Archetypes]) -> Tournament:
    """Name the lists of a folded tournament, as attributes of its entrants; return it.

    Raises:
        InvalidLog: an entrant has such an attribute already, which the organizer kept.
    """
    for file in files:
        if tournament.lists and file.is_for(tournament):
            _name_lists(tournament, file)
    return tournament


def _name_lists(tournament: Tournament, by: Archetypes) -> None:
    for number in tournament.lists:
        player = tournament.players[number]
        if taken_key := next((key for key in by.keys if key in player.attributes), ""):
            raise InvalidLog(
                phrase(
                    "entrants of {tournament} have an attribute {name} already: give the archetype "
                    'file another one, as in: attribute = "deck"',
                    tournament=tournament.opening.name if tournament.opening else "",
                    name=repr(taken_key),
                )
            )
        player.attributes = player.attributes | _named(tournament, number, by)


def _named(tournament: Tournament, player: int, by: Archetypes) -> dict[str, str]:
    """Return the attributes that a file gives to an entrant with a list."""
    name, also, rules = by.keys
    attributes = {rules: by.sha256}
    try:
        lines = _lines_of(tournament, player)
    except LedgerError:  # a submitted list may be unreadable
        return attributes
    if lines is None:
        return attributes | {name: UNOPENED}
    fitting = [archetype.name for archetype in by.rules.archetypes if archetype.fits(lines)]
    first = fitting[0] if fitting else by.rules.otherwise or ""
    others = BETWEEN.join(fitting[1:])
    return attributes | {key: text for key, text in ((name, first), (also, others)) if text}


def _lines_of(tournament: Tournament, player: int) -> list[ListedCard] | None:
    """Return the cards of a player's latest list; None while it is not disclosed."""
    listed = tournament.lists[player]
    if listed.is_lost or (listed.hidden and not tournament.hidden_key):
        return None
    parts = hands.parts_of(tournament, bytes.fromhex(tournament.hidden_key), player)
    if parts is None:
        return None
    text = hands.joined(parts)
    return list(_cards(read_part(text.encode(), hands.shape_of(tournament))))


def _cards(listed: PlayList) -> Iterator[ListedCard]:
    """Yield the cards of a list, upgrades for each unit that bears them."""
    for section, entries in listed.sections.items():
        for entry in entries:
            yield _card(section, entry.name, entry.count)
            for upgrade in entry.upgrades:
                yield _card(section, upgrade.name, entry.count * upgrade.count)


def _card(section: str, name: str, count: int) -> ListedCard:
    title = name.partition("(")[0] or name
    return ListedCard(folded(section), folded(name), folded(title), count)


_NOT_NAMED = """
SELECT DISTINCT tournament
FROM {0}lists JOIN {0}tournaments USING (tournament) JOIN {0}entrants USING (tournament, player)
WHERE ruleset = $ruleset AND $format IN ('', format)
    AND attributes[$rules] IS DISTINCT FROM $sha256
"""


def not_named(
    connection: DuckDBPyConnection, kept_in: str, files: Iterable[Archetypes]
) -> set[str]:
    """Return the tournaments of a season with lists that a file has not named.

    `kept_in` is the prefix of the names of the season's tables.
    """
    tournaments: set[str] = set()
    for file in files:
        parameters = {
            "ruleset": file.rules.ruleset,
            "format": file.rules.format,
            "rules": file.keys[2],
            "sha256": file.sha256,
        }
        rows = connection.execute(_NOT_NAMED.format(kept_in), parameters).fetchall()
        tournaments.update(tournament for (tournament,) in rows)
    return tournaments


class NamedLists(NamedTuple):
    """Effect of a file in a season: lists by archetype, overlaps, and lists left without a name."""

    lists: int
    by_name: dict[str, int]
    overlaps: dict[tuple[str, str], int]
    """Number of lists of the first name that the second name also fits."""

    unnamed: int
    closed: int

    def never(self, by: Archetypes) -> list[str]:
        """List the archetypes that no list has."""
        return [
            archetype.name
            for archetype in by.rules.archetypes
            if not self.by_name.get(archetype.name)
        ]


def named_lists(connection: DuckDBPyConnection, by: Archetypes) -> NamedLists:
    """Count what a file named in the rows of a season."""
    name, also, rules = by.keys
    rows = connection.execute(
        "SELECT coalesce(attributes[$name], ''), coalesce(attributes[$also], ''), count(*) "
        "FROM entrants WHERE attributes[$rules] = $sha256 GROUP BY ALL",
        {"name": name, "also": also, "rules": rules, "sha256": by.sha256},
    ).fetchall()
    by_name, overlaps = Counter[str](), Counter[tuple[str, str]]()
    for first, others, count in rows:
        by_name[first] += count
        for second in filter(None, others.split(BETWEEN)):
            overlaps[first, second] += count
    unnamed, closed = by_name.pop("", 0), by_name.pop(UNOPENED, 0)
    total = sum(by_name.values()) + unnamed + closed
    return NamedLists(total, dict(by_name), dict(overlaps), unnamed, closed)
