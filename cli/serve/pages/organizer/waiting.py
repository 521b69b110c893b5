"""Open requests to officials: calls, disputes, reports to be confirmed, appeals, registrations."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import htpy

from cli import outside
from cli.input.find_people import labelled
from cli.input.moments import time_in
from cli.languages.speaking import marked, tr
from cli.machine.caveats import reported_in_words
from cli.render.dispute_tables import minutes_since
from cli.serve.commands import draft_in_words, waiting_in
from cli.serve.pages.organizer.answers import with_commands
from cli.serve.pages.organizer.lines import LINE_FORMS, act_form, one_tap
from cli.terminal.visible import how_many, isolated, visible
from cli.wording.dispute_words import claim_in_words
from cli.wording.phrases import official_in_words, safe_text, table_in_words, who
from ledger.facts.office import recommended
from ledger.tournament.disputes import state_of, unreviewed, unsettled
from projections.disputes import next_to_act

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from htpy import Node

    from cli.serve.pages.organizer.lines import Sight
    from ledger.tournament.state import Tournament
    from ledger.tournament.table_records import AskedRegistration, Claim, Dispute, JudgeCall

REQUESTS_SHOWN = 10
"""Requests to be registered on the desk's page, the oldest; `requests` lists all."""


def waiting(sight: Sight) -> Node:
    """Return all that waits, with who acts next; that nothing does, where it is so."""
    tournament = sight.tournament
    found = [
        *_reported(sight),
        *(_call(sight, each) for each in calls_waiting(tournament)),
        *(_dispute(sight, each) for each in unsettled(tournament)),
        *_unconfirmed(tournament),
        *_for_leaders(sight),
        *_unsigned(sight),
    ]
    asked = [request for request in tournament.floor.requests if not request.answered]
    count = len(found) + len(asked)
    found += _requests(sight, asked)
    if not found:
        return htpy.p(class_="about")[tr("No open requests.")]
    return [htpy.h2[tr("Waiting ({count})", count=count)], htpy.ul(class_="waiting")[found]]


def calls_waiting(tournament: Tournament) -> list[JudgeCall]:
    """Return the open calls of a tournament that has not finished."""
    if tournament.finished:
        return []
    return [call for call in tournament.floor.judge_calls if not call.answered]


def _reported(sight: Sight) -> Iterator[Node]:
    """Say that a phone saw another history: until somebody has looked into it, above all else."""
    if said := reported_in_words(sight.desk.book.stream):
        yield htpy.li[htpy.strong(class_="breach")[with_commands(said, sight.verbs)]]


def match_link(tournament: Tournament, match: int) -> Node:
    """Return a link to a match's own page."""
    where = table_in_words(tournament, match)
    return htpy.a(href=f"judge/match/{where}")[where]


def player_link(tournament: Tournament, player: int) -> Node:
    """Return a player's name as a link to the card of the player."""
    return htpy.a(href=f"judge/player/p{player}")[labelled(tournament, player)]


def claims(sight: Sight, dispute: Dispute) -> Node:
    """Return what both sides say, each with its time and how long ago."""
    now, tournament = outside.now(), sight.tournament

    def one(title: str, claim: Claim) -> Node:
        at = sight.desk.book.recorded_at(claim.seq).at
        clock, minutes = time_in(tournament, at), minutes_since(at, now)
        ago = tr("{time}, {minutes} min ago", time=clock, minutes=minutes)
        words = claim_in_words(tournament, dispute.match, claim)
        return [htpy.dt[title], htpy.dd[f"{words} ", htpy.small[ago]]]

    return htpy.dl[
        one(tr("reported"), dispute.reported),
        one(tr("disputed"), dispute.against),
        [htpy.dt[tr("why")], htpy.dd[isolated(visible(dispute.reason))]]
        if dispute.reason
        else None,
    ]


def _call(sight: Sight, call: JudgeCall) -> Node:
    tournament, made = sight.tournament, call.made
    waited = minutes_since(call.at, outside.now())
    players = [made.player] if made.player else []
    if made.match:
        players = [*tournament.matches[made.match].players]
    return htpy.li[
        htpy.strong[tr("Judge called"), " "],
        match_link(tournament, made.match) if made.match else None,
        " ",
        htpy.strong(class_="since")[tr("{minutes} min", minutes=waited)],
        htpy.span(class_="people")[([player_link(tournament, player), " "] for player in players)],
        htpy.p[isolated(visible(made.reason))] if made.reason else None,
        one_tap(sight, LINE_FORMS["call-answer"], {"call": str(call.seq)}),
    ]


def _requests(sight: Sight, asked: Sequence[AskedRegistration]) -> Iterator[Node]:
    """Yield the oldest requests to be registered, and how many more are open."""
    yield from (_request(sight, request) for request in asked[:REQUESTS_SHOWN])
    if len(asked) > 1:
        more = len(asked) - REQUESTS_SHOWN
        yield htpy.li[
            f"{how_many(more, 'more registration request')}. " if more > 0 else None,
            htpy.strong[tr("All {count} registration requests", count=len(asked)), " "],
            act_form(sight, LINE_FORMS["approve-all"]),
            act_form(sight, LINE_FORMS["refuse-all"]),
        ]


def _request(sight: Sight, request: AskedRegistration) -> Node:
    made, given = request.made, {"request": str(request.seq)}
    return htpy.li[
        htpy.strong[tr("Registration request {number}", number=request.seq), " "],
        ", ".join(filter(None, (safe_text(made.name), safe_text(made.faction)))),
        act_form(sight, LINE_FORMS["approve"], given),
        act_form(sight, LINE_FORMS["refuse"], given),
    ]


_STATES: Mapping[str, str] = MappingProxyType(
    {
        "open": marked("open"),
        "appealed": marked("appealed"),
        "correction due": marked("correction due"),
        "settled": marked("settled"),
    }
)
"""The states of a dispute."""

ROLES: Mapping[str, str] = MappingProxyType(
    {
        "organizer": marked("organizer"),
        "co-organizer": marked("co-organizer"),
        "marshal": marked("marshal"),
        "judge": marked("judge"),
        "scorekeeper": marked("scorekeeper"),
        "leader": marked("leader"),
        "desk": marked("desk"),
    }
)
"""The roles of officials, and who else acts in a dispute."""


def _dispute(sight: Sight, dispute: Dispute) -> Node:
    tournament = sight.tournament
    due = next_to_act(tournament, dispute)
    names = [official_in_words(tournament, official) for official in due.officials] if due else []
    waited = minutes_since(dispute.against.at, outside.now())
    whose = tr(" or ").join(names) or (tr(ROLES.get(due.role, due.role)) if due else "")
    return htpy.li[
        htpy.strong[tr("Dispute"), " "],
        match_link(tournament, dispute.match),
        " ",
        htpy.strong(class_="since")[tr("{minutes} min", minutes=waited)],
        tr(
            ", {state}: next to act is {officials}",
            state=tr(_STATES[state_of(tournament, dispute)]),
            officials=whose,
        ),
        claims(sight, dispute),
    ]


def _unconfirmed(tournament: Tournament) -> Iterator[Node]:
    for number, claim in sorted(tournament.floor.unconfirmed.items()):
        yield htpy.li[
            htpy.strong[tr("To be confirmed"), " "],
            match_link(tournament, number),
            f": {claim_in_words(tournament, number, claim)}",
        ]


def _unsigned(sight: Sight) -> Iterator[Node]:
    book = sight.desk.book
    for draft in waiting_in(sight.desk.store().vault_items(book.stream), book.tournament):
        signer = who(draft.by, sight.tournament)
        what = visible(draft_in_words(book, draft))
        yield htpy.li[
            htpy.strong[tr("Waiting for {official}'s signature", official=signer), " "],
            f"{what}: ",
            with_commands(tr("`sign` at a terminal with the key"), sight.verbs),
        ]


def _for_leaders(sight: Sight) -> Iterator[Node]:
    tournament = sight.tournament
    for ruling in unreviewed(tournament):
        where = match_link(tournament, ruling.made.match) if ruling.made.match else ""
        yield htpy.li[
            htpy.strong[tr("Appeal"), " "], where, tr(" of ruling {number}", number=ruling.seq)
        ]
    for player in recommended(tournament):
        text = f'`disqualify {player} --reason "…"`'
        yield htpy.li[
            htpy.strong[tr("Disqualification recommended"), " "],
            player_link(tournament, player),
            ": ",
            with_commands(text, sight.verbs),
        ]
