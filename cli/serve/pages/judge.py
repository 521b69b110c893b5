"""The judge's page: open requests, rulings and links to matches; and the page of one match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli.input.find_people import labels
from cli.input.matches import find_match
from cli.input.reports import as_typed
from cli.render.dispute_tables import event_of_match
from cli.render.elements import section
from cli.render.log_tables import log_columns
from cli.serve.pages.clauses import linked_cell, search_form
from cli.serve.pages.lines import (
    JUDGE_FORMS,
    LINE_FORMS,
    act_form,
    act_forms,
    carried,
    hidden,
    names_offered,
    with_commands,
)
from cli.serve.pages.waiting import claims, waiting
from cli.terminal.tables import Column, prose
from cli.terminal.visible import isolated, visible
from cli.wording.dispute_words import claim_in_words, next_act
from cli.wording.phrases import official_in_words, result_in_words, table_in_words
from ledger.tournament.disputes import dispute_of, latest_dispute, state_of
from projections.matches import story_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from htpy import Node

    from cli.desk.session import Desk
    from cli.serve.pages.lines import Sight
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Match, Tournament
    from ledger.tournament.table_records import Claim, Dispute

OF_A_MATCH = ("explain-pairing", "extend", "correct", "appeal", "review", "dispute", "whatif")
"""The forms on a match's page; its table is given."""

RULINGS = 10


def judge_page(sight: Sight) -> Node:
    """Return the page: what waits first."""
    return [
        sight.said,
        htpy.div(class_="desk")[
            htpy.div(id="now")[judge_now(sight)],
            htpy.div(class_="panel side")[
                htpy.h2["A match"],
                htpy.form(method="get", action="/judge/match", class_="act")[
                    htpy.label[
                        htpy.span["Table (4 or 2/7) or player"],
                        htpy.input(type="text", name="table", list="players", required=True),
                    ],
                    htpy.button(type="submit")["Open it"],
                ],
                htpy.h2["A clause"],
                search_form(),
                htpy.h2["On record"],
                act_forms(sight, JUDGE_FORMS),
                act_form(sight, LINE_FORMS["extend"]),
            ],
        ],
        names_offered(sight),
    ]


def judge_now(sight: Sight) -> Node:
    """Return what changes by itself."""
    tournament = sight.tournament
    made = tournament.floor.rulings[: -RULINGS - 1 : -1]
    return [
        htpy.div(data_position=str(tournament.seq))[waiting(sight)],
        section(
            "Rulings, latest first",
            _ruling_columns(tournament),
            made,
            "No rulings yet.",
            cell=linked_cell,
        ),
    ]


def _ruling_columns(tournament: Tournament) -> list[Column]:
    return [
        Column("event", value=lambda each: each.seq),
        Column("table", value=lambda each: _table(tournament, each.made.match)),
        prose("official", lambda each: official_in_words(tournament, each.made.official)),
        prose("clause", lambda each: each.made.clause),
        prose("ruling", lambda each: isolated(visible(each.made.ruling))),
    ]


def _table(tournament: Tournament, match: int) -> str:
    return table_in_words(tournament, match) if match else ""


def match_page(sight: Sight) -> Node:
    """Return the page of a match: how it stands, its dispute, its story, and what to do."""
    match = _match(sight)
    where = {"table": f"{match.round}/{match.table}"}
    forms = [act_form(sight, LINE_FORMS[name], where) for name in OF_A_MATCH]
    return [
        sight.said,
        htpy.h2[f"Round {match.round}, table {match.table}"],
        htpy.div(class_="desk")[
            htpy.div(id="now")[match_now(sight)],
            htpy.div(class_="panel side")[_rule(sight, match), forms],
        ],
        names_offered(sight),
    ]


def match_now(sight: Sight) -> Node:
    """Return what changes by itself: how the match stands, its dispute, its story."""
    tournament = sight.tournament
    match = _match(sight)
    return [
        htpy.p(data_position=str(tournament.seq))[_stands(tournament, match)],
        _dispute(sight, match),
        _story(sight, match),
    ]


def _match(sight: Sight) -> Match:
    return find_match(sight.tournament, f"{sight.words['round']}/{sight.words['table']}")


def _stands(tournament: Tournament, match: Match) -> str:
    if match.result is not None:
        return result_in_words(tournament, match, match.result)
    seated = labels(tournament, match.players, " and ")
    waits = match.number in tournament.floor.unconfirmed
    return f"{seated}: {'not confirmed yet' if waits else 'no result yet'}"


def _dispute(sight: Sight, match: Match) -> Node:
    tournament = sight.tournament
    dispute = dispute_of(tournament, match.number)
    if dispute is None:
        return None
    entering = None
    if state_of(tournament, dispute) == "correction due":
        entering = act_form(
            sight, LINE_FORMS["carry-out"], {"table": f"{match.round}/{match.table}"}
        )
    return htpy.section(class_="dispute", aria_label="Dispute")[
        htpy.h2["In dispute"],
        claims(sight, dispute),
        htpy.p[with_commands(next_act(tournament, dispute))],
        entering,
    ]


def _rule(sight: Sight, match: Match) -> Node:
    """Return the form of a ruling: which claim holds, another result, or none at all."""
    tournament = sight.tournament
    dispute = dispute_of(tournament, match.number)
    choices = list(_choices(tournament, match, dispute)) if dispute else []
    where = f"{match.round}/{match.table}"
    return htpy.details(class_="act", open=bool(dispute and not dispute.ruling))[
        htpy.summary["Rule on this match"],
        htpy.form(method="post", action="/line", class_="act")[
            hidden({"form": "rule", "table": where, **carried(sight)}),
            htpy.fieldset[htpy.legend["The result"], choices, _other(checked=not choices)],
            htpy.label[
                htpy.span["Decision and reason"],
                htpy.textarea(name="text", rows="2", required=True),
            ],
            htpy.label[htpy.span["Clause"], htpy.input(type="text", name="clause")],
            htpy.button(type="submit")["Rule"],
        ],
    ]


def _choices(tournament: Tournament, match: Match, dispute: Dispute) -> Iterator[Node]:
    """Offer what both sides say."""
    yield _choice("--stands", f"as reported, {_claim(tournament, match, dispute.reported)}")
    against = dispute.against.result
    if against is not None and (words := as_typed(tournament, match, against)):
        said = _claim(tournament, match, dispute.against)
        yield _choice(f"--result={words}", f"as disputed, {said}")


def _claim(tournament: Tournament, match: Match, claim: Claim) -> str:
    return claim_in_words(tournament, match.number, claim)


def _choice(value: str, words: str) -> Node:
    return htpy.label(class_="choice")[
        htpy.input(type="radio", name="stands", value=value, required=True), htpy.span[words]
    ]


def _other(*, checked: bool) -> Node:
    return [
        htpy.label(class_="choice")[
            htpy.input(type="radio", name="stands", value="", checked=checked, required=True),
            htpy.span["another result (type it below), or no result"],
        ],
        htpy.label[htpy.span["Result"], htpy.input(type="text", name="result")],
    ]


def _story(sight: Sight, match: Match) -> Node:
    tournament = sight.tournament
    if sight.story is None:
        return htpy.p(class_="about")[
            "The history of this match cannot be shown now: open the page again."
        ]
    columns = log_columns(tournament, lambda each: event_of_match(each, match, tournament))
    story = [sight.desk.book.recorded_at(seq) for seq in sight.story]
    return [
        section("History", columns, story, "Nothing yet."),
        _timeline(tournament, match, story),
    ]


def _timeline(tournament: Tournament, match: Match, story: Sequence[Recorded]) -> Node:
    """Return the timeline of a match with a dispute or a ruling; None for another match."""
    is_ruled_on = any(ruling.made.match == match.number for ruling in tournament.floor.rulings)
    if not is_ruled_on and latest_dispute(tournament, match.number) is None:
        return None
    from cli.render.timelines import timeline

    return [htpy.h2["Timeline"], timeline(tournament, match, story)]


def story_at(desk: Desk, where: str) -> list[int]:
    """Return the places of a match's events at the reader's desk; NotFound without such one."""
    match = find_match(desk.book.tournament, where)
    return [recorded.seq for recorded in story_in(desk.book, match)]


def opened(sight: Sight) -> str:
    """Return the path of the match that somebody asks for; NotFound without one."""
    match = find_match(sight.tournament, sight.words.get("table", "").strip())
    return f"/judge/match/{match.round}/{match.table}"
