"""Registrations, amendments, drops and forgotten people: what is admissible, and the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from ledger.errors import NotFound, Refused
from ledger.facts import people, results
from ledger.facts.base import PLAYERS_MAX, Event, Waiver, label_problem
from ledger.facts.people import (
    AmendmentWithdrawn,
    DisqualificationWithdrawn,
    DropWithdrawn,
    PersonForgotten,
    PlayerAmended,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    PublicNamesChosen,
    RegistrationWithdrawn,
    name_key,
    official_named,
    player_named,
)
from ledger.facts.results import ResultReported, Verdict
from ledger.facts.rounds import RoundUnpaired
from ledger.facts.shared import Manner, PersonRecorded, Result
from ledger.facts.undo import ActWithdrawn
from ledger.problems import (
    Official,
    Player,
    Problem,
    Problems,
    in_words,
    marked,
    phrase,
    problem,
    remedy,
)
from ledger.rules.command import Command, Context, official_of, registered_player
from ledger.rules.draws import rank_of
from ledger.rules.games_left import GameAsLeft, game_ended, match_given_up
from ledger.rules.leaders import registered, rejoined
from ledger.rules.references import is_waived, needs_reason, not_here, table_of
from ledger.rulesets.entries import numbers_of_entries, wrong_numbers
from ledger.tournament import progress, state
from ledger.tournament.progress import draws_wait_for, missed_rounds, round_in_play, to_add_a_round
from ledger.tournament.state import Match, Stage, Tournament

OPEN_NAMES = phrase(
    "this log was opened with open names: names are permanent in its lines, so no person "
    "can be forgotten"
)


def person_of(text: str) -> Player | Official:
    """Return who `p7` or `o2` is."""
    return (Player if text[0] == "p" else Official)(int(text[1:]))


def person_recorded(tournament: Tournament, event: PersonRecorded) -> Problems:
    number = int(event.of[1:])
    known = tournament.players if event.of[0] == "p" else tournament.officials
    if number >= len(known):
        yield problem("person.unknown", "there is no {person}", person=person_of(event.of))
    if event.of in tournament.forgotten:
        text = marked("the data of {person} was erased: their name can no longer be recorded")
        yield problem("person.forgotten", text, person=person_of(event.of))
    if not event.name.strip() and not tournament.importing:
        yield problem("person.name_empty", "a name must not be empty")


def public_names_chosen(tournament: Tournament, event: PublicNamesChosen) -> Problems:
    if event.shown == tournament.public_names:
        yield problem("name.shown_so", "pages already show names this way")


def person_forgotten(tournament: Tournament, event: PersonForgotten) -> Problems:
    known = tournament.players if event.of[0] == "p" else tournament.officials
    if int(event.of[1:]) >= len(known):
        yield problem("person.unknown", "there is no {person}", person=person_of(event.of))
    completes = tournament.finished and event.of not in tournament.forgotten_wholly
    if event.of in tournament.forgotten and (event.kept or not completes):
        text = marked("{person} was already forgotten")
        yield problem("person.forgotten_already", text, person=person_of(event.of))
    appeals = tournament.opening.appeals if tournament.opening is not None else 0
    if event.kept and tournament.finished and not appeals:
        text = marked(
            "play is closed and no appeals were announced: texts about this person can "
            "no longer be kept"
        )
        yield problem("person.texts_kept", text)
    if not tournament.is_sealed:
        yield in_words(OPEN_NAMES, "person.open_names")


def player_registered(tournament: Tournament, event: PlayerRegistered) -> Problems:
    if event.player != len(tournament.players):
        text = marked("the next player is number {next}, not {player}")
        following = len(tournament.players)
        yield problem("registration.next_number", text, next=following, player=event.player)
    if event.player > PLAYERS_MAX:
        text = marked("a tournament can have at most {players} players")
        yield problem("registration.players_max", text, players=f"{PLAYERS_MAX:,}")
    for wrong in filter(None, map(label_problem, event.attributes)):
        yield in_words(wrong, "registration.attribute")
    for wrong in wrong_numbers(tournament.ruleset.numbers, event.numbers):
        yield in_words(wrong, "registration.number")
    if event.random_rank and progress.draws_wait_for(tournament):
        text = marked("{player} has a random rank before the ranks are drawn")
        yield problem("registration.rank_early", text, player=Player(event.player))
    yield from registered(tournament, event)
    if tournament.importing:
        yield from _missed_as_recorded(tournament, None, event.missed)
        return
    yield from registration_over(tournament)
    if list(event.missed) != progress.missed_rounds(tournament, None):
        text = marked("a late player must have an unpaired loss for every missed round")
        yield problem("registration.missed", text, clause="FFG-REJOIN")


def player_amended(tournament: Tournament, event: PlayerAmended) -> Problems:
    player = progress.find_player(tournament, event.player)
    if not player or player.status == "withdrawn":
        yield not_here(event.player)
        return
    if f"p{event.player}" in tournament.forgotten:
        text = marked("the data of {player} was erased: nothing more can be recorded about them")
        yield problem("amend.forgotten", text, player=Player(event.player))
    for wrong in wrong_numbers(tournament.ruleset.numbers, event.numbers):
        yield in_words(wrong, "registration.number")
    if not (event.attributes or event.numbers) and {event.faction, event.league_id} == {None}:
        yield problem("amend.nothing", "an amendment must change something: faction, league id, …")
    for wrong in filter(None, map(label_problem, event.attributes)):
        yield in_words(wrong, "registration.attribute")
    yield from league_id_taken(tournament, event.league_id or "", event.player)


def league_id_taken(tournament: Tournament, league_id: str, besides: int = 0) -> Problems:
    """Yield that another entrant has this league id."""
    for player in tournament.registered() if league_id else ():
        if player.league_id == league_id and player.number != besides:
            text = marked(
                "the league id {id} belongs to {other}: in a league, each person has their own id"
            )
            other = Player(player.number)
            yield problem("league_id.taken", text, id=league_id, other=other)


def amendment_withdrawn(tournament: Tournament, event: AmendmentWithdrawn) -> Problems:
    amended = tournament.floor.amended.get(event.player)
    if not amended or amended[-1].seq != event.withdraws:
        text = marked("event {event} is not the latest amendment of {player}")
        yield problem("amend.not_last", text, event=event.withdraws, player=Player(event.player))
    elif f"p{event.player}" in tournament.forgotten:
        text = marked("the data of {player} was erased: nothing more can be recorded about them")
        yield problem("amend.forgotten", text, player=Player(event.player))
    else:
        yield from league_id_taken(tournament, amended[-1].league_id, event.player)


def registration_over(tournament: Tournament) -> Problems:
    """Yield why nobody can be registered any more."""
    stage = progress.stage_in_play(tournament)
    if stage is None or not tournament.rounds:
        return
    if stage.number > 1 or not stage.is_swiss or progress.is_complete(tournament, stage):
        text = marked("registration is over: the first stage has been played")
        yield problem("registration.stage_over", text)
    elif any(later.cut_seq for later in tournament.stages):
        yield problem("registration.cut_made", "registration is over: the cut has been made")
    elif not _has_room(tournament, stage):
        text = marked("registration is over: the last round is paired")
        yield problem("registration.last_round", text, remedy=to_add_a_round(tournament, stage))


def _has_room(tournament: Tournament, stage: Stage) -> bool:
    """Whether a round is still to be paired in which a newcomer could play."""
    later = tournament.stages[stage.number :]
    is_last_paired = 0 < stage.plan.rounds <= len(stage.rounds)
    return not is_last_paired or any(each.plan.entry == "all" for each in later)


def registration_withdrawn(tournament: Tournament, event: RegistrationWithdrawn) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status != "active":
        text = marked("{player} is not an active player")
        yield problem("registration.not_active", text, player=Player(event.player))
    elif any(
        event.player in match.players for round_ in tournament.rounds for match in round_.matches
    ):
        text = marked("{player} has already been paired: drop the player instead")
        yield problem("registration.paired", text, player=Player(event.player))


def player_dropped(tournament: Tournament, event: PlayerDropped) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status != "active":
        text = marked("{player} is not an active player and cannot drop")
        yield problem("drop.not_active", text, player=Player(event.player))
    elif event.reason == "conduct" or tournament.importing:
        return  # the removal itself ends an open match
    elif match := progress.open_match_of(tournament, event.player):
        text = marked("{player} has an open match at {table}: enter its result first")
        yield problem("player.open_match", text, player=Player(event.player), table=table_of(match))


def drop_withdrawn(tournament: Tournament, event: DropWithdrawn) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status != "dropped" or player.left_seq != event.withdraws:
        text = marked("event {event} is not the drop of {player}")
        yield problem("drop.unknown", text, event=event.withdraws, player=Player(event.player))
    else:
        yield from _passed_over(tournament, event.player, event.withdraws)


def disqualification_withdrawn(
    tournament: Tournament, event: DisqualificationWithdrawn
) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status != "disqualified" or player.left_seq != event.withdraws:
        text = marked("event {event} is not the disqualification of {player}")
        who = Player(event.player)
        yield problem("disqualification.unknown", text, event=event.withdraws, player=who)
    elif player.status_before != "active":
        text = marked(
            "the disqualification cannot be withdrawn: {player} had already left before it"
        )
        yield problem("disqualification.left_before", text, player=Player(event.player))
    else:
        yield from _passed_over(tournament, event.player, event.withdraws)


def _passed_over(tournament: Tournament, player: int, left: int) -> Problems:
    """A departure can be taken back until something was decided without the player."""
    if any(round_.paired_seq > left for round_ in tournament.rounds):
        text = marked("a round has been paired since the player left: this can no longer be undone")
        way = remedy("rejoin", player=Player(player))
        yield problem("departure.round_paired", text, clause="FFG-REJOIN", remedy=way)
    elif any(stage.cut_seq > left for stage in tournament.stages):
        text = marked("a cut has been made since the player left: undo the cut first")
        yield problem("departure.cut_made", text, clause="FFG-CUT")
    elif _has_lost_place(tournament, player):
        text = marked("the place of {player} in the cut is no longer vacant")
        clause = "FFG-CUT-REPLACE"
        yield problem("departure.place_filled", text, clause=clause, player=Player(player))


def _has_lost_place(tournament: Tournament, player: int) -> bool:
    """Whether the player was in a cut and is no more: their place is taken or given up."""
    return any(
        stage.cut_seq and player in stage.entrants and player not in stage.seeds
        for stage in tournament.stages
    )


def player_rejoined(tournament: Tournament, event: PlayerRejoined) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status in {"active", "withdrawn"}:
        yield problem(
            "rejoin.not_left", "{player} has not left the tournament", player=Player(event.player)
        )
        return
    yield from rejoined(tournament, event.player)
    if player.status == "disqualified":
        text = marked("a disqualified player cannot rejoin")
        yield problem("rejoin.disqualified", text, clause="FFG-AUTH-DQ, FFG-REJOIN")
    if player.status == "cut":
        text = marked("a player who was cut can return only as a replacement")
        yield problem("rejoin.cut", text, clause="FFG-CUT-REPLACE")
    if player.status != "dropped":
        return
    if tournament.importing:
        yield from _missed_as_recorded(tournament, event.player, event.missed)
        return
    yield from _stage_left(tournament, event, player)
    stage = progress.stage_in_play(tournament)
    if stage is not None and not stage.is_swiss and tournament.rounds:
        yield problem(
            "rejoin.elimination", "players cannot rejoin an elimination", clause="FFG-ELIM-DROP"
        )
    if list(event.missed) != progress.missed_rounds(tournament, event.player):
        text = marked("a returning player must have an unpaired loss for every missed round")
        yield problem("rejoin.missed", text, clause="FFG-REJOIN")


def _missed_as_recorded(
    tournament: Tournament, player: int | None, missed: tuple[int, ...]
) -> Problems:
    """Another program may have given unpaired losses for fewer rounds, never for one played."""
    for number in sorted(set(missed) - set(progress.missed_rounds(tournament, player))):
        text = marked("the player did not miss round {round}")
        yield problem("registration.not_missed", text, round=number)


def _stage_left(tournament: Tournament, event: PlayerRejoined, player: state.Player) -> Problems:
    """A player returns within the stage they left, and never into a cut made without them."""
    begun = max(1, len(tournament.begun_stages()))
    elsewhere = player.left_stage != begun or any(
        stage.cut_seq and stage.number > player.left_stage for stage in tournament.stages
    )
    cut = tournament.pending_cut()
    without_them = any(
        stage.cut_seq and event.player not in stage.entrants for stage in tournament.stages
    )
    only_within = elsewhere and tournament.ruleset.rejoin == "stage"
    if only_within and not is_waived("FFG-REJOIN", event.waiver, tournament):
        text = marked("a player can rejoin only in the stage that they left")
        way = remedy("rejoin.anyway", player=Player(event.player))
        yield problem("rejoin.other_stage", text, clause="FFG-REJOIN", remedy=way)
    elif without_them or (cut is not None and event.player not in cut.vacancies):
        text = marked("the cut was made without this player, who can return only as a replacement")
        yield problem("rejoin.cut_without", text, clause="FFG-CUT")


def player_disqualified(tournament: Tournament, event: PlayerDisqualified) -> Problems:
    player = progress.find_player(tournament, event.player)
    if player is None or player.status in {"disqualified", "withdrawn"}:
        yield not_here(event.player)
    yield from needs_reason(event, "FFG-AUTH-DQ")
    if event.recommendation != tournament.floor.recommended.get(event.player, 0):
        text = marked("event {event} is not the recommendation on record for this disqualification")
        clause = "FFG-AUTH-DQ"
        yield problem(
            "disqualification.not_recommended", text, clause=clause, event=event.recommendation
        )


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


UNREADABLE = "\N{REPLACEMENT CHARACTER}"
"""The sign that a program writes for bytes that it cannot read."""


def person(of: str, name: str) -> PersonRecorded:
    """Record a person's name as typed, without outer white space.

    Raises:
        Refused: a letter of the name is lost.
    """
    refuse_unreadable(name)
    return PersonRecorded(of, name.strip())


def refuse_unreadable(name: str) -> None:
    """Check that no letter of a name is lost.

    Raises:
        Refused: the name has U+FFFD.
    """
    if UNREADABLE in name:
        text = marked(
            "a letter of {name} is lost (U+FFFD): type the name again, or save the file as UTF-8"
        )
        raise Refused(problem("person.unreadable", text, name=name.strip()))


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
            text = marked(
                "{id} is also the league id of entry {entry}: in a league, each person "
                "has their own id"
            )
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
        text = marked(
            "{name} is already registered ({other}): omit this entry, or confirm that this is "
            "another person"
        )
        return problem("name.taken", text, remedy=anyway, name=name, other=Player(where))
    text = marked(
        "{name} is also entry {entry}: omit this entry, or confirm that this is another person"
    )
    return problem("name.twice", text, remedy=anyway, name=name, entry=-where)


class AmendPlayer(Command, frozen=True):
    """Record what is other of a registration than was entered; `None`: as it is."""

    player: int
    faction: str | None = None
    league_id: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        amended = self.differences(tournament)
        status = registered_player(tournament, self.player).status
        if amended != people.PlayerAmended(self.player, reason=self.reason) or (
            status == "withdrawn"
        ):
            yield amended

    def differences(self, tournament: Tournament) -> people.PlayerAmended:
        """Return the values that differ from the record.

        Raises:
            Refused: the ruleset cannot read a number.
        """
        known = registered_player(tournament, self.player)
        rules, entry = tournament.ruleset.numbers, ("", self.attributes)
        ((said, given),) = numbers_of_entries(rules, [entry], asked=False)
        attributes = {
            label: text for label, text in said.items() if known.attributes.get(label, "") != text
        }
        faction = None if self.faction == known.faction else self.faction
        league_id = None if self.league_id == known.league_id else self.league_id
        numbers = {name: n for name, n in given.items() if known.numbers.get(name) != n}
        return people.PlayerAmended(
            self.player, faction, league_id, attributes, self.reason, numbers
        )


class AmendPlayers(Command, frozen=True):
    """Record what is other of several registrations than was entered; all or none."""

    amended: tuple[AmendPlayer, ...]

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        for command in self.amended:
            yield from command.decide(tournament, context, by)


def _refuse_nobody(tournament: Tournament, of: str) -> bool:
    """Return whether a person's id is that of a player, and not of an official.

    Raises:
        NotFound: the event has no such person.
    """
    named = _PERSON.fullmatch(of)
    if named is None:
        text = marked("{of} is not a person: write p or o and a number, such as p7")
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
            text = marked("{name} is the name of {other}; confirm that this is another person")
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
    """Let a player leave; an open match is conceded, with its facts so far.

    `unknown` is the reason why a number is missing that the points depend on.
    """

    player: int
    reason: people.Departure = "request"
    note: str = ""
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        status = registered_player(tournament, self.player).status
        if status == "dropped" or (status == "disqualified" and self.reason == "conduct"):
            return
        if status == "cut":
            text = marked("{player} did not make the cut and has already left the tournament")
            raise Refused(problem("player.cut", text, clause="FFG-CUT", player=Player(self.player)))
        yield from _unpair_before_play(self.player, tournament)
        match = match_given_up(tournament, self.player, self.seen)
        departure = people.PlayerDropped(self.player, self.reason, self.note)
        yield from _departed(tournament, match, departure, GameAsLeft(self.facts, self.unknown))


def _departed(
    tournament: Tournament,
    match: Match | None,
    departure: PlayerDropped | PlayerDisqualified,
    game: GameAsLeft,
) -> Iterator[Event]:
    """Let a player leave, and end their open match.

    A removal decides a game in play, so it comes before the result that follows from it.
    """
    if match is None:
        yield departure
        return
    is_removal = isinstance(departure, PlayerDisqualified) or departure.reason == "conduct"
    did_not_come = isinstance(departure, PlayerDropped) and departure.reason == "no-show"
    if did_not_come or not _is_conceded(tournament, match):
        yield ResultReported(match.number, _not_played(tournament, match, departure.player))
        yield departure
        return
    verdict: Verdict = "forfeited" if is_removal else "conceded"
    report = game_ended(tournament, match, departure.player, verdict, game)
    yield from (departure, report) if is_removal else (report, departure)


def _unpair_before_play(player: int, tournament: Tournament) -> Iterator[Event]:
    """A qualifier who leaves before the first game is replaced, not given a bye."""
    stage = tournament.pending_cut()
    round_ = round_in_play(tournament)
    if stage is not None and round_ is not None and player in stage.seeds and stage.rounds:
        yield RoundUnpaired(round_.number, "a qualifier left before the first game")


def _is_conceded(tournament: Tournament, match: Match) -> bool:
    """Whether a player who leaves now loses the match in hand, as by a concession (FFG-DROP).

    If the ruleset says so, leaving before the round has started gives the opponent a bye instead;
    in an elimination it always does (FFG-ELIM-DROP).
    """
    round_ = tournament.rounds[match.round - 1]
    waits_to_start = round_.status == "paired" and tournament.ruleset.leaving == "no-show"
    is_swiss = tournament.stages[round_.stage - 1].is_swiss
    return is_swiss and not waits_to_start


def _not_played(tournament: Tournament, match: Match, player: int) -> Result:
    """The result of a match that a player leaves without having played it."""
    stage = tournament.stages[tournament.rounds[match.round - 1].stage - 1]
    absent = (match.first == player, match.second == player)
    manner: Manner = "no-show" if stage.is_swiss else "departure"
    return results.absence(tournament.ruleset, absent, manner)


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
    """Remove a player permanently; an open match goes to the opponent by this decision.

    The facts are those of the open match; `unknown` is the reason why a number is missing.
    """

    player: int
    reason: str
    clause: str = ""
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if registered_player(tournament, self.player).status == "disqualified":
            return
        yield from _unpair_before_play(self.player, tournament)
        match = match_given_up(tournament, self.player, self.seen)
        recommendation = tournament.floor.recommended.get(self.player, 0)
        departure = people.PlayerDisqualified(self.player, self.reason, self.clause, recommendation)
        yield from _departed(tournament, match, departure, GameAsLeft(self.facts, self.unknown))
