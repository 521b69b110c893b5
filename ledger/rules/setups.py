"""Scenarios, sides, battles and terrain: what is admissible, and the commands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ledger.errors import Refused
from ledger.facts import office, setups
from ledger.facts.base import Event
from ledger.facts.battle_cards import Battle, sealed
from ledger.facts.setups import (
    ARMY_TOTAL,
    ChooserDrawn,
    DraftGroupsDrawn,
    FirstFiveReviewed,
    TerrainAnnounced,
    VerificationOrdered,
    drawn_before,
    group_sizes,
    has_outline,
    lower_total,
    missing_parts,
    parts_by_total,
    unused,
    within_limit,
)
from ledger.facts.shared import (
    BattleBuilt,
    FirstPlayerChosen,
    ScenarioDrawn,
    SideTaken,
    TerrainCounted,
)
from ledger.problems import Official, Player, Problem, Problems, marked, phrase, problem, remedy
from ledger.rules.command import Command, Context, event_of, match_of, this_round
from ledger.rules.references import (
    no_official,
    not_at,
    of_open_match,
    of_round,
    open_match,
    stood_down,
    table_of,
)
from ledger.tournament.state import Match, Round, Tournament

if TYPE_CHECKING:
    from ledger.rulesets.floor import Season

TYPED = {marked("army totals"): "--totals 800-790", marked("rolls"): "--roll 4-1"}
"""How what decides is typed."""


def season_of(tournament: Tournament) -> Season | None:
    """The season that the event's date lies in."""
    scenario = tournament.ruleset.floor.scenario
    if scenario is None or tournament.opening is None:
        return None
    return scenario.season(tournament.opening.date)


def no_season(tournament: Tournament) -> Problem:
    """Say why there is no season."""
    scenario, opening = tournament.ruleset.floor.scenario, tournament.opening
    if scenario is None:
        return missing_parts(tournament)["scenario"]
    text = marked(
        "{date} is before the first season ({since}); an event outline can name its own scenario"
    )
    date = opening.date if opening else ""
    clause, since = "RW-SEASON", scenario.seasons[0].since
    return problem("scenario.before_seasons", text, clause=clause, date=date, since=since)


def is_held_to_season(tournament: Tournament) -> bool:
    """Whether the event's tier uses the season's cards alone (RW-SEASON): Relaxed need not."""
    return tournament.opening is not None and tournament.opening.tier != "relaxed"


def scenario_missing(tournament: Tournament, round_: Round) -> Problems:
    """Yield where a round of the Formal or Premier tier starts without a scenario (RW-SEASON)."""
    if tournament.ruleset.floor.scenario is None or tournament.importing:
        return
    tier = tournament.opening.tier if tournament.opening else "relaxed"
    drawn = round_.number in tournament.floor.scenarios
    if tier != "relaxed" and not drawn and not has_outline(tournament):
        text = marked("the {tier} tier needs a scenario for every round")
        clause, way = "RW-SEASON", remedy("scenario.draw")
        yield problem(
            "scenario.missing", text, clause=clause, remedy=way, tier=phrase(tier.capitalize())
        )


@of_round
def scenario_drawn(tournament: Tournament, event: ScenarioDrawn, _: Round) -> Problems:
    if event.round in tournament.floor.scenarios:
        text = marked("the scenario of round {round} is already drawn")
        yield problem("scenario.drawn_already", text, clause="RW-SCENARIO", round=event.round)
    if has_outline(tournament) or (event.by_hand and not is_held_to_season(tournament)):
        return
    season = season_of(tournament)
    if season is None:
        yield no_season(tournament)
        return
    deployments, objectives = drawn_before(tournament, event.round)
    for card, legal, before in (
        (event.deployment, season.deployments, deployments),
        (event.objective, season.objectives, objectives),
    ):
        if card not in legal:
            text = marked("{card} is not legal in this season")
            yield problem("scenario.not_legal", text, clause="RW-SEASON", card=f"{card!r}")
        elif card not in unused(legal, before):
            text = marked("{card} was already used in this stage, and other cards were not")
            yield problem("scenario.used", text, clause="RW-SCENARIO", card=f"{card!r}")


def draft_groups_drawn(tournament: Tournament, event: DraftGroupsDrawn) -> Problems:
    active, rules = tournament.active(), tournament.ruleset.floor.draft
    if rules is None:
        yield missing_parts(tournament)["draft"]
        return
    if tournament.rounds:
        text = marked("draft groups must be drawn before the first round")
        yield problem("draft.late", text, clause=rules.clause)
    if event.attempt != tournament.floor.drafts + 1:
        text = marked("the next draw is attempt {attempt} at the draft groups")
        yield problem("draft.attempt", text, attempt=tournament.floor.drafts + 1)
    if sorted(player for group in event.groups for player in group) != active:
        text = marked("every active player must be in exactly one draft group")
        yield problem("draft.players", text, clause=rules.clause)
    sizes = group_sizes(len(active))
    if sorted(map(len, event.groups), reverse=True) != sizes:
        asked = ", ".join(map(str, sizes)) or phrase("none")
        text = marked("the draft groups for {players} players must have these sizes: {sizes}")
        yield problem("draft.sizes", text, clause=rules.clause, players=len(active), sizes=asked)


@of_open_match
def first_player_chosen(tournament: Tournament, event: FirstPlayerChosen, match: Match) -> Problems:
    rules = tournament.ruleset.floor.first
    if rules is None:
        yield missing_parts(tournament)["first"]
    elif not {event.chooser, event.first} <= set(match.players):
        text, table = marked("the first player must sit at {table}"), table_of(match)
        yield problem("first.elsewhere", text, clause=rules.clause, table=table)
    else:
        if (event.totals is not None) != (rules.chooser == ARMY_TOTAL):
            yield _which(rules.chooser == ARMY_TOTAL, "army totals", rules.clause)
        elif rules.chooser != "roll":
            yield from _by_totals_or_chance(tournament, match, event, rules.clause)
        if bool(event.rolls) != (rules.chooser == "roll"):
            yield _which(rules.chooser == "roll", "rolls", rules.clause)
        elif event.rolls:
            yield from _rolls(match, event, rules.clause)


def _which(needed: bool, what: str, clause: str) -> Problem:  # noqa: FBT001 - what is asked
    if not needed:
        return problem(
            "chooser.not_asked",
            "{what} do not decide this: omit them",
            clause=clause,
            what=phrase(what),
        )
    text = marked("{what} decide this: give them, such as {example}")
    return problem(
        "chooser.grounds_missing", text, clause=clause, what=phrase(what), example=TYPED[what]
    )


def _rolls(match: Match, event: FirstPlayerChosen, clause: str) -> Problems:
    *ties, last = event.rolls
    if any(one != other for one, other in ties) or last[0] == last[1]:
        text = marked("tied rolls must be repeated until one player rolls higher")
        yield problem("first.rolls_tied", text, clause=clause)
    elif event.chooser != (match.first if last[0] > last[1] else match.second):
        yield problem("first.roll_more", "the player who rolls higher must choose", clause=clause)


def _by_totals_or_chance(
    tournament: Tournament,
    match: Match,
    event: FirstPlayerChosen | SideTaken,
    clause: str,
) -> Problems:
    yield from within_limit(tournament, event.totals)
    drawn = tournament.floor.choosers.get(match.number)
    lower = lower_total(match, event.totals) if event.totals else match.players
    if event.chooser not in lower:
        yield problem(
            "chooser.lower_total",
            "the player with the lower army total must choose",
            clause=clause,
        )
    elif len(lower) > 1 and drawn and event.chooser != drawn:
        text = marked("{player} was drawn and must choose")
        yield problem("chooser.drawn", text, clause=clause, player=Player(drawn))
    elif (
        drawn
        and event.chooser != drawn
        and not event.reason.strip()
        and office.is_bound_by(tournament, "drawn-chooser")
    ):
        text = marked(
            "{player} was drawn at equal army totals: give a reason why the totals are "
            "different now"
        )
        yield problem("chooser.drawn_before", text, clause=clause, player=Player(drawn))


@of_open_match
def chooser_drawn(tournament: Tournament, event: ChooserDrawn, match: Match) -> Problems:
    floor = tournament.ruleset.floor
    by_total = parts_by_total(floor)
    if "chooser" in (missing := missing_parts(tournament)):
        yield missing["chooser"]
    elif event.chooser not in match.players:
        yield not_at(event.chooser, match)
    elif event.match in tournament.floor.choosers:
        text = marked("the player who chooses at {table} has already been drawn")
        clause = next((part.clause for part in (*by_total, floor.first) if part), "")
        yield problem("chooser.drawn_already", text, clause=clause, table=table_of(match))
    elif by_total and event.totals is None:
        yield _which(True, "army totals", by_total[0].clause)  # noqa: FBT003 - what is asked
    elif by_total and len(lower_total(match, event.totals or (0, 0))) == 1:
        text = marked("the player with the lower army total chooses: there is no draw")
        yield problem("chooser.not_drawn", text, clause=by_total[0].clause)
    yield from within_limit(tournament, event.totals)


@of_open_match
def side_taken(tournament: Tournament, event: SideTaken, match: Match) -> Problems:
    rules = tournament.ruleset.floor.sides
    if rules is None:
        yield missing_parts(tournament)["sides"]
        return
    if not {event.chooser, event.blue} <= set(match.players):
        text = marked("the blue player must sit at {table}")
        yield problem("side.elsewhere", text, clause=rules.clause, table=table_of(match))
    if (event.totals is not None) != (rules.chooser == ARMY_TOTAL):
        yield _which(rules.chooser == ARMY_TOTAL, "army totals", rules.clause)
    elif rules.chooser == ARMY_TOTAL:
        yield from _by_totals_or_chance(tournament, match, event, rules.clause)
    if rules.chooser == "second player":
        chosen = tournament.floor.first_players.get(event.match)
        if chosen is None:
            text = marked("the first player must be chosen before the sides")
            yield problem("side.first_player", text, clause=rules.clause)
        elif event.chooser == chosen.first:
            text = marked("the second player must choose the side")
            yield problem("side.second_player", text, clause=rules.clause)
    if event.edge and not tournament.floor.fixed_terrain:
        terrain = tournament.ruleset.floor.terrain
        text = marked("the blue player can choose an edge only if the terrain is fixed")
        yield problem("side.edge", text, clause=terrain.fixed if terrain else rules.clause)


@of_open_match
def battle_built(tournament: Tournament, event: BattleBuilt, _: Match) -> Problems:
    rules = tournament.ruleset.floor.battle
    if rules is None:
        yield missing_parts(tournament)["battle"]
    elif event.match not in tournament.floor.sides:
        text = marked("the sides must be chosen before the set-up")
        yield problem("battle.side_missing", text, clause=rules.clause, remedy=remedy("side"))


def terrain_announced(tournament: Tournament, _: TerrainAnnounced) -> Problems:
    rules = tournament.ruleset.floor.terrain
    if rules is None:
        yield missing_parts(tournament)["terrain"]
    elif tournament.rounds:
        text = marked("fixed terrain must be announced before the first round")
        yield problem("terrain.late", text, clause=rules.fixed)


def terrain_counted(tournament: Tournament, event: TerrainCounted) -> Problems:
    rules = tournament.ruleset.floor.terrain
    if rules is None:
        yield missing_parts(tournament)["terrain"]
    elif not event.pieces:
        yield problem("terrain.empty", "list the terrain on the table", clause=rules.clause)


def verification_ordered(tournament: Tournament, _: VerificationOrdered) -> Problems:
    rules = tournament.ruleset.floor.verification
    if rules is None:
        yield missing_parts(tournament)["verification"]
        return
    if any(round_.status != "paired" for round_ in tournament.rounds):
        text = marked("army totals must be verified before round 1")
        yield problem("verification.late", text, clause=rules.clause)
    if tournament.floor.verification:
        text = marked("the verification is already ordered")
        yield problem("verification.ordered", text, clause=rules.clause)


def first_five_reviewed(tournament: Tournament, event: FirstFiveReviewed) -> Problems:
    rules = tournament.ruleset.floor.first_five
    match = open_match(tournament, event.match)
    if rules is None:
        yield missing_parts(tournament)["first five"]
        return
    if match is None or event.player not in match.players:
        text, player = marked("{player} is not playing match {match}"), Player(event.player)
        yield problem("first_five.not_playing", text, player=player, match=event.match)
        return
    if bool(event.official) == bool(event.reviewer):
        text = marked("name one reviewer: either an official or another player")
        yield problem("first_five.reviewer", text, clause=rules.clause)
    elif event.official >= len(tournament.officials):
        yield no_official(event.official)
    elif event.official:
        official = tournament.officials[event.official]
        if not office.leads(tournament, official.roles):
            text = marked("{official} is not a leader and cannot review lists")
            who = Official(event.official)
            yield problem("first_five.not_leader", text, clause="AOP-COORGANIZER", official=who)
        if official.stood_down:
            yield stood_down(event.official)
        if official.player in match.players:
            text = marked("a player of this match cannot review its lists")
            yield problem("first_five.plays_match", text, clause=rules.clause)
    elif event.reviewer >= len(tournament.players) or event.reviewer in match.players:
        text = marked("the reviewer must be a player who is not in this match")
        yield problem("first_five.other_player", text, clause=rules.clause)


SCENARIO = "scenario@1"
DRAFT = "draft@1"
CHOOSER = "chooser@1"


class DrawScenario(Command, frozen=True):
    """Draw the scenario of the round in play.

    By name where an outline has it, and where it was drawn by hand, with cards or a die.
    """

    deployment: str = ""
    objective: str = ""
    by_hand: bool = False

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        round_ = this_round(tournament)
        if self.deployment or self.objective:
            if not (self.by_hand or has_outline(tournament)):
                text = marked("without an event outline, a scenario must be drawn, not chosen")
                way = remedy("scenario.by_hand")
                raise Refused(problem("scenario.drawn", text, clause="RW-SCENARIO", remedy=way))
            drawn = event_of(ScenarioDrawn, self, round=round_.number)
            if tournament.floor.scenarios.get(round_.number) != drawn:
                yield drawn
            return
        if self.by_hand:
            text = marked("a draw by hand must name the deployment and the objective")
            raise Refused(problem("scenario.unnamed", text, clause="RW-SCENARIO"))
        if round_.number in tournament.floor.scenarios:
            return
        season = season_of(tournament)
        if season is None:
            raise Refused(no_season(tournament))
        deployments, objectives = drawn_before(tournament, round_.number)
        draws = context.draws(tournament, SCENARIO, round_.stage, round_.number)
        pools = unused(season.deployments, deployments), unused(season.objectives, objectives)
        deployment, objective = (pool[draws.below(len(pool))] for pool in pools)
        yield ScenarioDrawn(round_.number, deployment, objective)


class DrawDraftGroups(Command, frozen=True):
    """Draw who drafts with whom."""

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        rules = tournament.ruleset.floor.draft
        if rules is None:
            raise Refused(missing_parts(tournament)["draft"])
        attempt = tournament.floor.drafts + 1
        sizes = group_sizes(len(tournament.active()))
        if not sizes:
            text = marked("draft groups need at least two players")
            raise Refused(problem("draft.too_few", text, clause=rules.clause))
        drawn = context.draws(tournament, DRAFT, attempt).shuffled(tournament.active())
        rest = iter(drawn)
        yield setups.DraftGroupsDrawn(attempt, tuple(tuple(islice(rest, size)) for size in sizes))


class DrawChooser(Command, frozen=True):
    """Draw who chooses the first player or the side, where chance decides it."""

    match: int
    totals: tuple[int, int] | None = None

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        if match.number in tournament.floor.choosers:
            return
        draws = context.draws(tournament, CHOOSER, match.number)
        chooser = match.players[draws.below(len(match.players))]
        yield setups.ChooserDrawn(match.number, chooser, self.totals)


def _only(tournament: Tournament, match: Match, totals: tuple[int, int]) -> int:
    """Who chooses by army totals; where they are equal, the one who was drawn."""
    lower = lower_total(match, totals)
    chooser = lower[0] if len(lower) == 1 else tournament.floor.choosers.get(match.number)
    if chooser is None:
        text = marked(
            "the army totals are equal: draw the player who chooses, or name the player "
            "who won the choice at the table"
        )
        clause = next((part.clause for part in parts_by_total(tournament.ruleset.floor)), "")
        raise Refused(problem("chooser.equal_totals", text, clause=clause))
    return chooser


class ChooseFirstPlayer(Command, frozen=True):
    """Record who is first player; chooser 0: who it has to be by totals or rolls."""

    match: int
    first: int
    chooser: int = 0
    totals: tuple[int, int] | None = None
    rolls: tuple[tuple[int, int], ...] = ()
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        chooser = self.chooser
        if not chooser and self.totals:
            chooser = _only(tournament, match, self.totals)
        elif not chooser and self.rolls:
            last = self.rolls[-1]
            chooser = match.first if last[0] > last[1] else match.second
        chooser = chooser or tournament.floor.choosers.get(match.number, 0)
        if not chooser:  # also against a bye, which has no second player
            rules = tournament.ruleset.floor.first
            text, clause = marked("name the player who chose"), rules.clause if rules else ""
            raise Refused(problem("chooser.missing", text, clause=clause))
        chosen = event_of(FirstPlayerChosen, self, chooser=chooser)
        if tournament.floor.first_players.get(match.number) != chosen:
            yield chosen


class TakeSide(Command, frozen=True):
    """Record who is blue; chooser 0: who it has to be."""

    match: int
    blue: int
    chooser: int = 0
    totals: tuple[int, int] | None = None
    edge: str = ""
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        chooser = self.chooser
        if not chooser and self.totals:
            chooser = _only(tournament, match, self.totals)
        elif not chooser:
            chosen = tournament.floor.first_players.get(match.number)
            if chosen is None:
                raise Refused(_nobody_chose(tournament, match))
            chooser = next(player for player in match.players if player != chosen.first)
        taken = event_of(SideTaken, self, chooser=chooser)
        if tournament.floor.sides.get(match.number) != taken:
            yield taken


def _nobody_chose(tournament: Tournament, match: Match) -> Problem:
    rules = tournament.ruleset.floor.sides
    if rules is not None and rules.chooser == "second player":
        text = marked("the first player must be chosen first")
        way = remedy("first", table=table_of(match))
        return problem("first.missing", text, clause=rules.clause, remedy=way)
    text = marked("give the player who chose, or the army totals")
    clause = rules.clause if rules else ""
    return problem("chooser.or_totals_missing", text, clause=clause)


class BuildBattle(Command, frozen=True):
    """Record the cards revealed and what was struck out; what is played follows from it."""

    match: int
    objectives: setups.Three
    deployments: setups.Three
    conditions: setups.Three
    struck: tuple[setups.Struck, setups.Struck, setups.Struck, setups.Struck]

    def decide(self, tournament: Tournament, context: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        battle = Battle(self.objectives, self.deployments, self.conditions, self.struck)
        if problems := tuple(battle.problems()):
            raise Refused(*problems)
        key = context.key_to_seal_with()
        built = BattleBuilt(match.number, sealed(tournament, key, match.number, battle))
        if tournament.floor.battles.get(match.number) != built:
            yield built


class AnnounceTerrain(Command, frozen=True):
    """Say whether the terrain is fixed."""

    fixed: bool

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if tournament.floor.fixed_terrain is not self.fixed:
            yield setups.TerrainAnnounced(self.fixed)


class CountTerrain(Command, frozen=True):
    """Record what stands on a table."""

    table: int
    covered: int
    pieces: dict[str, int]

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        counted = event_of(TerrainCounted, self)
        if tournament.floor.terrain.get(self.table) != counted:
            yield counted


class OrderVerification(Command, frozen=True):
    """Let the players verify each other's army totals."""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if not tournament.floor.verification:
            yield setups.VerificationOrdered()


class ReviewFirstFive(Command, frozen=True):
    """Record who looked at a player's First Five."""

    says = setups.FirstFiveReviewed

    match: int
    player: int
    official: int = 0
    reviewer: int = 0
