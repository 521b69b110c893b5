"""Registering, leaving, returning, removing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from ledger.checks.people import league_id_taken
from ledger.decisions.command import Command, Context, official_of, registered_player
from ledger.decisions.draws import rank_of
from ledger.decisions.results import conceded_in, match_given_up
from ledger.errors import NotFound, Refused
from ledger.events import Event, people
from ledger.events.base import Waiver
from ledger.events.results import Manner, Result, ResultReported
from ledger.events.rounds import RoundUnpaired
from ledger.events.undo import ActWithdrawn
from ledger.problems import Official, Player, Problem, problem, remedy
from ledger.rulesets.entries import numbers_of_entries
from ledger.tournament import scoring
from ledger.tournament.progress import draws_wait_for, missed_rounds, round_in_play
from ledger.tournament.same_names import name_key, official_named, player_named
from ledger.tournament.state import Match, Tournament

_PERSON = re.compile(r"(?P<kind>[op])(?P<number>[1-9][0-9]{0,3})")

ID_SHOWN = 20
"""How much of a senseless id a refusal repeats."""


class Entry(Struct, frozen=True):
    """One person to register."""

    name: str
    faction: str = ""
    league_id: str = ""
    attributes: dict[str, str] = field(default_factory=dict)


class RegisterPlayers(Command, frozen=True):
    """Enroll players; all or none. Namesakes may have a name that is registered already."""

    entries: tuple[Entry, ...]
    namesake: bool = False

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        if not self.namesake:
            _refuse_known_names(self.entries, tournament)
        _refuse_known_ids(self.entries, tournament)
        has_to_wait = bool(draws_wait_for(tournament))
        rules, entries = tournament.ruleset, [(one.name, one.attributes) for one in self.entries]
        said = numbers_of_entries(rules.numbers, entries, asked=tournament.started)
        for entry, (attributes, numbers) in zip(self.entries, said, strict=True):
            number = len(tournament.players)
            yield people.PlayerRegistered(
                player=number,
                official=0 if self.namesake else official_named(tournament, entry.name),
                random_rank=0 if has_to_wait else rank_of(tournament, context, number),
                league_id=entry.league_id,
                faction=entry.faction,
                attributes=attributes,
                missed=tuple(missed_rounds(tournament, None)),
                numbers=numbers,
            )
            yield person(f"p{number}", entry.name)


def person(of: str, name: str) -> people.PersonRecorded:
    """Who somebody is: the name as typed, but for outer white space."""
    return people.PersonRecorded(of, name.strip())


def _refuse_known_names(entries: tuple[Entry, ...], tournament: Tournament) -> None:
    taken = {
        name_key(tournament.names.get(f"p{player.number}", "")): player.number
        for player in tournament.registered()
        if f"p{player.number}" not in tournament.forgotten
    }
    problems: list[Problem] = []
    for place, entry in enumerate(entries, start=1):
        name = name_key(entry.name)
        if name in taken:
            found = _name_taken(entry.name, taken[name])
            problems.append(found.within(f"entry {place}") if len(entries) > 1 else found)
        taken.setdefault(name, -place)
    if problems:
        raise Refused(*problems)


def _refuse_known_ids(entries: tuple[Entry, ...], tournament: Tournament) -> None:
    problems: list[Problem] = []
    given: dict[str, int] = {}
    for place, entry in enumerate(entries, start=1):
        found = list(league_id_taken(tournament, entry.league_id))
        if entry.league_id in given:
            text = "{id} is the league id of entry {entry} too: in a league an id is one person"
            name, first = entry.league_id, given[entry.league_id]
            found.append(problem("league_id.twice", text, id=name, entry=first))
        problems += [each.within(f"entry {place}") if entries[1:] else each for each in found]
        if entry.league_id:
            given.setdefault(entry.league_id, place)
    if problems:
        raise Refused(*problems)


def _name_taken(name: str, where: int) -> Problem:
    """Say who has the name: a player, or below 0 an entry of the same list."""
    anyway = remedy("register.namesake", name=name)
    if where > 0:
        text = (
            "{name} is registered already ({other}); leave it out, or say that it is another person"
        )
        return problem("name.taken", text, remedy=anyway, name=name, other=Player(where))
    text = "{name} is entry {entry} too; leave it out, or say that it is another person"
    return problem("name.twice", text, remedy=anyway, name=name, entry=-where)


class AmendPlayer(Command, frozen=True):
    """Record what is other of a registration than was entered; `None`: as it is."""

    player: int
    faction: str | None = None
    league_id: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        known = registered_player(tournament, self.player)
        rules, entry = tournament.ruleset.numbers, ("", self.attributes)
        ((said, given),) = numbers_of_entries(rules, [entry], asked=False)
        attributes = {
            label: text for label, text in said.items() if known.attributes.get(label, "") != text
        }
        faction = None if self.faction == known.faction else self.faction
        league_id = None if self.league_id == known.league_id else self.league_id
        numbers = {name: n for name, n in given.items() if known.numbers.get(name) != n}
        is_other = attributes or numbers or {faction, league_id} != {None}
        if is_other or known.status == "withdrawn":
            yield people.PlayerAmended(
                self.player, faction, league_id, attributes, self.reason, numbers
            )


def _refuse_nobody(tournament: Tournament, of: str) -> bool:
    """Return whether a person's id is that of a player, and not of an official.

    Raises:
        NotFound: the event has no such person.
    """
    named = _PERSON.fullmatch(of)
    if named is None:
        text = "a person is named by p or o and a number, as p7, not {of}"
        raise NotFound(problem("person.none", text, of=of[:ID_SHOWN]))
    number = int(named["number"])
    if named["kind"] == "o":
        official_of(tournament, number)
        return False
    registered_player(tournament, number)
    return True


class RenamePerson(Command, frozen=True):
    """Record a person's name again; a namesake may have one that another has already."""

    of: str
    name: str
    namesake: bool = False

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        of_player = _refuse_nobody(tournament, self.of)
        recorded = person(self.of, self.name)
        if tournament.names.get(self.of) == recorded.name:
            return
        named = player_named if of_player else official_named
        number = 0 if self.namesake else named(tournament, self.name, besides=self.of)
        if number:
            name, other = recorded.name, Player(number) if of_player else Official(number)
            anyway = remedy("rename.namesake", player=self.of, name=name)
            text = "{name} is the name of {other}; say that it is another person"
            raise Refused(problem("name.taken_by", text, remedy=anyway, name=name, other=other))
        yield recorded


class ForgetPerson(Command, frozen=True):
    """Forget a person: name, and what was written about them.

    `kept` is how many texts about others as well are held back; see `ledger.books.forgetting`.
    """

    of: str
    kept: int = 0

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        for of in records_of(self.of, tournament):
            completes = tournament.finished and not self.kept
            if of not in (tournament.forgotten_wholly if completes else tournament.forgotten):
                yield people.PersonForgotten(of, self.kept)


def records_of(of: str, tournament: Tournament) -> list[str]:
    """Every number that this person is recorded under.

    As player and as official, and the registrations of their name that were taken back.
    """
    records = [of]
    for official in tournament.officials[1:]:
        pair = [f"p{official.player}", f"o{official.number}"]
        if official.player and of in pair:
            records += [each for each in pair if each != of]
    name = name_key(tournament.names.get(of, ""))
    for player in tournament.players[1:]:
        again = f"p{player.number}"
        same = name_key(tournament.names.get(again, "")) == name != ""
        if player.status == "withdrawn" and same and again not in records:
            records.append(again)
    return records


class WithdrawRegistration(Command, frozen=True):
    """Take a registration back that was a mistake."""

    player: int
    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        player = registered_player(tournament, self.player)
        if player.status != "withdrawn":
            yield ActWithdrawn(player.seq, self.reason)


class DropPlayer(Command, frozen=True):
    """Let a player leave; an open match is conceded."""

    player: int
    reason: people.Departure = "request"
    note: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        status = registered_player(tournament, self.player).status
        if status == "dropped" or (status == "disqualified" and self.reason == "conduct"):
            return
        if status == "cut":
            text = "{player} did not make the cut and has left the event with it"
            raise Refused(problem("player.cut", text, clause="FFG-CUT", player=Player(self.player)))
        yield from _unpair_before_play(self.player, tournament)
        match = match_given_up(tournament, self.player, self.seen)
        if match is not None and _is_conceded(tournament, match, self.reason):
            yield ResultReported(match.number, self._conceded(tournament, match))
        elif match is not None:
            yield ResultReported(match.number, _not_played(tournament, match, self.player))
        yield people.PlayerDropped(self.player, self.reason, self.note)

    def _conceded(self, tournament: Tournament, match: Match) -> Result:
        """Return what a concession comes to; who removes a player asks the table for nothing."""
        if self.reason == "conduct":
            return scoring.conceded(tournament.ruleset, first=match.first == self.player)
        return conceded_in(tournament, match, self.player, {})


def _unpair_before_play(player: int, tournament: Tournament) -> Iterator[Event]:
    """A qualifier who leaves before the first game is replaced, not given a bye."""
    stage = tournament.pending_cut()
    round_ = round_in_play(tournament)
    if stage is not None and round_ is not None and player in stage.seeds and stage.rounds:
        yield RoundUnpaired(round_.number, "a qualifier left before the first game")


def _is_conceded(tournament: Tournament, match: Match, reason: str = "") -> bool:
    """Whether who leaves now concedes the match in hand.

    Who did not come gives a bye, and where the ruleset says so who leaves before the round has
    started; who leaves during the game concedes it (FFG-DROP). In an elimination the opponent has
    a bye (FFG-ELIM-DROP).
    """
    round_ = tournament.rounds[match.round - 1]
    waits_to_start = round_.status == "paired" and tournament.ruleset.leaving == "no-show"
    is_swiss = tournament.stages[round_.stage - 1].is_swiss
    return is_swiss and reason != "no-show" and not waits_to_start


def _not_played(tournament: Tournament, match: Match, player: int) -> Result:
    """The result of a match that a player leaves without having played it."""
    stage = tournament.stages[tournament.rounds[match.round - 1].stage - 1]
    absent = (match.first == player, match.second == player)
    manner: Manner = "no-show" if stage.is_swiss else "departure"
    return scoring.absence(tournament.ruleset, absent, manner)


class RejoinPlayer(Command, frozen=True):
    """Let a dropped player return; a reason waives the limit of the stage they left."""

    player: int
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if registered_player(tournament, self.player).status == "active":
            return
        clause = tournament.ruleset.cites("FFG-REJOIN")
        waiver = Waiver((clause,), self.reason) if self.reason else None
        missed = tuple(missed_rounds(tournament, self.player))
        yield people.PlayerRejoined(self.player, missed, waiver)


class DisqualifyPlayer(Command, frozen=True):
    """Remove a player for good; an open match goes to the opponent."""

    player: int
    reason: str
    clause: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if registered_player(tournament, self.player).status == "disqualified":
            return
        yield from _unpair_before_play(self.player, tournament)
        match = match_given_up(tournament, self.player, self.seen)
        if match is not None and _is_conceded(tournament, match):
            first = match.first == self.player
            yield ResultReported(match.number, scoring.conceded(tournament.ruleset, first=first))
        elif match is not None:
            yield ResultReported(match.number, _not_played(tournament, match, self.player))
        recommendation = tournament.floor.recommended.get(self.player, 0)
        yield people.PlayerDisqualified(self.player, self.reason, self.clause, recommendation)
