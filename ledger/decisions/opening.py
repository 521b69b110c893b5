"""Opening the book, officials, announcing, starting."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Literal

from ledger.decisions.command import Command, Context, event_of, official_of
from ledger.decisions.draws import drawn_ranks, recorded_head
from ledger.decisions.people import Entry, RegisterPlayers, person
from ledger.errors import Refused
from ledger.events import Event, base, opening, people
from ledger.lines.called_word import normalized, word_problem
from ledger.problems import Player, Problem, problem, remedy
from ledger.problems import in_words as worded
from ledger.proof.lines import RULES, WIRE
from ledger.rulesets import StructureKind, load_text
from ledger.rulesets.entries import missing_numbers, without_numbers
from ledger.rulesets.tiebreaker_findings import cut_problems
from ledger.rulesets.words import first_few
from ledger.tournament.same_names import player_named
from ledger.tournament.state import Tournament
from ledger.tournament.structures import in_words, stages_by_attendance


class OpenTournament(Command, frozen=True):
    """Open the book; the author is its organizer."""

    tournament: str
    name: str
    date: str
    time_zone: str
    ruleset: str
    organizer: str
    tier: base.Tier = "relaxed"
    format: str = ""
    variant: str = ""
    """The whole text of a format, and which variant of it; empty: none is named."""

    lists_required: bool = False
    names: opening.Names = "open"
    appeals: int = 0
    """For how many days after the end texts about others are kept from being forgotten."""

    log_key: str = ""
    """The log's own public key, in base64."""

    witness: str = ""
    """The key of who cosigns the head of the start, as a policy has it."""

    commitment: str = ""
    """The SHA-256 of the shuffle key, in hex, where that is a file; empty: the vault has it."""

    public_names: base.PublicNames = "short"

    def decide(self, opened: Tournament, context: Context, _by: str) -> Iterator[Event]:
        yield event_of(
            opening.TournamentOpened,
            self,
            wire=WIRE,
            rules=RULES,
            ruleset=load_text(self.ruleset).document,
            engine=context.engine,
            commitment=self.commitment or hashlib.sha256(context.shuffle_key).hexdigest(),
            hidden=hashlib.sha256(context.hidden_key).hexdigest(),
            format=_format(self),
        )
        yield opening.OfficialAppointed(1, ("organizer",))
        yield person("o1", self.organizer)
        if self.public_names != opened.public_names:
            yield people.PublicNamesChosen(self.public_names)


def _format(command: OpenTournament) -> opening.Document | None:
    if not command.format:
        return None
    from ledger import formats  # noqa: PLC0415 - an event without a format does not pay for it

    return formats.load_text(command.format, command.variant).document


class AppointOfficial(Command, frozen=True):
    """Give a person office: a new one by name, a known one (`official`) other roles.

    A player of the same name is that person, unless `namesake` says that it is another.
    """

    name: str
    roles: tuple[base.Role, ...]
    official: int = 0
    namesake: bool = False

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        number = self.official or len(tournament.officials)
        known = official_of(tournament, number) if number < len(tournament.officials) else None
        if known is None:
            player = 0 if self.namesake else player_named(tournament, self.name)
            yield opening.OfficialAppointed(number, self.roles, player)
        elif known.roles != self.roles:
            yield opening.OfficialAppointed(number, self.roles)
        recorded = person(f"o{number}", self.name)
        is_said = bool(self.name) or known is None  # nobody new holds office without a name
        if is_said and tournament.names.get(recorded.of) != recorded.name:
            yield recorded


class ChoosePublicNames(Command, frozen=True):
    """Say how much of a name pages for everybody show; where they do so already: nothing."""

    shown: base.PublicNames

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if self.shown != tournament.public_names:
            yield people.PublicNamesChosen(self.shown)


class StartTournament(Command, frozen=True):
    """Announce the structure and begin; once more before round 1 to announce it again.

    `word` is as it was typed. `asked` are rounds and cut where the table leaves a choice, 0 for
    the table's own.
    """

    structure: Literal["basic", "advanced", "custom"]
    stages: tuple[opening.Stage, ...] = ()
    outline: str = ""
    word: str = ""
    asked: tuple[int, int] = (0, 0)

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        word = _word(self.word, tournament)
        players = len(tournament.active())
        stages = self.stages
        if self.structure != "custom":
            stages = announced_stages(tournament, self.structure, players, self.asked)
        rounds = sum(stage.rounds for stage in stages if stage.kind == "swiss")
        _refuse_what_cannot_be_ranked(tournament, rounds)
        announced = opening.StructureAnnounced(self.structure, stages, players, self.outline)
        if not tournament.started or announced != tournament.announced:
            yield announced
        if not tournament.started:
            yield opening.TournamentStarted(word)
            yield recorded_head(tournament, context)
        yield from drawn_ranks(tournament, context)


def _refuse_what_cannot_be_ranked(tournament: Tournament, rounds: int) -> None:
    """Refuse players without a number that the ruleset asks for, and cuts of all there is."""
    rules = tournament.ruleset
    problems = [*_without_numbers(tournament)]
    found = cut_problems(rules.tiebreakers, rounds, "the event")
    problems += [worded(each, "tiebreakers.cut") for each in found]
    if problems:
        raise Refused(*first_few(problems))


def _without_numbers(tournament: Tournament) -> Iterator[Problem]:
    rules = tournament.ruleset.numbers
    for each in tournament.registered():
        if missing := missing_numbers(rules, each.numbers):
            yield without_numbers(Player(each.number), missing, rules[0].clause)


def _word(typed: str, tournament: Tournament) -> str:
    """Return the word as the log has it; Refused if it is no word, or not the one in use."""
    word = normalized(typed)
    if typed and not word:
        text = "a word that is called out is not empty; without one, leave it out"
        raise Refused(problem("word.empty", text))
    if wrong := word_problem(word):
        raise Refused(wrong)
    if typed and tournament.started and word != tournament.word:
        text = "the tournament has started, and it had no word: there is one word for ever"
        if tournament.word:
            text = (
                'the tournament has started, and the word is "{word}": there is one word for ever'
            )
        raise Refused(problem("word.other", text, word=tournament.word))
    return word


def announced_stages(
    tournament: Tournament, structure: StructureKind, players: int, asked: tuple[int, int] = (0, 0)
) -> tuple[opening.Stage, ...]:
    """The stages that the ruleset's table asks for.

    `asked` are other rounds and another cut, 0 for the table's own, where it leaves a choice.
    Refused where it leaves none, or has no row for that number of players.
    """
    stages = stages_by_attendance(tournament.ruleset, structure, players, asked)
    if stages is None:
        rules = tournament.ruleset
        text = "{ruleset} has no {structure} structure for a field of {players}: announce your own"
        way = remedy("start.custom", rounds=3)
        if players < base.PLAYERS_MIN:
            text = "a start needs {least} players, not {players}"
            way = remedy("register")
        elif any(asked):
            text = "the {structure} structure for a field of {players} is {row}: announce your own"
        raise Refused(
            problem(
                "structure.no_row",
                text,
                clause="FFG-STRUCTURE",
                remedy=way,
                ruleset=rules.key,
                structure=structure,
                players=players,
                row=in_words(rules, structure, players),
                least=base.PLAYERS_MIN,
            )
        )
    return stages


class ChangeStructure(Command, frozen=True):
    """Change what was announced, with a reason."""

    stages: tuple[opening.Stage, ...]
    reason: str

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if tournament.announced is None:
            text = "nothing is announced yet"
            raise Refused(problem("structure.none", text, remedy=remedy("start")))
        if self.stages != tournament.announced.stages:
            outline = tournament.announced.outline
            players = len(tournament.active())
            yield opening.StructureAnnounced("custom", self.stages, players, outline, self.reason)


class AskRegistration(Command, frozen=True):
    """Ask the desk to register somebody who is not in the event yet."""

    name: str
    faction: str = ""
    league_id: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        name = self.name.strip()
        asked = opening.RegistrationAsked(name, self.faction, self.league_id)
        if not any(each.made == asked and not each.answered for each in tournament.floor.requests):
            yield asked


class ApproveRegistration(Command, frozen=True):
    """Register who asked, also under a name that is registered already if they are a namesake."""

    asked: int
    namesake: bool = False

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        request = tournament.floor.request(self.asked)
        if request and request.player:
            return
        if request and not request.answered:
            made = request.made
            entry = Entry(made.name, made.faction, made.league_id)
            yield from RegisterPlayers((entry,), self.namesake).decide(tournament, context, by)
        yield opening.RegistrationAnswered(self.asked, len(tournament.players) - 1)


class RefuseRegistrations(Command, frozen=True):
    """Refuse all requests to be registered that are open, up to an event that was seen."""

    upto: int
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        waiting = [request.seq for request in tournament.floor.requests if not request.answered]
        for seq in waiting:
            if seq <= self.upto:
                yield opening.RegistrationAnswered(seq, reason=self.reason)


class RefuseRegistration(Command, frozen=True):
    """Refuse to register who asked."""

    asked: int
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        request = tournament.floor.request(self.asked)
        if not (request and request.answered and not request.player):
            yield opening.RegistrationAnswered(self.asked, reason=self.reason)
