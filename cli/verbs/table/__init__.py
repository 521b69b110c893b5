"""The verbs of the table: set-ups, components, disputes, rulings, penalties."""

from __future__ import annotations

from cli.outside import KEYS, STORE
from cli.verbs.verb import Verb, reads

VERBS = {
    "scenario": reads("scenarios", "Show how the tables of the round are set up."),
    "scenario draw": Verb("scenarios", "Draw the round's scenario.", "draw_scenario"),
    "draft": reads("scenarios", "Show the draft groups."),
    "draft draw": Verb("scenarios", "Draw who drafts with whom.", "draw_draft"),
    "first": Verb("choices", "Record who is first player, and who chose it."),
    "first draw": Verb(
        "choices", "Draw who chooses the first player at a table.", "draw_for_first"
    ),
    "side": Verb("choices", "Record who took the blue side, and who chose."),
    "side draw": Verb("choices", "Draw who chooses the side at a table.", "draw_for_side"),
    "battle": Verb("choices", "Record the battle cards of a table and what was struck."),
    "terrain": reads("inspections", "List what is wrong with the terrain."),
    "terrain count": Verb("inspections", "Count the terrain of a table.", "count_terrain"),
    "terrain fixed": Verb(
        "inspections", "Announce that every table keeps its terrain all event.", "fix_terrain"
    ),
    "armies": reads("inspections", "Show whether players verify each other's army totals."),
    "armies order": Verb(
        "inspections", "Order players to verify army totals, before round 1.", "order_armies"
    ),
    "firstfive": Verb("inspections", "Record who looked at a player's First Five."),
    "component": reads(
        "component",
        "List what is on record of components, and what is missing.",
        "list_components",
    ),
    "component missing": Verb("component", "Record that a component is missing."),
    "component found": Verb("component", "Record that what a player missed is there again."),
    "component gone": Verb(
        "component", "Record that what a player misses is gone: the game is conceded."
    ),
    "component damaged": Verb("component", "Record a damaged component."),
    "component proxy": Verb("component", "Make a proxy for a card that was damaged."),
    "component allow": Verb("component", "Allow a component of a player, or everyone's."),
    "component ineligible": Verb("component", "Rule a component out."),
    "component inspect": Verb(
        "component", "Record that components were looked at, and what follows."
    ),
    "component share": Verb("component", "Record what both players of a table share."),
    "moderate": Verb("inspections", "Record who saw to the pace of a match."),
    "prize": reads("component", "List which prize goes to whom.", "list_prizes"),
    "prize offer": Verb("component", "Offer a prize for ranks."),
    "prize award": Verb("component", "Award a prize to a player."),
    "confirm": Verb("dispute", "Confirm a reported result, or list those to be confirmed."),
    "dispute": Verb("dispute", "Dispute a reported result."),
    "dispute withdraw": Verb("dispute", "Take a dispute back.", "withdraw_dispute"),
    "disputes": reads("dispute", "List the disputes: how old, both claims, who acts next."),
    "match": reads("dispute", "Tell one match's whole story, event by event.", "show_match"),
    "evidence": reads(
        "evidence", "Write what a judge hands to an appeal: one page about a match."
    ).touching(STORE | KEYS),
    "rule": Verb("floor", "Record a ruling of the official at the desk, or list rulings."),
    "rule withdraw": Verb(
        "floor", "Take your ruling back, until something was decided on it.", "withdraw_ruling"
    ),
    "appeal": Verb("dispute", "Ask a marshal to review a ruling, on a player's word."),
    "appeal withdraw": Verb("dispute", "Take an appeal back.", "withdraw_appeal"),
    "review": Verb("dispute", "Review a ruling that was appealed, for good."),
    "conduct": Verb("floor", "Record unsporting conduct and its remedy, or list it."),
    "recommend": Verb("floor", "Recommend a disqualification to the organizer, or list those."),
    "penalty": Verb("floor", "Give a penalty, or list those that were given."),
    "note": Verb("notes", "Put a remark on record, or list the notes."),
}
