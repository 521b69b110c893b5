"""Propose persons from the names in the league's vault, and record decisions on the proposals.

Only a person who can read the vault sees a name: no season gets one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cli import outside
from cli.languages.speaking import tr, tr_many
from ledger.errors import NotFound, Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from projections.season.league import League, LeagueAct
    from projections.season.matching.groups import NamedEntry
    from projections.season.matching.proposing import Ground

KEY_DIGITS = 8
ID_LIKE = "member"
"""Kind of id under which two membership numbers speak against one person."""


class Proposed(NamedTuple):
    """Persons that are probably one; `key` names the proposal as long as these are its persons."""

    key: str
    confidence: float
    persons: tuple[str, ...]
    entries: tuple[NamedEntry, ...]
    evidence: tuple[Ground, ...]
    apart: tuple[str, str]

    @property
    def names(self) -> list[str]:
        """Return the written names, from the most frequent."""
        return [name for name, _ in Counter(entry.name for entry in self.entries).most_common()]

    def as_json(self) -> dict[str, object]:
        """Return the proposal for scripts and columns."""
        return {
            "key": self.key,
            "confidence": round(self.confidence, 4),
            "names": self.names,
            "persons": list(self.persons),
            "entries": [
                {
                    "tournament": entry.tournament,
                    "player": entry.player,
                    "name": entry.name,
                    "person": entry.person,
                    "game": entry.game,
                    "region": entry.region,
                    "day": date.fromordinal(entry.day).isoformat() if entry.day else None,
                }
                for entry in self.entries
            ],
            "evidence": [in_words(evidence) for evidence in self.evidence],
        }


def proposed(vault: League, least: float, *, at_once: bool = False) -> list[Proposed]:
    """Return the proposals of at least a confidence, from the most certain.

    `at_once` makes the largest groups of this confidence. Otherwise a group of low confidence
    follows the groups of higher confidence that it joins.
    """
    from projections.season.matching.proposing import TIERS, Matching, told_apart

    entries, apart = _read(vault)
    matching = Matching(entries, apart)
    tiers = [least] if at_once else [*(tier for tier in TIERS if tier > least), least]
    return [
        Proposed(
            _key(persons),
            proposal.confidence,
            persons,
            tuple(sorted(of_group, key=lambda entry: (entry.day, entry.tournament))),
            tuple(matching.evidence(proposal)),
            told_apart(matching, proposal),
        )
        for proposal in sorted(
            [*matching.by_ids, *matching.proposals(tiers)],
            key=lambda proposal: -proposal.confidence,
        )
        for of_group in [[entries[at] for group in proposal.groups for at in group]]
        for persons in [tuple(sorted({entry.person for entry in of_group}))]
    ]


def _key(persons: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(persons).encode()).hexdigest()[:KEY_DIGITS]


def _read(vault: League) -> tuple[list[NamedEntry], set[frozenset[str]]]:
    """Return the entries that have a name, and the pairs of persons that were decided to be two."""
    from projections.season.league import everywhere, in_force, persons_of
    from projections.season.matching.groups import NamedEntry

    read, aliases = vault.entries(), vault.aliases()
    persons, stands_for = persons_of(read, aliases), everywhere(aliases)
    ids: dict[tuple[str, int], list[tuple[str, str]]] = {}
    for public_id in vault.ids():
        ids.setdefault((public_id.tournament, public_id.player), []).append(
            (public_id.kind, public_id.digest)
        )
    members = {
        stands_for.get(person.league_id, person.league_id): person.member
        for person in vault.persons()
        if person.member
    }
    entries = []
    for entrant in read:
        if not entrant.name or entrant.forgotten:
            continue
        person = persons[entrant.tournament, entrant.player]
        known_ids = sorted(ids.get((entrant.tournament, entrant.player), ()))
        if person in members:
            known_ids.append((ID_LIKE, str(members[person])))
        place = (entrant.game, entrant.region, _ordinal(entrant.day))
        entries.append(
            NamedEntry(
                entrant.tournament, entrant.player, entrant.name, *place, tuple(known_ids), person
            )
        )
    return entries, {
        frozenset(stands_for.get(id_, id_) for id_ in (act.league_id, act.person))
        for act in in_force(vault.acts())
        if act.kind == "apart"
    }


def _ordinal(day: str) -> int:
    try:
        return date.fromisoformat(day).toordinal()
    except ValueError:
        return 0


def in_words(evidence: Ground) -> str:
    """Return one reason in words."""
    kind, words = evidence.kind, ", ".join(evidence.words)
    if kind == "days":
        days = round(evidence.number)
        return tr_many("{count} day between them", "{count} days between them", days)
    texts = {
        "equal ids": lambda: tr("the same public id: {kind}", kind=words),
        "same id": lambda: tr(
            "the same public id, but other facts are against it: {kind}", kind=words
        ),
        "other ids": lambda: tr("against it: two public ids of one kind"),
        "name exact": lambda: tr("the same name"),
        "name swapped": lambda: tr("the same name in another order"),
        "name middle": lambda: tr("the same name except a middle name"),
        "name family": lambda: tr("the family name differs by one letter"),
        "name given": lambda: tr("the given name differs by one letter"),
        "name initial": lambda: tr("the given name is an initial"),
        "name short": lambda: tr("the given name is short"),
        "name part": lambda: tr("a part of the family name is the same"),
        "name changed": lambda: tr("only the given name is the same"),
        "others": lambda: tr(
            "others called so here by chance: {number}",
            number=f"{evidence.number:.2g}",
        ),
        "same game": lambda: tr("the same game: {names}", names=words),
        "other game": lambda: tr("different games: {names}", names=words),
        "same region": lambda: tr("the same region: {names}", names=words),
        "other region": lambda: tr("different regions: {names}", names=words),
    }
    return texts[kind]()


def on_record(evidence: Iterable[Ground]) -> str:
    """Return reasons for the vault: one text in every language."""
    return "; ".join(
        f"{item.kind} {', '.join(item.words)} {item.number:.4g}".replace("  ", " ")
        if item.number
        else f"{item.kind} {', '.join(item.words)}".strip()
        for item in evidence
    )


class Decisions(NamedTuple):
    """Numbers of the recorded acts, and the count of persons that were joined to others."""

    acts: list[int]
    persons: int


def decide(
    vault: League,
    accepted: Sequence[Proposed],
    apart: Sequence[Proposed],
    by: str,
    reason: str,
) -> Decisions:
    """Put decisions on proposals on record, all or none of them."""
    from projections.season.league import LeagueAct

    named = {person.league_id for person in vault.persons()}
    now = outside.now()
    acts: list[tuple[LeagueAct, str, str]] = []
    for proposal in accepted:
        stays = _who_stays(proposal, named)
        grounds = (f"{proposal.confidence:.4f}", on_record(proposal.evidence))
        acts += [
            (LeagueAct(now, by, "merge", person, stays, "", reason), *grounds)
            for person in proposal.persons
            if person != stays
        ]
    merged = len(acts)
    acts += [
        (
            LeagueAct(now, by, "apart", *proposal.apart, "", reason),
            f"{proposal.confidence:.4f}",
            on_record(proposal.evidence),
        )
        for proposal in apart
    ]
    return Decisions(vault.record_all(acts), merged)


def _who_stays(proposal: Proposed, named: Collection[str]) -> str:
    """Return the pseudonym that stays: a named one, else the league's, else the most frequent."""
    counts = Counter(entry.person for entry in proposal.entries)
    return min(
        proposal.persons,
        key=lambda person: (person not in named, "/" in person, -counts[person], person),
    )


def undo(vault: League, numbers: Iterable[int], by: str, reason: str) -> list[int]:
    """Undo acts, all or none of them, and return the numbers of the undoings."""
    from projections.season.league import LeagueAct

    now = outside.now()
    return vault.record_all(
        (LeagueAct(now, by, "undo", "", "", "", reason, number), "", "")
        for number in sorted(numbers, reverse=True)
    )


def chosen(proposals: Sequence[Proposed], keys: Iterable[str]) -> list[Proposed]:
    """Return the proposals of keys.

    Raises:
        NotFound: a proposal is no longer there.
        Refused: two of them join the same person, so the second one is another by now.
    """
    by_key = {proposal.key: proposal for proposal in proposals}
    selected: list[Proposed] = []
    joined: set[str] = set()
    for key in dict.fromkeys(keys):
        if key not in by_key:
            raise NotFound(
                phrase(
                    "the proposal {key} has changed or is decided: list the proposals again",
                    key=repr(key),
                )
            )
        proposal = by_key[key]
        if not joined.isdisjoint(proposal.persons):
            raise Refused(
                phrase("{key} has a person of an earlier one: decide it afterwards", key=key)
            )
        joined.update(proposal.persons)
        selected.append(proposal)
    return selected
