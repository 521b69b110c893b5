"""How a result is entered: by buttons, by points, or by what the table saw, as the ruleset asks.

Fields stand in the order of the pairing (`points1` is the first player's); the page shows the own
side first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.input.find_people import short_name
from cli.serve.pages.form_fields import act_form, button, choice, folded, number_field, text_field
from cli.terminal.visible import visible
from cli.wording.phrases import result_in_words
from ledger.tournament.scoring import by_outcome, concession_of
from ledger.tournament.setups import recorded_facts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from htpy import Node

    from cli.serve.pages.visit import Visit
    from ledger.rulesets import Ruleset
    from ledger.rulesets.outcomes import Outcome
    from ledger.rulesets.procedures import Fact, Procedure
    from ledger.tournament.state import Match, Tournament

HOME = "/me"
RECORDS = {"W": 0, "D": 1, "L": 2}


def report_form(visit: Visit, match: Match, player: int) -> Node:
    """Return the form by which a player reports; who pressed a button is asked again."""
    about = {"match": match.number, "seen": visit.tournament.seq}
    said = visit.words.get("say", "")
    if any(said == each.name for each in visit.tournament.ruleset.outcomes):
        return _asked_again(visit, match, said, about)
    return htpy.div(class_="report")[
        htpy.h2["How did it end?"],
        _ways(visit, match, player, "report", about),
    ]


def _asked_again(visit: Visit, match: Match, said: str, about: Mapping[str, object]) -> Node:
    """Say the result in whole words before it is sent: a thumb slips, and nobody takes it back."""
    result = by_outcome(visit.tournament.ruleset, said)
    return htpy.div(class_="report")[
        htpy.h2["Is that right?"],
        htpy.p(class_="result")[visible(result_in_words(visit.tournament, match, result))],
        act_form(
            "report",
            button("Yes, send it", kind="main big"),
            to=HOME,
            hidden={**about, "outcome": said},
        ),
        htpy.p[htpy.a(href=HOME)["No, go back"]],
    ]


def claim_form(visit: Visit, match: Match, player: int) -> Node:
    """Return the form by which the other side says what happened instead."""
    about = {"match": match.number, "seen": visit.tournament.seq}
    reason = text_field("What is wrong with it (if you like)", "reason")
    return _ways(visit, match, player, "dispute", about, reason)


def concession_form(visit: Visit, match: Match, player: int) -> Node:
    """Return the form by which a player gives the match up, with the facts that it hangs on."""
    tournament, declared = visit.tournament, visit.tournament.ruleset.derives
    ended = concession_of(tournament.ruleset)
    asked = [declared.labels[name] for name in ended.asks] if ended and declared else []
    return folded(
        "Concede",
        htpy.p["Your opponent wins. This cannot be taken back here."],
        act_form(
            "concede",
            [_fact(visit, match, player, name) for fact in asked for name in fact.names()],
            button("Concede the match", kind="alarm"),
            to=HOME,
            hidden={"match": match.number, "seen": tournament.seq},
        ),
        key="concede",
    )


def _ways(
    visit: Visit, match: Match, player: int, name: str, about: Mapping[str, object], *more: Node
) -> Node:
    rules, declared = visit.tournament.ruleset, visit.tournament.ruleset.derives
    if rules.scoring.kind == "reported" and _is_swiss(visit.tournament, match):
        return _form(name, about, _points(visit, match, player), *more)
    if declared and declared.main and not declared.bare:
        return _form(name, about, _seen(visit, match, player, declared), *more)
    outcomes = _outcomes(rules, match, player, "say" if name == "report" else "outcome")
    buttons = act_form(name, *more, outcomes, to=HOME, hidden=about)
    if name == "report":
        kept = {f"data_{name}": str(value) for name, value in about.items()}  # for the outbox
        buttons = htpy.form(method="get", action=HOME, class_="act", **kept)[outcomes]
    if not declared or not declared.facts or not _is_swiss(visit.tournament, match):
        return buttons
    counted = _form(name, about, _seen(visit, match, player, declared), *more)
    is_usual = bool(declared.main)
    way = folded("It was counted at the table", counted, key=f"{name}-counted", is_open=is_usual)
    return [way, buttons] if is_usual else [buttons, way]


def _form(name: str, about: Mapping[str, object], *content: Node) -> Node:
    return act_form(name, *content, button("Send", kind="main"), to=HOME, hidden=about)


def _is_swiss(tournament: Tournament, match: Match) -> bool:
    return tournament.stages[tournament.rounds[match.round - 1].stage - 1].is_swiss


def _outcomes(rules: Ruleset, match: Match, player: int, field: str) -> Node:
    """Return a big button for each way in which it can end for this side, the best first."""
    ways = sorted(rules.outcomes, key=lambda each: RECORDS[each.record])
    return htpy.div(class_="outcomes")[
        (
            button(
                _mine(rules, each),
                field,
                each.name if player == match.first else each.against,
                kind=f"big {each.record.lower()}",
            )
            for each in ways
        )
    ]


def _mine(rules: Ruleset, outcome: Outcome) -> str:
    said = {"W": "I won", "L": "I lost", "D": "Draw"}[outcome.record]
    plain = outcome.record == "D" or outcome.name in {
        rules.full_win.name,
        rules.full_win.against,
    }
    return said if plain else outcome.name.capitalize()


def _points(visit: Visit, match: Match, player: int) -> Node:
    rules = visit.tournament.ruleset.scoring
    low, high = rules.points_min, rules.points_max
    return _pair(visit, match, player, ("points", f"points, {low} to {high}", low, high))


def _pair(visit: Visit, match: Match, player: int, field: tuple[str, str, int, int]) -> Node:
    """Return the own and the other side's field of one number."""
    name, meaning, low, high = field
    sides = (1, 2) if player == match.first else (2, 1)
    other = match.second if player == match.first else match.first
    labels = ("mine", short_name(visit.tournament, other))
    return htpy.fieldset[
        htpy.legend[meaning],
        (
            number_field(label, f"{name}{side}", low, high, visit.fields.get(f"{name}{side}", ""))
            for label, side in zip(labels, sides, strict=True)
        ),
    ]


def _seen(visit: Visit, match: Match, player: int, declared: Procedure) -> Node:
    """Return how it ended, who won where it says so, and what the table counted."""
    shown = visit.fields
    rules, tournament = visit.tournament.ruleset, visit.tournament
    endings = [each for each in declared.endings if each.manner in {"played", "time"}]
    marks = {each.marks for each in declared.endings}
    known = recorded_facts(tournament, match)
    facts = [
        each
        for each in declared.facts
        if each.name not in marks and each.name not in known and not each.official
    ]
    first = [each for each in facts if each.name == declared.main or _is_needed(declared, each)]
    rest = [each for each in facts if each not in first]
    wins = [each for each in rules.outcomes if each.name in _named(rules)]
    sides = [("", "as the numbers say")] + [
        (each.name if player == match.first else each.against, _mine(rules, each)) for each in wins
    ]
    return [
        choice(
            "How it ended",
            "ending",
            [(each.name, f"{each.name}: {each.meaning}") for each in endings],
            shown.get("ending", ""),
        ),
        choice("Who won", "outcome", sides, shown.get("outcome", "")),
        [_fact(visit, match, player, name) for each in first for name in each.names()],
        folded(
            "More that the table saw",
            [_fact(visit, match, player, name) for each in rest for name in each.names()],
            key="more",
        )
        if rest
        else None,
    ]


def _named(rules: Ruleset) -> set[str]:
    """Name the outcomes that a person names beside numbers: the plain ones."""
    return {rules.full_win.name, rules.full_win.against} | {
        each.name for each in rules.outcomes if each.record == "D"
    }


def _is_needed(declared: Procedure, fact: Fact) -> bool:
    return any(fact.name in (*each.needs, *each.asks) for each in declared.endings)


def _fact(visit: Visit, match: Match, player: int, label: str) -> Node:
    """Return the fields of a fact: a number for each side, or who has it."""
    declared = visit.tournament.ruleset.derives
    assert declared is not None  # noqa: S101 - it has the fact
    fact = declared.labels[label]
    if (fact.min, fact.max) == (0, 1):
        mine, other = ("1", "2") if player == match.first else ("2", "1")
        opposite = match.second if player == match.first else match.first
        options = [("", "not said"), (mine, "me"), (other, short_name(visit.tournament, opposite))]
        both = [("both", "both")] if fact.sides == "each" else []
        value = visit.fields.get(f"has.{label}", "")
        return choice(f"{label}: {fact.meaning}", f"has.{label}", [*options, *both], value)
    field = (f"fact.{label}.", f"{label}: {fact.meaning}", fact.min, fact.max)
    return _pair(visit, match, player, field)
