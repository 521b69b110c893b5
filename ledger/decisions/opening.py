"""Opening the book, officials, announcing, starting."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from ledger.commands import (
    AppointOfficial,
    ChangeStructure,
    Command,
    OpenTournament,
    StartTournament,
)
from ledger.decisions.draws import drawn_ranks, recorded_head
from ledger.decisions.people import person
from ledger.errors import Refused
from ledger.events.opening import (
    OfficialAppointed,
    Stage,
    StructureAnnounced,
    TournamentOpened,
    TournamentStarted,
)
from ledger.lines.called_word import normalized, word_problem
from ledger.proof.wire import RULES, WIRE
from ledger.rulesets import load_text
from ledger.tournament.same_names import player_named
from ledger.tournament.structures import in_words, stages_by_attendance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.decisions.context import Context
    from ledger.events import Event
    from ledger.events.opening import Document
    from ledger.rulesets import StructureKind
    from ledger.tournament.state import Tournament


def _open(command: OpenTournament, _: Tournament, context: Context, _by: str) -> Iterator[Event]:
    yield TournamentOpened(
        wire=WIRE,
        rules=RULES,
        tournament=command.tournament,
        name=command.name,
        date=command.date,
        time_zone=command.time_zone,
        tier=command.tier,
        ruleset=load_text(command.ruleset).document,
        engine=context.engine,
        commitment=command.commitment or hashlib.sha256(context.shuffle_key).hexdigest(),
        hidden=hashlib.sha256(context.hidden_key).hexdigest(),
        format=_format(command),
        lists_required=command.lists_required,
        names=command.names,
        appeals=command.appeals,
        log_key=command.log_key,
        witness=command.witness,
    )
    yield OfficialAppointed(1, ("organizer",))
    yield person("o1", command.organizer)


def _format(command: OpenTournament) -> Document | None:
    if not command.format:
        return None
    from ledger import formats  # noqa: PLC0415 - an event without a format does not pay for it

    return formats.load_text(command.format, command.variant).document


def _appoint(
    command: AppointOfficial, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    number = command.official or len(tournament.officials)
    known = tournament.officials[number] if number < len(tournament.officials) else None
    if known is None:
        player = 0 if command.namesake else player_named(tournament, command.name)
        yield OfficialAppointed(number, command.roles, player)
    elif known.roles != command.roles:
        yield OfficialAppointed(number, command.roles)
    recorded = person(f"o{number}", command.name)
    if command.name and tournament.names.get(recorded.of) != recorded.name:
        yield recorded


def _start(
    command: StartTournament, tournament: Tournament, context: Context, _by: str
) -> Iterator[Event]:
    word = _word(command.word, tournament)
    players = len(tournament.active())
    stages = command.stages
    if command.structure != "custom":
        stages = announced_stages(tournament, command.structure, players, command.asked)
    announced = StructureAnnounced(command.structure, stages, players, command.outline)
    if not tournament.started or announced != tournament.announced:
        yield announced
    if not tournament.started:
        yield TournamentStarted(word)
        yield recorded_head(tournament, context)
    yield from drawn_ranks(tournament, context)


def _word(typed: str, tournament: Tournament) -> str:
    """The word as the log has it.

    Raises:
        Refused: it is none, or another one was called out.
    """
    word = normalized(typed)
    if typed and not word:
        raise Refused("a word that is called out is not empty; without one, leave --word out")
    if problem := word_problem(word):
        raise Refused(problem)
    if typed and tournament.started and word != tournament.word:
        known = f'the word is "{tournament.word}"' if tournament.word else "it had no word"
        raise Refused(f"the tournament has started, and {known}: there is one word for ever")
    return word


def announced_stages(
    tournament: Tournament,
    structure: StructureKind,
    players: int,
    asked: tuple[int, int] = (0, 0),
) -> tuple[Stage, ...]:
    """The stages that the ruleset's table asks for.

    `asked` are other rounds and another cut, 0 for the table's own, where it leaves a choice.

    Raises:
        Refused: the table has no row for so many players, or leaves no such choice.
    """
    stages = stages_by_attendance(tournament.ruleset, structure, players, asked)
    if stages is None:
        rules = tournament.ruleset
        row = in_words(rules, structure, players)
        asks = (
            f"the {structure} structure for a field of {players} is {row}"
            if any(asked)
            else (f"{rules.key} has no {structure} structure for a field of {players}")
        )
        raise Refused(f"{asks}: announce your own, as `start custom --rounds 3` (FFG-STRUCTURE)")
    return stages


def _change(
    command: ChangeStructure, tournament: Tournament, _: Context, _by: str
) -> Iterator[Event]:
    if tournament.announced is None:
        raise Refused("nothing is announced yet: use `start`")
    if command.stages != tournament.announced.stages:
        outline = tournament.announced.outline
        players = len(tournament.active())
        yield StructureAnnounced("custom", command.stages, players, outline, command.reason)


DECISIONS: dict[type[Command], Callable[[Any, Tournament, Context, str], Iterator[Event]]] = {
    OpenTournament: _open,
    AppointOfficial: _appoint,
    StartTournament: _start,
    ChangeStructure: _change,
}
