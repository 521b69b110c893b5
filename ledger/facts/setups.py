"""Scenarios, sides, battles and terrain: the facts, what each does, and what is set up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from ledger.facts import base
from ledger.facts.base import DESK, LEADERS, MARSHAL, ORGANIZER, Event, Recording
from ledger.facts.components import ComponentDamaged, ComponentsShared, Shared
from ledger.facts.shared import (
    BattleBuilt,
    Card,
    FirstPlayerChosen,
    ScenarioDrawn,
    SideTaken,
    TerrainCounted,
)
from ledger.problems import Player, Problem, Problems, marked, problem, remedy
from ledger.tournament.state import Match, Round, Tournament

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.rulesets.floor import Components, First, FloorRules, Sides

Three = tuple[Card, Card, Card]
Struck = Literal["objective", "deployment", "condition", "pass"]


class DraftGroupsDrawn(Event, frozen=True):
    """Who drafts with whom; drawn again, the latest groups count (AOP-DRAFT)."""

    recording = Recording(
        marked("drawing draft groups"), ORGANIZER, drawn=True, instead=remedy("draft.draw")
    )

    attempt: base.Ordinal
    groups: tuple[tuple[base.Number, ...], ...]


class ChooserDrawn(Event, frozen=True):
    """`chooser` was drawn to choose the side or the first player (SWL-SIDES, RW-FIRST).

    `totals` are both army totals where equal ones left it to chance.
    """

    recording = Recording(
        marked("drawing the player who chooses"),
        DESK | LEADERS,
        drawn=True,
        stays=marked("a draw is final: repeating it would give the same result"),
    )

    match: base.Ordinal
    chooser: base.Number
    totals: tuple[base.Count, base.Count] | None = None


class TerrainAnnounced(Event, frozen=True):
    """Whether the terrain of the event is fixed (SWL-FIXED-TERRAIN)."""

    recording = Recording(marked("announcing the terrain"), ORGANIZER)

    fixed: bool

    def reversal(self, _reason: str) -> Event:
        return TerrainAnnounced(not self.fixed)


class VerificationOrdered(Event, frozen=True):
    """Before round 1 the players verify each other's army totals (RW-VERIFY)."""

    recording = Recording(
        marked("ordering a verification"),
        MARSHAL,
        stays=marked("tell the players that no verification is needed"),
    )


class FirstFiveReviewed(Event, frozen=True):
    """A player's First Five was looked at, by an official or by another player."""

    recording = Recording(
        marked("reviewing a First Five"),
        LEADERS,
        instead=remedy("firstfive"),
        stays=marked("the reviewer stays on record"),
    )

    match: base.Ordinal
    player: base.Number
    official: base.Seat = 0
    reviewer: base.Seat = 0


def scenario_drawn(tournament: Tournament, event: ScenarioDrawn, _: Recorded) -> None:
    tournament.floor.scenarios[event.round] = event


def draft_groups_drawn(tournament: Tournament, event: DraftGroupsDrawn, _: Recorded) -> None:
    tournament.floor.drafts = event.attempt
    tournament.floor.draft_groups = event.groups


def chooser_drawn(tournament: Tournament, event: ChooserDrawn, _: Recorded) -> None:
    tournament.floor.choosers[event.match] = event.chooser


def first_player_chosen(tournament: Tournament, event: FirstPlayerChosen, _: Recorded) -> None:
    tournament.floor.first_players[event.match] = event
    sides = tournament.ruleset.floor.sides
    if sides is not None and sides.chooser == "second player":
        tournament.floor.sides.pop(event.match, None)  # the other player chooses now


def side_taken(tournament: Tournament, event: SideTaken, _: Recorded) -> None:
    before = tournament.floor.sides.get(event.match)
    tournament.floor.sides[event.match] = event
    if before is not None and before.blue != event.blue:
        tournament.floor.battles.pop(event.match, None)  # the cards are blue's


def battle_built(tournament: Tournament, event: BattleBuilt, _: Recorded) -> None:
    tournament.floor.battles[event.match] = event
    tournament.floor.lost_battles.discard(event.match)


def terrain_announced(tournament: Tournament, event: TerrainAnnounced, _: Recorded) -> None:
    tournament.floor.fixed_terrain = event.fixed


def terrain_counted(tournament: Tournament, event: TerrainCounted, _: Recorded) -> None:
    tournament.floor.terrain[event.table] = event


def verification_ordered(
    tournament: Tournament, _event: VerificationOrdered, recorded: Recorded
) -> None:
    tournament.floor.verification = recorded.seq


def first_five_reviewed(tournament: Tournament, event: FirstFiveReviewed, _: Recorded) -> None:
    tournament.floor.reviewed.setdefault(event.match, []).append(event.player)


ARMY_TOTAL = "army total"


def has_outline(tournament: Tournament) -> bool:
    """Whether an event outline was announced, which may replace the season (FFG-OUTLINE)."""
    return tournament.announced is not None and bool(tournament.announced.outline)


def parts_by_total(floor: FloorRules) -> list[First | Sides]:
    """Return the set-ups in which the army totals decide who chooses."""
    return [part for part in (floor.first, floor.sides) if part and part.chooser == ARMY_TOTAL]


def missing_parts(tournament: Tournament) -> dict[str, Problem]:
    """What one game has at its tables and this one has not, with how that is refused."""
    from ledger.facts.list_rules import exclusive  # noqa: PLC0415 - it reads this module

    floor, game = tournament.ruleset.floor, tournament.ruleset.key
    by_total = bool(parts_by_total(floor))
    by_chance = floor.first is not None and floor.first.chooser == "random"
    no_cards = problem("scenario.none", "{game} has no scenarios to draw", game=game)
    clock_clause = tournament.ruleset.clock.clause
    no_totals = marked("{game} has no army totals to verify")
    parts = {
        "setup": (
            floor.scenario or has_outline(tournament) or floor.first or floor.sides or floor.battle,
            problem("setup.none", "{game} has no set-up at its tables to record", game=game),
        ),
        "scenario": (floor.scenario, no_cards),
        "scenario or outline": (floor.scenario or has_outline(tournament), no_cards),
        "draft": (floor.draft, problem("draft.none", "{game} has no draft groups", game=game)),
        "first": (floor.first, problem("first.none", "{game} has no first player", game=game)),
        "chooser": (
            by_total or by_chance,
            problem("chooser.none", "{game} does not record which player chooses", game=game),
        ),
        "sides": (floor.sides, problem("side.none", "{game} has no sides to choose", game=game)),
        "battle": (floor.battle, problem("battle.none", "{game} has no battle cards", game=game)),
        "terrain": (floor.terrain, problem("terrain.none", "{game} has no terrain", game=game)),
        "verification": (floor.verification, problem("verification.none", no_totals, game=game)),
        "first five": (
            floor.first_five,
            problem("first_five.none", "{game} has no First Five to review", game=game),
        ),
        "inspections": (
            floor.inspections,
            problem("inspection.none", "{game} has no rule for inspecting components", game=game),
        ),
        "pace": (floor.pace, problem("pace.none", "{game} has no rule for pace", game=game)),
        "extra time": (
            floor.clock.extra_max,
            problem("clock.no_extra", "this game has no extra time", clause=clock_clause),
        ),
        "given out": (
            exclusive(tournament),
            problem("given_out.none", "the format of this tournament has nothing to give out"),
        ),
    } | _parts_of_components(floor.components, game)
    return {name: reason for name, (rules, reason) in parts.items() if not rules}


def _parts_of_components(rules: Components, game: str) -> dict[str, tuple[object, Problem]]:
    """Return what a game may have for components, each with how its absence is refused."""
    no_lost = marked(
        "{game} has no rule for lost components: the organizer decides what may be used"
    )
    no_damage = marked(
        "{game} has no rule for damaged components: the organizer decides what may be used"
    )
    no_sharing = marked("{game} has no rule for sharing")
    return {
        "lost components": (
            rules.lost,
            problem("component.not_lost", no_lost, clause=rules.clause, game=game),
        ),
        "proxies": (
            rules.proxies,
            problem("component.no_proxies", no_damage, clause=rules.clause, game=game),
        ),
        "damage": (
            rules.damaged or rules.proxies,
            problem("component.no_proxies", no_damage, clause=rules.clause, game=game),
        ),
        "sharing": (
            rules.damaged,
            problem("component.not_shared", no_sharing, clause="FFG-SHARE", game=game),
        ),
    }


def group_sizes(players: int) -> list[int]:
    """How large the draft groups are, largest first (AOP-DRAFT).

    All of 4, else all of 3, else all of 2, else as few as can be, differing by one at most.
    Empty where no groups of 2 to 4 can be made.
    """
    if players < 2:  # noqa: PLR2004 - a group has two players at least
        return []
    for size in (4, 3, 2):
        if players % size == 0:
            return [size] * (players // size)
    groups = -(-players // 4)
    small, larger = divmod(players, groups)
    return [small + 1] * larger + [small] * (groups - larger)


def unused(cards: Sequence[str], drawn: Sequence[str]) -> list[str]:
    """The cards that may be drawn next: none repeats until all were used (RW-SCENARIO)."""
    used: set[str] = set()
    for card in drawn:
        used |= {card} & set(cards)
        if len(used) == len(cards):
            used.clear()
    return [card for card in cards if card not in used]


def drawn_before(tournament: Tournament, number: int) -> tuple[list[str], list[str]]:
    """The deployments and the objectives that the stage of this round has used before it."""
    stage = tournament.stages[tournament.rounds[number - 1].stage - 1]
    scenarios = tournament.floor.scenarios
    drawn = [scenarios[each] for each in stage.rounds if each < number and each in scenarios]
    return [each.deployment for each in drawn], [each.objective for each in drawn]


def lower_total(match: Match, totals: tuple[int, int]) -> tuple[int, ...]:
    """Who may choose by army totals: the lower, or either where they are equal."""
    lower = match.first if totals[0] < totals[1] else match.second
    return match.players if totals[0] == totals[1] else (lower,)


def recorded_facts(tournament: Tournament, match: Match) -> dict[str, tuple[int, int]]:
    """The facts of a match that its set-up has recorded: who is first, who chose, who is blue."""
    if not (tournament.floor.first_players or tournament.floor.sides):
        return {}
    declared = tournament.ruleset.derives
    chosen = tournament.floor.first_players.get(match.number)
    side = tournament.floor.sides.get(match.number)
    players = {
        "first": chosen.first if chosen else 0,
        "chooser": chosen.chooser if chosen else 0,
        "blue": side.blue if side else 0,
    }
    return {
        fact.name: (int(player == match.first), int(player == match.second))
        for fact in (declared.facts if declared else ())
        if (player := players.get(fact.recorded, 0))
    }


def within_limit(tournament: Tournament, totals: tuple[int, int] | None) -> Problems:
    """Yield an army above the limit, unless an event outline has armies of its own."""
    armies = tournament.ruleset.floor.armies
    if armies and totals and max(totals) > armies.most and not has_outline(tournament):
        text, highest = marked("an army can have at most {most} points, not {total}"), max(totals)
        yield problem("army.too_large", text, clause=armies.clause, most=armies.most, total=highest)


def unready(tournament: Tournament, round_: Round) -> Problems:
    """Yield what is missing where a round starts now, though nothing forbids it."""
    if tournament.is_imported:
        return
    floor, number = tournament.ruleset.floor, round_.number
    if number > 1 and not tournament.rounds[number - 2].started_at:
        text, clause = marked("round {round} was never started"), tournament.ruleset.clock.clause
        yield problem("round.never_started", text, clause=clause, round=number - 1)
    if floor.scenario and number not in tournament.floor.scenarios and not has_outline(tournament):
        text, way = marked("no scenario is drawn for round {round}"), remedy("scenario.draw")
        yield problem("scenario.none_drawn", text, clause="RW-SCENARIO", remedy=way, round=number)
    if waiting := unreviewed_players(tournament, round_):
        text, clause = marked("First Fives not yet reviewed: {count}"), floor.clock.clause
        way = remedy("firstfive", player=Player(waiting[0]))
        yield problem("first_five.waiting", text, clause=clause, remedy=way, count=len(waiting))


def unreviewed_players(tournament: Tournament, round_: Round) -> tuple[int, ...]:
    """Whose First Five nobody looked at, where the game has that done (AOP-CLOCK)."""
    if not tournament.ruleset.floor.first_five:
        return ()
    reviewed = tournament.floor.reviewed
    return tuple(
        player
        for match in round_.matches
        if match.is_open
        for player in match.players
        if player not in reviewed.get(match.number, ())
    )


def answers_at(tournament: Tournament, match: Match) -> dict[Shared, ComponentsShared]:
    """What was said last of each component, by those who sit at the match (FFG-SHARE)."""
    rounds = tournament.rounds[match.round - 1 : match.round]  # none if it was unpaired
    reseated = rounds[0].reseated.get(match.number, 0) if rounds else 0
    return {
        each.event.what: each.event
        for each in tournament.floor.components
        if isinstance(each.event, ComponentsShared)
        if each.event.match == match.number and each.seq > reseated
    }


def worn_at(tournament: Tournament, match: Match) -> dict[Shared, int]:
    """Which player's damaged tool lets the match share the opponent's (FFG-DAMAGED)."""
    return {
        each.event.shares or "tools": player
        for player in match.players
        for each in tournament.floor.worn.get(player, ())
        if isinstance(each.event, ComponentDamaged)
    }


def shared_at(tournament: Tournament, match: Match) -> dict[Shared, int]:
    """What a match shares, and whose wish or damage it is; 0: a marshal's order."""
    said = answers_at(tournament, match)
    granted = {what: each.player for what, each in said.items() if each.answer == "granted"}
    worn = worn_at(tournament, match)
    return {what: player for what, player in worn.items() if what not in said} | granted


def is_review(tournament: Tournament, event: ComponentsShared) -> bool:
    """Whether it decides otherwise than was decided before: that is a marshal's (FFG-SHARE)."""
    if not 0 < event.match < len(tournament.matches):
        return False
    before = answers_at(tournament, tournament.matches[event.match]).get(event.what)
    return bool(before and before.answer not in {"asked", event.answer})
