"""When a pairing may stand: the place of the round, who sits in it, who may meet whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.checks.components import may_be_paired
from ledger.checks.disputes import held_up
from ledger.checks.lists import held_back
from ledger.checks.office import every_match_has_a_ruling
from ledger.pairing.elimination import from_cut, next_round
from ledger.pairing.meetings import ALLOWED, barred, grounds, rematch_problem
from ledger.tournament.byes import has_more_byes, second_bye
from ledger.tournament.progress import (
    next_attempt,
    next_round_number,
    next_stage,
    round_in_play,
    survivors,
)
from ledger.tournament.structures import in_words, is_asked_for
from ledger.tournament.waivers import is_waived

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.rounds import RoundPaired
    from ledger.tournament.state import Stage, Tournament


def paired(tournament: Tournament, event: RoundPaired) -> Iterator[str]:
    """Yield every reason against the pairing."""
    problems = list(_place(tournament, event))
    if not problems:
        stage = tournament.stages[event.stage - 1]
        problems = list(_seats(tournament, stage, event))
    yield from problems
    if problems:
        return
    if tournament.importing or stage.plan.kind in {"recorded", "double"}:
        return
    if stage.is_swiss:
        yield from _swiss(tournament, stage, event)
    else:
        yield from _elimination(tournament, stage, event)


def _place(tournament: Tournament, event: RoundPaired) -> Iterator[str]:
    if not tournament.started:
        yield "the tournament has not started"
        return
    if played := round_in_play(tournament):
        yield f"round {played.number} is not closed"
        return
    stage = next_stage(tournament)
    if stage is None:
        yield "all announced rounds have been played"
        return
    if event.stage != stage.number or event.round != next_round_number(tournament):
        yield f"round {next_round_number(tournament)} of stage {stage.number} comes next"
    if event.attempt != next_attempt(tournament):
        yield f"this is attempt {next_attempt(tournament)} at round {event.round}"
    if stage.number > 1 and stage.plan.entry != "all" and not stage.cut_seq:
        yield f"stage {stage.number} begins with a cut, which is not made"
    if stage.vacancies:
        yield (
            f"player {stage.vacancies[0]} left a place of the cut: "
            "ask the next ranked with `cut --accept` or `cut --decline` (FFG-CUT-REPLACE)"
        )
    yield from _reasons(event)
    yield from held_up(tournament, event.waiver)
    if not tournament.rounds and not tournament.importing:
        yield from changed_attendance(tournament)
    yield from held_back(tournament, event.waiver)


def _reasons(event: RoundPaired) -> Iterator[str]:
    if event.by_hand > len(event.games) or (event.by_hand and not event.reason.strip()):
        yield "a pairing by hand needs a reason"
    if event.waiver is not None and not event.waiver.reason.strip():
        yield "a waiver needs a reason"


def changed_attendance(tournament: Tournament) -> Iterator[str]:
    """The structure is that of the players who are there now (FFG-STRUCTURE)."""
    announced = tournament.announced
    if announced is None or announced.structure == "custom":
        return
    players = len(tournament.active())
    rules, structure = tournament.ruleset, announced.structure
    if not is_asked_for(rules, structure, players, announced.stages):
        has_row = rules.structure(structure, players) is not None
        line = f"start {structure}" if has_row else "start custom --rounds 3"
        yield (
            f"players registered now: {players}; the {structure} structure for them has "
            f"{in_words(rules, structure, players)}: `{line}` announces anew (FFG-STRUCTURE)"
        )


def _seats(tournament: Tournament, stage: Stage, event: RoundPaired) -> Iterator[str]:
    seated = [player for game in event.games for player in game if player]
    if not seated and not tournament.importing:
        yield f"nobody plays in round {event.round}"
    if len(set(seated)) != len(seated):
        yield "a player sits twice"
    active = set(tournament.active())
    yield from every_match_has_a_ruling(tournament, event.games)
    yield from may_be_paired(tournament, event.round, event.games)
    if strangers := sorted(set(seated) - active):
        yield f"player {strangers[0]} does not play on"
    if stage.is_swiss and not tournament.importing and (absent := sorted(active - set(seated))):
        yield f"player {absent[0]} has no table"


def _swiss(tournament: Tournament, stage: Stage, event: RoundPaired) -> Iterator[str]:
    byes = [max(game) for game in event.games if 0 in game]
    if len(byes) > 1 or any(max(game) == 0 for game in event.games):
        yield "a round has one bye at most"
    if not is_waived(tournament.ruleset.rematch.clause, event.waiver, tournament):
        known = grounds(tournament, stage)
        for game in barred(known, event.games, event.by_hand):
            yield rematch_problem(tournament, known, game, ALLOWED)
    if not is_waived("FFG-BYE-LATER", event.waiver, tournament):
        for player in byes:
            if has_more_byes(tournament, player) and not event.passed_over:
                yield second_bye(player) + ALLOWED


def _elimination(tournament: Tournament, stage: Stage, event: RoundPaired) -> Iterator[str]:
    if not stage.rounds:
        if stage.plan.entry == "all":
            yield from _opening(tournament, event)
            return
        expected = from_cut(stage.seeds)
    else:
        expected = next_round(survivors(tournament, tournament.rounds[stage.rounds[-1] - 1]))
    if [tuple(game) for game in expected] != list(event.games):
        yield "the games are not those of the bracket (FFG-ELIM-CUT, FFG-ELIM-NEXT)"


def _opening(tournament: Tournament, event: RoundPaired) -> Iterator[str]:
    players = len(tournament.active())
    games = 1 << (players - 1).bit_length() >> 1
    if len(event.games) != games or any(max(game) == 0 for game in event.games):
        yield "byes fill an opening elimination up to a power of two (FFG-ELIM-OPEN)"
    if {player for game in event.games for player in game if player} != set(tournament.active()):
        yield "everyone plays in the first elimination round (FFG-ELIM-OPEN)"
