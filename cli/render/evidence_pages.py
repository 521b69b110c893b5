"""HTML pages of evidence: the audit, the evidence sheet of a match, and receipts as slips.

A judge submits the evidence sheet to an appeal. Receipts are printed after the match, one for each
player. The code of a receipt holds the event as well: a phone that reads the code and keeps it as a
file has all that `verify` asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy
from markupsafe import Markup

from cli.desk.guide import round_in_words
from cli.input.find_people import bare_name, labelled, labels
from cli.input.moments import time_in
from cli.languages.speaking import marked, tr, tr_many
from cli.machine.checkpoint_file import head_in
from cli.render.audit_tables import (
    WEIGHTS,
    AuditSection,
    audit_sections,
    in_and_out,
    weight_in_words,
)
from cli.render.codes import svg_code
from cli.render.dispute_tables import event_of_match
from cli.render.elements import Links, section, tr_nodes, unbroken, unbroken_cell, web_page
from cli.render.log_tables import log_columns, ruling_state
from cli.terminal.tables import Column, prose
from cli.terminal.visible import amount_of, how_many, isolated, marking_names, visible
from cli.wording.audit_words import cut_in_words
from cli.wording.dispute_words import claim_in_words, next_act, result_ruled
from cli.wording.event_words import in_words
from cli.wording.phrases import (
    game_in_words,
    official_in_words,
    result_in_words,
    rules_in_words,
    who,
)
from ledger.proof.evidence import Receipt, write_receipt
from ledger.tournament.state import Match, Tournament
from projections.disputes import state_of

if TYPE_CHECKING:
    from htpy import Node

    from ledger.facts.base import Event
    from projections.audit.evidence import Evidence, Hung, OutcomeEffect
    from projections.audit.report import Audit

AUDIT_STYLE = """
body { font-size: 15px; padding-top: 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
td a { color: inherit; }
@media print { body { font-size: 9.5pt; } h2 { margin-top: 5mm; } }
"""


@marking_names()
def audit_page(audit: Audit, seen: Callable[[Event], Event]) -> str:
    """Return the whole page; `seen` leaves out of an event what its reader may not see yet."""
    tournament, last = audit.tournament, audit.tournament.seq
    links = Links(last)
    opening = tournament.opening
    name = isolated(visible(opening.name)) if opening else ""
    state = tr("finished") if tournament.finished else tr("not finished")
    plays = visible(game_in_words(opening)) if opening else ""
    game = (
        tr("{date}, {plays}, rules {rules}, ", date=opening.date, plays=plays, rules=opening.rules)
        if opening
        else ""
    )
    rules = rules_in_words(opening) if opening else ""
    optional = tr("Optional rules {rules}. ", rules=visible(rules)) if rules else ""
    about = tr(
        "{game}{events}, {state}. {optional}Event numbers link to the lines of the log "
        "at the end of the page.",
        game=game,
        events=how_many(tournament.seq, "event"),
        state=state,
        optional=optional,
    )
    body: list[htpy.Node] = [
        htpy.h1[tr("Audit of {name}", name=name)],
        htpy.p(class_="about")[about],
        (_section(part, links) for part in audit_sections(audit) if part.records or part.otherwise),
        section(
            tr("The log"), _lines(tournament, seen), audit.log, "", links=Links(last, is_log=True)
        ),
    ]
    return web_page(tr("Audit of {name}", name=name), AUDIT_STYLE, body)


def _section(part: AuditSection, links: Links) -> htpy.Node:
    shown = None if part.counts else links
    if not part.has_weights:
        return section(*part[:4], links=shown)
    classes = {weight_in_words(weight): weight for weight in WEIGHTS}
    return section(*part[:4], marked="weight", classes=classes, links=shown)


def _lines(tournament: Tournament, seen: Callable[[Event], Event]) -> list[Column]:
    return log_columns(tournament, lambda entry: in_words(seen(entry.event), tournament))


EVIDENCE_STYLE = """
@page { size: A4; margin: 10mm; }
body { font-size: 9.5pt; line-height: 1.35; max-width: 186mm; padding-top: 1rem; }
h1 { font-size: 15pt; margin: 0 0 1mm; }
h2 { font-size: 10.5pt; margin: 3.5mm 0 1mm; }
p { margin: 0 0 1.5mm; }
p.stands { font-size: 12pt; font-weight: 600; }
th, td { padding: .6mm 3mm .6mm 0; overflow-wrap: break-word; }
thead th { white-space: normal; vertical-align: bottom; }
td[data-label=event] { white-space: nowrap; }
td[data-label="SHA-256"] { overflow-wrap: anywhere; }
tr, li, p, .signature { break-inside: avoid; }
.signature { margin-top: 6mm; }
.signature p { display: flex; flex-wrap: wrap; gap: 2mm 6mm; }
.signature span { border-top: 1px solid var(--ink); flex: 1 1 30mm; margin-top: 11mm; }
.proof { display: flex; gap: 5mm; align-items: center; break-inside: avoid; }
.proof > div { flex: 1; font-size: 8pt; min-width: 0; }
svg { background: #fff; width: 58mm; height: 58mm; flex: none; }
@media print {
  body { font: 7.8pt/1.16 Arial, "Liberation Sans", Helvetica, sans-serif; padding: 0; }
  h1 { font-size: 13pt; }
  h2 { margin: 1.2mm 0 .1mm; }
  p.stands { font-size: 10.5pt; }
  thead th { font-size: 7.2pt; }
  th, td { padding: .1mm 2.2mm .1mm 0; }
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


@marking_names()
def evidence_page(tournament: Tournament, evidence: Evidence, proof: PrintedReceipt | None) -> str:
    """Return the whole page."""
    match, opening = evidence.match, tournament.opening
    round_ = tournament.rounds[match.round - 1]
    title = tr("Evidence on {round}/{table}", round=match.round, table=match.table)
    name = f"{isolated(visible(opening.name))}, {opening.date}" if opening else ""
    seated = labels(tournament, match.players, tr(" and "))
    part = partial(section, cell=unbroken_cell)
    body: list[Node] = [
        htpy.h1[f"{title}: {visible(seated)}"],
        htpy.p[
            unbroken(
                tr(
                    "{name}, {round}, table {table}",
                    name=name,
                    round=round_in_words(tournament, round_),
                    table=match.table,
                )
            )
        ],
        htpy.p(class_="stands")[unbroken(_stands(tournament, evidence))],
        part(tr("Claims"), _claim_columns(tournament, evidence), evidence.claims, ""),
        part(
            tr("Rulings"),
            _ruling_columns(tournament, evidence),
            evidence.rulings,
            tr("No rulings."),
        ),
        part(
            tr("Effect of each result"),
            _outcome_columns(tournament, evidence),
            evidence.outcomes,
            "",
        ),
        _about_cut(evidence),
        part(
            tr("Posted before the result was reported"),
            _posting_columns(tournament, evidence),
            evidence.postings,
            tr("Nothing was posted before the report."),
        ),
        part(tr("History in the log"), _story_columns(tournament, evidence), evidence.story, ""),
        _proof(proof),
        _signature(),
    ]
    return web_page(title, EVIDENCE_STYLE, body)


SIGNED_BY = (marked("Name"), marked("Office"), marked("Date"), marked("Signature"))
"""The blanks at the end of the sheet, in their order."""


def _signature() -> Node:
    """Return the line on which the official who submits the sheet signs it."""
    return htpy.section(class_="signature", aria_label=tr("Signature"))[
        htpy.h2[tr("Signature")],
        htpy.p[(htpy.span[tr(blank)] for blank in SIGNED_BY)],
    ]


def _stands(tournament: Tournament, evidence: Evidence) -> str:
    match = evidence.match
    stands = tr("no result counts yet")
    if match.result is not None:
        counted = result_in_words(tournament, match, match.result)
        stands = tr(
            "On record: {result} (event {seq})",
            result=counted,
            seq=match.result_seq,
        )
    due = [next_act(tournament, dispute, is_paper=True) for dispute in evidence.disputes[-1:]]
    return "; ".join([stands, *due])


def _events_at(tournament: Tournament, evidence: Evidence, seq: int) -> str:
    entry = next((entry for entry in evidence.story if entry.seq == seq), None)
    return time_in(tournament, entry.at) if entry else ""


def _by(tournament: Tournament, evidence: Evidence, seq: int) -> str:
    entry = next((entry for entry in evidence.story if entry.seq == seq), None)
    return who(entry.by, tournament) if entry else ""


def _claim_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    number = evidence.match.number
    reasons = {dispute.seq: dispute.reason for dispute in evidence.disputes}
    return [
        Column(marked("event"), value=lambda claim: claim.seq),
        Column(marked("time"), value=lambda claim: _events_at(tournament, evidence, claim.seq)),
        prose(marked("claim"), lambda claim: claim_in_words(tournament, number, claim)),
        prose(marked("why"), lambda claim: isolated(reasons.get(claim.seq, ""))),
        prose(marked("entered by"), lambda claim: _by(tournament, evidence, claim.seq)),
    ]


def _ruling_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    def ruled(ruling: Any) -> str:  # noqa: ANN401 - a column takes any record
        return f"{isolated(visible(ruling.made.ruling))}{result_ruled(ruling.made, tournament)}"

    return [
        Column(marked("event"), value=lambda ruling: ruling.seq),
        Column(marked("time"), value=lambda ruling: _events_at(tournament, evidence, ruling.seq)),
        prose(
            marked("official"), lambda ruling: official_in_words(tournament, ruling.made.official)
        ),
        prose(marked("clause"), lambda ruling: ruling.made.clause),
        prose(marked("ruling"), ruled),
        prose(
            marked("appealed"),
            lambda ruling: tr("event {seq}", seq=ruling.appealed) if ruling.appealed else "",
        ),
        prose(marked("state"), _state),
        prose(marked("entered by"), lambda ruling: _by(tournament, evidence, ruling.seq)),
    ]


def _state(ruling: Any) -> str:  # noqa: ANN401 - as above
    state = ruling_state(state_of(ruling), ruling)
    if not ruling.entered:
        return state
    return tr("{state}, applied by event {seq}", state=state, seq=ruling.entered)


def _outcome_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    match, shown = evidence.match, tournament.ruleset.scoring.shown

    def named(effect: OutcomeEffect) -> str:
        listed = ", ".join(map(str, effect.named))
        events = tr_many("event {events}", "events {events}", len(effect.named), events=listed)
        if not effect.named:
            return ""
        counts = effect.result == match.result
        return tr("on record, {events}", events=events) if counts else events

    def place(player: int, effect: OutcomeEffect) -> str:
        ranked = next((place for place in effect.places if place.player == player), None)
        return (
            tr(
                "rank {rank}, {points}",
                rank=ranked.rank,
                points=amount_of(shown(ranked.points), "point"),
            )
            if ranked
            else ""
        )

    return [
        prose(marked("result"), lambda effect: result_in_words(tournament, match, effect.result)),
        prose(marked("named by"), named),
        *(prose(labelled(tournament, player), partial(place, player)) for player in match.players),
        prose(marked("cut"), lambda effect: _cut_changes(tournament, evidence, effect)),
    ]


def _cut_changes(tournament: Tournament, evidence: Evidence, effect: OutcomeEffect) -> str:
    if not evidence.cut:
        return ""
    return in_and_out(tournament, effect.entrants, effect.leavers) or tr("unchanged")


def _about_cut(evidence: Evidence) -> Node:
    if not evidence.cut:
        return None
    return htpy.p[tr("Current ranks with that result; {cut}.", cut=cut_in_words(evidence.cut))]


_POSTED = {
    "pairings": marked("pairings of round {round}"),
    "standings": marked("standings of round {round}"),
}


def _posting_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    return [
        Column(marked("event"), value=lambda posting: posting.recorded.seq),
        Column(marked("time"), value=lambda posting: time_in(tournament, posting.recorded.at)),
        prose(
            marked("what"),
            lambda posting: tr(_POSTED[posting.posted.what], round=posting.posted.round),
        ),
        prose(marked("as of"), lambda posting: tr("event {seq}", seq=posting.posted.up_to)),
        prose(marked("content"), lambda posting: _said(tournament, evidence, posting)),
        prose(marked("SHA-256"), lambda posting: posting.posted.sha256),
    ]


def _said(tournament: Tournament, evidence: Evidence, hung: Hung) -> str:
    """Say what a posting said of the two players."""
    if not hung.again:
        return tr("the posted sheet cannot be made again from the log")
    if hung.posted.what == "pairings":
        seated = labels(tournament, evidence.match.players, tr(" and "))
        return tr("table {table}: {players}", table=evidence.match.table, players=seated)
    shown = tournament.ruleset.scoring.shown
    return "; ".join(
        tr(
            "{player} rank {rank}, {points}",
            player=labelled(tournament, place.player),
            rank=place.rank,
            points=amount_of(shown(place.points), "point"),
        )
        for place in hung.places
    )


def _story_columns(tournament: Tournament, evidence: Evidence) -> list[Column]:
    match = evidence.match
    return [
        Column(marked("event"), value=lambda entry: entry.seq),
        Column(marked("time"), value=lambda entry: time_in(tournament, entry.at)),
        prose(marked("entered by"), lambda entry: who(entry.by, tournament)),
        prose(marked("what"), lambda entry: event_of_match(entry, match, tournament)),
    ]


def _proof(proof: PrintedReceipt | None) -> Sequence[Node]:
    if proof is None:
        text = tr("No receipt: the log's key is not on the computer that made this page.")
        return [htpy.h2[tr("Proof")], htpy.p[text]]
    code = Markup(svg_code(proof.code))  # noqa: S704 - drawn here, of bytes
    place = tr(
        "Event {position} of {size} in the log {origin}",
        position=proof.receipt.position + 1,
        size=proof.size,
        origin=proof.origin,
    )
    return [
        htpy.h2[tr("Proof")],
        htpy.div(class_="proof")[
            htpy.div[
                htpy.p[tr("{place}, whose root is {root}.", place=place, root=proof.root)],
                htpy.p[
                    tr(
                        "The code is the receipt of that event, the latest about this match. "
                        "Save its text as a file: {command} checks it.",
                        command="tourney verify FILE --policy POLICY",
                    )
                ],
            ],
            code,
        ],
    ]


RECEIPT_STYLE = """
@page { margin: 12mm; }
body { font-size: 11pt; line-height: 1.35; max-width: 190mm; padding-top: 1rem; }
section { display: flex; gap: 6mm; padding: 5mm 0; border-bottom: 1px dashed var(--ink); }
section { break-inside: avoid; align-items: center; }
section > div { flex: 1; min-width: 0; }
svg { background: #fff; width: 78mm; height: 78mm; flex: none; }
h1 { font-size: 12pt; margin: 0 0 2mm; font-weight: 600; }
p { margin: 0 0 2mm; }
p.result { font-size: 15pt; font-weight: 600; }
p.proof { font-size: 8pt; margin: 0; }
code { overflow-wrap: anywhere; }
@media screen and (max-width: 40rem) {
  section { display: block; }
  svg { max-width: 100%; }
}
"""


@marking_names()
def receipts_page(tournament: Tournament, match: Match, receipt: Receipt) -> str:
    """Return a page with a slip for each player of a match.

    Refused where the receipt is too long for a code.
    """
    code = Markup(svg_code(write_receipt(receipt)))  # noqa: S704 - drawn here, of bytes
    slips = [_slip(tournament, match, receipt, player, code) for player in match.players]
    return web_page(
        tr("Receipts of {round}/{table}", round=match.round, table=match.table),
        RECEIPT_STYLE,
        slips,
    )


def _slip(
    tournament: Tournament, match: Match, receipt: Receipt, player: int, code: Markup
) -> Node:
    assert match.result is not None  # noqa: S101 - a match without one has no receipt
    opening = tournament.opening
    head = head_in(receipt.note)
    where = tr(
        "{round}, table {table}",
        round=round_in_words(tournament, tournament.rounds[match.round - 1]),
        table=match.table,
    )
    return htpy.section[
        htpy.div[
            htpy.h1[f"{isolated(visible(opening.name)) if opening else ''}: {where}"],
            htpy.p(class_="result")[result_in_words(tournament, match, match.result)],
            htpy.p[
                tr(
                    "for {player} (#{number})",
                    player=bare_name(tournament, player),
                    number=player,
                )
            ],
            htpy.p(class_="proof")[
                tr_nodes(
                    "Event {position} of {size} in the log {origin}, whose root is {root}. Save "
                    "the text of the code as a file: {command} checks that the signed log contains "
                    "this result.",
                    position=str(receipt.position + 1),
                    size=str(head.size),
                    origin=head.origin,
                    root=head.root.hex(),
                    command=htpy.code["tourney verify FILE --policy POLICY"],
                )
            ],
        ],
        code,
    ]
