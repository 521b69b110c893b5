"""The evidence sheet of a match: one page that a judge hands to an appeal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy
from markupsafe import Markup

from cli.desk.guide import round_in_words
from cli.input.find_people import labelled
from cli.input.places import time_in
from cli.render.codes import svg_code
from cli.render.dispute_tables import event_of_match
from cli.render.html.elements import section, web_page
from cli.terminal.counting import amount_of
from cli.terminal.tables import Column, prose
from cli.terminal.visible import visible
from cli.wording.dispute_words import claim_in_words, next_act
from cli.wording.floor_words import result_ruled
from cli.wording.phrases import official_in_words, who
from cli.wording.result_words import result_in_words
from cli.wording.slip_words import cut_in_words
from projections.matches.rulings import state_of

if TYPE_CHECKING:
    from htpy import Node

    from ledger.proof.evidence.receipts import Receipt
    from ledger.tournament.state import Tournament
    from projections.audit.evidence import Evidence, Hung, OutcomeEffect

STYLE = """
@page { size: A4; margin: 10mm; }
body { font-size: 9.5pt; line-height: 1.35; max-width: 186mm; padding-top: 1rem; }
h1 { font-size: 15pt; margin: 0 0 1mm; }
h2 { font-size: 10.5pt; margin: 3.5mm 0 1mm; }
p { margin: 0 0 1.5mm; }
p.stands { font-size: 12pt; font-weight: 600; }
th, td { padding: .6mm 3mm .6mm 0; overflow-wrap: break-word; }
thead th { white-space: normal; vertical-align: bottom; }
td[data-is=event] { white-space: nowrap; }
td[data-is="SHA-256"] { overflow-wrap: anywhere; }
.proof { display: flex; gap: 5mm; align-items: center; break-inside: avoid; }
.proof > div { flex: 1; font-size: 8pt; }
svg { background: #fff; width: 58mm; height: 58mm; flex: none; }
@media print {
  body { font-size: 7.8pt; line-height: 1.16; padding: 0; }
  h1 { font-size: 13pt; }
  h2 { margin: 1.8mm 0 .2mm; }
  p.stands { font-size: 10.5pt; }
  thead th { font-size: 7.2pt; }
  th, td { padding: .2mm 2.5mm .2mm 0; }
  svg { width: 42mm; height: 42mm; }
}
@media screen and (max-width: 40rem) {
  body { font-size: 11pt; }
  .proof { display: block; }
  svg { max-width: 100%; }
}
"""


class PrintedReceipt(NamedTuple):
    """The receipt of the last event about the match, and the head that covers it."""

    receipt: Receipt
    code: bytes
    origin: str
    size: int
    root: str


def evidence_page(tournament: Tournament, evidence: Evidence, proof: PrintedReceipt | None) -> str:
    """Return the whole page."""
    match, opening = evidence.match, tournament.opening
    round_ = tournament.rounds[match.round - 1]
    title = f"Evidence on {match.round}/{match.table}"
    name = f"{visible(opening.name)}, {opening.date}" if opening else ""
    seated = " and ".join(labelled(tournament, player) for player in match.players)
    body: list[Node] = [
        htpy.h1[f"{title}: {visible(seated)}"],
        htpy.p[f"{name}, {round_in_words(tournament, round_)}, table {match.table}"],
        htpy.p(class_="stands")[_stands(tournament, evidence)],
        section("What is claimed", _claim_columns(tournament, evidence), evidence.claims, ""),
        section(
            "Who ruled", _ruling_columns(tournament, evidence), evidence.rulings, "Nobody ruled."
        ),
        section(
            "What each result changes",
            _outcome_columns(tournament, evidence),
            evidence.outcomes,
            "",
        ),
        _about_cut(evidence),
        section(
            "What hung on the wall when it was reported",
            _posting_columns(tournament, evidence),
            evidence.postings,
            "Nothing was posted before it.",
        ),
        section("What the log has", _story_columns(tournament, evidence), evidence.story, ""),
        _proof(proof),
    ]
    return web_page(title, STYLE, body)


def _stands(tournament: Tournament, evidence: Evidence) -> str:
    match = evidence.match
    stands = "nothing counts yet"
    if match.result is not None:
        counted = result_in_words(tournament, match, match.result)
        stands = f"On record: {counted} (event {match.result_seq})"
    due = [next_act(tournament, each, is_paper=True) for each in evidence.disputes[-1:]]
    return "; ".join([stands, *due])


def _events_at(tournament: Tournament, evidence: Evidence, seq: int) -> str:
    found = next((each for each in evidence.story if each.seq == seq), None)
    return time_in(tournament, found.at) if found else ""


def _by(tournament: Tournament, evidence: Evidence, seq: int) -> str:
    found = next((each for each in evidence.story if each.seq == seq), None)
    return who(found.by, tournament) if found else ""


def _claim_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    number = evidence.match.number
    reasons = {each.seq: each.reason for each in evidence.disputes}
    return [
        Column("event", value=lambda each: each.seq),
        Column("time", value=lambda each: _events_at(tournament, evidence, each.seq)),
        prose("says", lambda each: claim_in_words(tournament, number, each)),
        prose("why", lambda each: reasons.get(each.seq, "")),
        prose("entered by", lambda each: _by(tournament, evidence, each.seq)),
    ]


def _ruling_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    def ruled(each: Any) -> str:  # noqa: ANN401 - a column takes any record
        return f"{visible(each.made.ruling)}{result_ruled(each.made, tournament)}"

    return [
        Column("event", value=lambda each: each.seq),
        Column("time", value=lambda each: _events_at(tournament, evidence, each.seq)),
        prose("official", lambda each: official_in_words(tournament, each.made.official)),
        prose("clause", lambda each: each.made.clause),
        prose("ruling", ruled),
        prose("appealed", lambda each: f"event {each.appealed}" if each.appealed else ""),
        prose("state", _state),
        prose("entered by", lambda each: _by(tournament, evidence, each.seq)),
    ]


def _state(ruling: Any) -> str:  # noqa: ANN401 - as above
    entered = f", carried out by event {ruling.entered}" if ruling.entered else ""
    return f"{state_of(ruling)}{entered}"


def _outcome_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    match, shown = evidence.match, tournament.ruleset.scoring.shown

    def named(each: OutcomeEffect) -> str:
        events = f"event{'s' if each.named[1:] else ''} {', '.join(map(str, each.named))}"
        counts = "on record, " if each.result == match.result else ""
        return f"{counts}{events}" if each.named else ""

    def place(player: int, each: OutcomeEffect) -> str:
        found = next((place for place in each.places if place.player == player), None)
        return f"rank {found.rank}, {amount_of(shown(found.points), 'point')}" if found else ""

    return [
        prose("result", lambda each: result_in_words(tournament, match, each.result)),
        prose("named by", named),
        *(prose(labelled(tournament, player), partial(place, player)) for player in match.players),
        prose("cut", lambda each: _cut_changes(tournament, evidence, each)),
    ]


def _cut_changes(tournament: Tournament, evidence: Evidence, effect: OutcomeEffect) -> str:
    if not evidence.cut:
        return ""
    ways = ((effect.entrants, "in"), (effect.leavers, "out"))
    named = [
        f"{', '.join(labelled(tournament, each) for each in players)} {where}"
        for players, where in ways
        if players
    ]
    return "; ".join(named) or "as it is"


def _about_cut(evidence: Evidence) -> Node:
    if not evidence.cut:
        return None
    return htpy.p[f"Ranks as they are now with that result; {cut_in_words(evidence.cut)}."]


def _posting_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    return [
        Column("event", value=lambda each: each.recorded.seq),
        Column("time", value=lambda each: time_in(tournament, each.recorded.at)),
        prose("what", lambda each: f"{each.posted.what} of round {each.posted.round}"),
        prose("as of", lambda each: f"event {each.posted.up_to}"),
        prose("said", lambda each: _said(tournament, evidence, each)),
        prose("SHA-256", lambda each: each.posted.sha256),
    ]


def _said(tournament: Tournament, evidence: Evidence, hung: Hung) -> str:
    """Say what a posting said of the two players."""
    if not hung.again:
        return "the log does not give what hung there"
    if hung.posted.what == "pairings":
        seated = " and ".join(labelled(tournament, each) for each in evidence.match.players)
        return f"table {evidence.match.table}: {seated}"
    shown = tournament.ruleset.scoring.shown
    return "; ".join(
        f"{labelled(tournament, each.player)} rank {each.rank}, "
        f"{amount_of(shown(each.points), 'point')}"
        for each in hung.places
    )


def _story_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    match = evidence.match
    return [
        Column("event", value=lambda each: each.seq),
        Column("time", value=lambda each: time_in(tournament, each.at)),
        prose("entered by", lambda each: who(each.by, tournament)),
        prose("what", lambda each: event_of_match(each, match, tournament)),
    ]


def _proof(proof: PrintedReceipt | None) -> Sequence[Node]:
    if proof is None:
        text = "No receipt: the log's key is not on the machine that made this page."
        return [htpy.h2["Proof"], htpy.p[text]]
    code = Markup(svg_code(proof.code))  # noqa: S704 - drawn here, of bytes
    place = f"Event {proof.receipt.position + 1} of {proof.size} in the log {proof.origin}"
    return [
        htpy.h2["Proof"],
        htpy.div(class_="proof")[
            htpy.div[
                htpy.p[f"{place}, whose root is {proof.root}."],
                htpy.p[
                    "The code is the receipt of that event, the last one about this match: keep "
                    "its text as a file, and tourney verify FILE --policy POLICY checks it."
                ],
            ],
            code,
        ],
    ]
