"""When a tournament may be opened, announced, started and finished."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from ledger.checks import office
from ledger.checks.disputes import held_up
from ledger.checks.lists import format_problems, lists_to_come
from ledger.errors import InvalidRuleset
from ledger.events.base import PLAYERS_MIN, SECRET_BYTES
from ledger.events.opening import (
    ImportEnded,
    OfficialAppointed,
    StructureAnnounced,
    TournamentFinished,
    TournamentOpened,
    TournamentStarted,
)
from ledger.lines.called_word import normalized, word_problem
from ledger.proof.formats import (
    COSIGNATURE,
    HASH_BYTES,
    Invalid,
    checked_public,
    parse_key,
    unbase64,
)
from ledger.rulesets import load_text
from ledger.tournament import battle_cards, hidden_hands
from ledger.tournament.early_finish import still_to_be_played
from ledger.tournament.progress import is_over, round_in_play
from ledger.tournament.structures import in_words, is_asked_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ledger.events import Event
    from ledger.events.opening import Stage
    from ledger.tournament.state import CommittedKey, Tournament


def _opened(_: Tournament, event: TournamentOpened) -> Iterator[str]:
    document = event.ruleset
    try:
        if load_text(document.text).document != document:
            yield f"the text of ruleset {document.key} is not the one that its digest names"
    except InvalidRuleset as error:
        yield f"ruleset {document.key} cannot be used: {error}"
    if event.format is not None:
        yield from format_problems(event.format)
    yield from _commitment_problems(event)
    if event.witness:
        yield from _witness_problems(event)
    if event.log_key:
        yield from _key_problems(event.log_key)
    if not event.name.strip():
        yield "a tournament needs a name"
    if not _is_date(event.date):
        yield f"{event.date} is no date"


def _commitment_problems(event: TournamentOpened) -> Iterator[str]:
    if bool(event.commitment) != bool(event.hidden):
        yield "an event commits to the key of its draws and to that of what is hidden, or to none"
    elif event.commitment and event.commitment == event.hidden:
        yield "the draws and what is hidden have each a key of its own"
    elif not event.commitment and event.imported is None:
        yield "an event that draws here commits to the keys of its draws and of what is hidden"


def _witness_problems(event: TournamentOpened) -> Iterator[str]:
    try:
        parse_key(event.witness, COSIGNATURE)
    except Invalid as error:
        yield f"the witness: {error}"
    if not event.log_key:
        yield "a witness cosigns what the log's key signs, and this log has no key"


def _key_problems(public: str) -> Iterator[str]:
    try:
        checked_public(unbase64(public, HASH_BYTES))
    except Invalid as error:
        yield f"the log's key: {error}"


def _is_date(text: str) -> bool:
    year, month, day = map(int, text.split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return year > 0 and 1 <= month <= len(days) and 1 <= day <= days[month - 1]


def _appointed(tournament: Tournament, event: OfficialAppointed) -> Iterator[str]:
    if event.official > len(tournament.officials):
        yield f"the next official is number {len(tournament.officials)}, not {event.official}"
        return
    others = [each for each in tournament.officials if each.number != event.official]
    organizers = sum("organizer" in official.roles for official in others)
    if organizers + ("organizer" in event.roles) != 1:
        yield "an event has exactly one organizer; who is it keeps that role (FFG-ROLE-ORGANIZER)"
    if len(set(event.roles)) != len(event.roles):
        yield "a role is given once"
    yield from office.appointed(tournament, event)


def _announced(tournament: Tournament, event: StructureAnnounced) -> Iterator[str]:
    if not event.stages:
        yield "a tournament has at least one stage"
        return
    if tournament.rounds and not event.reason:
        yield "what was announced is fixed; a change needs a reason (FFG-ANNOUNCE)"
    yield from _stage_problems(event.stages, importing=tournament.importing)
    yield from _change_problems(tournament, event)
    if event.structure == "custom" and not tournament.ruleset.structures.custom:
        yield f"{tournament.ruleset.key} has no custom structure (FFG-STRUCTURE)"
    if not tournament.importing:
        yield from _attendance_problems(tournament, event)


def _change_problems(tournament: Tournament, event: StructureAnnounced) -> Iterator[str]:
    """What has been played, and a cut that is made, stay as they were announced."""
    begun = [stage.plan for stage in tournament.begun_stages()]
    if len(event.stages) < len(begun) or any(
        old.kind != new.kind or old.entry != new.entry
        for old, new in zip(begun, event.stages, strict=False)
    ):
        yield "a stage that has begun keeps its kind and its entry"
    for stage, plan in zip(tournament.stages, event.stages, strict=False):
        if plan.rounds and plan.rounds < len(stage.rounds):
            yield f"stage {stage.number} has {len(stage.rounds)} rounds already"
    through = max((stage.number for stage in tournament.stages if stage.cut_seq), default=0)
    kept = [stage.plan for stage in tournament.stages[:through]]
    if list(event.stages[: max(0, through - 1)]) != kept[:-1] or (
        kept and not _same_cut(event.stages[through - 1 : through], kept[-1])
    ):
        yield f"the cut to stage {through} is made: take it back first (FFG-ANNOUNCE)"


def _same_cut(stage: tuple[Stage, ...], cut: Stage) -> bool:
    return bool(stage) and (stage[0].kind, stage[0].entry, stage[0].size) == (
        cut.kind,
        cut.entry,
        cut.size,
    )


def _stage_problems(stages: tuple[Stage, ...], *, importing: bool) -> Iterator[str]:
    for number, stage in enumerate(stages, start=1):
        if stage.kind == "swiss" and not stage.rounds:
            yield f"stage {number}: Swiss rounds have a number"
        if stage.kind in {"recorded", "double"} and not importing:
            yield f"stage {number}: {stage.kind} elimination can only be imported"
        if number == 1 and stage.entry != "all":
            yield "everyone enters the first stage"
        if stage.entry == "top" and stage.size < PLAYERS_MIN:
            yield f"stage {number}: a cut goes to {PLAYERS_MIN} players at least"
        if number > 1 and stage.kind == "single" and stage.entry == "all":
            yield f"stage {number}: an elimination after other rounds needs a cut"
        if number > 1 and stage.entry in {"top", "points"} and stages[number - 2].kind != "swiss":
            yield f"stage {number}: a cut goes by the standings of Swiss rounds"


def _attendance_problems(tournament: Tournament, event: StructureAnnounced) -> Iterator[str]:
    players = len(tournament.active())
    if event.players != players:
        yield f"the field is one of {players}, not of {event.players}"
        return
    too_large = [stage for stage in event.stages if stage.entry == "top" and stage.size > players]
    if too_large and not tournament.rounds:
        yield f"a cut to {too_large[0].size} is larger than the field of {players}"
    if event.structure == "custom":
        return
    rules = tournament.ruleset
    if not is_asked_for(rules, event.structure, players, event.stages):
        yield (
            f"the {event.structure} structure of {rules.key} for a field of {players} has "
            f"{in_words(rules, event.structure, players)} (FFG-STRUCTURE)"
        )


def _started(tournament: Tournament, event: TournamentStarted) -> Iterator[str]:
    if tournament.started:
        yield "play has started: there is one start, and one word, for ever"
    if event.word != normalized(event.word):
        yield "the word is not written as the log writes words"
    elif problem := word_problem(event.word):
        yield problem
    if tournament.announced is None:
        yield "rounds and cut are announced before the start (FFG-ANNOUNCE)"
    if tournament.rounds:
        yield "the first round has been paired: it has started"
    if len(tournament.active()) < PLAYERS_MIN:
        yield f"a start needs {PLAYERS_MIN} players, not {len(tournament.active())}"
    yield from office.everyone_may_play(tournament)
    yield from lists_to_come(tournament)


def _finished(tournament: Tournament, event: TournamentFinished) -> Iterator[str]:
    if played := round_in_play(tournament):
        yield f"round {played.number} is not closed"
    elif not tournament.importing and not is_over(tournament):
        yield still_to_be_played(tournament)
    yield from held_up(tournament, event.waiver)
    wrong = [
        *_revealed("shuffle", event.shuffle_key, tournament.draw_keys),
        *_revealed("hidden", event.hidden_key, tournament.hidden_keys),
    ]
    yield from wrong
    if event.hidden_key and not wrong:
        yield from battle_cards.problems_at_the_end(tournament, bytes.fromhex(event.hidden_key))
        yield from hidden_hands.problems_at_the_end(tournament, bytes.fromhex(event.hidden_key))


def _revealed(name: str, key: str, committed: Sequence[CommittedKey]) -> Iterator[str]:
    """Hold a revealed key to the commitment in use: it is there, and nothing else."""
    if not committed:
        if key:
            yield f"a {name} key is revealed that no event committed to"
    elif len(key) != 2 * SECRET_BYTES or _digest(key) != committed[-1].commitment:
        yield f"the {name} key is not the one that event {committed[-1].seq} committed to"


def _digest(key: str) -> str:
    return hashlib.sha256(bytes.fromhex(key)).hexdigest()


def _import_ended(tournament: Tournament, _: ImportEnded) -> Iterator[str]:
    if not tournament.importing:
        yield "nothing is being imported"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    TournamentOpened: _opened,
    OfficialAppointed: _appointed,
    StructureAnnounced: _announced,
    TournamentStarted: _started,
    TournamentFinished: _finished,
    ImportEnded: _import_ended,
}
