"""Clauses of the games' regulations: their texts in our own words, and which ones a game has.

The texts are in `clause_texts/`, one file for each document. A log never contains them: it has
only the IDs that its ruleset, its format and its officials cite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field, toml

from ledger.problems import Problem, marked, problem

if TYPE_CHECKING:
    from ledger.facts.shared import TournamentOpened

OTHER = "other:"
"""Start of a basis that is not a clause: `other: house rule 4`."""

_QUOTED = re.compile(r'"([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+)"')
_WORDS = re.compile(r"[^\W_]+")
_NEAREST = 3


class CitedRules(Protocol):
    """A ruleset's key, and its own clauses for those of the shared regulations."""

    @property
    def key(self) -> str:
        """Return the key of the ruleset."""

    @property
    def clauses(self) -> Mapping[str, str]:
        """Return the game's own clause for each shared clause that it replaces."""


class ClauseText(Struct, frozen=True, forbid_unknown_fields=True):
    """Text of one clause. A shared clause may name the only games that have it."""

    title: str
    section: str
    actors: str = field(name="who")
    verbs: tuple[str, ...]
    words: tuple[str, ...]
    asks: str
    only: tuple[str, ...] = ()


class Regulations(Struct, frozen=True, forbid_unknown_fields=True):
    """A published document: its clauses, their prefix, and the prefixes of games that share it."""

    document: str
    prefix: str
    clauses: dict[str, ClauseText]
    shared_by: tuple[str, ...] = ()
    is_format: bool = False


class Clause(Struct, frozen=True):
    """A clause with its text, if a text is stored."""

    id: str
    title: str = ""
    document: str = ""
    section: str = ""
    actors: str = ""
    verbs: tuple[str, ...] = ()
    asks: str = ""
    words: tuple[str, ...] = ()


@cache
def sources() -> tuple[Regulations, ...]:
    """Read the documents with their clauses, shared ones first."""
    folder = Path(__file__).with_name("clause_texts")
    files = [
        toml.decode(path.read_bytes(), type=Regulations) for path in sorted(folder.glob("*.toml"))
    ]
    return tuple(sorted(files, key=lambda source: (not source.shared_by, source.prefix)))


@cache
def texts() -> Mapping[str, Clause]:
    """Return each clause that has a text, by its ID."""
    return {
        label: Clause(
            label,
            text.title,
            source.document,
            text.section,
            text.actors,
            text.verbs,
            text.asks,
            text.words,
        )
        for source in sources()
        for label, text in source.clauses.items()
    }


def clauses_of(opening: TournamentOpened, rules: CitedRules) -> dict[str, Clause]:
    """Return the clauses of an event's game and format, by ID."""
    return {label: texts().get(label) or Clause(label) for label in _ids_of(opening, rules)}


def cited_in(text: str) -> list[str]:
    """Return the IDs that the text of a ruleset or a format cites."""
    return list(dict.fromkeys(_QUOTED.findall(text)))


def _ids_of(opening: TournamentOpened, rules: CitedRules) -> list[str]:
    format_text = opening.format.text if opening.format else ""
    return list(_known_ids(opening.ruleset.text, format_text, frozenset(rules.clauses)))


@cache
def _known_ids(ruleset: str, format_text: str, mapped: frozenset[str]) -> tuple[str, ...]:
    """List the IDs of a ruleset's text and a format's text, with the rest of their documents."""
    cited = [label for label in _QUOTED.findall(ruleset) if label not in mapped]
    prefixes = {prefix_of(label) for label in cited}
    labels = [label for source in sources() for label in _of_game(source, prefixes)]
    labels += cited
    in_format = _QUOTED.findall(format_text)
    labels += in_format
    for source in sources():
        if source.is_format and source.prefix in map(prefix_of, in_format):
            labels += source.clauses
    return tuple(dict.fromkeys(label for label in labels if label not in mapped))


def _of_game(source: Regulations, prefixes: set[str]) -> Iterator[str]:
    """Yield the clauses of a document that apply to a game with clauses of these prefixes.

    A game without published regulations is run by the shared ones.
    """
    if not source.shared_by:
        if source.prefix in prefixes:
            yield from source.clauses
        return
    is_unpublished = prefixes_of_games().isdisjoint(prefixes)
    for label, text in source.clauses.items():
        games = set(text.only or source.shared_by)
        if games & prefixes or (is_unpublished and not text.only):
            yield label


def prefix_of(label: str) -> str:
    """Return the part of an ID that names its document."""
    return label.partition("-")[0]


@cache
def prefixes_of_games() -> frozenset[str]:
    """Return the prefixes of regulations that only one game has."""
    return frozenset(
        document.prefix
        for document in sources()
        if not document.shared_by and not document.is_format
    )


def looked_up(typed: str, listed: Iterable[Clause]) -> list[Clause]:
    """Return the clauses that an ID or words mean, the best first.

    An ID gives exactly its clause. Otherwise a title or keyword that equals the words comes before
    one that contains them, and that before a text that has every word.
    """
    listed = list(listed)
    label, phrase = typed.strip().upper(), " ".join(_words(typed))
    exact = [clause for clause in listed if clause.id == label]
    if exact or not phrase:
        return exact
    ranked = [(rank, clause) for clause in listed if (rank := _rank(clause, label, phrase))]
    return [clause for _, clause in sorted(ranked, key=lambda pair: pair[0])]


def named_by(typed: str, listed: Mapping[str, Clause]) -> str:
    """Return the ID that an official means by an ID or by a name of its clause; empty if unclear.

    The word 'missed' is FFG-MISSED in one game and AOP-MISSED in another.
    """
    label, phrase = typed.strip().upper(), " ".join(_words(typed))
    if label in listed:
        return label
    ranks = (
        {clause.id: _rank(clause, label, phrase) for clause in listed.values()} if phrase else {}
    )
    for rank in (1, 2):
        named = [label for label, number in ranks.items() if number == rank]
        if named:
            return named[0] if len(named) == 1 else ""
    return ""


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.casefold())


def _rank(clause: Clause, label: str, phrase: str) -> int:
    """Return how well a clause fits, 1 the best; 0 if it does not."""
    names = [" ".join(_words(name)) for name in (clause.title, *clause.words)]
    if clause.id.partition("-")[2] == label or phrase == names[0]:
        return 1
    if phrase in names:
        return 2
    if any(f" {phrase}" in f" {name}" for name in names):
        return 3
    everything = _words(" ".join((clause.id, *names, clause.asks, clause.section)))
    parts = phrase.split()
    return 4 if all(any(word.startswith(part) for word in everything) for part in parts) else 0


def nearest(typed: str, listed: Mapping[str, Clause]) -> list[str]:
    """Return the IDs of an event's clauses that are nearest to the typed words."""
    label = typed.strip().upper()
    ids = [clause.id for clause in looked_up(typed, listed.values())][:_NEAREST]
    ids += [name for name in listed if name.partition("-")[2] == label.partition("-")[2]]
    ids += get_close_matches(label, listed, n=_NEAREST, cutoff=0.6)
    return list(dict.fromkeys(ids))[:_NEAREST]


def cited_by(typed: str, opening: TournamentOpened, rules: CitedRules) -> str | Problem:
    """Return what an official cites, with each clause by its ID, or why they cannot.

    Allowed are nothing, a clause of the event's game or format, several of them apart by commas,
    and `other:` with words.
    """
    typed = typed.strip()
    if typed[: len(OTHER)].casefold() == OTHER and typed[len(OTHER) :].strip():
        return typed
    listed = clauses_of(opening, rules)
    labels = []
    for part in filter(None, map(str.strip, typed.split(","))):
        label = named_by(part, listed)
        if not label:
            return _unknown(part, listed, rules)
        labels.append(label)
    return ", ".join(dict.fromkeys(labels))


def _unknown(typed: str, listed: Mapping[str, Clause], rules: CitedRules) -> Problem:
    own_clause = rules.clauses.get(typed.upper())
    near = (own_clause,) if own_clause else tuple(nearest(typed, listed))
    near = near or tuple(listed)[:_NEAREST]
    text = marked(
        "{typed} is not a clause of {game}: give one of its clauses, such as {near}, or {words}"
    )
    words, game = f"`{OTHER} words`", rules.key
    return problem("clause.unknown", text, typed=typed, game=game, near=near, words=words)
