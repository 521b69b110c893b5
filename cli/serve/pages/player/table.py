"""A player's table in the round: who is opposite, the time, what is said of the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli import outside
from cli.desk.guide import round_in_words
from cli.input.find_people import name_of
from cli.render.round_clock import time_left
from cli.serve.pages.form_fields import act_form, button, folded, text_field
from cli.serve.pages.player.reporting import claim_form, concession_form, report_form
from cli.terminal.visible import how_many, visible
from cli.wording.dispute_words import claim_in_words, next_act
from cli.wording.phrases import result_in_words
from ledger.rules.clock import is_paused
from ledger.tournament.disputes import current_claim, dispute_of, has_confirmed
from ledger.tournament.progress import latest_match_of, latest_round, open_match_of, round_in_play
from ledger.tournament.state import Match
from projections.round_clock import clock_at

if TYPE_CHECKING:
    from htpy import Node

    from cli.serve.pages.visit import Visit
    from ledger.tournament.state import Round, Tournament
    from ledger.tournament.table_records import Claim, Dispute, JudgeCall

HOME = "/me"


def open_match(tournament: Tournament, player: int) -> Match | None:
    """Return the match that the player has still to play."""
    return open_match_of(tournament, player)


def my_table(visit: Visit, player: int) -> Node:
    """Return the table of the latest round with all that can be done there."""
    tournament = visit.tournament
    played = latest_round(tournament)
    match = latest_match_of(tournament, player) if played else None
    if tournament.finished:
        return htpy.p(class_="about")["The event is over. Thank you for playing."]
    if tournament.players[player].status != "active":
        return htpy.p(class_="about")[f"You have left: {tournament.players[player].status}."]
    if not played or not match or match.round != played.number:
        text = "You have no table yet: the pairings come up here by themselves."
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
            "against ", htpy.strong[visible(name_of(tournament, other))], f" (#{other})"
        ],
    ]


def _time(tournament: Tournament, played: Round, match: Match) -> Node:
    table = clock_at(tournament, match, outside.now())
    left = table.left
    if left is None or played.status != "started" or table.reported:
        return None
    seconds = -(-left // 1_000)
    extra = f" with {how_many(table.extension, 'minute')} more" if table.extension else ""
    still = is_paused(tournament, played.number)
    extra += ", the clock stands still" if still else ""
    return htpy.p(class_="left")[
        htpy.span(class_="time", data_left=None if still else str(seconds))[time_left(left)],
        f" left{extra}" if left > 0 else " time is over",
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
        return "it counts once the other side has confirmed it."
    sides = [each for each in match.players if each != said.player]
    if all(has_confirmed(tournament, match.number, each) for each in sides):
        return "both sides say so."
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
        htpy.p[visible(dispute.reason)] if dispute.reason else None,
        htpy.p(class_="about")[visible(next_act(tournament, dispute, is_paper=True))],
        act_form("confirm", button("The report is right after all"), to=HOME, hidden=about)
        if own
        else None,
    ]


def _judge(tournament: Tournament, match: Match, player: int) -> Node:
    waiting = _waiting_call(tournament, match, player)
    if waiting:
        return htpy.p(class_="done")["A judge is called and on the way. Raise your hand."]
    about = {"match": match.number}
    form = act_form(
        "call", text_field("Why (if you like)", "reason"), button("Call"), to=HOME, hidden=about
    )
    return folded("Call a judge", form, key="judge")


def _waiting_call(tournament: Tournament, match: Match, player: int) -> JudgeCall | None:
    found = (
        each
        for each in tournament.floor.judge_calls
        if not each.answered and (each.made.match, each.made.player) == (match.number, player)
    )
    return next(found, None)
