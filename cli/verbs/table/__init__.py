"""The verbs of the table: set-ups, components, disputes, rulings, penalties."""

from __future__ import annotations

from cli.verbs.verb import Verb

VERBS = {
    "scenario": Verb(
        "setups", "scenario", "Draw the round's scenario, or show how its tables are set up."
    ),
    "draft": Verb("setups", "draft", "Draw who drafts with whom, or show the draft groups."),
    "first": Verb("choices", "first", "Record who is first player, and who chose it."),
    "side": Verb("choices", "side", "Record who took the blue side, and who chose."),
    "battle": Verb("choices", "battle", "Record the battle cards of a table and what was struck."),
    "terrain": Verb(
        "inspections", "terrain", "Count the terrain of a table, or list what is wrong."
    ),
    "armies": Verb("inspections", "armies", "Let the players verify each other's army totals."),
    "firstfive": Verb("inspections", "firstfive", "Record who looked at a player's First Five."),
    "component": Verb(
        "components", "component", "Record a lost, damaged, replaced or ruled out component."
    ),
    "prize": Verb(
        "components", "prize", "Offer prizes for ranks, award them, or list who gets what."
    ),
    "confirm": Verb(
        "disputes", "confirm", "Confirm a reported result, or list those to be confirmed."
    ),
    "dispute": Verb("disputes", "dispute", "Dispute a reported result."),
    "disputes": Verb(
        "disputes",
        "disputes",
        "List the disputes: how old, both claims, who acts next.",
        writes=False,
    ),
    "match": Verb(
        "disputes", "show_match", "Tell one match's whole story, event by event.", writes=False
    ),
    "rule": Verb("floor", "rule", "Record a ruling of the official at the desk, or list rulings."),
    "appeal": Verb("disputes", "appeal", "Ask a marshal to review a ruling, on a player's word."),
    "review": Verb("disputes", "review", "Review a ruling that was appealed, for good."),
    "conduct": Verb("floor", "conduct", "Record unsporting conduct and its remedy, or list it."),
    "recommend": Verb(
        "floor", "recommend", "Recommend a disqualification to the organizer, or list those."
    ),
    "penalty": Verb("floor", "penalty", "Give a penalty, or list those that were given."),
    "note": Verb("notes", "note", "Put a remark on record, or list the notes."),
}
