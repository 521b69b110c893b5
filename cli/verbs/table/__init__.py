"""The verbs of the table: set-ups, components, disputes, rulings, penalties."""

from __future__ import annotations

from cli.verbs.verb import Verb, view

VERBS = {
    "scenario": view("setups", "scenario", "Show how the tables of the round are set up."),
    "scenario draw": Verb("setups", "draw_scenario", "Draw the round's scenario."),
    "draft": view("setups", "draft", "Show the draft groups."),
    "draft draw": Verb("setups", "draw_draft", "Draw who drafts with whom."),
    "first": Verb("choices", "first", "Record who is first player, and who chose it."),
    "first draw": Verb(
        "choices", "draw_for_first", "Draw who chooses the first player at a table."
    ),
    "side": Verb("choices", "side", "Record who took the blue side, and who chose."),
    "side draw": Verb("choices", "draw_for_side", "Draw who chooses the side at a table."),
    "battle": Verb("choices", "battle", "Record the battle cards of a table and what was struck."),
    "terrain": view("inspections", "terrain", "List what is wrong with the terrain."),
    "terrain count": Verb("inspections", "count_terrain", "Count the terrain of a table."),
    "terrain fixed": Verb(
        "inspections", "fix_terrain", "Announce that every table keeps its terrain all event."
    ),
    "armies": view(
        "inspections", "armies", "Show whether players verify each other's army totals."
    ),
    "armies order": Verb(
        "inspections", "order_armies", "Order players to verify army totals, before round 1."
    ),
    "firstfive": Verb("inspections", "firstfive", "Record who looked at a player's First Five."),
    "component": view(
        "components",
        "list_components",
        "List what is on record of components, and what is missing.",
    ),
    "component missing": Verb("components", "missing", "Record that a component is missing."),
    "component found": Verb(
        "components", "found", "Record that what a player missed is there again."
    ),
    "component gone": Verb(
        "components", "gone", "Record that what a player misses is gone: the game is conceded."
    ),
    "component damaged": Verb("components", "damaged", "Record a damaged component."),
    "component proxy": Verb("components", "proxy", "Make a proxy for a card that was damaged."),
    "component allow": Verb("components", "allow", "Allow a component of a player, or everyone's."),
    "component ineligible": Verb("components", "ineligible", "Rule a component out."),
    "component share": Verb("components", "share", "Record what both players of a table share."),
    "prize": view("components", "list_prizes", "List which prize goes to whom."),
    "prize offer": Verb("components", "offer", "Offer a prize for ranks."),
    "prize award": Verb("components", "award", "Award a prize to a player."),
    "confirm": Verb(
        "disputes", "confirm", "Confirm a reported result, or list those to be confirmed."
    ),
    "dispute": Verb("disputes", "dispute", "Dispute a reported result."),
    "dispute withdraw": Verb("disputes", "withdraw_dispute", "Take a dispute back."),
    "disputes": view(
        "disputes", "disputes", "List the disputes: how old, both claims, who acts next."
    ),
    "match": view("disputes", "show_match", "Tell one match's whole story, event by event."),
    "rule": Verb("floor", "rule", "Record a ruling of the official at the desk, or list rulings."),
    "rule withdraw": Verb(
        "floor", "withdraw_ruling", "Take your ruling back, until something was decided on it."
    ),
    "appeal": Verb("disputes", "appeal", "Ask a marshal to review a ruling, on a player's word."),
    "appeal withdraw": Verb("disputes", "withdraw_appeal", "Take an appeal back."),
    "review": Verb("disputes", "review", "Review a ruling that was appealed, for good."),
    "conduct": Verb("floor", "conduct", "Record unsporting conduct and its remedy, or list it."),
    "recommend": Verb(
        "floor", "recommend", "Recommend a disqualification to the organizer, or list those."
    ),
    "penalty": Verb("floor", "penalty", "Give a penalty, or list those that were given."),
    "note": Verb("notes", "note", "Put a remark on record, or list the notes."),
}
