"""Opening, structure, start and finish: the facts, and what each does to the tournament."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.facts import base, office
from ledger.facts.base import DESK, ORGANIZER, Event, Recording, Tier
from ledger.facts.shared import (
    RegistrationAsked,
    Source,
    StructureAnnounced,
    TournamentOpened,
)
from ledger.facts.shared import (
    Stage as StagePlan,
)
from ledger.problems import Phrase, Problems, Value, marked, phrase, problem, remedy
from ledger.proof.formats import unbase64
from ledger.proof.signatures import Held
from ledger.rulesets import Ruleset, StructureKind, parse
from ledger.rulesets.toml_files import of_file
from ledger.tournament.state import CommittedKey, Official, Stage, Tournament
from ledger.tournament.table_records import AskedRegistration, Handover

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded


def id_from_file(sha256: str, name: str, date: str) -> str:
    """Return the id of an event whose file does not say what it is called, and when it was."""
    return hashlib.sha256(f"{sha256}\n{date}\n{name}".encode()).hexdigest()[:32]


class OfficialAppointed(Event, frozen=True):
    """A person took office; appointed again, the new roles replace the old (FFG-ROLE-...).

    `player` is who this official is among the players, if they play. `hands_to` is who has the
    office of organizer next, which this official lays down; `for_now`: until they resume it. The
    next event appoints that one.
    """

    recording = Recording(
        marked("appointing an official"), ORGANIZER, after_finish=True, instead=remedy("official")
    )

    official: base.Number
    roles: tuple[base.Role, ...]
    player: base.Seat = 0
    hands_to: base.Seat = 0
    for_now: bool = False


class RegistrationAnswered(Event, frozen=True):
    """The desk registered who asked in an event as a player, or refused (0)."""

    recording = Recording(
        marked("answering a registration"),
        DESK,
        after_finish=True,
        instead=remedy("unregister"),
        stays=marked("the answer is final"),
    )

    asked: base.Seq
    player: base.Seat = 0
    reason: base.Text = ""


class TournamentStarted(Event, frozen=True):
    """Play begins, once; `word` was called out in the room and is mixed into every later draw.

    It stands as `ledger.pairing.shuffling` writes it, and is never sealed: repeating a draw
    needs it.
    """

    recording = Recording(
        marked("starting the tournament"),
        ORGANIZER,
        needs_draw_key=True,
        instead=remedy("start.change.to"),
        stays=marked("its word and its draws are final"),
    )

    word: Annotated[str, Meta(max_length=base.WORD_MAX)] = ""


class TournamentFinished(Event, frozen=True):
    """Play is closed; the two secret keys, in hex, open the commitments.

    Both are empty in a finished import, which commits to none.
    """

    recording = Recording(
        marked("finishing"), ORGANIZER, needs_draw_key=True, instead=remedy("correct")
    )

    shuffle_key: base.SecretOrNone = ""
    hidden_key: base.SecretOrNone = ""
    waiver: base.Waiver | None = None


class ImportResumed(Event, frozen=True):
    """A later state of the foreign file was taken in: the facts up to `ImportEnded` are its.

    An import goes on so until its owner finishes the event.
    """

    recording = Recording(
        marked("importing a longer file"),
        ORGANIZER,
        stays=(marked("the imported lines are permanent")),
    )

    source: Source


class ImportEnded(Event, frozen=True):
    """The facts of the foreign file end here; what follows is held to every rule again."""

    recording = Recording(
        marked("ending an import"),
        ORGANIZER,
        after_finish=True,
        stays=marked("the imported lines are permanent"),
    )


def tournament_opened(tournament: Tournament, event: TournamentOpened, recorded: Recorded) -> None:
    tournament.opening = event
    tournament.rules = parse(event.ruleset.text).on(event.date)
    tournament.letters = tournament.ruleset.records
    tournament.importing = event.imported is not None
    if event.commitment:
        act = recorded.seq, recorded.command_id
        tournament.draw_keys.append(CommittedKey(event.commitment, *act))
        tournament.hidden_keys.append(CommittedKey(event.hidden, *act))
    if event.log_key:
        public = unbase64(event.log_key)
        tournament.keys[public] = Held(0, public, recorded.seq)


def official_appointed(
    tournament: Tournament, event: OfficialAppointed, recorded: Recorded
) -> None:
    official = Official(event.official, event.roles, event.player)
    if not tournament.started:
        official.announced = office.leads(tournament, event.roles)
    if event.official == len(tournament.officials):
        tournament.officials.append(official)
        return
    before = tournament.officials[event.official]
    official.player = official.player or before.player
    official.stood_down = before.stood_down
    official.announced = official.announced or (tournament.started and before.announced)
    tournament.officials[event.official] = official
    if event.hands_to:
        _laid_down(tournament, event, recorded)
    elif (handover := tournament.floor.handover) and handover.to == event.official:
        tournament.floor.handover = None
        official.stood_down = official.stood_down and not handover.back
        if handover.for_now:
            tournament.floor.deputies[event.official] = handover.of


def _laid_down(tournament: Tournament, event: OfficialAppointed, recorded: Recorded) -> None:
    """The organizer lays the office down: for now as a spectator, or giving it back."""
    by = int(recorded.by.partition("/")[0][1:])
    back = tournament.floor.deputies.pop(event.official, 0) == event.hands_to
    tournament.floor.handover = Handover(by, event.official, event.hands_to, event.for_now, back)
    if event.for_now:
        tournament.officials[event.official].stood_down = True


def structure_announced(tournament: Tournament, event: StructureAnnounced, _: Recorded) -> None:
    tournament.announced = event
    del tournament.stages[len(event.stages) :]
    for number, plan in enumerate(event.stages, start=1):
        if number <= len(tournament.stages):
            tournament.stages[number - 1].plan = plan
        else:
            tournament.stages.append(Stage(number, plan))


def tournament_started(
    tournament: Tournament, event: TournamentStarted, recorded: Recorded
) -> None:
    tournament.started = True
    tournament.start_seq = recorded.seq
    tournament.word = event.word


def tournament_finished(
    tournament: Tournament, event: TournamentFinished, recorded: Recorded
) -> None:
    tournament.finished_seq = recorded.seq
    tournament.shuffle_key = event.shuffle_key
    tournament.hidden_key = event.hidden_key


def import_resumed(tournament: Tournament, _event: ImportResumed, _: Recorded) -> None:
    tournament.importing = True


def import_ended(tournament: Tournament, _event: ImportEnded, _: Recorded) -> None:
    tournament.letters = tournament.ruleset.records
    tournament.importing = False


def registration_asked(
    tournament: Tournament, event: RegistrationAsked, recorded: Recorded
) -> None:
    tournament.floor.requests.append(AskedRegistration(recorded.seq, recorded.at, event))


def registration_answered(
    tournament: Tournament, event: RegistrationAnswered, recorded: Recorded
) -> None:
    if request := tournament.floor.request(event.asked):
        request.answered, request.player = recorded.seq, event.player


def stages_by_attendance(
    rules: Ruleset, structure: StructureKind, players: int, asked: tuple[int, int] = (0, 0)
) -> tuple[StagePlan, ...] | None:
    """The stages for a number of players: Swiss rounds and, where there is a cut, an elimination.

    `asked` are other rounds and another cut, 0 for the table's own, where it leaves a choice.
    None for a custom structure, an attendance that the table does not hold, and a choice that it
    does not leave.
    """
    band = rules.structure(structure, players)
    if band is None:
        return None
    rounds, cut = asked[0] or band.rounds, asked[1] or band.cut
    if not band.allows(rounds, cut):
        return None
    swiss = StagePlan("swiss", rounds)
    return (swiss, StagePlan("single", entry="top", size=cut)) if cut else (swiss,)


def is_asked_for(
    rules: Ruleset, structure: StructureKind, players: int, stages: tuple[StagePlan, ...]
) -> bool:
    """Whether the table's row for these players has these stages, or leaves them as a choice."""
    swiss, *rest = stages
    asked = (swiss.rounds, rest[0].size if rest else 0)
    return stages == stages_by_attendance(rules, structure, players, asked)


def rounds_below(rules: Ruleset, announced: StructureAnnounced) -> int:
    """Return the rounds of the table if fewer are announced; 0 if the structure is not below it.

    This is a rule of games that have no custom structure beside their table (AOP-ROUNDS).
    A structure with a cut is compared with the table for a cut.
    """
    stages = announced.stages
    if not stages or not rules.structures.is_by_table or stages[0].kind != "swiss":
        return 0
    kind: StructureKind = "advanced" if len(stages) > 1 else "basic"
    band = rules.structure(kind, announced.players) or rules.structure("basic", announced.players)
    rounds = sum(stage.rounds for stage in stages if stage.kind == "swiss")
    return band.rounds if band is not None and rounds < band.rounds else 0


def few_players(rules: Ruleset, players: int) -> Phrase | None:
    """Warn that the game's table begins with more players (AOP-ROUNDS); None: no warning."""
    table = rules.structures.basic
    least = min(band.players_min for band in table.bands) if table else 0
    if not rules.structures.is_by_table or players >= least:
        return None
    clause = rules.structures.clause
    return phrase(
        "fewer than {count} player is not recommended in {game} ({clause})",
        plural="fewer than {count} players are not recommended in {game} ({clause})",
        count=least,
        game=rules.key,
        clause=clause,
    )


def unusual_for_tier(rules: Ruleset, structure: StructureKind, tier: Tier) -> Phrase | None:
    """Warn that events of this tier have another structure (FFG-PREMIER); None: no warning."""
    tiers = rules.structures.tiers
    if tiers is None:
        return None
    return _unusual(rules, tier, "structure", tiers.usual.get(tier), structure, tiers.clause)


def unusual_tier_for_type(rules: Ruleset, event_type: str, tier: Tier) -> Phrase | None:
    """Warn that events of this type have another tier (RW-TIER); None: no warning."""
    types, kind = rules.structures.types, rules.structures.type_of(event_type)
    if not types or not kind:
        return None
    return _unusual(rules, kind.name, "tier", kind.tier, tier, types.clause)


def unusual_structure_for_type(
    rules: Ruleset, event_type: str, structure: StructureKind
) -> Phrase | None:
    """Warn that events of this type have another structure (RW-TIER); None: no warning."""
    types, kind = rules.structures.types, rules.structures.type_of(event_type)
    if not types or not kind:
        return None
    return _unusual(rules, kind.name, "structure", kind.structure, structure, types.clause)


def _unusual(
    rules: Ruleset, kind: str, part: str, usual: str | None, chosen: str, clause: str
) -> Phrase | None:
    """Warn that events of a kind usually have another tier or structure; None: any is usual."""
    if usual is None or usual == chosen:
        return None
    text = marked("a {kind} tournament of {game} should have the {usual} structure ({clause})")
    if part == "tier":
        text = marked("a {kind} tournament of {game} should have the {usual} tier ({clause})")
    about: dict[str, Value] = {"kind": of_file(kind), "usual": of_file(usual)}
    return Phrase(text, {**about, "game": rules.key, "clause": clause})


def type_problems(rules: Ruleset, event_type: str) -> Problems:
    """Yield that the ruleset does not have the recorded type of event."""
    types = rules.structures.types
    if not event_type or rules.structures.type_of(event_type):
        return
    text = marked("{game} has no types of tournament: leave the type out")
    if types:
        text = marked("{game} has no type of tournament {type}: its types are {types}")
    yield problem(
        "opening.event_type",
        text,
        clause=types.clause if types else "",
        game=rules.key,
        type=event_type,
        types=tuple(map(of_file, rules.structures.type_names)),
    )


def in_words(rules: Ruleset, structure: StructureKind, players: int) -> Phrase:
    """What the table's row for these players asks for."""
    band = rules.structure(structure, players)
    return band.in_words if band else phrase("no row for this number")
