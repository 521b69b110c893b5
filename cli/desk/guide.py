"""The state of the day and the next act, in one line for the person at the desk.

A terminal names the line to type. A page has a button for the next act, so its sentence only gives
the state, and a command in it is a link to the form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from cli.input.find_people import labelled, quoted
from cli.input.structures import choices, structures_on_page
from cli.languages.speaking import marked, tr, tr_many
from cli.machine.keyring import key_is_away, why_only_read
from cli.terminal.problems import COMMANDS, command_of, line_of, sentence_of
from cli.terminal.visible import how_many
from cli.wording.dispute_words import next_act
from cli.wording.phrases import elimination_round, table_in_words
from ledger.facts.base import PLAYERS_MIN
from ledger.facts.office import recommended
from ledger.facts.setups import unready
from ledger.rulesets.ruleset import cited
from ledger.tournament import progress
from ledger.tournament.disputes import state_of, unreviewed, unsettled
from ledger.tournament.progress import cut_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.desk.session import Desk
    from ledger.problems import Player, Problem
    from ledger.tournament.state import Round, Stage, Tournament
    from ledger.tournament.table_records import Dispute

FINISH = marked("next: finish")
FINISH_ON_PAGE = marked("every round is played")


def next_step(tournament: Tournament, *, on_page: bool = False) -> str:
    """Say what to type next, or on a page the state.

    A dispute comes first, once no table is played any more.
    """
    disputed = unsettled(tournament)
    played = progress.round_in_play(tournament)
    if not disputed or (played is not None and progress.open_matches(played)):
        step = _next_step(tournament, on_page=on_page)
        if disputed:
            return f"{step}{_in_question(tournament, disputed)}"
        is_end = step in {tr(FINISH), tr(FINISH_ON_PAGE)}
        return f"{step}{_to_decide(tournament)}" if is_end else step
    act = next_act(tournament, disputed[0], is_paper=on_page)
    if not disputed[1:]:
        return act
    return tr("{act} (and {count} more: `disputes`)", act=act, count=len(disputed) - 1)


def next_here(desk: Desk) -> str:
    """Say what to type next at a desk, and what makes a copy writable, or its end signed."""
    following = next_step(desk.book.tournament)
    if not desk.is_live:
        return following
    if desk.heads.is_only_read():
        return sentence_of(why_only_read(desk.book.stream), {})
    if not following.startswith(tr(FINISH)) or not desk.heads.is_key_away():
        return following
    return tr("{next}; no head will be signed: {reason}", next=following, reason=key_is_away())


def _in_question(tournament: Tournament, disputed: Sequence[Dispute]) -> str:
    """Say, while tables are played, what is ruled on and not entered, and how much is disputed."""
    due = [each for each in disputed if state_of(tournament, each) == "correction due"]
    entered = ""
    if due:
        place, count = table_in_words(tournament, due[0].match), len(due) - 1
        entered = tr("; not yet entered: `correct --ruling {table}`", table=place)
    if due[1:]:
        entered = tr(
            "; not yet entered: `correct --ruling {table}` (and {count} more: `disputes`)",
            table=place,
            count=count,
        )
    others = len(disputed) - len(due)
    return entered + (tr("; {count} disputed: `disputes`", count=others) if others else "")


def _to_decide(tournament: Tournament) -> str:
    """Name what is left to officials, which holds nothing up."""
    rulings, recommendations = len(unreviewed(tournament)), len(recommended(tournament))
    reviews = tr_many(
        "; {count} ruling to review first: `rule`",
        "; {count} rulings to review first: `rule`",
        rulings,
    )
    decisions = tr_many(
        "; {count} recommended disqualification to decide first: `recommend`",
        "; {count} recommended disqualifications to decide first: `recommend`",
        recommendations,
    )
    return (reviews if rulings else "") + (decisions if recommendations else "")


def _next_step(tournament: Tournament, *, on_page: bool) -> str:
    if tournament.finished:
        files = tr("the tournament is finished: `standings --final`, `export`")
        return tr("the tournament is finished") if on_page else files
    if not tournament.started:
        return _before_start_on_page(tournament) if on_page else _before_start(tournament)
    cut = tournament.pending_cut()
    if cut is not None and cut.vacancies:
        return _vacancy(tournament, cut, on_page=on_page)
    played = progress.round_in_play(tournament)
    if played is None:
        if progress.is_over(tournament):
            return tr(FINISH_ON_PAGE if on_page else FINISH)
        changed, stage = _changed_attendance(tournament), progress.next_stage(tournament)
        return changed or _between_rounds(tournament, stage, on_page=on_page)
    return _in_round(tournament, played, on_page=on_page)


def _in_round(tournament: Tournament, played: Round, *, on_page: bool) -> str:
    if not played.unreported:
        following = _stage_after(tournament, played)
        return _between_rounds(tournament, following, on_page=on_page)
    missing = still_missing(tournament, played)
    if on_page:
        return missing
    is_fresh = played.status == "paired" and not any(each.result for each in played.matches)
    waits = any(each.code == "scenario.none_drawn" for each in unready(tournament, played))
    if not is_fresh:
        return tr("next: report ({missing})", missing=missing)
    if not waits:
        return tr("next: round start, then report ({missing})", missing=missing)
    return tr("next: scenario draw, round start, then report ({missing})", missing=missing)


def _changed_attendance(tournament: Tournament) -> str:
    """Say that what was announced no longer fits those registered; nothing where it does."""
    from ledger.rules.pairing import changed_attendance

    rules = tournament.ruleset
    lines = (line_of(cited(rules, each), {}) for each in changed_attendance(tournament))
    return "" if tournament.rounds else "; ".join(lines)


def results_to_come(played: Round) -> str:
    """Count the results that a round still needs."""
    matches = sum(not match.is_bye for match in played.matches)
    return tr(
        "{missing} of {results} of round {round} missing",
        missing=played.unreported,
        results=how_many(matches, "result"),
        round=played.number,
    )


def still_missing(tournament: Tournament, played: Round) -> str:
    """Count the results that a round still needs, and its reports that wait to be confirmed."""
    results = results_to_come(played)
    waiting = sum(match.number in tournament.floor.unconfirmed for match in played.matches)
    if not waiting:
        return results
    return tr(
        "{results}, {count} waiting for confirmation: `confirm`", results=results, count=waiting
    )


def round_in_words(tournament: Tournament, played: Round) -> str:
    """Name a round with its place in its stage."""
    stage = tournament.stages[played.stage - 1]
    place = stage.rounds.index(played.number) + 1
    if stage.is_swiss:
        return tr(
            "round {round} (Swiss {place} of {rounds})",
            round=played.number,
            place=place,
            rounds=stage.plan.rounds,
        )
    kind = elimination_name(tournament, stage, place - 1) or tr("elimination")
    return tr("round {round} ({kind})", round=played.number, kind=kind)


def elimination_name(tournament: Tournament, stage: Stage, place: int) -> str:
    """Name a round of a single elimination by its place from 0, also before it is paired.

    The name is empty in another stage.
    """
    games = elimination_games(tournament, stage, place)
    return elimination_round(games) if games else ""


def elimination_games(tournament: Tournament, stage: Stage, place: int) -> int:
    """Return how many games a round of a single elimination has; 0 in another stage."""
    if stage.plan.kind != "single":
        return 0
    games = 1 << max(planned_rounds(tournament, stage) - place - 1, 0)
    if place < len(stage.rounds):
        games = len(tournament.rounds[stage.rounds[place] - 1].matches)
    return games


def round_to_act_on(tournament: Tournament, stage: Stage, place: int) -> str:
    """Return a round as the object of an act: `the semifinals`, or `round 3`."""
    name = elimination_name(tournament, stage, place)
    if name:
        return tr("the {round}", round=name)
    played = stage.rounds[place] if place < len(stage.rounds) else len(tournament.rounds) + 1
    return tr("round {number}", number=played)


def planned_rounds(tournament: Tournament, stage: Stage) -> int:
    """Return how many rounds a stage is expected to have, at least those that it has."""
    plan, count = stage.plan, stage.plan.rounds
    if not count and plan.kind == "single":
        top = plan.size if plan.entry == "top" else 0
        players = len(stage.seeds or stage.entrants) or top or len(tournament.active())
        count = max(players - 1, 0).bit_length()
    return max(count, len(stage.rounds))


def _before_start(tournament: Tournament) -> str:
    players = len(tournament.active())
    if players <= 1:
        return tr('next: register players, as `register "Ann Lee"` or `register --file FILE`')
    return tr("next: register more, or `start`: {structures}", structures=choices(tournament))


def _before_start_on_page(tournament: Tournament) -> str:
    players = len(tournament.active())
    if not players:
        return tr("a start needs {needed} players, and none is registered", needed=PLAYERS_MIN)
    if players == 1:
        return tr("a start needs {needed} players, and 1 is registered", needed=PLAYERS_MIN)
    return tr(
        "{players} registered; {structures}",
        players=how_many(players, "player"),
        structures=structures_on_page(tournament),
    )


def _vacancy(tournament: Tournament, stage: Stage, *, on_page: bool) -> str:
    leaver = labelled(tournament, stage.vacancies[0])
    if stage.rounds:
        if on_page:
            text = marked("{player} left the cut before the first game: take back its pairing")
        else:
            text = marked("{player} left the cut before the first game; next: unpair")
        return tr(text, player=leaver)
    if not stage.waiting:
        if on_page:
            text = marked(
                "{player} left the cut, and no other player can be asked: leave the place empty"
            )
        else:
            text = marked(
                "{player} left the cut, and no other player can be asked; next: cut forfeit"
            )
        return tr(text, player=leaver)
    asked = labelled(tournament, stage.waiting[0])
    if on_page:
        return tr("{player} left the cut: ask {other}", player=leaver, other=asked)
    return tr(
        "{player} left the cut: ask {other}, then `cut accept {name}` or `cut decline {name}`",
        player=leaver,
        other=asked,
        name=quoted(tournament, stage.waiting[0]),
    )


def _stage_after(tournament: Tournament, played: Round) -> Stage | None:
    """Return the stage of the next round, as if the round in play were closed."""
    stage = tournament.stages[played.stage - 1]
    if not progress.is_played_out(tournament, stage):
        return stage
    following = tournament.stages[stage.number :]
    return following[0] if following else None


def _between_rounds(tournament: Tournament, stage: Stage | None, *, on_page: bool) -> str:
    if stage is None or not tournament.active():
        return tr(FINISH_ON_PAGE if on_page else FINISH)
    if stage.number > 1 and stage.plan.entry != "all" and not stage.cut_seq:
        return _before_cut(tournament, stage, on_page=on_page)
    if draws := progress.draws_wait_for(tournament):
        return line_of(draws, tournament.names)
    name = elimination_name(tournament, stage, len(stage.rounds))
    number = len(tournament.rounds) + 1
    due = tr("round {number}", number=number)
    if name:
        due = tr("round {number}, {name}", number=number, name=name)
    problem = _held_back(tournament)
    if on_page:
        unpaired = tr("not paired yet: {round}", round=due)
        return f"{unpaired}; {sentence_of(problem, tournament.names)}" if problem else unpaired
    if problem is None:
        return tr("next: pair ({round})", round=due)
    remedy = problem.remedies[0]
    player = cast("Player", remedy.about["player"])
    return tr(
        "next: {command} ({reason}), then pair ({round})",
        command=COMMANDS[remedy.act].format(player=quoted(tournament, player.number)),
        reason=sentence_of(problem, tournament.names),
        round=due,
    )


def _before_cut(tournament: Tournament, stage: Stage, *, on_page: bool) -> str:
    against = cut_problem(tournament, stage)
    if on_page:
        return line_of(against, {}) if against else tr("the rounds before the cut are played")
    if against is None or not against.remedies:
        return tr("next: cut")
    return tr(
        "{problem}: next: {commands}",
        problem=sentence_of(against, {}),
        commands=tr(" or ").join(map(command_of, against.remedies)),
    )


def _held_back(tournament: Tournament) -> Problem | None:
    """Return the first reason why the next round waits for a list or a deck."""
    from ledger.rules.lists import held_back

    return next(held_back(tournament, None), None)
