"""Progress of the day: the round and stage in play, byes, and whether play may end early."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from ledger.facts.base import NOBODY, PLAYERS_MIN
from ledger.facts.shared import Stage as Plan
from ledger.problems import (
    Player as PlayerReference,
)
from ledger.problems import (
    Problem,
    Remedy,
    Table,
    marked,
    problem,
    remedy,
)
from ledger.rulesets.entries import number_columns
from ledger.rulesets.outcomes import Scoring
from ledger.tournament.state import Match, Player, Round, Stage, Tournament
from ledger.tournament.table_records import Attendance, Call

RANKS_A_LINE = 3_000
"""How many random ranks one event holds: more would not fit into a line."""


def draws_wait_for(tournament: Tournament) -> Problem | None:
    """Say what has to be on record before anything is drawn; None where nothing is missing."""
    missing = _anchor_waits_for(tournament)
    if not missing and not tournament.is_imported and next_ranks(tournament):
        text = marked("the random ranks are not drawn yet")
        return problem("draws.no_ranks", text, remedy=remedy("start"))
    return missing


def not_started() -> Problem:
    """Say that play has not begun."""
    text = marked("the tournament has not started")
    return problem("tournament.not_started", text, remedy=remedy("start"))


def _anchor_waits_for(tournament: Tournament) -> Problem | None:
    if tournament.is_imported:
        return None
    if not tournament.started:
        return not_started()
    if tournament.head is None:
        text = marked("the head of the start is not on record, so nothing can be drawn in this log")
        return problem("draws.no_head", text)
    if tournament.witness and not tournament.cosignature:
        return problem(
            "draws.no_cosignature",
            "the draws need the cosignature of the witness {witness}: ask for it, then record it",
            remedy=(remedy("witness.ask"), remedy("start.witnessed")),
            witness=tournament.witness.partition("+")[0],
        )
    return None


def next_ranks(tournament: Tournament) -> range:
    """The players whose random ranks are drawn next, in one event; none where nothing may be."""
    if tournament.is_imported or _anchor_waits_for(tournament):
        return range(0)
    first, players = tournament.ranked + 1, len(tournament.players)
    return range(first, min(first + RANKS_A_LINE, players))


def latest_round(tournament: Tournament) -> Round | None:
    """The round that was paired last."""
    return tournament.rounds[-1] if tournament.rounds else None


def round_in_play(tournament: Tournament) -> Round | None:
    """The round that is paired and not closed."""
    latest = latest_round(tournament)
    return latest if latest is not None and latest.status != "closed" else None


def minutes_of(tournament: Tournament, round_: Round) -> int:
    """How long the round is: a final has a clock of its own, and no extra time (FFG-CLOCK)."""
    clock = tournament.ruleset.clock
    if tournament.stages[round_.stage - 1].is_swiss:
        return clock.swiss + tournament.floor.extra_minutes
    if len(round_.matches) == 1:
        return clock.final
    return clock.elimination + tournament.floor.extra_minutes


def time_over(tournament: Tournament, number: int) -> Call | None:
    """Return the call that ended the time of a round; None before it. No later call follows it."""
    calls = tournament.floor.calls.get(number)
    return calls[-1] if calls and calls[-1].left == 0 else None


def paused_since(tournament: Tournament, number: int) -> str:
    """Return since when the clock of a round stands still; empty while it runs."""
    pauses = tournament.floor.pauses.get(number)
    return pauses[-1].since if pauses and not pauses[-1].until else ""


def is_paused(tournament: Tournament, number: int) -> bool:
    """Return whether the clock of a round stands still."""
    return paused_since(tournament, number) != ""


def may_be_paired_again(tournament: Tournament, player: int) -> Round | None:
    """Return the Swiss round that a player who leaves sits in, if no other table has begun.

    It has not started, so its pairing can be undone and made without the player (FFG-DROP).
    """
    round_ = round_in_play(tournament)
    if round_ is None or round_.status != "paired" or tournament.importing:
        return None
    tables = [match for match in round_.matches if not match.is_bye]
    has_begun = any(match.result for match in tables if player not in match.players)
    is_seated = any(player in match.players for match in round_.matches)
    is_swiss = tournament.stages[round_.stage - 1].is_swiss
    return round_ if is_seated and is_swiss and not has_begun else None


def open_matches(round_: Round) -> list[Match]:
    """The round's matches that still need a result, by table."""
    return [match for match in round_.matches if match.is_open]


def find_match(tournament: Tournament, number: int) -> Match | None:
    """Return the match of that number, unless its pairing was taken back."""
    match = tournament.matches[number] if 0 < number < len(tournament.matches) else None
    return None if match is None or match.void else match


def no_match(number: int) -> Problem:
    """Say that there is no such match."""
    return problem("match.unknown", "there is no match {match}", match=number)


def not_played(tournament: Tournament, number: int) -> Problem:
    """Say why nobody plays a match now, by its table where it has one."""
    match = find_match(tournament, number)
    if match is None:
        return no_match(number)
    table = Table(match.round, match.table)
    if match.is_bye:
        return problem("match.bye", "{table} is a bye: it is not being played", table=table)
    return problem("match.ended", "{table} has a result: it is not being played", table=table)


def open_match_of(tournament: Tournament, player: int) -> Match | None:
    """The match that the player sits at and that nobody has reported yet."""
    round_ = round_in_play(tournament)
    if round_ is None:
        return None
    waiting = tournament.floor.unconfirmed
    matches = (match for match in open_matches(round_) if player in match.players)
    return next((match for match in matches if match.number not in waiting), None)


def latest_match_of(tournament: Tournament, player: int) -> Match | None:
    """The match of the latest round that the player sits at, open or not."""
    round_ = latest_round(tournament)
    seated = round_.matches if round_ is not None else []
    return next((match for match in seated if player in match.players), None)


def stage_in_play(tournament: Tournament) -> Stage | None:
    """The stage of the latest round; before any round the first one announced."""
    begun = tournament.begun_stages() or tournament.stages[:1]
    return begun[-1] if begun else None


def next_stage(tournament: Tournament) -> Stage | None:
    """The stage that the next round belongs to; none once the last one is complete."""
    stage = stage_in_play(tournament)
    ahead = tournament.stages[stage.number - 1 :] if stage else ()
    return next((each for each in ahead if not is_complete(tournament, each)), None)


def next_round_number(tournament: Tournament) -> int:
    """The number of the round to pair."""
    return len(tournament.rounds) + 1


def next_attempt(tournament: Tournament) -> int:
    """Which attempt at the next round this is: a pairing taken back was one."""
    return tournament.attempts.get(next_round_number(tournament), 0) + 1


def went_on(tournament: Tournament, seq: int) -> int:
    """Return the pairing, cut or end that came next after an event; 0: none yet."""
    steps = [each.paired_seq for each in tournament.rounds]
    steps += [each.cut_seq for each in tournament.stages]
    return min((each for each in [*steps, tournament.finished_seq] if each > seq), default=0)


def is_complete(tournament: Tournament, stage: Stage) -> bool:
    """Whether every round of the stage has been played and closed."""
    rounds = [tournament.rounds[number - 1] for number in stage.rounds]
    if not rounds:
        return _is_decided_unplayed(tournament, stage)
    return all(each.status == "closed" for each in rounds) and is_played_out(tournament, stage)


def is_played_out(tournament: Tournament, stage: Stage) -> bool:
    """Whether the rounds of a stage that has begun are all that it has, closed or not."""
    if stage.plan.rounds:
        return len(stage.rounds) >= stage.plan.rounds
    if stage.plan.kind != "single":
        return False  # how many rounds it takes is known only to who recorded it
    last = tournament.rounds[stage.rounds[-1] - 1]
    return sum(1 for player in survivors(tournament, last) if player) <= 1


def _is_decided_unplayed(tournament: Tournament, stage: Stage) -> bool:
    """Whether all others left an elimination before it began, and nobody replaced them."""
    if stage.plan.kind != "single":
        return False
    if stage.plan.entry == "all":
        return tournament.started and len(tournament.active()) <= 1
    return bool(stage.cut_seq) and not stage.vacancies and len(stage.seeds) <= 1


def is_over(tournament: Tournament) -> bool:
    """Whether nothing is left to be played: no stage, or nobody who would play it."""
    if not tournament.started or not tournament.stages:
        return False
    return not tournament.active() or is_complete(tournament, tournament.stages[-1])


def survivors(tournament: Tournament, round_: Round) -> list[int]:
    """Who goes on from an elimination round, by game number; `NOBODY` where nobody does."""
    winners = (tournament.players[winner_of(tournament, match)] for match in round_.matches)
    return [player.number if player.status == "active" else NOBODY for player in winners]


def winner_of(tournament: Tournament, match: Match) -> int:
    """The player whose outcome advances; `NOBODY` while nobody does."""
    if match.is_bye:
        return match.first or match.second
    sides = zip(match.players, match.result.outcomes, strict=True) if match.result else ()
    rules = tournament.ruleset
    return next((player for player, each in sides if rules.outcome(each).advances), NOBODY)


def before_round(tournament: Tournament, round_: Round) -> Tournament:
    """The tournament without its latest round; what is known now of earlier rounds stays."""
    holders = {
        player
        for match in round_.matches
        if match.is_bye and not match.named
        for player in match.players
    }
    stages = [
        replace(stage, rounds=[number for number in stage.rounds if number != round_.number])
        for stage in tournament.stages
    ]
    players = [
        replace(player, byes=player.byes - 1) if player.number in holders else player
        for player in tournament.players
    ]
    return replace(tournament, rounds=tournament.rounds[:-1], stages=stages, players=players)


def counted_stages(tournament: Tournament, stage: Stage) -> list[Stage]:
    """The stages whose points count in a stage: itself, and those before it that it carries on."""
    stages = [stage]
    for earlier in reversed(tournament.stages[: stage.number - 1]):
        if not stage.plan.carries:
            break
        if earlier.is_swiss:
            stages.insert(0, earlier)
        stage = earlier
    return stages


def counted_rounds(tournament: Tournament, stage: Stage) -> list[int]:
    """The rounds whose points count in the stage: its own, and those it carries on."""
    return [number for each in counted_stages(tournament, stage) for number in each.rounds]


def planned_rounds(tournament: Tournament, stage: Stage) -> int:
    """How many rounds count in the stage once all that are announced are played."""
    stages = counted_stages(tournament, stage)
    return sum(max(each.plan.rounds, len(each.rounds)) for each in stages)


def slips_before(tournament: Tournament, stage: int) -> list[Match]:
    """The matches of two players that a cut to a stage goes by: each has a paper slip."""
    rounds = counted_rounds(tournament, tournament.stages[stage - 2])
    matches = (match for number in rounds for match in tournament.rounds[number - 1].matches)
    return [match for match in matches if not (match.is_bye or match.void)]


def stage_points(tournament: Tournament, stage: Stage) -> list[int]:
    """Every player's points that count in the stage; the place is the player's number."""
    totals = starting_points(tournament, stage) or [0] * len(tournament.players)
    for number in counted_rounds(tournament, stage):
        for player, points in enumerate(tournament.rounds[number - 1].points):
            totals[player] += points
    return totals


def starting_points(tournament: Tournament, stage: Stage | None) -> list[int] | None:
    """What everybody begins with in a stage; None: nothing. One that carries no points has none."""
    start = tournament.ruleset.start
    if start is None or (stage and counted_stages(tournament, stage)[0].number > 1):
        return None
    given = (player.numbers for player in tournament.players[1:])
    begun = number_columns(tournament.ruleset.numbers, [*given])[start.number]
    return [start.worth * number for number in begun]


def missed_rounds(tournament: Tournament, player: int | None) -> list[int]:
    """The rounds of the stage in play that passed without the player, paired or not.

    A late entrant is `None`: every round so far is missed.
    """
    stage = stage_in_play(tournament)
    rounds = [tournament.rounds[number - 1] for number in stage.rounds] if stage else []
    return [each.number for each in rounds if not (player and _took_part(each, player))]


def _took_part(round_: Round, player: int) -> bool:
    took = player < len(round_.seqs) and round_.seqs[player]
    return bool(took or (round_.unreported and any(player in m.players for m in round_.matches)))


def find_player(tournament: Tournament, number: int) -> Player | None:
    """The player of that number, if there is one."""
    return tournament.players[number] if 0 < number < len(tournament.players) else None


def check_in_now(tournament: Tournament) -> Attendance | None:
    """Return the check-in before the next pairing, closed or not; None without one."""
    latest = tournament.floor.check_ins[-1:]
    paired = tournament.rounds[-1].paired_seq if tournament.rounds else 0
    return latest[0] if latest and latest[0].seq > paired else None


def absent_players(tournament: Tournament) -> list[int]:
    """Return who plays on and has not checked in, where there is a check-in; else nobody."""
    check_in = check_in_now(tournament)
    return [p for p in tournament.active() if p not in check_in.present] if check_in else []


def bye_order(tournament: Tournament, players: Collection[int], best_first: list[int]) -> list[int]:
    """Who is first to get the bye: the fewest byes, then the lowest rank (FFG-BYE-LATER)."""
    lowest_first = [player for player in reversed(best_first) if player in players]
    return sorted(lowest_first, key=lambda player: tournament.players[player].byes)


def has_more_byes(tournament: Tournament, player: int) -> bool:
    """Whether the bye is not for the player, because others had fewer before this round.

    The others are those who play on; once the round is paired, those who sit in it. A player
    with the bye may pass it on to one who has had no more than they.
    """
    active, players = tournament.active(), tournament.players
    round_ = round_in_play(tournament)
    if round_ is None:
        return players[player].byes > min((players[each].byes for each in active), default=0)
    if player in round_.latecomers or all(player not in each.players for each in round_.matches):
        return players[player].byes > min((players[each].byes for each in active), default=0)
    has_bye = {
        each: match.is_bye and not match.named for match in round_.matches for each in match.players
    }
    before = {each: players[each].byes - has_bye[each] for each in active if each in has_bye}
    holders = [had for each, had in before.items() if has_bye[each]]
    return before.get(player, 0) > max(min(before.values(), default=0), *holders, 0)


def bye_clause(number: int) -> str:
    """Return the clause that says which player has the bye of a round."""
    return "FFG-BYE-FIRST" if number == 1 else "FFG-BYE-LATER"


def second_bye(player: int, remedy: Remedy | tuple[()] = ()) -> Problem:
    """Say that the bye is not for the player."""
    text = marked("{player} has already had a bye, and other players have had fewer")
    return problem(
        "bye.second", text, clause="FFG-BYE-LATER", remedy=remedy, player=PlayerReference(player)
    )


END = "play ends early"


def cut_problem(tournament: Tournament, stage: Stage) -> Problem | None:
    """Say why the players who are left make no such cut as was announced; None where they do."""
    field, size = tournament.active(), stage.plan.size
    instead = _instead_of_cut(tournament, stage)
    if stage.plan.entry == "top" and size > len(field):
        text = marked("a cut to {size} is larger than the field of {players}")
        return problem("cut.too_large", text, remedy=instead, size=size, players=len(field))
    if stage.plan.entry == "points":
        points = stage_points(tournament, tournament.stages[stage.number - 2])
        if not any(points[player] >= size for player in field):
            text = marked("no active player has {size} points")
            shown = tournament.ruleset.scoring.shown(size)
            return problem("cut.points_missing", text, remedy=instead, size=shown)
    return (
        None if field else problem("cut.no_players", "there are no active players", remedy=instead)
    )


def _instead_of_cut(tournament: Tournament, stage: Stage) -> tuple[Remedy, ...]:
    """Return what is announced where a cut cannot be made: a smaller one, or none.

    Nothing where the stages before it can only be imported.
    """
    field = len(tournament.active())
    if not field:
        return (remedy("finish"),)
    plans = [each.plan for each in tournament.stages]
    fitting = field if stage.is_swiss else 1 << field.bit_length() - 1
    if stage.plan.entry == "top" and fitting >= PLAYERS_MIN:
        plans[stage.number - 1] = replace(stage.plan, size=fitting)
    else:
        del plans[stage.number - 1 :]
    return _start(tournament, plans, f"a field of {field}")


def _to_end_now(tournament: Tournament) -> tuple[Remedy, ...]:
    """Return what lets the day end with what has been played; nothing where nothing does."""
    if any(stage.cut_seq and not stage.rounds for stage in tournament.stages):
        return (remedy("cut.withdraw", reason=END),)
    begun = tournament.begun_stages()
    if not begun:
        return ()
    plans = [stage.plan for stage in begun]
    plans[-1] = replace(plans[-1], rounds=len(begun[-1].rounds))
    return _start(tournament, plans, END)


def to_add_a_round(tournament: Tournament, stage: Stage) -> tuple[Remedy, ...]:
    """Return what gives a stage one more round."""
    plans = [each.plan for each in tournament.stages]
    plans[stage.number - 1] = replace(stage.plan, rounds=stage.plan.rounds + 1)
    return _start(tournament, plans, "a late entrant")


def still_to_be_played(tournament: Tournament) -> Problem:
    """Say why the tournament does not end here, and what ends it all the same."""
    if not tournament.started:
        return not_started()
    text = marked("not all announced rounds have been played")
    return problem("finish.rounds_left", text, remedy=(remedy("pair"), *_to_end_now(tournament)))


def _start(tournament: Tournament, plans: Sequence[Plan], reason: str) -> tuple[Remedy, ...]:
    """Return what announces the stages; nothing where the rules, or their kind, leave none."""
    stages = tuple(_typed(plan, tournament.ruleset.scoring) for plan in plans)
    if not all(stages) or not tournament.ruleset.structures.custom:
        return ()
    swiss, *further = plans
    if stages == (f"swiss {swiss.rounds}",):
        return (remedy("start.change", rounds=swiss.rounds, reason=reason),)
    if stages == (f"swiss {swiss.rounds}", f"single top {further[0].size if further else 0}"):
        size = further[0].size
        return (remedy("start.change", rounds=swiss.rounds, cut=size, reason=reason),)
    return (remedy("start.change", stages=stages, reason=reason),)


def _typed(plan: Plan, scoring: Scoring) -> str:
    """A stage as a person types it; empty for what can only be imported."""
    if plan.kind not in {"swiss", "single"}:
        return ""
    points = f"points>={scoring.shown(plan.size)}"
    sized = {"all": "", "top": f"top {plan.size}", "points": points}
    entry = sized.get(plan.entry, plan.entry)
    carries = "carries" if plan.carries else ""
    rematch = "rematch tournament" if plan.rematch == "tournament" else ""
    rounds = str(plan.rounds) if plan.rounds else ""
    return " ".join(word for word in (plan.kind, rounds, entry, carries, rematch) if word)


PLAYED = frozenset({"played", "time", "concession"})
"""Manners of results that prove that a round has begun."""


def is_of_swiss(tournament: Tournament, match: Match) -> bool:
    """Whether the match belongs to a Swiss stage."""
    return tournament.stages[tournament.rounds[match.round - 1].stage - 1].is_swiss


def is_under_way(tournament: Tournament, match: Match) -> bool:
    """Whether the match's round has begun, by its start or by a game that ended elsewhere."""
    round_ = tournament.rounds[match.round - 1]
    return round_.status != "paired" or any(
        game.result is not None and not game.is_bye and game.result.manner in PLAYED
        for game in round_.matches
    )
