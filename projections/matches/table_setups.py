"""How a round is set up, table by table, and what is to be said against the terrain."""

from __future__ import annotations

from ledger.tournament.lists import battle_cards
from ledger.tournament.state import Match, Round, Tournament

COVERED_MIN = 25
"""Percent of a table that terrain covers at least (SWL-TERRAIN)."""

SPREAD_MAX = 1
"""How far two tables may differ in pieces, and in pieces of a type, and be roughly equal."""


def as_json(tournament: Tournament, round_: Round) -> dict[str, object]:
    """The round's set-up for scripts; battle cards stay out until play is closed (SWL-HIDDEN)."""
    scenario = tournament.floor.scenarios.get(round_.number)
    return {
        "round": round_.number,
        "deployment": scenario.deployment if scenario else None,
        "objective": scenario.objective if scenario else None,
        "fixed_terrain": tournament.floor.fixed_terrain,
        "tables": [_table(tournament, match) for match in round_.matches if not match.is_bye],
    }


def _table(tournament: Tournament, match: Match) -> dict[str, object]:
    floor = tournament.floor
    chosen, side = floor.first_players.get(match.number), floor.sides.get(match.number)
    return {
        "table": match.table,
        "players": list(match.players),
        "first": chosen.first if chosen else None,
        "blue": side.blue if side else None,
        "edge": (side.edge if side else "") or None,
        "reviewed": sorted(set(floor.reviewed.get(match.number, []))),
        "battle": list(battle_cards.played(tournament, match.number)) or None,
    }


def terrain_findings(tournament: Tournament) -> list[str]:
    """What is wrong with the tables' terrain (SWL-TERRAIN); empty: nothing that was counted."""
    rules = tournament.ruleset.floor.terrain
    if rules is None:
        return []
    counted = [table for _, table in sorted(tournament.floor.terrain.items())]
    findings = [
        f"table {each.table}: {each.covered} % covered, a quarter is needed ({rules.clause})"
        for each in counted
        if each.covered < COVERED_MIN
    ]
    pieces = {each.table: sum(each.pieces.values()) for each in counted}
    findings += _uneven("pieces", pieces, rules.clause)
    for kind in sorted({kind for each in counted for kind in each.pieces}):
        of_kind = {each.table: each.pieces.get(kind, 0) for each in counted}
        findings += _uneven(kind, of_kind, rules.clause)
    return findings


def _uneven(what: str, counts: dict[int, int], clause: str) -> list[str]:
    if not counts or max(counts.values()) - min(counts.values()) <= SPREAD_MAX:
        return []
    fewest, most = (pick(counts, key=lambda table: counts[table]) for pick in (min, max))
    found = f"{what}: {counts[most]} on table {most}, {counts[fewest]} on table {fewest}"
    return [f"{found}: roughly equal between tables ({clause})"]
