"""Whether a scenario, draft groups, a first player, a side or a set-up is by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.events.setups import (
    BattleBuilt,
    ChooserDrawn,
    DraftGroupsDrawn,
    FirstFiveReviewed,
    FirstPlayerChosen,
    ScenarioDrawn,
    SideTaken,
    TerrainAnnounced,
    TerrainCounted,
    VerificationOrdered,
)
from ledger.tournament import office
from ledger.tournament.progress import not_played, round_in_play
from ledger.tournament.setups import drawn_before, group_sizes, lower_total, unused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events import Event
    from ledger.rulesets.floor import Season
    from ledger.tournament.state import Match, Round, Tournament


ARMY_TOTAL = "army total"

TYPED = {"army totals": "--totals 800-790", "rolls": "--roll 4-1"}
"""How what decides is typed."""


def has_outline(tournament: Tournament) -> bool:
    """Whether an event outline was announced, which may replace the season (FFG-OUTLINE)."""
    return tournament.announced is not None and bool(tournament.announced.outline)


def season_of(tournament: Tournament) -> Season | None:
    """The season that the event's date lies in."""
    scenario = tournament.ruleset.floor.scenario
    if scenario is None or tournament.opening is None:
        return None
    return scenario.season(tournament.opening.date)


def no_season(tournament: Tournament) -> str:
    """Say why there is no season."""
    scenario, opening = tournament.ruleset.floor.scenario, tournament.opening
    if scenario is None or opening is None:
        return f"{tournament.ruleset.key} draws no scenarios (RW-SCENARIO)"
    return (
        f"{opening.date} lies before the first season, which begins on "
        f"{scenario.seasons[0].since}; an event outline may name its own (RW-SEASON)"
    )


def scenario_missing(tournament: Tournament, played: Round) -> Iterator[str]:
    """Yield where a round of the Formal or Premier tier starts without a scenario (RW-SEASON)."""
    if tournament.ruleset.floor.scenario is None or tournament.importing:
        return
    tier = tournament.opening.tier if tournament.opening else "relaxed"
    drawn = played.number in tournament.floor.scenarios
    if tier != "relaxed" and not drawn and not has_outline(tournament):
        yield (
            f"the {tier.capitalize()} tier draws a scenario for every round: "
            "use `scenario draw` (RW-SEASON)"
        )


def _scenario(tournament: Tournament, event: ScenarioDrawn) -> Iterator[str]:
    played = round_in_play(tournament)
    if played is None or played.number != event.round:
        yield f"round {event.round} is not in play"
        return
    if event.round in tournament.floor.scenarios:
        yield f"the scenario of round {event.round} is drawn (RW-SCENARIO)"
    if has_outline(tournament):
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
            yield f"{card!r} is not legal in this season (RW-SEASON)"
        elif card not in unused(legal, before):
            yield f"{card!r} was used, and others not yet, in this stage (RW-SCENARIO)"


def _draft(tournament: Tournament, event: DraftGroupsDrawn) -> Iterator[str]:
    active, rules = tournament.active(), tournament.ruleset.floor.draft
    if rules is None:
        yield no_draft(tournament)
        return
    if tournament.rounds:
        yield f"draft groups are made before the first round ({rules.clause})"
    if event.attempt != tournament.floor.drafts + 1:
        yield f"this is attempt {tournament.floor.drafts + 1} at the draft groups"
    if sorted(player for group in event.groups for player in group) != active:
        yield f"everyone who plays is in one draft group ({rules.clause})"
    sizes = group_sizes(len(active))
    if sorted(map(len, event.groups), reverse=True) != sizes:
        asked = ", ".join(map(str, sizes)) or "none"
        yield f"draft groups of a field of {len(active)}: {asked} ({rules.clause})"


def no_draft(tournament: Tournament) -> str:
    """Say that the game has no draft groups."""
    return f"{tournament.ruleset.key} draws no draft groups"


def _open_match(tournament: Tournament, number: int) -> Match | None:
    match = tournament.matches[number] if number < len(tournament.matches) else None
    return match if match is not None and match.is_open else None


def _chosen(tournament: Tournament, event: FirstPlayerChosen) -> Iterator[str]:
    rules = tournament.ruleset.floor.first
    match = _open_match(tournament, event.match)
    if match is None:
        yield not_played(tournament, event.match)
    elif rules is None:
        yield f"{tournament.ruleset.key} records no first player"
    elif not {event.chooser, event.first} <= set(match.players):
        yield f"the first player sits at {match.round}/{match.table} ({rules.clause})"
    else:
        if (event.totals is not None) != (rules.chooser == ARMY_TOTAL):
            yield _which(rules.chooser == ARMY_TOTAL, "army totals", rules.clause)
        elif rules.chooser != "roll":
            yield from _by_totals_or_chance(tournament, match, event, rules.clause)
        if bool(event.rolls) != (rules.chooser == "roll"):
            yield _which(rules.chooser == "roll", "rolls", rules.clause)
        elif event.rolls:
            yield from _rolls(match, event, rules.clause)


def _which(needed: bool, what: str, clause: str) -> str:  # noqa: FBT001 - what is asked
    if not needed:
        return f"no {what} here ({clause})"
    return f"{what} decide this: name them, as {TYPED[what]} ({clause})"


def _rolls(match: Match, event: FirstPlayerChosen, clause: str) -> Iterator[str]:
    *ties, last = event.rolls
    if any(one != other for one, other in ties) or last[0] == last[1]:
        yield f"ties are rolled again, until one rolls more ({clause})"
    elif event.chooser != (match.first if last[0] > last[1] else match.second):
        yield f"who rolls most chooses ({clause})"


def _by_totals_or_chance(
    tournament: Tournament, match: Match, event: FirstPlayerChosen | SideTaken, clause: str
) -> Iterator[str]:
    drawn = tournament.floor.choosers.get(match.number)
    lower = lower_total(match, event.totals) if event.totals else match.players
    if event.chooser not in lower:
        yield f"the lower army total chooses ({clause})"
    elif len(lower) > 1 and drawn and event.chooser != drawn:
        yield f"player {drawn} was drawn to choose ({clause})"


def _drawn(tournament: Tournament, event: ChooserDrawn) -> Iterator[str]:
    floor, match = tournament.ruleset.floor, _open_match(tournament, event.match)
    by_total = [each for each in (floor.first, floor.sides) if each and each.chooser == ARMY_TOTAL]
    by_chance = floor.first is not None and floor.first.chooser == "random"
    if match is None:
        yield not_played(tournament, event.match)
    elif not by_total and not by_chance:
        yield f"{tournament.ruleset.key} draws nobody to choose"
    elif event.chooser not in match.players:
        yield f"player {event.chooser} does not sit at {match.round}/{match.table}"
    elif event.match in tournament.floor.choosers:
        yield f"who chooses at {match.round}/{match.table} is drawn"
    elif by_total and event.totals is None:
        yield _which(True, "army totals", by_total[0].clause)  # noqa: FBT003 - what is asked
    elif by_total and len(lower_total(match, event.totals or (0, 0))) == 1:
        yield f"the lower army total chooses, nobody is drawn ({by_total[0].clause})"


def _side(tournament: Tournament, event: SideTaken) -> Iterator[str]:
    rules = tournament.ruleset.floor.sides
    match = _open_match(tournament, event.match)
    if match is None:
        yield not_played(tournament, event.match)
        return
    if rules is None:
        yield f"{tournament.ruleset.key} has no sides to choose"
        return
    if not {event.chooser, event.blue} <= set(match.players):
        yield f"blue sits at {match.round}/{match.table} ({rules.clause})"
    if (event.totals is not None) != (rules.chooser == ARMY_TOTAL):
        yield _which(rules.chooser == ARMY_TOTAL, "army totals", rules.clause)
    elif rules.chooser == ARMY_TOTAL:
        yield from _by_totals_or_chance(tournament, match, event, rules.clause)
    if rules.chooser == "second player":
        chosen = tournament.floor.first_players.get(event.match)
        if chosen is None:
            yield f"the first player is chosen before the sides ({rules.clause})"
        elif event.chooser == chosen.first:
            yield f"the second player chooses the side ({rules.clause})"
    if event.edge and not tournament.floor.fixed_terrain:
        terrain = tournament.ruleset.floor.terrain
        clause = f" ({terrain.fixed})" if terrain else ""
        yield f"blue chooses an edge only where the terrain is fixed{clause}"


def _battle(tournament: Tournament, event: BattleBuilt) -> Iterator[str]:
    rules = tournament.ruleset.floor.battle
    if _open_match(tournament, event.match) is None:
        yield not_played(tournament, event.match)
    elif rules is None:
        yield f"{tournament.ruleset.key} has no battle cards"
    elif event.match not in tournament.floor.sides:
        yield f"the sides are chosen before the set-up: use `side` ({rules.clause})"


def _terrain(tournament: Tournament, _: TerrainAnnounced) -> Iterator[str]:
    rules = tournament.ruleset.floor.terrain
    if rules is None:
        yield no_terrain(tournament)
    elif tournament.rounds:
        yield f"whether the terrain is fixed is said before the first round ({rules.fixed})"


def no_terrain(tournament: Tournament) -> str:
    """Say that the game has no terrain to count."""
    return f"{tournament.ruleset.key} counts no terrain"


def _counted(tournament: Tournament, event: TerrainCounted) -> Iterator[str]:
    rules = tournament.ruleset.floor.terrain
    if rules is None:
        yield no_terrain(tournament)
    elif not event.pieces:
        yield f"say what stands on the table ({rules.clause})"


def _verification(tournament: Tournament, _: VerificationOrdered) -> Iterator[str]:
    rules = tournament.ruleset.floor.verification
    if rules is None:
        yield no_verification(tournament)
        return
    if any(played.status != "paired" for played in tournament.rounds):
        yield f"army totals are verified before round 1 ({rules.clause})"
    if tournament.floor.verification:
        yield f"this is ordered already ({rules.clause})"


def no_verification(tournament: Tournament) -> str:
    """Say that the game has no army totals that players verify."""
    return f"{tournament.ruleset.key} has no army totals to verify"


def _first_five(tournament: Tournament, event: FirstFiveReviewed) -> Iterator[str]:
    rules = tournament.ruleset.floor.first_five
    match = _open_match(tournament, event.match)
    if rules is None:
        yield f"{tournament.ruleset.key} has no First Five to look at"
        return
    if match is None or event.player not in match.players:
        yield f"player {event.player} is not playing match {event.match}"
        return
    if bool(event.official) == bool(event.reviewer):
        yield f"either an official reviews or another player ({rules.clause})"
    elif event.official >= len(tournament.officials):
        yield f"there is no official {event.official}"
    elif event.official:
        official = tournament.officials[event.official]
        if not office.leads(tournament, official.roles):
            yield f"o{event.official} does not review lists (AOP-COORGANIZER)"
        if official.stood_down:
            yield f"o{event.official} is a spectator until they resume (FFG-ROLE-STATUS)"
        if official.player in match.players:
            yield f"not by whoever plays this match ({rules.clause})"
    elif event.reviewer >= len(tournament.players) or event.reviewer in match.players:
        yield f"another player reviews, not one of this match ({rules.clause})"


CHECKS: dict[type[Event], Callable[[Tournament, Any], Iterator[str]]] = {
    ScenarioDrawn: _scenario,
    DraftGroupsDrawn: _draft,
    ChooserDrawn: _drawn,
    FirstPlayerChosen: _chosen,
    SideTaken: _side,
    BattleBuilt: _battle,
    TerrainAnnounced: _terrain,
    TerrainCounted: _counted,
    VerificationOrdered: _verification,
    FirstFiveReviewed: _first_five,
}
