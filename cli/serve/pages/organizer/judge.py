"""The judge's page: open requests, rulings and links to matches; and the page of one match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import htpy

from cli import outside
from cli.input.matches import find_match
from cli.input.reports import as_typed
from cli.languages.speaking import marked, tr, tr_of
from cli.render.dispute_tables import event_of_match
from cli.render.elements import section, tr_nodes
from cli.render.log_tables import log_columns
from cli.render.round_clock import clock_state, time_left
from cli.serve.pages.clauses import clause_choice, linked_cell, search_form
from cli.serve.pages.frame import from_base, way_to
from cli.serve.pages.organizer.answers import undo_of
from cli.serve.pages.organizer.lines import (
    JUDGE_FORMS,
    LINE_FORMS,
    act_form,
    act_forms,
    announcement,
    carried,
    hidden,
    is_offered,
    names_offered,
    not_now,
    one_tap,
    refilled,
)
from cli.serve.pages.organizer.waiting import claims, player_link, waiting
from cli.terminal.tables import Column, prose
from cli.terminal.visible import how_many, isolated, visible, visible_lines
from cli.wording.dispute_words import claim_in_words, next_act
from cli.wording.phrases import official_in_words, result_in_words, table_in_words
from ledger.tournament.disputes import dispute_of, state_of
from ledger.tournament.progress import latest_round
from ledger.tournament.round_clock import clock, clock_at
from projections.matches import story_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from htpy import Node

    from cli.desk.session import Desk
    from cli.serve.pages.organizer.lines import Sight
    from ledger.tournament.state import Match, Tournament
    from ledger.tournament.table_records import Claim, Dispute

OF_A_MATCH = ("extend", "correct", "appeal", "review", "dispute", "explain-pairing", "whatif")
"""The forms on a match's page; its table is given."""

_ON_RECORD = (*JUDGE_FORMS, LINE_FORMS["extend"])

RULINGS = 10


EXTENSIONS = (3, 5, 10)
"""Minutes that one button gives a table."""

EXTENSION_REASON = "a judge was at the table"

TABLES_MAX = 60
"""Open tables that are linked, in order."""


def judge_page(sight: Sight) -> Node:
    """Return the page: what waits first."""
    return [
        sight.said,
        undo_of(sight),
        htpy.div(class_="desk")[
            htpy.div(id="now")[judge_now(sight)],
            htpy.div(class_="panel side")[
                htpy.h2[tr("A table or a player")],
                _looked_up(
                    "/judge/match", "table", tr("Table (4 or 2/7) or player"), tr("Open the table")
                ),
                _looked_up("/judge/player", "player", tr("Player"), tr("Open the card")),
                htpy.h2[tr("A clause")],
                search_form(),
                htpy.h2[tr("On record")],
                act_forms(sight, _ON_RECORD),
                not_now(sight, _ON_RECORD),
                announcement(sight),
            ],
        ],
        names_offered(sight),
    ]


def _looked_up(path: str, name: str, label: str, text: str) -> Node:
    """Return the form that opens the page of a table or of a player."""
    return htpy.form(method="get", action=from_base(path), class_="act")[
        htpy.label[
            htpy.span[label],
            htpy.input(type="text", name=name, list="players", autocomplete="off", required=True),
        ],
        htpy.button(type="submit")[text],
    ]


def judge_now(sight: Sight) -> Node:
    """Return what changes by itself."""
    tournament = sight.tournament
    made = tournament.floor.rulings[: -RULINGS - 1 : -1]
    return [
        htpy.div(data_position=str(tournament.seq))[waiting(sight)],
        _open_tables(tournament),
        section(
            tr("Rulings, latest first"),
            _ruling_columns(tournament),
            made,
            tr("No rulings yet."),
            cell=linked_cell,
        ),
    ]


def _open_tables(tournament: Tournament) -> Node:
    """Return links to the tables of the round that have no result, the latest ones first."""
    played = latest_round(tournament)
    if played is None:
        return None
    shown = clock(tournament, played, outside.now())
    tables = sorted(
        (table for table in shown.tables if not table.reported),
        key=lambda table: (table.left or 0, table.table),
    )
    if not tables:
        return None
    return [
        htpy.h2[tr("Open tables ({count})", count=len(tables))],
        htpy.ul(class_="table-links")[
            (
                htpy.li[
                    htpy.a(href=f"judge/match/{played.number}/{table.table}")[
                        htpy.strong[str(table.table)],
                        htpy.small[f" {time_left(table.left)}"] if table.left is not None else None,
                    ]
                ]
                for table in tables[:TABLES_MAX]
            )
        ],
        htpy.p[tr("and {count} more", count=len(tables) - TABLES_MAX)]
        if tables[TABLES_MAX:]
        else None,
    ]


def _ruling_columns(tournament: Tournament) -> list[Column]:
    return [
        Column(marked("event"), value=lambda each: each.seq),
        Column(marked("table"), value=lambda each: _table(tournament, each.made.match)),
        prose(marked("official"), lambda each: official_in_words(tournament, each.made.official)),
        prose(marked("clause"), lambda each: each.made.clause),
        prose(marked("ruling"), lambda each: isolated(visible(each.made.ruling))),
    ]


def _table(tournament: Tournament, match: int) -> str:
    return table_in_words(tournament, match) if match else ""


def match_page(sight: Sight) -> Node:
    """Return the page of a match: how it stands, its dispute, its story, and what to do."""
    match = _match(sight)
    where = {"table": f"{match.round}/{match.table}"}
    return [
        sight.said,
        undo_of(sight),
        htpy.h2[
            tr("Round {round}, bye", round=match.round)
            if match.is_bye
            else tr("Round {round}, table {table}", round=match.round, table=match.table)
        ],
        htpy.div(class_="desk")[
            htpy.div(id="now")[match_now(sight)],
            htpy.div(class_="panel side")[
                _rule(sight, match),
                [act_form(sight, LINE_FORMS[name], where) for name in OF_A_MATCH],
            ],
        ],
        names_offered(sight),
        way_to("judge", tr("All that waits")),
    ]


def match_now(sight: Sight) -> Node:
    """Return what changes by itself: how the match stands, its dispute, its story."""
    tournament = sight.tournament
    match = _match(sight)
    return [
        htpy.ul(class_="sides", data_position=str(tournament.seq))[
            (htpy.li[player_link(tournament, player)] for player in match.players)
        ],
        htpy.p(class_="result")[_stands(tournament, match)],
        _time(tournament, match),
        more_time(sight, match),
        _dispute(sight, match),
        _story(sight, match),
    ]


def more_time(sight: Sight, match: Match) -> Node:
    """Return a button for each usual extension of a table that is open; None for another one."""
    if not match.is_open or match.round != len(sight.tournament.rounds):
        return None
    given = {"table": f"{match.round}/{match.table}", "reason": EXTENSION_REASON}
    form = LINE_FORMS["extend"]
    if not is_offered(sight, form, given):
        return None
    return htpy.div(class_="taps", role="group", aria_label=tr("More time for this table"))[
        (
            one_tap(
                sight,
                form,
                {**given, "minutes": str(minutes)},
                text=tr("+{minutes} min", minutes=minutes),
            )
            for minutes in EXTENSIONS
        )
    ]


def _time(tournament: Tournament, match: Match) -> Node:
    """Return the time that is left at an open table, with its extension."""
    played = tournament.rounds[match.round - 1]
    if not match.is_open or played.status != "started":
        return None
    table = clock_at(tournament, match, outside.now())
    if table.left is None:
        return None
    state = clock_state(tournament, played)
    return htpy.p(class_="left")[
        _left(table.left, table.extension), f", {tr(state)}" if state else None
    ]


def _left(left: int, extension: int) -> Node:
    """Return the time that is left at a table, or how far it is over its time."""
    time = htpy.strong(class_="time")[time_left(left)]
    if not extension:
        return tr_nodes("{time} left" if left > 0 else "{time} over time", time=time)
    return tr_nodes(
        "{time} left, with {minutes} added"
        if left > 0
        else "{time} over time, with {minutes} added",
        time=time,
        minutes=how_many(extension, "minute"),
    )


def _match(sight: Sight) -> Match:
    return find_match(sight.tournament, f"{sight.words['round']}/{sight.words['table']}")


def _stands(tournament: Tournament, match: Match) -> str:
    if match.result is not None:
        return result_in_words(tournament, match, match.result)
    if match.is_bye:
        return tr("a bye")
    waits = match.number in tournament.floor.unconfirmed
    return tr("not confirmed yet") if waits else tr("no result yet")


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
    return htpy.section(class_="dispute", aria_label=tr("Dispute"))[
        htpy.h2[tr("In dispute")],
        claims(sight, dispute),
        htpy.p(class_="go to-rule")[htpy.a(href=_ruling_of(match))[tr("Go to the ruling")]]
        if not dispute.ruling
        else None,
        htpy.p[visible(next_act(tournament, dispute, is_paper=True))],
        entering,
    ]


def _ruling_of(match: Match) -> str:
    """Return the address of the form of a match's ruling."""
    return f"judge/match/{match.round}/{match.table}#rule"


def _rule(sight: Sight, match: Match) -> Node:
    """Return the form of a ruling: which claim holds, another result, or none at all."""
    tournament = sight.tournament
    dispute = dispute_of(tournament, match.number)
    choices = list(_choices(tournament, match, dispute)) if dispute else []
    where = f"{match.round}/{match.table}"
    filled = refilled(sight, LINE_FORMS["rule"], {"table": where})
    is_open = bool(filled or (dispute and not dispute.ruling))
    return htpy.details(id="rule", class_="act", open=is_open)[
        htpy.summary[tr("Rule on this match")],
        htpy.form(method="post", action="line", class_="act")[
            hidden({"form": "rule", "table": where, **carried(sight)}),
            htpy.fieldset[
                htpy.legend[tr("The result")],
                (_choice(value, words, filled) for value, words in choices),
                _other(filled, is_only=not choices),
            ],
            htpy.label[
                htpy.span[tr("Decision and reason")],
                htpy.textarea(name="text", rows="2", required=True)[
                    visible_lines(filled.get("text", ""))
                ],
            ],
            clause_choice(tournament, ("rule", "appeal", "review", "call"), filled),
            htpy.button(type="submit")[tr_of("button", "Rule")],
        ],
    ]


def _choices(tournament: Tournament, match: Match, dispute: Dispute) -> Iterator[tuple[str, str]]:
    """Yield what both sides say: the value of a choice, and its words."""
    yield "--stands", tr("as reported, {claim}", claim=_claim(tournament, match, dispute.reported))
    against = dispute.against.result
    if against is not None and (words := as_typed(tournament, match, against)):
        said = _claim(tournament, match, dispute.against)
        yield f"--result={words}", tr("as disputed, {claim}", claim=said)


def _claim(tournament: Tournament, match: Match, claim: Claim) -> str:
    return claim_in_words(tournament, match.number, claim)


def _choice(value: str, words: str, filled: Mapping[str, str]) -> Node:
    is_chosen = filled.get("stands") == value
    return htpy.label(class_="choice")[
        htpy.input(type="radio", name="stands", value=value, checked=is_chosen, required=True),
        htpy.span[words],
    ]


def _other(filled: Mapping[str, str], *, is_only: bool) -> Node:
    """Return the choice of a result that no side says; it is chosen if it is the only one."""
    result = visible(filled.get("result", "")) or None
    chosen = {"stands": ""} if is_only else filled
    return [
        _choice("", tr("another result (type it below), or no result"), chosen),
        htpy.label[htpy.span[tr("Result")], htpy.input(type="text", name="result", value=result)],
    ]


def _story(sight: Sight, match: Match) -> Node:
    tournament = sight.tournament
    if sight.story is None:
        return htpy.p(class_="about")[
            tr("The history of this match cannot be shown now: open the page again.")
        ]
    columns = log_columns(tournament, lambda each: event_of_match(each, match, tournament))
    story = [sight.desk.book.recorded_at(seq) for seq in sight.story]
    from cli.render.timelines import timeline

    return [
        htpy.h2[tr("History")],
        timeline(tournament, match, story) or htpy.p(class_="about")[tr("Nothing yet.")],
        htpy.details[
            htpy.summary[tr("As a table")],
            section(tr("Events"), columns, story, tr("Nothing yet.")),
        ],
    ]


def story_at(desk: Desk, where: str) -> list[int]:
    """Return the places of a match's events at the reader's desk; NotFound without such one."""
    match = find_match(desk.book.tournament, where)
    return [recorded.seq for recorded in story_in(desk.book, match)]


def opened(sight: Sight) -> str:
    """Return the path of the match that somebody asks for; NotFound without one."""
    match = find_match(sight.tournament, sight.words.get("table", "").strip())
    return f"/judge/match/{match.round}/{match.table}"
