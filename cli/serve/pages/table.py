"""The player's table in the round: opponent, time, result, and the forms that report a result.

A result is entered by buttons, by points or by the facts of the table, as the ruleset asks. Fields
are in the order of the pairing (`points1` is the first player's); the page shows the player's own
side first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli import outside
from cli.desk.guide import round_in_words
from cli.input.find_people import short_name, shown_name
from cli.render.round_clock import time_left
from cli.serve.forms import act_form, button, choice, folded, number_field, text_field
from cli.serve.parts import state_node
from cli.terminal.visible import how_many, isolated, visible
from cli.wording.dispute_words import claim_in_words, next_act
from cli.wording.phrases import result_in_words
from ledger.facts.results import by_outcome, ending_by
from ledger.facts.setups import recorded_facts
from ledger.rules.office import open_call
from ledger.tournament.disputes import current_claim, dispute_of, has_confirmed
from ledger.tournament.progress import (
    is_of_swiss,
    is_paused,
    latest_match_of,
    latest_round,
    open_match_of,
    round_in_play,
)
from ledger.tournament.round_clock import clock_at
from ledger.tournament.state import Match

if TYPE_CHECKING:
    from collections.abc import Mapping

    from htpy import Node

    from cli.serve.pages.frame import Visit
    from ledger.rulesets import Ruleset
    from ledger.rulesets.outcomes import Outcome
    from ledger.rulesets.procedures import Fact, Procedure
    from ledger.tournament.state import Round, Tournament
    from ledger.tournament.table_records import Claim, Dispute

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
    reason = text_field("What is wrong? (optional)", "reason")
    return _ways(visit, match, player, "dispute", about, reason)


def concession_form(visit: Visit, match: Match, player: int) -> Node:
    """Return the form by which a player gives the match up, with the facts that it hangs on."""
    return folded(
        "Concede",
        htpy.p["Your opponent wins. You cannot undo this here."],
        act_form(
            "concede",
            conceded_facts(visit, match, player),
            button("Concede the match", kind="alarm"),
            to=HOME,
            hidden={"match": match.number, "seen": visit.tournament.seq},
        ),
        key="concede",
    )


def conceded_facts(visit: Visit, match: Match, player: int) -> list[Node]:
    """Return the fields of the numbers that the points of a conceded match depend on."""
    rules = visit.tournament.ruleset
    declared, ended = rules.derives, ending_by(rules, "conceded")
    if not declared or not ended or not is_of_swiss(visit.tournament, match):
        return []
    asked = [declared.labels[name] for name in ended.asks]
    return [_fact(visit, match, player, name) for fact in asked for name in fact.names()]


def _ways(
    visit: Visit, match: Match, player: int, name: str, about: Mapping[str, object], *more: Node
) -> Node:
    rules, declared = visit.tournament.ruleset, visit.tournament.ruleset.derives
    if rules.scoring.kind == "reported" and is_of_swiss(visit.tournament, match):
        return _form(name, about, _points(visit, match, player), *more)
    if declared and declared.main and not declared.bare:
        return _form(name, about, _seen(visit, match, player, declared), *more)
    outcomes = _outcomes(rules, match, player, "say" if name == "report" else "outcome")
    buttons = act_form(name, *more, outcomes, to=HOME, hidden=about)
    if name == "report":
        kept = {f"data_{name}": str(value) for name, value in about.items()}  # for the outbox
        buttons = htpy.form(method="get", action=HOME, class_="act", **kept)[outcomes]
    if not declared or not declared.facts or not is_of_swiss(visit.tournament, match):
        return buttons
    counted = _form(name, about, _seen(visit, match, player, declared), *more)
    is_usual = bool(declared.main)
    way = folded("Report with numbers", counted, key=f"{name}-counted", is_open=is_usual)
    return [way, buttons] if is_usual else [buttons, way]


def _form(name: str, about: Mapping[str, object], *content: Node) -> Node:
    return act_form(name, *content, button("Send", kind="main"), to=HOME, hidden=about)


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
    sides = [("", "as the numbers show")] + [
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
            "More details",
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
        options = [("", "not given"), (mine, "me"), (other, short_name(visit.tournament, opposite))]
        both = [("both", "both")] if fact.sides == "each" else []
        value = visit.fields.get(f"has.{label}", "")
        return choice(f"{label}: {fact.meaning}", f"has.{label}", [*options, *both], value)
    field = (f"fact.{label}.", f"{label}: {fact.meaning}", fact.min, fact.max)
    return _pair(visit, match, player, field)


def open_match(tournament: Tournament, player: int) -> Match | None:
    """Return the match that the player has still to play."""
    return open_match_of(tournament, player)


def my_table(visit: Visit, player: int) -> Node:
    """Return the table of the latest round with all that can be done there."""
    tournament = visit.tournament
    played = latest_round(tournament)
    match = latest_match_of(tournament, player) if played else None
    if tournament.finished:
        return htpy.p(class_="about")["The tournament is over. Thank you for playing."]
    if tournament.players[player].status != "active":
        return htpy.p(class_="about")[f"You have left: {tournament.players[player].status}."]
    if not played or not match or match.round != played.number:
        text = "You have no table yet: the pairings will appear here."
        return htpy.p(class_="about")[text]
    return htpy.section(class_="table")[
        htpy.p(class_="about")[f"{round_in_words(tournament, played)}, {played.status}"],
        _seat(tournament, match, player),
        _time(tournament, played, match),
        None if match.is_bye else _result(visit, match, player),
        _judge(tournament, match, player) if round_in_play(tournament) else None,
    ]


def _seat(tournament: Tournament, match: Match, player: int) -> Node:
    if match.is_bye:
        return htpy.p(class_="opponent")["You have the bye in this round."]
    other = match.second if match.first == player else match.first
    return [
        htpy.p(class_="seat")["Table ", htpy.strong[str(match.table)]],
        htpy.p(class_="opponent")[
            "against ", htpy.strong[shown_name(tournament, other)], f" (#{other})"
        ],
    ]


def _time(tournament: Tournament, played: Round, match: Match) -> Node:
    table = clock_at(tournament, match, outside.now())
    left = table.left
    if left is None or played.status != "started" or table.reported:
        return None
    seconds = -(-left // 1_000)
    extra = f", with {how_many(table.extension, 'minute')} added" if table.extension else ""
    still = is_paused(tournament, played.number)
    return [
        state_node(tournament, played),
        htpy.p(class_="left still" if still else "left")[
            htpy.span(class_="time", data_left=None if still else str(seconds))[time_left(left)],
            f" left{extra}" if left > 0 else " time is up",
        ],
    ]


def _result(visit: Visit, match: Match, player: int) -> Node:
    tournament = visit.tournament
    said, dispute = current_claim(tournament, match), dispute_of(tournament, match.number)
    if not said:
        return [report_form(visit, match, player), concession_form(visit, match, player)]
    if dispute:
        return _in_question(tournament, dispute, player)
    return [_stands(tournament, match, said, player), _answer(visit, match, said, player)]


def _stands(tournament: Tournament, match: Match, said: Claim, player: int) -> Node:
    assert said.result is not None  # noqa: S101 - a report names one
    result = result_in_words(tournament, match, said.result)
    who = "You reported" if said.player == player else "Your opponent reported"
    return [
        htpy.p(class_="result")[visible(result)],
        htpy.p(class_="about")[
            f"{who if said.player else 'Entered at the desk'}; ",
            _state(tournament, match, said),
        ],
    ]


def _state(tournament: Tournament, match: Match, said: Claim) -> str:
    if match.number in tournament.floor.unconfirmed:
        return "it counts once the other side confirms it."
    sides = [each for each in match.players if each != said.player]
    if all(has_confirmed(tournament, match.number, each) for each in sides):
        return "both sides agree."
    return "it counts."


def _answer(visit: Visit, match: Match, said: Claim, player: int) -> Node:
    """Offer the other side to say yes or no, while the log takes it."""
    tournament = visit.tournament
    played = tournament.rounds[match.round - 1]
    if said.player == player or has_confirmed(tournament, match.number, player):
        return None
    about = {"match": match.number, "seen": tournament.seq}
    confirm = act_form("confirm", button("That is right", kind="main"), to=HOME, hidden=about)
    if played.status == "closed":
        return confirm
    return [
        confirm,
        folded(
            "That is wrong",
            htpy.p["Say what happened. A judge then decides; both claims stay on record."],
            claim_form(visit, match, player),
            key="wrong",
            is_open=visit.words.get("wrong") == "1" or bool(visit.problems),
        ),
    ]


def _in_question(tournament: Tournament, dispute: Dispute, player: int) -> Node:
    """Return both claims, who acts next, and how one's own is taken back."""
    claims = [dispute.reported, dispute.against]
    own = dispute.against.player == player and not dispute.ruling
    about = {"match": dispute.match, "seen": tournament.seq}
    return [
        htpy.p(class_="alarm")["The result is in dispute: a judge decides."],
        htpy.ul(class_="claims")[
            (htpy.li[visible(claim_in_words(tournament, dispute.match, each))] for each in claims)
        ],
        htpy.p[isolated(visible(dispute.reason))] if dispute.reason else None,
        htpy.p(class_="about")[visible(next_act(tournament, dispute, is_paper=True))],
        act_form("confirm", button("The report was right after all"), to=HOME, hidden=about)
        if own
        else None,
    ]


def _judge(tournament: Tournament, match: Match, player: int) -> Node:
    if open_call(tournament, match.number, player):
        return htpy.p(class_="done")["A judge has been called. Raise your hand."]
    about = {"match": match.number}
    form = act_form(
        "call", text_field("Why? (optional)", "reason"), button("Call"), to=HOME, hidden=about
    )
    return folded("Call a judge", form, key="judge")
