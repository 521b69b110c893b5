"""Pairing a round and repairing its tables: which pairing is admissible, and the commands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import field

from ledger.errors import Refused
from ledger.facts.base import Event, Waiver
from ledger.facts.list_rules import check_clause, decks_failing, decks_unchecked
from ledger.facts.opening import in_words, is_asked_for
from ledger.facts.rounds import RoundPaired, TablesRepaired
from ledger.pairing import Field, pair_swiss
from ledger.pairing.brackets import from_cut, next_round, opening
from ledger.pairing.meetings import (
    Grounds,
    barred,
    grounds,
    grounds_of,
    has_sat_together,
    rematch_problem,
)
from ledger.pairing.repair import Made, RepairChoice, repairs
from ledger.pairing.shuffling import Draws
from ledger.problems import Player, Problems, marked, phrase, problem, remedy
from ledger.rules.command import Command, Context
from ledger.rules.components import may_be_paired
from ledger.rules.leaders import every_match_has_a_ruling
from ledger.rules.lists import held_back
from ledger.rules.references import (
    Ranking,
    is_waived,
    not_active,
    not_closed,
    of_round,
    reasoned,
)
from ledger.rules.results import held_up
from ledger.rules.rounds import close_if_complete, over_disputes
from ledger.rulesets.toml_files import nearest
from ledger.tournament import progress
from ledger.tournament.disputes import OPEN_DISPUTE, is_reported, unsettled
from ledger.tournament.progress import (
    before_round,
    bye_clause,
    bye_order,
    has_more_byes,
    round_in_play,
    second_bye,
)
from ledger.tournament.state import Round, Stage, Tournament


def round_paired(tournament: Tournament, event: RoundPaired) -> Problems:
    """Yield every reason against the pairing."""
    if problems := list(_place(tournament, event)):
        yield from problems
        return
    stage = tournament.stages[event.stage - 1]
    if problems := list(_seats(tournament, stage, event)):
        yield from problems
    elif not tournament.importing and stage.plan.kind not in {"recorded", "double"}:
        rule = _swiss if stage.is_swiss else _elimination
        yield from rule(tournament, stage, event)


def _place(tournament: Tournament, event: RoundPaired) -> Problems:
    if not tournament.started:
        yield problem("tournament.not_started", "the tournament has not started")
        return
    if round_ := progress.round_in_play(tournament):
        yield not_closed(tournament, round_)
        return
    stage = progress.next_stage(tournament)
    if stage is None:
        yield problem("round.all_played", "all announced rounds have been played")
        return
    if event.stage != stage.number or event.round != progress.next_round_number(tournament):
        text = marked("the next round is round {round} of stage {stage}")
        number = progress.next_round_number(tournament)
        yield problem("round.not_next", text, round=number, stage=stage.number)
    if event.attempt != progress.next_attempt(tournament):
        text = marked("the next pairing is attempt {attempt} at round {round}")
        new = progress.next_attempt(tournament)
        yield problem("round.attempt", text, attempt=new, round=event.round)
    if stage.number > 1 and stage.plan.entry != "all" and not stage.cut_seq:
        text = marked("stage {stage} begins with a cut, which has not been made")
        yield problem("cut.not_made", text, stage=stage.number)
    if stage.vacancies:
        text = marked("{player} left a place in the cut: ask the next ranked player first")
        ways, player = (remedy("cut.accept"), remedy("cut.decline")), Player(stage.vacancies[0])
        yield problem("cut.place_free", text, clause="FFG-CUT-REPLACE", remedy=ways, player=player)
    yield from _reasons(tournament, event)
    yield from held_up(tournament, event.waiver, remedy("pair.over_dispute"))
    if not tournament.rounds and not tournament.importing:
        yield from changed_attendance(tournament)
    yield from held_back(tournament, event.waiver)


def _reasons(tournament: Tournament, event: RoundPaired) -> Problems:
    if event.by_hand > len(event.games) or (event.by_hand and not event.reason.strip()):
        set_by_hand = event.games[: event.by_hand]
        is_bye = all(0 in game for game in set_by_hand)
        by_hand = tournament.ruleset.floor.authority.adjusts or "FFG-SWISS-LATER"
        clause = bye_clause(event.round) if is_bye else by_hand
        yield problem("pairing.reason_missing", "a pairing by hand needs a reason", clause=clause)
    if event.waiver is not None and not event.waiver.reason.strip():
        lifted = (
            "FFG-RULING" if label == OPEN_DISPUTE else label for label in event.waiver.clauses
        )
        clause = ", ".join(dict.fromkeys(lifted))
        yield problem("waiver.reason_missing", "a waiver needs a reason", clause=clause)


def changed_attendance(tournament: Tournament) -> Problems:
    """The structure is that of the players who are there now (FFG-STRUCTURE)."""
    announced = tournament.announced
    if announced is None or announced.structure == "custom":
        return
    players = len(tournament.active())
    rules, structure = tournament.ruleset, announced.structure
    if not is_asked_for(rules, structure, players, announced.stages):
        has_row = rules.structure(structure, players) is not None
        announce = remedy("start", structure=structure) if has_row else remedy("start.custom")
        yield problem(
            "structure.attendance",
            (
                "there are now {players} players, and the {structure} structure for that number "
                "has {stages}: announce the structure again"
            ),
            clause="FFG-STRUCTURE",
            players=players,
            structure=phrase(structure),
            stages=in_words(rules, structure, players),
            remedy=announce,
        )


def _seats(tournament: Tournament, stage: Stage, event: RoundPaired) -> Problems:
    seated = list(filter(None, chain.from_iterable(event.games)))
    there = set(seated)
    if not seated and not tournament.importing:
        yield problem("round.empty", "round {round} has no players", round=event.round)
    if len(there) != len(seated):
        yield problem("pairing.player_twice", "a player is seated twice")
    yield from _named_byes(tournament, stage, event)
    active = set(tournament.active())
    yield from every_match_has_a_ruling(tournament, event.games)
    yield from may_be_paired(tournament, event.round, event.games)
    if strangers := sorted(there - active):
        yield not_active(strangers[0])
    if stage.is_swiss and not tournament.importing and (absent := sorted(active - there)):
        yield problem(
            "pairing.player_left_out",
            "{player} has no table: every active player must be paired",
            player=Player(absent[0]),
        )


def _named_byes(tournament: Tournament, stage: Stage, event: RoundPaired) -> Problems:
    """A bye with a name is one of the ruleset's, and of who sits alone at a table set by hand."""
    alone = {max(game) for game in event.games[: event.by_hand or None] if 0 in game}
    known, clause = tournament.ruleset.byes_by_name, tournament.ruleset.bye.clause
    for name, players in event.byes.items():
        if name not in known:
            text, words = marked("there is no bye named {name}; {known}"), nearest(name, known)
            yield problem("bye.unknown", text, clause=clause, name=name, known=words)
        if not stage.is_swiss:
            text = marked("an elimination has no named byes")
            yield problem("bye.elimination", text, clause="FFG-ELIM-OPEN")
        for player in players:
            if player not in alone:
                text = marked("{player} has no bye set by hand: a named bye must be set by hand")
                yield problem("bye.not_alone", text, clause=clause, player=Player(player))
    if len(set(chain(*event.byes.values()))) < sum(map(len, event.byes.values())):
        yield problem("bye.named_twice", "a player has two named byes", clause=clause)


def _swiss(tournament: Tournament, stage: Stage, event: RoundPaired) -> Problems:
    named = {player for players in event.byes.values() for player in players}
    byes = [max(game) for game in event.games if 0 in game and max(game) not in named]
    if len(byes) > 1 or any(max(game) == 0 for game in event.games):
        yield problem("pairing.byes_max", "a round can have at most one bye")
    is_banned = not is_waived(tournament.ruleset.rematch.clause, event.waiver, tournament)
    if is_banned and has_sat_together(tournament, stage, event.games):
        known = grounds(tournament, stage)
        for game in barred(known, event.games, event.by_hand):
            yield rematch_problem(tournament, known, game, remedy("pair.rematch"))
    if not is_waived("FFG-BYE-LATER", event.waiver, tournament):
        for player in byes:
            if has_more_byes(tournament, player) and not event.passed_over:
                yield second_bye(player, remedy("pair.rematch"))


def _elimination(tournament: Tournament, stage: Stage, event: RoundPaired) -> Problems:
    if not stage.rounds and stage.plan.entry == "all":
        yield from _opening(tournament, event)
        return
    last = tournament.rounds[stage.rounds[-1] - 1] if stage.rounds else None
    expected = next_round(progress.survivors(tournament, last)) if last else from_cut(stage.seeds)
    if [tuple(game) for game in expected] != list(event.games):
        text = marked("the games do not match the bracket")
        yield problem("pairing.not_of_bracket", text, clause="FFG-ELIM-CUT, FFG-ELIM-NEXT")


def _opening(tournament: Tournament, event: RoundPaired) -> Problems:
    players = len(tournament.active())
    games = 1 << (players - 1).bit_length() >> 1
    if len(event.games) != games or any(max(game) == 0 for game in event.games):
        text = marked("byes must fill the first elimination round up to a power of two")
        yield problem("pairing.opening_byes", text, clause="FFG-ELIM-OPEN")
    if {player for game in event.games for player in game if player} != set(tournament.active()):
        text = marked("all active players must be in the first elimination round")
        yield problem("pairing.opening_players", text, clause="FFG-ELIM-OPEN")


def bye_by_rank(tournament: Tournament, event: RoundPaired, ranking: Ranking) -> Problems:
    """Yield where a bye is not the next player's, by the standings."""
    stage = tournament.stages[event.stage - 1]
    drawn = event.games[event.by_hand :]
    byes = [max(game) for game in drawn if 0 in game]
    if not stage.is_swiss or not byes or is_waived("FFG-BYE-LATER", event.waiver, tournament):
        return
    players = {player for game in drawn for player in game if player}
    if not is_ranked(stage):
        fewest = min(tournament.players[player].byes for player in players)
        before = [player for player in players if tournament.players[player].byes == fewest]
        in_line = byes[0] in before or set(before) <= set(event.passed_over)
    else:
        order = bye_order(tournament, players, ranking(tournament))
        in_line = order[: len(event.passed_over) + 1] == [*event.passed_over, byes[0]]
    if not in_line:
        text = marked("{player} is not the next player to get the bye")
        yield problem("bye.not_next", text, clause="FFG-BYE-LATER", player=Player(byes[0]))


def is_ranked(stage: Stage) -> bool:
    """Whether the stage's next round has results behind it that rank the players."""
    return bool(stage.rounds) or stage.plan.carries


@reasoned("FFG-SWISS-LATER")
@of_round
def tables_repaired(tournament: Tournament, event: TablesRepaired, round_: Round) -> Problems:
    """Yield every reason against the repair."""
    stage = tournament.stages[round_.stage - 1]
    if not stage.is_swiss:
        text = marked("the pairings of an elimination are fixed by the bracket")
        yield problem("pairing.by_bracket", text, clause="FFG-ELIM-NEXT")
    if problems := list(_same_seats(tournament, round_, event)):
        yield from problems
        return
    yield from every_match_has_a_ruling(tournament, event.games)
    yield from may_be_paired(tournament, event.round, event.games)
    known = grounds_of(tournament, round_)
    bars, _ = known.bars([player for match in round_.matches for player in match.players])
    for one, other in event.games:
        if other in bars[one]:
            yield rematch_problem(tournament, known, (one, other))
    for player in [max(game) for game in event.games if 0 in game]:
        if has_more_byes(tournament, player):
            yield second_bye(player)


def _same_seats(tournament: Tournament, round_: Round, event: TablesRepaired) -> Problems:
    """The tables are there, nobody has reported them, and the same players sit at them."""
    if not event.tables or len(set(event.tables)) != len(event.tables):
        yield problem("repair.tables", "a repair must list its tables, each once")
    if not len(event.tables) == len(event.games) == len(event.were):
        yield problem(
            "repair.games", "a repair must list the games of every table, before and after"
        )
        return
    for table, were in zip(event.tables, event.were, strict=True):
        if not 0 < table <= len(round_.matches):
            text = marked("round {round} has no table {table}")
            yield problem("repair.table_unknown", text, round=round_.number, table=table)
        elif (round_.matches[table - 1].first, round_.matches[table - 1].second) != were:
            text, one = marked("{one} and {other} do not sit at table {table}"), Player(were[0])
            yield problem("repair.players", text, one=one, other=Player(were[1]), table=table)
        elif is_reported(tournament, round_.matches[table - 1]):
            text = marked("table {table} has a result and cannot be stopped")
            yield problem("repair.table_reported", text, table=table)
    if sorted(_all(event.games)) != sorted(_all(event.were)):
        yield problem("repair.same_players", "a repair must seat the same players again, each once")
    sat = {frozenset(game) for game in event.were}
    if any(frozenset(game) in sat or not game[0] for game in event.games):
        text = marked(
            "a repaired table must not have the same players as before; a bye must be in the "
            "second seat"
        )
        yield problem("repair.other_players", text)


def _all(games: tuple[tuple[int, int], ...]) -> list[int]:
    return [player for game in games for player in game]


SWISS = "swiss@1"
ELIMINATION = "elimination@1"
BY_HAND = "by-hand@1"


class PairRound(Command, frozen=True):
    """Pair the next round; `by_hand` sets tables first, the rest is drawn.

    `unchecked` seats players whose decks are still to be checked, or failed. `despite_dispute`
    goes on over what is disputed, for `reason`; so in the commands to make the cut and to finish.
    """

    by_hand: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    allow_rematch: bool = False
    unchecked: bool = False
    despite_dispute: bool = False
    byes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Who of those with a bye by hand has one that the ruleset has by a name."""

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        if missing := progress.draws_wait_for(tournament):
            raise Refused(missing)
        over = over_disputes(tournament, self.reason, asked=self.despite_dispute)
        yield from close_if_complete(tournament, over)
        stage = progress.next_stage(tournament)
        if tournament.finished:
            raise Refused(
                problem("day.finished", "the tournament is finished: no round can be paired")
            )
        if stage is None:
            text = marked("all announced rounds have been played")
            raise Refused(problem("day.over", text, remedy=remedy("finish")))
        if not tournament.active():
            raise Refused(
                problem("players.none", "there are no active players", remedy=remedy("finish"))
            )
        if stage.number > 1 and stage.plan.entry != "all" and not stage.cut_seq:
            text = marked("stage {stage} begins with a cut: make the cut first")
            raise Refused(problem("cut.first", text, remedy=remedy("cut"), stage=stage.number))
        if stage.is_swiss:
            yield swiss_round(self, tournament, context, stage, grounds(tournament, stage))
        elif self.by_hand:
            text = marked("the pairings of an elimination are fixed by the bracket")
            raise Refused(problem("pairing.bracket", text, clause="FFG-ELIM-NEXT"))
        else:
            yield elimination_round(self, tournament, context, stage)


def swiss_round(
    command: PairRound, tournament: Tournament, context: Context, stage: Stage, known: Grounds
) -> RoundPaired:
    """Pair a Swiss round by what is known (FFG-SWISS-FIRST, FFG-SWISS-LATER, FFG-BYE-LATER).

    Refused where no legal round exists, or a table by hand makes no sense.
    """
    _refuse_nonsense_by_hand(command, tournament)
    set_by_hand = {player for table in command.by_hand for player in table if player}
    players = [player for player in tournament.active() if player not in set_by_hand]
    games = list(command.by_hand)
    passed_over: tuple[int, ...] = ()
    number, attempt = progress.next_round_number(tournament), progress.next_attempt(tournament)
    if players:
        draws = context.draws(tournament, SWISS, stage.number, number, attempt)
        met, spare = known.bars(players)
        field = Field(
            players=players,
            score=known.score,
            met=met,
            bye_order=_bye_order(players, tournament, context, stage, draws),
            spare=spare,
            clause=tournament.ruleset.rematch.clause,
        )
        pairing = pair_swiss(field, draws, allow_rematch=command.allow_rematch)
        passed_over = tuple(pairing.bye_passed_over)
        games += [*pairing.tables, (pairing.bye, 0)] if pairing.bye else pairing.tables
    return RoundPaired(
        stage=stage.number,
        round=number,
        attempt=attempt,
        procedure=SWISS if players else BY_HAND,
        games=tuple(games),
        by_hand=len(command.by_hand),
        passed_over=passed_over,
        reason=command.reason,
        waiver=_waiver(command, tournament, games, known),
        byes=command.byes,
    )


def _refuse_nonsense_by_hand(command: PairRound, tournament: Tournament) -> None:
    active = set(tournament.active())
    seated: set[int] = set()
    for table in command.by_hand:
        for player in table:
            if player and player not in active:
                text = marked("{player} is not an active player and cannot be paired")
                raise Refused(problem("player.not_to_be_paired", text, player=Player(player)))
            if player and player in seated:
                text = marked("{player} is seated at two tables")
                raise Refused(problem("pairing.twice", text, player=Player(player)))
            seated.add(player)


def _bye_order(
    players: list[int], tournament: Tournament, context: Context, stage: Stage, draws: Draws
) -> list[int]:
    """Who is first to get the bye: by rank, and at random while nothing ranks the players."""
    if len(players) % 2 == 0:
        return []
    best_first = context.ranking(tournament) if is_ranked(stage) else draws.shuffled(players)
    return bye_order(tournament, set(players), best_first)


def _waiver(
    command: PairRound, tournament: Tournament, games: list[tuple[int, int]], known: Grounds
) -> Waiver | None:
    clauses = _leave(command, tournament)
    named = {player for players in command.byes.values() for player in players}
    byes = [max(game) for game in games if 0 in game and max(game) not in named]
    byes = byes if command.allow_rematch else []
    if command.allow_rematch and any(barred(known, games, len(command.by_hand))):
        clauses.append(tournament.ruleset.rematch.clause)
    if any(has_more_byes(tournament, player) for player in byes):
        clauses.append(tournament.ruleset.cites("FFG-BYE-LATER"))
    return Waiver(tuple(clauses), command.reason) if clauses else None


def _leave(command: PairRound, tournament: Tournament) -> list[str]:
    """What the command waives for all who meet: open disputes, decks that nobody has checked."""
    clauses = []
    if command.despite_dispute and unsettled(tournament):
        clauses.append(OPEN_DISPUTE)
    if command.unchecked and (decks_unchecked(tournament) or decks_failing(tournament)):
        clauses.append(check_clause(tournament))
    return clauses


def elimination_round(
    command: PairRound, tournament: Tournament, context: Context, stage: Stage
) -> RoundPaired:
    """Pair an elimination round (FFG-ELIM-CUT, FFG-ELIM-NEXT, FFG-ELIM-OPEN)."""
    if stage.plan.kind != "single":
        text = marked(
            "stage {stage} is a {kind} elimination, which tourney cannot pair: continue "
            "it in the program that recorded it, and import that file as a separate "
            "tournament"
        )
        raise Refused(problem("stage.recorded", text, stage=stage.number, kind=stage.plan.kind))
    number, attempt = progress.next_round_number(tournament), progress.next_attempt(tournament)
    if stage.rounds:
        games = next_round(progress.survivors(tournament, tournament.rounds[stage.rounds[-1] - 1]))
    elif stage.plan.entry == "all":
        draws = context.draws(tournament, ELIMINATION, stage.number, number, attempt)
        games = opening(tournament.active(), draws)
    else:
        games = from_cut(stage.seeds)
    clauses = _leave(command, tournament)
    return RoundPaired(
        stage=stage.number,
        round=number,
        attempt=attempt,
        procedure=ELIMINATION,
        games=tuple((one, other) for one, other in games),
        waiver=Waiver(tuple(clauses), command.reason) if clauses else None,
    )


REPAIR = "repair@2"


def choices(tournament: Tournament, context: Context) -> list[RepairChoice]:
    """List what can be done about the round in play, by what is known now of those before.

    Tables with a result, be it confirmed or not, and those set by hand, stay. Refused where no
    Swiss round is in play, or none of its tables can be stopped.
    """
    round_ = _repairable(tournament)
    before = before_round(tournament, round_)
    stage = before.stages[round_.stage - 1]
    games = [(match.first, match.second) for match in round_.matches]
    fixed = {at for at, match in enumerate(round_.matches) if is_reported(tournament, match)}
    players = {player for game in games for player in game if player}
    order = bye_order(before, players, context.ranking(before)) if is_ranked(stage) else []
    known = grounds(before, stage)
    fixed |= set(range(round_.by_hand))
    made = Made(games, frozenset(fixed), known.score, known.bars(players)[0], order)
    draws = context.draws(tournament, REPAIR, stage.number, round_.number, tournament.seq)
    return repairs(made, draws)


def _repairable(tournament: Tournament) -> Round:
    round_ = round_in_play(tournament)
    if round_ is None:
        text = marked("no round is in play: there is nothing to repair")
        raise Refused(problem("repair.no_round", text, remedy=remedy("pair")))
    if not tournament.stages[round_.stage - 1].is_swiss:
        text = marked(
            "the pairings of an elimination are fixed by the bracket: undo the pairing, "
            "and pair again"
        )
        unpair = remedy("unpair")
        raise Refused(problem("repair.bracket", text, clause="FFG-ELIM-NEXT", remedy=unpair))
    drawn = [match for match in round_.matches[round_.by_hand :] if match.is_open]
    if all(is_reported(tournament, match) for match in drawn):
        text = marked(
            "every table of round {round} has a result or was set by hand: no table can be repaired"
        )
        instead = (remedy("swap"), remedy("correct"))
        raise Refused(problem("repair.none", text, remedy=instead, round=round_.number))
    return round_


class RepairRound(Command, frozen=True):
    """Carry the repair out that stops this number of tables; 0 leaves the round as it is."""

    stopped: int
    reason: str

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        found = choices(tournament, context)
        if self.stopped == 0:
            return
        chosen = next((each for each in found if each.stopped == self.stopped), None)
        if chosen is None:
            text = marked(
                "no repair stops this number of tables: {stopped}; possible numbers: {choices}"
            )
            known = tuple(each.stopped for each in found)
            look = remedy("repair")
            raise Refused(
                problem("repair.unknown", text, remedy=look, stopped=self.stopped, choices=known)
            )
        matches = tournament.rounds[-1].matches
        tables = sorted(chosen.seats)
        yield TablesRepaired(
            tournament.rounds[-1].number,
            tuple(at + 1 for at in tables),
            tuple(chosen.seats[at] for at in tables),
            tuple((matches[at].first, matches[at].second) for at in tables),
            REPAIR,
            self.reason,
        )
