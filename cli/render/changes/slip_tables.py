"""Slip audits and margins on a terminal, and for scripts."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cli.input.facts import ENDED, FACT
from cli.input.find_people import labelled
from cli.render.records import show_value
from cli.terminal.output import show, show_json, show_prose, show_table
from cli.terminal.tables import Column, prose
from cli.wording.phrases import table_in_words
from cli.wording.result_lines import words_again
from cli.wording.result_words import result_in_words
from cli.wording.slip_words import (
    ASSUMED,
    MARGIN_ASSUMES,
    cut_in_words,
    difference_in_words,
    head_in_words,
    margin_in_words,
    plan_in_words,
    status_in_words,
)

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.tournament.state import Stage, Tournament
    from ledger.tournament.table_records import SlipAudit
    from projections.audit.slip_audits import SlipPlan, SlipStatus
    from projections.whatif.cut_margin import CutOfStage, Margin

RESULT_AS_JSON: dict[str, object] = {
    "manner": "played",
    "fields": {},
    "ending": "",
    "facts": {},
    "adjusted": [0, 0],
}
"""The members of a result that a line leaves out if they have these values."""


def show_plan(desk: Desk, stage: Stage, risk: int) -> None:
    """Say how many slips are enough, before anyone begins."""
    from projections.audit.slip_audits import MILLION, plan_of

    plan = plan_of(_fresh(desk), stage.number, Fraction(risk, MILLION))
    lines = plan_in_words(plan)
    show_value(desk, plan_as_json(plan), *lines, *ASSUMED)


def show_status(desk: Desk, audit: SlipAudit) -> None:
    """Show how far a slip audit has come, which slips come next, and what differs."""
    from projections.audit.slip_audits import status_of

    tournament = desk.book.tournament
    status = status_of(list(desk.book.recorded()), audit)
    if desk.json:
        show_value(desk, status_as_json(tournament, status))
        return
    show_prose(*head_in_words(audit), *status_in_words(status))
    if status.differences:
        show("", "differences:")
        columns = (
            Column("event", right=True, value=lambda each: each.seq),
            Column("table", value=lambda each: table_in_words(tournament, each.match)),
            prose("what differs", lambda each: difference_in_words(tournament, each)),
        )
        show_table(columns, [[c.text_of(each) for c in columns] for each in status.differences])
    if status.to_pull:
        show("", f"pull next, in this order ({len(status.to_pull)}):")
        show_prose(", ".join(table_in_words(tournament, match) for match in status.to_pull))


def show_margin(desk: Desk, stage: Stage) -> None:
    """Say how few wrongly entered results would change a cut, and which; for scripts the proof."""
    from projections.whatif.cut_margin import cut_margin, cut_of

    tournament = desk.book.tournament
    cut = cut_of(tournament, stage)
    margin = cut_margin(_fresh(desk), cut)
    if desk.json:
        show_json(margin_as_json(tournament, cut, margin))
        return
    show_prose(
        *margin_in_words(tournament, cut, margin),
        *(
            f"  {table_in_words(tournament, match)}: "
            f"{result_in_words(tournament, tournament.matches[match], result)}"
            for match, result in margin.example.items()
        ),
        *_moved(tournament, margin),
        MARGIN_ASSUMES,
    )


def _moved(tournament: Tournament, margin: Margin) -> list[str]:
    if not margin.example:
        return []
    ways = ((margin.entrants, "in"), (margin.leavers, "out"))
    named = [
        f"{', '.join(labelled(tournament, each) for each in players)} {where}"
        for players, where in ways
        if players
    ]
    return [f"  then: {'; '.join(named)}"]


def _fresh(desk: Desk) -> Tournament:
    """The tournament once more, to be used up."""
    return desk.book.at(len(desk.book.lines))


def plan_as_json(plan: SlipPlan) -> dict[str, object]:
    """Make what is known before anyone begins for scripts."""
    return {
        "stage": plan.cut.stage,
        "made": plan.cut.is_made,
        "size": len(plan.cut.inside),
        "slips": plan.slips,
        "least": plan.least,
        "needed": plan.needed,
        "risk": str(plan.risk),
        "assumed": " ".join(ASSUMED),
    }


def status_as_json(tournament: Tournament, status: SlipStatus) -> dict[str, object]:
    """Make a slip audit for scripts."""
    audit = status.audit
    return plan_as_json(status.plan) | {
        "seq": audit.seq,
        "head": {"size": audit.begun.size, "root": audit.begun.root},
        "signed": bool(audit.begun.signature),
        "word": audit.word,
        "order": [table_in_words(tournament, match) for match in status.order],
        "read": status.pulled,
        "differences": [
            {
                "seq": each.seq,
                "match": each.match,
                "table": table_in_words(tournament, each.match),
                "missing": each.is_missing,
            }
            for each in status.differences
        ],
        "least_now": status.least,
        "needed_now": status.needed,
        "chance": str(status.chance),
        "over": status.is_over,
        "changed": status.changed,
    }


def margin_as_json(tournament: Tournament, cut: CutOfStage, margin: Margin) -> dict[str, object]:
    """Make a margin for scripts, with what proves it."""
    import msgspec

    return {
        "stage": cut.stage,
        "cut": cut_in_words(cut),
        "least": margin.least,
        "most": margin.most or None,
        "changed": margin.changed,
        "example": [
            {
                "match": match,
                "table": table_in_words(tournament, match),
                "words": words_again(tournament, tournament.matches[match], result),
                **RESULT_AS_JSON,
                **msgspec.to_builtins(result),
            }
            for match, result in margin.example.items()
        ],
        "whatif": _as_whatif(tournament, margin),
        "leavers": list(margin.leavers),
        "entrants": list(margin.entrants),
        "assumed": MARGIN_ASSUMES,
        "certificate": None if margin.changed else _certificate(tournament, cut, margin.least),
    }


def _as_whatif(tournament: Tournament, margin: Margin) -> str | None:
    """Return the line that tries the example; None if it takes facts of several tables."""
    matches = tournament.matches
    lines = [words_again(tournament, matches[at], each) for at, each in margin.example.items()]
    typed = [line for line in lines if line]
    has_facts = any(f" {option} " in line for line in typed for option in (ENDED, FACT))
    if not typed or len(typed) < len(lines) or (has_facts and len(lines) > 1):
        return None
    return f"whatif {' and '.join(typed)}"


def _certificate(tournament: Tournament, cut: CutOfStage, least: int) -> dict[str, object]:
    """Make the proof that fewer results do not change the cut."""
    import msgspec

    from projections.whatif.cut_margin import possible_results, record_of
    from projections.whatif.margin_certificate import certificate_of

    results, _ = possible_results(tournament.ruleset)
    certificate = certificate_of(record_of(tournament, cut), max(least - 1, 0), results)
    value: dict[str, object] = msgspec.to_builtins(certificate)
    return value | {
        "pairs": [
            {
                "leaver": pair.leaver or None,
                "entrant": pair.entrant or None,
                "gap": pair.gap,
                "moves": [{"match": match, "gain": gain} for gain, match in pair.moves],
                "level": [list(matches) for matches in pair.level],
            }
            for pair in certificate.pairs
        ],
        "results": [RESULT_AS_JSON | msgspec.to_builtins(each) for each in certificate.results],
    }
