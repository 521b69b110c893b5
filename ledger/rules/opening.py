"""The opening, the structure and the end of play: what is admissible, and the commands."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Literal

from ledger.errors import InvalidRuleset, Refused
from ledger.facts import base, battle_cards, hands, opening, people
from ledger.facts import opening as structures
from ledger.facts.base import PLAYERS_MIN, SECRET_BYTES, Event
from ledger.facts.office import is_bound_by
from ledger.facts.opening import (
    ImportEnded,
    ImportResumed,
    OfficialAppointed,
    RegistrationAnswered,
    TournamentFinished,
    TournamentStarted,
    is_asked_for,
    stages_by_attendance,
    type_problems,
)
from ledger.facts.opening import in_words as stages_in_words
from ledger.facts.people import player_named
from ledger.facts.shared import (
    Document,
    Names,
    RegistrationAsked,
    Stage,
    StructureAnnounced,
    TournamentOpened,
)
from ledger.pairing.shuffling import normalized, word_problem
from ledger.problems import (
    Player,
    Problem,
    Problems,
    Value,
    in_words,
    marked,
    phrase,
    problem,
    remedy,
)
from ledger.problems import (
    in_words as worded,
)
from ledger.proof import formats
from ledger.proof.lines import RULES, WIRE
from ledger.rules.command import Command, Context, event_of, official_of
from ledger.rules.draws import drawn_ranks, recorded_head
from ledger.rules.leaders import appointed, everyone_may_play, hands_over
from ledger.rules.lists import format_problems, lists_to_come
from ledger.rules.people import Entry, RegisterPlayers, person, refuse_unreadable
from ledger.rules.references import not_closed, not_here
from ledger.rules.results import held_up
from ledger.rulesets import StructureKind, load_text
from ledger.rulesets.entries import missing_numbers, without_numbers
from ledger.rulesets.tiebreakers import cut_problems
from ledger.rulesets.toml_files import first_few
from ledger.tournament.progress import find_player, is_over, round_in_play, still_to_be_played
from ledger.tournament.state import CommittedKey, Tournament


def tournament_opened(_: Tournament, event: TournamentOpened) -> Problems:
    document = event.ruleset
    try:
        loaded = load_text(document.text)
        if loaded.document != document:
            text = marked("the text of ruleset {ruleset} does not match its digest")
            yield problem("ruleset.digest", text, ruleset=document.key)
        yield from type_problems(loaded.ruleset, event.event_type)
    except InvalidRuleset as error:
        text = marked("ruleset {ruleset} cannot be used: {error}")
        yield problem("ruleset.unusable", text, ruleset=document.key, error=error.words)
    if event.format is not None:
        yield from format_problems(event.format)
    yield from _commitment_problems(event)
    if event.witness:
        yield from _witness_problems(event)
    if event.log_key:
        yield from _key_problems(event.log_key)
    if not event.name.strip():
        yield problem("opening.name_missing", "a tournament needs a name")
    if not _is_date(event.date):
        yield problem("opening.date", "{date} is not a date", date=event.date)


def _commitment_problems(event: TournamentOpened) -> Problems:
    if bool(event.commitment) != bool(event.hidden):
        text = marked(
            "a tournament must commit to both the key of its draws and the key of hidden "
            "data, or to neither"
        )
        yield problem("opening.one_commitment", text)
    elif event.commitment and event.commitment == event.hidden:
        text = marked("the key of the draws and the key of hidden data must be different")
        yield problem("opening.same_commitment", text)
    elif not event.commitment and event.imported is None:
        text = marked(
            "a tournament that is not imported must commit to the keys of draws and of hidden data"
        )
        yield problem("opening.no_commitment", text)


def _witness_problems(event: TournamentOpened) -> Problems:
    try:
        formats.parse_key(event.witness, formats.COSIGNATURE)
    except formats.Invalid as error:
        yield problem("opening.witness", "the witness: {error}", error=str(error))
    if not event.log_key:
        text = marked("a witness can cosign only with a log key, and this log has no key")
        yield problem("opening.witness_without_key", text)


def _key_problems(public: str) -> Problems:
    try:
        formats.checked_public(formats.unbase64(public, formats.HASH_BYTES))
    except formats.Invalid as error:
        yield problem("opening.log_key", "the log's key: {error}", error=str(error))


def _is_date(text: str) -> bool:
    year, month, day = map(int, text.split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year > 0 and 1 <= month <= len(days) and 1 <= day <= days[month - 1]


def official_appointed(tournament: Tournament, event: OfficialAppointed) -> Problems:
    if event.official > len(tournament.officials):
        text = marked("the next official is number {next}, not {official}")
        new = len(tournament.officials)
        yield problem("official.next_number", text, next=new, official=event.official)
        return
    others = [each for each in tournament.officials if each.number != event.official]
    organizers = sum("organizer" in official.roles for official in others)
    handover = tournament.floor.handover
    if event.hands_to:
        yield from hands_over(tournament, event)
    elif organizers + ("organizer" in event.roles) != 1 or (
        handover and handover.to != event.official
    ):
        text = marked(
            "a tournament must have exactly one organizer: hand over the office to change it"
        )
        way, clause = remedy("official.hand_over"), "FFG-ROLE-ORGANIZER"
        yield problem("official.one_organizer", text, clause=clause, remedy=way)
    if len(set(event.roles)) != len(event.roles):
        yield problem("official.role_twice", "a role is listed twice")
    yield from appointed(tournament, event)


def structure_announced(tournament: Tournament, event: StructureAnnounced) -> Problems:
    if not event.stages:
        yield problem("structure.empty", "a tournament must have at least one stage")
        return
    if tournament.rounds and not event.reason:
        text = marked("the announced structure is fixed: a change needs a reason")
        yield problem("structure.fixed", text, clause="FFG-ANNOUNCE")
    yield from _stage_problems(event.stages, importing=tournament.importing)
    yield from _change_problems(tournament, event)
    if event.structure == "custom" and not tournament.ruleset.structures.custom:
        text, game = marked("{game} does not allow a custom structure"), tournament.ruleset.key
        yield problem("structure.not_custom", text, clause="FFG-STRUCTURE", game=game)
    if not tournament.importing:
        yield from _attendance_problems(tournament, event)
    if is_bound_by(tournament, "few-rounds"):
        yield from _few_rounds_problems(tournament, event)


def _few_rounds_problems(tournament: Tournament, event: StructureAnnounced) -> Problems:
    """Yield that the structure has fewer rounds than the game's table, without a reason."""
    rules, players = tournament.ruleset, event.players
    least = structures.rounds_below(rules, event)
    if least and not event.reason.strip():
        text = marked("{game} asks for {least} rounds with {players} players: fewer need a reason")
        anyway = remedy("start.anyway", structure=event.structure)
        about: dict[str, Value] = {"game": rules.key, "least": least, "players": players}
        clause = rules.structures.clause
        yield Problem("structure.few_rounds", text, about, clause, (anyway,))


def _change_problems(tournament: Tournament, event: StructureAnnounced) -> Problems:
    """What has been played, and a cut that is made, stay as they were announced."""
    begun = [stage.plan for stage in tournament.begun_stages()]
    if len(event.stages) < len(begun) or any(
        old.kind != new.kind or old.entry != new.entry
        for old, new in zip(begun, event.stages, strict=False)
    ):
        text = marked("a stage that has begun must keep its kind and the way players enter it")
        yield problem("structure.stage_begun", text)
    for stage, plan in zip(tournament.stages, event.stages, strict=False):
        if plan.rounds and plan.rounds < len(stage.rounds):
            text = marked("stage {stage} cannot have fewer rounds than are already paired: {count}")
            count = len(stage.rounds)
            yield problem("structure.rounds_played", text, stage=stage.number, count=count)
    through = max((stage.number for stage in tournament.stages if stage.cut_seq), default=0)
    kept = [stage.plan for stage in tournament.stages[:through]]
    if list(event.stages[: max(0, through - 1)]) != kept[:-1] or (
        kept and not _same_cut(event.stages[through - 1 : through], kept[-1])
    ):
        text = marked("the cut to stage {through} has been made: undo it first")
        yield problem("structure.cut_made", text, clause="FFG-ANNOUNCE", through=through)


def _same_cut(stages: tuple[Stage, ...], cut: Stage) -> bool:
    shape = (cut.kind, cut.entry, cut.size)
    return [(stage.kind, stage.entry, stage.size) for stage in stages] == [shape]


def _stage_problems(stages: tuple[Stage, ...], *, importing: bool) -> Problems:
    for number, stage in enumerate(stages, start=1):
        if stage.kind == "swiss" and not stage.rounds:
            text = marked("stage {number}: the number of Swiss rounds is missing")
            yield problem("structure.rounds_missing", text, number=number)
        if stage.kind in {"recorded", "double"} and not importing:
            text = marked("stage {number}: {kind} elimination can only be imported")
            yield problem("structure.import_only", text, number=number, kind=stage.kind)
        if number == 1 and stage.entry != "all":
            yield problem(
                "structure.first_stage",
                "all players enter the first stage: it cannot begin with a cut",
            )
        if stage.entry == "top" and stage.size < PLAYERS_MIN:
            text = marked("stage {number}: a cut must be to at least {players} players")
            yield problem("structure.cut_min", text, number=number, players=PLAYERS_MIN)
        if number > 1 and stage.kind == "single" and stage.entry == "all":
            text = marked("stage {number}: an elimination after other rounds needs a cut")
            yield problem("structure.cut_missing", text, number=number)
        if number > 1 and stage.entry in {"top", "points"} and stages[number - 2].kind != "swiss":
            text = marked("stage {number}: a cut by the standings needs Swiss rounds before it")
            yield problem("structure.cut_by_standings", text, number=number)


def _attendance_problems(tournament: Tournament, event: StructureAnnounced) -> Problems:
    players = len(tournament.active())
    if event.players != players:
        text = marked("the tournament has {players} players, not {announced}")
        yield problem("structure.field", text, players=players, announced=event.players)
        return
    too_large = [stage for stage in event.stages if stage.entry == "top" and stage.size > players]
    if too_large and not tournament.rounds:
        text = marked("a cut to {size} is larger than the field of {players} players")
        yield problem("structure.cut_too_large", text, size=too_large[0].size, players=players)
    if event.structure == "custom":
        return
    rules = tournament.ruleset
    if not is_asked_for(rules, event.structure, players, event.stages):
        yield problem(
            "structure.not_by_rules",
            (
                "the stages must be those of the {structure} structure of {game} for a "
                "field of {players}, which has {stages}"
            ),
            clause="FFG-STRUCTURE",
            structure=phrase(event.structure),
            game=rules.key,
            players=players,
            stages=structures.in_words(rules, event.structure, players),
        )


def tournament_started(tournament: Tournament, event: TournamentStarted) -> Problems:
    if tournament.started:
        yield problem("start.made", "the tournament has already started")
    if event.word != normalized(event.word):
        yield problem(
            "start.word_spelling",
            "the word must be in lower case and normalized Unicode (NFC), without extra spaces",
        )
    elif against := word_problem(event.word):
        yield in_words(against, "start.word")
    if tournament.announced is None:
        text = marked("rounds and cut must be announced before the start")
        yield problem("structure.not_announced", text, clause="FFG-ANNOUNCE")
    if tournament.rounds:
        yield problem(
            "start.round_paired", "the first round is already paired: the tournament has started"
        )
    if len(tournament.active()) < PLAYERS_MIN:
        text = marked("a start needs at least {players} players, not {count}")
        count = len(tournament.active())
        yield problem("start.players_min", text, players=PLAYERS_MIN, count=count)
    yield from everyone_may_play(tournament)
    yield from lists_to_come(tournament)


def tournament_finished(tournament: Tournament, event: TournamentFinished) -> Problems:
    if round_ := round_in_play(tournament):
        yield not_closed(tournament, round_)
    elif not tournament.importing and not is_over(tournament):
        yield still_to_be_played(tournament)
    yield from held_up(tournament, event.waiver, remedy("finish.over_dispute"))
    wrong = [
        *_revealed("shuffle", event.shuffle_key, tournament.draw_keys),
        *_revealed("hidden", event.hidden_key, tournament.hidden_keys),
    ]
    yield from wrong
    if event.hidden_key and not wrong:
        hidden_key = bytes.fromhex(event.hidden_key)
        yield from battle_cards.problems_at_the_end(tournament, hidden_key)
        yield from hands.problems_at_the_end(tournament, hidden_key)


def _revealed(name: str, key: str, committed: Sequence[CommittedKey]) -> Problems:
    """Hold a revealed key to the commitment in use: it is there, and nothing else."""
    if not committed:
        if key:
            text = marked("the event reveals a {key} key, but no event committed to one")
            yield problem("finish.no_such_key", text, key=name)
    elif len(key) != 2 * SECRET_BYTES or _digest(key) != committed[-1].commitment:
        text = marked("the revealed {key} key does not match the commitment of event {event}")
        yield problem("finish.wrong_key", text, key=name, event=committed[-1].seq)


def _digest(key: str) -> str:
    return hashlib.sha256(bytes.fromhex(key)).hexdigest()


def not_imported() -> Problem:
    """Say that an event was entered here."""
    text = marked("this tournament was not imported, so no file can continue it")
    return problem("import.not_imported", text)


def import_resumed(tournament: Tournament, event: ImportResumed) -> Problems:
    source = tournament.opening.imported if tournament.opening else None
    if source is None:
        yield not_imported()
    elif tournament.importing:
        yield problem("import.running", "an import is already in progress")
    elif source.kind != event.source.kind:
        text = marked(
            "the log was imported from a file of kind {kind}; this file is of kind {other}"
        )
        other = event.source.kind
        yield problem("import.other_kind", text, kind=source.kind, other=other)


def import_ended(tournament: Tournament, _: ImportEnded) -> Problems:
    if not tournament.importing:
        yield problem("import.not_running", "no import is in progress")


REQUESTS_MAX, REQUESTS_MAX_BEFORE = 200, 500
"""Requests to be registered that may wait: nobody reads more of them."""


def registration_asked(tournament: Tournament, event: RegistrationAsked) -> Problems:
    if not event.name.strip():
        yield problem("person.name_empty", "a name must not be empty")
    waiting = sum(not request.answered for request in tournament.floor.requests)
    most = REQUESTS_MAX if is_bound_by(tournament, "requests") else REQUESTS_MAX_BEFORE
    if waiting >= most:
        text = marked("{count} requests are already pending: the desk must answer some first")
        yield problem("request.too_many", text, count=waiting)


def registration_answered(tournament: Tournament, event: RegistrationAnswered) -> Problems:
    request = tournament.floor.request(event.asked)
    if not request:
        text = marked("event {event} is not a request for registration")
        yield problem("request.none", text, event=event.asked)
    elif request.answered:
        text = marked("this request was already answered (event {event})")
        yield problem("request.answered", text, event=request.answered)
    player = find_player(tournament, event.player)
    if event.player and (not player or player.status == "withdrawn"):
        yield not_here(event.player)


class OpenTournament(Command, frozen=True):
    """Open the book; the author is its organizer."""

    tournament: str
    name: str
    date: str
    time_zone: str
    ruleset: str
    organizer: str
    tier: base.Tier = "relaxed"
    event_type: str = ""
    """One of the ruleset's types of event, or empty."""

    format: str = ""
    variant: str = ""
    """The whole text of a format, and which variant of it; empty: none is named."""

    lists_required: bool = False
    names: Names = "open"
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
            TournamentOpened,
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


def _format(command: OpenTournament) -> Document | None:
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
    """Announce the structure and begin; repeat it if other players ask for another structure.

    Any other change needs a `reason`, as `ChangeStructure` (FFG-ANNOUNCE).

    `word` is as it was typed. `asked` are rounds and cut where the table leaves a choice, 0 for
    the table's own.
    """

    structure: Literal["basic", "advanced", "custom"]
    stages: tuple[Stage, ...] = ()
    outline: str = ""
    word: str = ""
    asked: tuple[int, int] = (0, 0)
    reason: str = ""

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        word = _word(self.word, tournament)
        players = len(tournament.active())
        stages = self.stages
        if self.structure != "custom":
            stages = announced_stages(tournament, self.structure, players, self.asked)
        rounds = sum(stage.rounds for stage in stages if stage.kind == "swiss")
        _refuse_what_cannot_be_ranked(tournament, rounds)
        announced = StructureAnnounced(self.structure, stages, players, self.outline, self.reason)
        if problems := list(_few_rounds_problems(tournament, announced)):
            raise Refused(*problems)
        _refuse_unasked_change(tournament, announced)
        if not tournament.started or announced != tournament.announced:
            yield announced
        if not tournament.started:
            yield opening.TournamentStarted(word)
            yield recorded_head(tournament, context)
        yield from drawn_ranks(tournament, context)


def _refuse_unasked_change(tournament: Tournament, announced: StructureAnnounced) -> None:
    """Refuse to replace what was announced without a reason, unless the attendance asks for it."""
    before = tournament.announced
    if before is None or not tournament.started or announced.reason:
        return
    is_same = (before.structure, before.stages) == (announced.structure, announced.stages)
    fits = before.structure == "custom" or is_asked_for(
        tournament.ruleset, before.structure, announced.players, before.stages
    )
    if fits and not is_same:
        text = marked("the announced structure is {structure}: a change needs a reason")
        change = remedy("start.change.to", structure=announced.structure)
        raise Refused(
            problem(
                "structure.announced",
                text,
                clause="FFG-ANNOUNCE",
                remedy=change,
                structure=phrase(before.structure),
            )
        )


def _refuse_what_cannot_be_ranked(tournament: Tournament, rounds: int) -> None:
    """Refuse players without a number that the ruleset asks for, and cuts of all there is."""
    rules = tournament.ruleset
    problems = [*_without_numbers(tournament)]
    found = cut_problems(rules.tiebreakers, rounds, phrase("the tournament"))
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
        text = marked("the word must not be empty; to start without a word, omit it")
        raise Refused(problem("word.empty", text))
    if wrong := word_problem(word):
        raise Refused(wrong)
    if typed and tournament.started and word != tournament.word:
        text = marked("the tournament has started without a word: a word can no longer be added")
        if tournament.word:
            text = marked(
                'the tournament has started with the word "{word}": it can no longer be changed'
            )
        raise Refused(problem("word.other", text, word=tournament.word))
    return word


def announced_stages(
    tournament: Tournament, structure: StructureKind, players: int, asked: tuple[int, int] = (0, 0)
) -> tuple[Stage, ...]:
    """The stages that the ruleset's table asks for.

    `asked` are other rounds and another cut, 0 for the table's own, where it leaves a choice.
    Refused where it leaves none, or has no row for that number of players.
    """
    stages = stages_by_attendance(tournament.ruleset, structure, players, asked)
    if stages is None:
        rules = tournament.ruleset
        text = marked(
            "{ruleset} has no {structure} structure for a field of {players}: announce a "
            "custom structure"
        )
        way = remedy("start.custom", rounds=3)
        if players < base.PLAYERS_MIN:
            text = marked("a start needs at least {least} players, not {players}")
            way = remedy("register")
        elif any(asked):
            text = marked(
                "the {structure} structure for a field of {players} has {row}: for any "
                "other, announce a custom structure"
            )
        raise Refused(
            problem(
                "structure.no_row",
                text,
                clause="FFG-STRUCTURE",
                remedy=way,
                ruleset=rules.key,
                structure=phrase(structure),
                players=players,
                row=stages_in_words(rules, structure, players),
                least=base.PLAYERS_MIN,
            )
        )
    return stages


class ChangeStructure(Command, frozen=True):
    """Change what was announced, with a reason."""

    stages: tuple[Stage, ...]
    reason: str
    structure: StructureKind = "custom"

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if tournament.announced is None:
            text = marked("no structure is announced yet")
            raise Refused(problem("structure.none", text, remedy=remedy("start")))
        before = tournament.announced
        structure = "custom" if tournament.rounds else self.structure
        is_of_kind = bool(tournament.rounds) or structure == before.structure
        if not (is_of_kind and self.stages == before.stages):
            players = len(tournament.active())
            yield StructureAnnounced(structure, self.stages, players, before.outline, self.reason)


class AskRegistration(Command, frozen=True):
    """Ask the desk to register somebody who is not in the event yet."""

    name: str
    faction: str = ""
    league_id: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        name = self.name.strip()
        refuse_unreadable(name)
        asked = RegistrationAsked(name, self.faction, self.league_id)
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


class ApproveRegistrations(Command, frozen=True):
    """Register all who asked up to an event that was seen; who cannot be registered still waits."""

    upto: int

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        refusal, is_any = None, False
        waiting = [request.seq for request in tournament.floor.requests if not request.answered]
        for seq in (seq for seq in waiting if seq <= self.upto):
            events = ApproveRegistration(seq).decide(tournament, context, by)
            try:
                first = next(events)
            except Refused as error:
                refusal = refusal or error
                continue
            is_any = True
            yield first
            yield from events
        if refusal and not is_any:
            raise refusal


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
