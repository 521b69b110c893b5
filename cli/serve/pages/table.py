"""The player's table in the round: opponent, time, result, and the forms that report a result.

A result is entered by buttons, by points or by the facts of the table, as the ruleset asks. Fields
are in the order of the pairing (`points1` is the first player's); the page shows the player's own
side first.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import htpy

from cli import outside
from cli.input.find_people import bare_name, name_of, number_behind, short_name, shown_name
from cli.input.moments import minute_in
from cli.languages.speaking import marked, tr, tr_of
from cli.render.elements import tr_nodes
from cli.render.round_clock import time_left
from cli.serve.forms import (
    TAKE_BACK_SECONDS,
    Fields,
    act_form,
    button,
    choice,
    folded,
    held_to,
    number_field,
    opponent_of,
    own_first,
    own_result_in_words,
    seconds_to_take_back,
    stated,
    text_field,
)
from cli.serve.pages.frame import from_base, problems_node, way_to
from cli.serve.parts import round_and_status, state_node
from cli.terminal.problems import sentence_of
from cli.terminal.visible import capitalized, how_many, isolated, visible
from cli.wording.dispute_words import claim_in_words
from cli.wording.phrases import by_clause, official_in_words, result_in_words, who
from ledger.errors import LedgerError, Refused
from ledger.facts.office import who_answered
from ledger.facts.results import by_outcome, ending_by
from ledger.facts.setups import recorded_facts
from ledger.problems import problem
from ledger.rules.office import open_call
from ledger.rules.results import StatedResult, result_from
from ledger.tournament.disputes import (
    current_claim,
    decided,
    has_confirmed,
    latest_dispute,
    ruling_on,
    state_of,
)
from ledger.tournament.progress import (
    is_of_swiss,
    is_paused,
    latest_match_of,
    latest_round,
    open_match_of,
    round_in_play,
)
from ledger.tournament.round_clock import clock_at
from ledger.tournament.state import Match, Tournament
from projections.disputes import next_to_act

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.frame import Visit
    from ledger.facts.shared import Result
    from ledger.rulesets import Ruleset
    from ledger.rulesets.outcomes import Outcome
    from ledger.rulesets.procedures import Fact, Procedure
    from ledger.tournament.state import Round
    from ledger.tournament.table_records import Claim, Dispute, JudgeCall

Value = TypeVar("Value")
HOME = "/me"
RECORDS = {"W": 0, "D": 1, "L": 2}


def report_form(visit: Visit, match: Match, player: int) -> Node:
    """Return the form by which a player reports."""
    return htpy.div(class_="report")[
        htpy.h2[tr("How did it end?")], _ways(visit, match, player, "report")
    ]


def claim_form(visit: Visit, match: Match, player: int) -> Node:
    """Return the form by which the other side disputes the result."""
    reason = text_field(tr("What is wrong? (optional)"), "reason", visit.fields.get("reason", ""))
    return _ways(visit, match, player, "dispute", reason)


def concession_form(visit: Visit, match: Match, player: int) -> Node:
    """Return the form by which a player gives the match up, with the facts that it hangs on."""
    concede = button(tr("Concede the match"), kind="alarm")
    return folded(
        tr("Concede"),
        htpy.p[tr("Your opponent wins. You cannot undo this here.")],
        _asking(visit, match, player, "concede", conceded_facts(visit, match, player), concede),
        key="concede",
        is_open=visit.words.get(ASK) == "concede",
    )


ASK = "ask"
"""The word of the page's address that names the form whose act is asked for once more."""

SAY = "say"
"""The word that holds an outcome which was pressed: it asks for a report of the outcome."""


def _asking(visit: Visit, match: Match, player: int, name: str, *content: Node) -> Node:
    """Return a form that leads to the question whether its act is right.

    Without the hall the page's script asks, and keeps the act.
    """
    other = opponent_of(match, player)
    about = {ASK: name, **held_to(visit.tournament, match, player, name)}
    opponent = visible(name_of(visit.tournament, other)) + number_behind(visit.tournament, other)
    return htpy.form(
        method="get",
        action=from_base(HOME),
        class_="act",
        data_match=str(match.number),
        data_to=opponent,
    )[
        (htpy.input(type="hidden", name=key, value=str(value)) for key, value in about.items()),
        content,
    ]


def asked_again(visit: Visit, match: Match, player: int, *names: str) -> Node:
    """Return the question whether an act is right, in whole words; None if nothing is asked.

    Raises:
        LedgerError: the fields state no result, or the table has changed.
    """
    words = visit.words
    name = "report" if SAY in words else words.get(ASK, "")
    if name not in names:
        return None
    fields = {**words, "outcome": words.get(SAY, words.get("outcome", ""))}
    if fields.get("match", str(match.number)) != str(match.number):
        text = marked("your table has changed since this page was loaded: enter the result again")
        raise Refused(problem("form.other_match", text))
    text, act, is_said = _QUESTIONS[name](visit.tournament, match, player, fields)
    about = held_to(visit.tournament, match, player, name, fields)
    stated_in = (key for key in fields if _is_of_result(key) and fields[key].strip())
    result = {key: visible(fields[key]) for key in stated_in}
    reason = visible(fields.get("reason", "").strip()) if is_said else ""
    return htpy.div(class_="report")[
        htpy.h2[tr("Is that right?")],
        htpy.p(class_="result")[visible(text)],
        htpy.p[reason] if reason else None,
        act_form(
            name,
            button(tr("Yes, send it"), kind="main big"),
            to=HOME,
            hidden={**about, **result, **({"reason": reason} if reason else {})},
            act=act,
        ),
        way_to(HOME, tr("No, go back")),
    ]


def _is_of_result(name: str) -> bool:
    """Return whether a field states a part of a result."""
    return name in {"outcome", "points1", "points2", "ending"} or name.startswith(("fact.", "has."))


class _Question(NamedTuple):
    """An act in whole words, how it is called while it waits, and whether it has a reason."""

    text: str
    act: str
    is_said: bool = False


def _report_asked(tournament: Tournament, match: Match, player: int, fields: Fields) -> _Question:
    result = _result_of(tournament, match, fields)
    text = result_in_words(tournament, match, result)
    return _Question(text, own_result_in_words(tournament, match, player, result))


def _dispute_asked(tournament: Tournament, match: Match, player: int, fields: Fields) -> _Question:
    claim = stated(fields, tournament)
    if claim == StatedResult():
        text = tr("You claim: the reported result is wrong.")
        return _Question(text, tr("the reported result is wrong"), is_said=True)
    result = _result_of(tournament, match, fields)
    act = _disputed(own_result_in_words(tournament, match, player, result))
    return _Question(
        tr(
            "You claim: {result}",
            result=result_in_words(tournament, match, result),
        ),
        act,
        is_said=True,
    )


def _disputed(result: str) -> str:
    return tr("disputed: {result}", result=result)


def _result_of(tournament: Tournament, match: Match, fields: Fields) -> Result:
    """Return the result that the fields state.

    Raises:
        LedgerError: they state no result. If only the winner is missing, the form's field is named.
    """
    declared = tournament.ruleset.derives
    try:
        return result_from(tournament, match, stated(fields, tournament))
    except Refused:
        ending = fields.get("ending", "")
        marks = {ending.name: ending.marks for ending in declared.endings} if declared else {}
        if not fields.get("outcome") and marks.get(ending):
            text = marked("{ending} does not show the winner: choose one under Who won")
            raise Refused(problem("form.winner", text, ending=ending)) from None
        raise


def _concession_asked(
    tournament: Tournament, match: Match, player: int, fields: Fields
) -> _Question:
    facts = stated(fields, tournament).facts or {}
    pairs = ((name, own_first(match, player, pair)) for name, pair in facts.items())
    counted = "".join(f", {name} {mine}:{theirs}" for name, (mine, theirs) in pairs)
    name = shown_name(tournament, opponent_of(match, player))
    return _Question(
        tr("You concede: {name} wins{facts}.", name=name, facts=counted),
        tr("conceded to {name}{facts}", name=name, facts=counted),
    )


_QUESTIONS: Mapping[str, Callable[[Tournament, Match, int, Fields], _Question]] = MappingProxyType(
    {"report": _report_asked, "dispute": _dispute_asked, "concede": _concession_asked}
)


def conceded_facts(visit: Visit, match: Match, player: int) -> list[Node]:
    """Return the fields of the numbers that the points of a conceded match depend on."""
    rules = visit.tournament.ruleset
    declared, ended = rules.derives, ending_by(rules, "conceded")
    if not declared or not ended or not is_of_swiss(visit.tournament, match):
        return []
    facts = [declared.labels[name] for name in ended.asks]
    return [_fact(visit, match, player, name) for fact in facts for name in fact.names()]


def _ways(visit: Visit, match: Match, player: int, name: str, *more: Node) -> Node:
    rules, declared = visit.tournament.ruleset, visit.tournament.ruleset.derives

    def form(*content: Node) -> Node:
        return _asking(visit, match, player, name, *content)

    send = button(tr("Send"), kind="main")
    if rules.scoring.kind == "reported" and is_of_swiss(visit.tournament, match):
        return form(_points(visit, match, player), more, send)
    if declared and declared.main and not declared.bare:
        return form(_seen(visit, match, player, declared), more, send)
    buttons = form(more, _outcomes(visit.tournament, match, player, name))
    if not declared or not declared.facts or not is_of_swiss(visit.tournament, match):
        return buttons
    counted = form(_seen(visit, match, player, declared), more, send)
    is_usual = bool(declared.main)
    is_open = is_usual or bool(visit.problems)
    with_numbers = folded(
        tr("Report with numbers"), counted, key=f"{name}-counted", is_open=is_open
    )
    return [with_numbers, buttons] if is_usual else [buttons, with_numbers]


def _outcomes(tournament: Tournament, match: Match, player: int, name: str) -> Node:
    """Return a big button for each way in which it can end for this side, the best first."""
    rules, field = tournament.ruleset, SAY if name == "report" else "outcome"
    outcomes = sorted(rules.outcomes, key=lambda outcome: RECORDS[outcome.record])

    def made(outcome: Outcome) -> Node:
        value = outcome.name if player == match.first else outcome.against
        result = by_outcome(rules, value)
        act = own_result_in_words(tournament, match, player, result)
        if name != "report":
            act = _disputed(act)
        return button(
            _mine(rules, outcome), field, value, kind=f"big {outcome.record.lower()}", act=act
        )

    return htpy.div(class_="outcomes")[(made(outcome) for outcome in outcomes)]


def _mine(rules: Ruleset, outcome: Outcome) -> str:
    label = {"W": tr("I won"), "L": tr("I lost"), "D": tr_of("result", "Draw")}[outcome.record]
    full = {rules.full_win.name, rules.full_win.against}
    name = tr(outcome.name)
    plain = outcome.record == "D" or outcome.name in full
    return label if plain else capitalized(name)


def _points(visit: Visit, match: Match, player: int) -> Node:
    rules = visit.tournament.ruleset.scoring
    low, high = rules.points_min, rules.points_max
    return _pair(
        visit,
        match,
        player,
        ("points", tr("points, {low} to {high}", low=low, high=high), low, high),
    )


def _pair(visit: Visit, match: Match, player: int, field: tuple[str, str, int, int]) -> Node:
    """Return the own and the other side's field of one number."""
    name, meaning, low, high = field
    sides = (1, 2) if player == match.first else (2, 1)
    opponent = opponent_of(match, player)
    labels = (tr("mine"), short_name(visit.tournament, opponent))
    return htpy.fieldset[
        htpy.legend[meaning],
        (
            number_field(label, f"{name}{side}", low, high, visit.fields.get(f"{name}{side}", ""))
            for label, side in zip(labels, sides, strict=True)
        ),
    ]


def _seen(visit: Visit, match: Match, player: int, declared: Procedure) -> Node:
    """Return the fields of the ending, the winner and the numbers that the table counted."""
    fields = visit.fields
    rules, tournament = visit.tournament.ruleset, visit.tournament
    endings = [ending for ending in declared.endings if ending.manner in {"played", "time"}]
    marks = {ending.marks for ending in declared.endings}
    recorded = recorded_facts(tournament, match)
    facts = [
        fact
        for fact in declared.facts
        if fact.name not in marks and fact.name not in recorded and not fact.official
    ]
    first = [fact for fact in facts if fact.name == declared.main or _is_needed(declared, fact)]
    details = [fact for fact in facts if fact not in first]
    wins = [outcome for outcome in rules.outcomes if outcome.name in _named(rules)]
    sides = [("", tr("as the numbers show"))] + [
        (outcome.name if player == match.first else outcome.against, _mine(rules, outcome))
        for outcome in wins
    ]
    return [
        choice(
            tr("How it ended"),
            "ending",
            [(one.name, f"{tr(one.name)}: {tr(one.meaning)}") for one in endings],
            fields.get("ending", ""),
        ),
        choice(tr("Who won"), "outcome", sides, fields.get("outcome", "")),
        [_fact(visit, match, player, name) for fact in first for name in fact.names()],
        folded(
            tr("More details"),
            [_fact(visit, match, player, name) for fact in details for name in fact.names()],
            key="more",
        )
        if details
        else None,
    ]


def _named(rules: Ruleset) -> set[str]:
    """Return the outcomes that a person may report with numbers: the plain ones."""
    return {rules.full_win.name, rules.full_win.against} | {
        outcome.name for outcome in rules.outcomes if outcome.record == "D"
    }


def _is_needed(declared: Procedure, fact: Fact) -> bool:
    return any(fact.name in (*ending.needs, *ending.asks) for ending in declared.endings)


def _fact(visit: Visit, match: Match, player: int, label: str) -> Node:
    """Return the fields of a fact: a number for each side, or who has it."""
    declared = visit.tournament.ruleset.derives
    assert declared is not None  # noqa: S101 - it has the fact
    fact = declared.labels[label]
    if (fact.min, fact.max) == (0, 1):
        mine, theirs = ("1", "2") if player == match.first else ("2", "1")
        opposite = opponent_of(match, player)
        options = [
            ("", tr("not given")),
            (mine, tr("me")),
            (theirs, short_name(visit.tournament, opposite)),
        ]
        both = [("both", tr("both"))] if fact.sides == "each" else []
        value = visit.fields.get(f"has.{label}", "")
        return choice(f"{tr(label)}: {tr(fact.meaning)}", f"has.{label}", [*options, *both], value)
    field = (f"fact.{label}.", f"{tr(label)}: {tr(fact.meaning)}", fact.min, fact.max)
    return _pair(visit, match, player, field)


def open_match(tournament: Tournament, player: int) -> Match | None:
    """Return the match that the player has still to play."""
    return open_match_of(tournament, player)


def my_table(visit: Visit, player: int) -> Node:
    """Return the table of the latest round with all that can be done there."""
    tournament = visit.tournament
    played = latest_round(tournament)
    match = latest_match_of(tournament, player) if played else None
    if not played or not match or match.round != played.number:
        text = tr("You have no table yet: the pairings will appear here.")
        return htpy.p(class_="about")[text]
    return htpy.section(
        class_="table",
        data_table=f"{match.round}/{match.table}",
        data_news=visible(_table_in_words(tournament, match, player)),
    )[
        htpy.p(class_="about")[round_and_status(tournament, played)],
        _seat(tournament, match, player),
        _time(tournament, played, match),
        None if match.is_bye else _result(visit, match, player),
        _changes(tournament, match),
        _judge(tournament, match, player) if round_in_play(tournament) else None,
    ]


def _table_in_words(tournament: Tournament, match: Match, player: int) -> str:
    """Return the round, table and opponent of a player: `Round 2: table 4, against Bob`."""
    if match.is_bye:
        return tr("Round {round}: you have the bye", round=match.round)
    opponent = shown_name(tournament, opponent_of(match, player))
    return tr(
        "Round {round}: table {table}, against {opponent}",
        round=match.round,
        table=match.table,
        opponent=opponent,
    )


def _changes(tournament: Tournament, match: Match) -> Node:
    """Return what was ruled and corrected; the ruling on a dispute is part of the result."""
    dispute = latest_dispute(tournament, match.number)
    ruling = ruling_on(tournament, dispute) if dispute else None
    seqs = {dispute.ruling, ruling.seq} if dispute and ruling else set()
    return [htpy.p(class_="done")[text] for text in changes_of(tournament, match, seqs)]


def _seat(tournament: Tournament, match: Match, player: int) -> Node:
    if match.is_bye:
        return htpy.p(class_="opponent")[tr("You have the bye in this round.")]
    opponent = opponent_of(match, player)
    return [
        htpy.p(class_="seat")[tr_nodes("Table {table}", table=htpy.strong[str(match.table)])],
        htpy.p(class_="opponent")[
            tr_nodes(
                "against {opponent} (#{number})",
                opponent=htpy.strong[bare_name(tournament, opponent)],
                number=str(opponent),
            )
        ],
    ]


def _time(tournament: Tournament, played: Round, match: Match) -> Node:
    table = clock_at(tournament, match, outside.now())
    remaining = table.left
    if remaining is None or played.status != "started" or table.reported:
        return None
    seconds = -(-remaining // 1_000)
    extra = ""
    if table.extension:
        extra = tr(", with {minutes} added", minutes=how_many(table.extension, "minute"))
    still = is_paused(tournament, played.number)
    left = None if still else str(seconds)
    digits = htpy.span(class_="time", data_left=left)[time_left(remaining)]
    return [
        state_node(tournament, played),
        htpy.p(class_="left still" if still else "left")[
            tr_nodes("{time} left{extra}", time=digits, extra=extra)
            if remaining > 0
            else tr_nodes("{time} time is up", time=digits)
        ],
    ]


def _result(visit: Visit, match: Match, player: int) -> Node:
    tournament = visit.tournament
    claim, dispute = current_claim(tournament, match), latest_dispute(tournament, match.number)
    if claim and dispute and state_of(tournament, dispute) != "settled":
        return _in_question(tournament, dispute, player)
    above: Node = None
    if claim:
        if dispute and (ruled := _ruled(tournament, dispute)):
            return ruled  # it is appealed, and not disputed again
        above = _stands(tournament, match, claim, player)
    names: tuple[str, ...] = ("report", "concede")
    if claim:
        names = ("dispute",) if _may_dispute(tournament, match, claim, player) else ()
    try:
        question = asked_again(visit, match, player, *names)
    except LedgerError as error:
        lines = tuple(sentence_of(problem, tournament.names) for problem in error.problems)
        visit = visit._replace(fields=visit.words, problems=lines)
        above = [problems_node(lines), above]
    else:
        if question:
            return [above, question]
    if not claim:
        return [above, report_form(visit, match, player), concession_form(visit, match, player)]
    return [above, _answer(visit, match, claim, player)]


def _stands(tournament: Tournament, match: Match, claim: Claim, player: int) -> Node:
    assert claim.result is not None  # noqa: S101 - a report names one
    result = result_in_words(tournament, match, claim.result)
    author = tr("You reported") if claim.player == player else tr("Your opponent reported")
    return [
        htpy.p(class_="result")[visible(result)],
        htpy.p(class_="about")[
            tr(
                "{author}; {state}",
                author=author if claim.player else tr("Entered at the desk"),
                state=_state(tournament, match, claim),
            )
        ],
    ]


def _state(tournament: Tournament, match: Match, claim: Claim) -> str:
    if match.number in tournament.floor.unconfirmed:
        return tr("it counts once the other side confirms it.")
    sides = [player for player in match.players if player != claim.player]
    if all(has_confirmed(tournament, match.number, side) for side in sides):
        return tr("both sides agree.")
    return tr("it counts.")


def _answer(visit: Visit, match: Match, claim: Claim, player: int) -> Node:
    """Offer the other side to say yes or no, while the log takes it."""
    tournament = visit.tournament
    if claim.player == player:
        return _taking_back(tournament, match, player)
    if has_confirmed(tournament, match.number, player):
        return None
    about = held_to(tournament, match, player, "confirm")
    right = button(tr("That is right"), kind="main")
    agreed = ""
    if claim.result is not None:
        result = own_result_in_words(tournament, match, player, claim.result)
        agreed = tr("agreed: {result}", result=result)
    confirm = act_form("confirm", right, to=HOME, hidden=about, act=agreed)
    if not _may_dispute(tournament, match, claim, player):
        return confirm
    return [
        confirm,
        folded(
            tr("That is wrong"),
            htpy.p[tr("Say what happened. A judge then decides; both claims stay on record.")],
            claim_form(visit, match, player),
            key="wrong",
            is_open=visit.words.get("wrong") == "1" or bool(visit.problems),
        ),
    ]


def _taking_back(tournament: Tournament, match: Match, player: int) -> Node:
    """Offer to take the own report back while that is possible; None afterwards."""
    seconds = seconds_to_take_back(tournament, match.number, player)
    if not seconds:
        return None
    about = {"match": match.number, "seen": tournament.seq}
    act = tr("undo your report")
    form = act_form("take-back", button(tr("Take it back")), to=HOME, hidden=about, act=act)
    text = tr(
        "You can take it back for {seconds} seconds, until your opponent answers.",
        seconds=TAKE_BACK_SECONDS,
    )
    return htpy.div(data_until=str(seconds))[form, htpy.p(class_="about")[text]]


def _may_dispute(tournament: Tournament, match: Match, claim: Claim, player: int) -> bool:
    is_over = tournament.rounds[match.round - 1].status == "closed"
    is_own = claim.player == player or has_confirmed(tournament, match.number, player)
    return not (is_over or is_own)


def _ruled(tournament: Tournament, dispute: Dispute) -> Node:
    """Return the result that was ruled, who ruled it and why; None before a ruling."""
    ruling = ruling_on(tournament, dispute)
    if ruling is None:
        return None
    match, result = tournament.matches[dispute.match], decided(tournament, dispute)
    outcome = result_in_words(tournament, match, result) if result else tr("no result")
    official = official_in_words(tournament, ruling.made.official)
    return [
        htpy.p(class_="result")[tr("Ruled: {result}", result=visible(outcome))],
        htpy.p(class_="about")[
            tr("{label}: {text}", label=official, text=isolated(visible(ruling.made.ruling))),
            by_clause(ruling.made.clause),
        ],
    ]


_STATES = {
    "appealed": marked("The ruling is appealed: a leader reviews it."),
    "correction due": marked("The desk must still enter the result of the ruling."),
}


def _in_question(tournament: Tournament, dispute: Dispute, player: int) -> Node:
    """Return the ruling, or both claims, the next to act, and the form that withdraws a claim."""
    state = state_of(tournament, dispute)
    if dispute.ruling:
        return [_ruled(tournament, dispute), htpy.p(class_="about")[tr(_STATES[state])]]
    claims = [dispute.reported, dispute.against]
    about = held_to(tournament, tournament.matches[dispute.match], player, "confirm")
    return [
        htpy.p(class_="alarm")[
            tr(
                "The result is in dispute: {next}",
                next=_who_decides(tournament, dispute),
            )
        ],
        htpy.ul(class_="claims")[
            (htpy.li[visible(claim_in_words(tournament, dispute.match, claim))] for claim in claims)
        ],
        htpy.p[tr("Reason: {reason}", reason=isolated(visible(dispute.reason)))]
        if dispute.reason
        else None,
        act_form("confirm", button(tr("The report was right after all")), to=HOME, hidden=about)
        if dispute.against.player == player
        else None,
    ]


def _who_decides(tournament: Tournament, dispute: Dispute) -> str:
    """Name the officials who may rule on an open dispute."""
    due = next_to_act(tournament, dispute)
    names = [official_in_words(tournament, number) for number in due.officials] if due else []
    return tr("{officials} decides.", officials=tr(" or ").join(names) or tr("a judge"))


def _judge(tournament: Tournament, match: Match, player: int) -> Node:
    """Return the latest call about the match, who answered it, and the form of another call."""
    calls = [call for call in tournament.floor.judge_calls if call.made.match == match.number]
    latest = calls[-1] if calls else None
    is_over = latest is not None and 0 < latest.answered < match.result_seq
    call = _called(tournament, latest) if latest and not is_over else None
    if open_call(tournament, match.number, player):
        return call
    about = {"match": match.number}
    reason = text_field(tr("Why? (optional)"), "reason")
    act = tr("a judge to table {table}", table=match.table)
    form = act_form("call", reason, button(tr_of("button", "Call")), to=HOME, hidden=about, act=act)
    return [call, folded(tr("Call a judge"), form, key="judge")]


def changes_of(
    tournament: Tournament, match: Match, shown: Container[int] = frozenset()
) -> Iterator[str]:
    """Yield what was ruled about a match, and each correction of its result, in words.

    The rulings whose events are `shown` already are left out.
    """
    for ruling in tournament.floor.rulings:
        if ruling.made.match == match.number and ruling.seq not in shown:
            official = official_in_words(tournament, ruling.made.official)
            text = isolated(visible(ruling.made.ruling))
            yield tr(
                "Ruled by {official}: {text}{clause}",
                official=official,
                text=text,
                clause=by_clause(ruling.made.clause),
            )
    for correction in tournament.floor.corrections:
        if correction.match == match.number:
            author = who(correction.by, tournament)
            reason = tr("as ruled") if correction.ruling else isolated(visible(correction.reason))
            at = minute_in(tournament, correction.at)
            yield tr(
                "Result corrected by {author} at {at}: {reason}",
                author=author,
                at=at,
                reason=reason,
            )


def _called(tournament: Tournament, call: JudgeCall) -> Node:
    if call.answered:
        official = official_in_words(tournament, who_answered(tournament, call))
        return htpy.p(class_="done")[tr("{official} is on the way.", official=official)]
    at = minute_in(tournament, call.at)
    return htpy.p(class_="done")[tr("A judge was called at {at}. Raise your hand.", at=at)]
