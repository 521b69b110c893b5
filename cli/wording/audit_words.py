"""An audit in words: findings, acts by official, corrections, and an audit of the slips.

Each finding is one line. Of a slip audit: its size, its findings, and its assumptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.input.find_people import labelled
from cli.languages.speaking import marked, tr
from cli.terminal.visible import how_many, visible
from cli.wording.phrases import (
    OWN_REASONS,
    holder_in_words,
    official_in_words,
    percent,
    result_in_words,
    safe_text,
    table_in_words,
)
from ledger.rulesets.outcomes import in_points
from ledger.tournament.state import Tournament
from projections.audit.findings import KINDS, AuditFinding

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping

    from ledger.tournament.table_records import SlipAudit
    from projections.audit.report import Correction
    from projections.audit.slips import SlipDifference, SlipPlan, SlipStatus
    from projections.whatif.cut_margin import CutOfStage, Margin

NAMED_MAX = 4
"""How many moves of a correction are listed one by one."""

SEQS_MAX = 8

OF_A_KEY = frozenset({"first-key", "further-key", "key-lost", "key", "official-link"})
"""Findings whose official holds a key or a link, 0 for the log, and is not who entered it."""


def finding_in_words(tournament: Tournament, finding: AuditFinding) -> str:
    """Say what was found, where, about whom and why it was done."""
    text = tr(KINDS[finding.kind].title)
    if finding.match:
        text += tr(" at {table}", table=table_in_words(tournament, finding.match))
    elif finding.round:
        text += tr(" in round {round}", round=finding.round)
    if finding.tables:
        text += f" ({finding.tables})"
    if finding.kind in OF_A_KEY:
        text += f": {holder_in_words(tournament, finding.official)}"
    elif finding.official:
        text += tr(" by {official}", official=official_in_words(tournament, finding.official))
    if finding.players:
        text += f": {_persons(tournament, finding.players)}"
    text += "".join(f", {each}" for each in _details(finding))
    return text + (f' - "{_reason(finding.reason)}"' if finding.reason.strip() else "")


def _reason(text: str) -> str:
    return tr(text) if text in OWN_REASONS else visible(text)


def _details(finding: AuditFinding) -> Iterator[str]:
    """Yield what a finding counts."""
    if finding.kept:
        yield tr("texts kept: {kept}", kept=finding.kept)
    if finding.adjusted:
        points = tr(" and ").join(f"{points:+}" for points in finding.adjusted)
        yield tr("by {points}", points=points)
    if finding.tries:
        yield how_many(finding.tries, "time")
    if finding.cards:
        yield visible("; ".join(finding.cards))
    if finding.minutes or finding.kind == "clock":
        yield tr("{minutes} min", minutes=finding.minutes)


def _persons(tournament: Tournament, players: tuple[int, ...]) -> str:
    """Name players, of many only the first."""
    named = [labelled(tournament, each) for each in players[:NAMED_MAX]]
    more = len(players) - len(named)
    return tr(" and ").join([*named, *([tr("{count} more", count=more)] if more else [])])


def seqs_in_words(seqs: tuple[int, ...]) -> str:
    """List events, of many only the first."""
    more = f" … ({len(seqs)})" if len(seqs) > SEQS_MAX else ""
    return ", ".join(map(str, seqs[:SEQS_MAX])) + more


def types_in_words(types: Counter[str]) -> str:
    """List events by type with their counts, most first."""
    most = sorted(types.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{name} {count}" for name, count in most)


def links_in_words(links: Mapping[int, int]) -> str:
    """List the links over which acts were entered; nothing of those at a desk."""
    return seqs_in_words(tuple(sorted(links)))


def moved_in_words(tournament: Tournament, correction: Correction) -> str:
    """Say whom a correction moved, those whose points it changed first."""
    shown = tournament.ruleset.scoring.shown
    moves = sorted(correction.moved, key=lambda each: each.points[0] == each.points[1])
    named = [
        tr(
            "{player} {points} points, rank {ranks}",
            player=labelled(tournament, move.player),
            points=_moved(move.points, shown),
            ranks=_moved(move.ranks),
        )
        for move in moves[:NAMED_MAX]
    ]
    more = (
        tr("; {count} more moved", count=len(moves) - NAMED_MAX) if len(moves) > NAMED_MAX else ""
    )
    return "; ".join(named) + more if named else tr("no player moved")


def _moved(pair: tuple[int, int], shown: Callable[[int], str] = str) -> str:
    before, after = map(shown, pair)
    if before == after:
        return before
    return tr("{before} to {after}", before=before, after=after)


ASSUMED = (
    marked(
        "it assumes that each slip shows the result that was played, that the slips have "
        "been locked away since then, that pairings, byes and drops are right, and that "
        "the word was called out on the spot by a person who had not seen the head "
        "before."
    ),
    marked(
        "The audit compares paper with the log; `verify` shows whether the log was changed later."
    ),
)

MARGIN_ASSUMES = marked(
    "it assumes that pairings, byes, drops and points added by a judge are right"
)


def cut_in_words(cut: CutOfStage) -> str:
    """Name a cut."""
    size = (
        tr("{points} points or more", points=in_points(cut.line, cut.scale))
        if cut.line
        else str(len(cut.inside))
    )
    made = marked("the cut to {size} (stage {stage})")
    return tr(
        made if cut.is_made else marked("the cut to {size} (stage {stage}, not made yet)"),
        size=size,
        stage=cut.stage,
    )


def wrong_in_words(count: int, slips: int) -> str:
    """Say how many wrong results it takes to change who is in."""
    if count > slips:
        return tr("no number of wrong results changes who makes the cut")
    if count == 0:
        return tr("the results put other players in the cut")
    return tr(
        "it takes at least {results} to change who makes the cut",
        results=how_many(count, "wrong result"),
    )


def plan_in_words(plan: SlipPlan) -> list[str]:
    """Say what is known before anyone begins."""
    share = percent(plan.risk)
    needed = tr(
        "at a risk of {share}, {needed} of {slips} slips without a difference are enough",
        share=share,
        needed=plan.needed,
        slips=plan.slips,
    )
    if not plan.least:
        needed = tr("all {slips} slips must be read: correct the cut first", slips=plan.slips)
    slips = f"{how_many(plan.slips, 'slip')} (N)"
    least = f"{wrong_in_words(plan.least, plan.slips)} (m = {plan.least})"
    return [
        f"{cut_in_words(plan.cut)}: {slips}; {least}",
        tr("before the audit begins: {needed}", needed=needed),
        tr("next: {command}", command="audit begin --risk " + share.replace(" ", "")),
    ]


def head_in_words(audit: SlipAudit) -> list[str]:
    """Say which head was shown, and the word."""
    signed = (
        tr("signed by the log")
        if audit.begun.signature
        else tr("not signed: the log's key was missing")
    )
    lines = [
        tr(
            "the head of {size} lines, {signed}: {root}",
            size=audit.begun.size,
            signed=signed,
            root=audit.begun.root,
        )
    ]
    if audit.word:
        return [
            *lines,
            tr(
                'the word is "{word}" (event {seq})',
                word=safe_text(audit.word),
                seq=audit.drawn,
            ),
        ]
    ask = tr(
        "show the head; then ask a person to call out, on the spot, a word that was not "
        "chosen beforehand, and type: audit draw WORD"
    )
    return [*lines, ask]


def status_in_words(status: SlipStatus) -> list[str]:
    """Say how far a slip audit has come, and whether one may stop."""
    plan, found = status.plan, len(status.differences)
    enough = tr(
        "{needed} without a difference are enough at {share}",
        needed=plan.needed,
        share=percent(plan.risk),
    )
    lines = [
        tr(
            "{cut}: N = {slips} slips, m = {least}; {enough}",
            cut=cut_in_words(plan.cut),
            slips=plan.slips,
            least=plan.least,
            enough=enough,
        )
    ]
    if not status.order:
        return lines
    read = tr("{pulled} of {slips} read in the order drawn", pulled=status.pulled, slips=plan.slips)
    lines.append(f"{read}, {how_many(found, 'difference')}")
    if found:
        lines.append(
            tr(
                "with the results on the slips: {results}",
                results=wrong_in_words(status.least, plan.slips),
            )
        )
    if status.changed:
        lines.append(
            tr("the slips put other players in the cut: read every slip, then make the cut again")
        )
    lines.append(_how_it_goes_on(status))
    return lines


def next_slip_in_words(tournament: Tournament, status: SlipStatus) -> str:
    """Say in a line which slip comes next, or that one may stop."""
    found = how_many(len(status.differences), "difference")
    read = tr(
        "{pulled} of {slips}, {found}",
        pulled=status.pulled,
        slips=how_many(status.plan.slips, "slip"),
        found=found,
    )
    if status.changed or not status.to_pull:
        return tr(
            "{read}: {next}: `audit --slips`",
            read=read,
            next=_how_it_goes_on(status),
        )
    return tr(
        "{read}; the next slip is {table}",
        read=read,
        table=table_in_words(tournament, status.to_pull[0]),
    )


def _how_it_goes_on(status: SlipStatus) -> str:
    slips = status.plan.slips
    if status.is_over and status.pulled >= slips:
        missing = sum(each.is_missing for each in status.differences)
        gone = tr("; {slips} missing: what was on them is unknown", slips=how_many(missing, "slip"))
        return tr(
            "every slip is read: the results on them are known{gone}", gone=gone if missing else ""
        )
    if status.is_over:
        most = percent(status.chance)
        return tr(
            "the audit can stop: if the cut is wrong, the chance of missing it is at most {most}",
            most=most,
        )
    if status.needed >= slips:
        return tr("continue to all {slips} slips", slips=slips)
    return tr(
        "continue to {slips}, if no other slip differs", slips=how_many(status.needed, "slip")
    )


def difference_in_words(tournament: Tournament, difference: SlipDifference) -> str:
    """Say what the log has and what the slip says."""
    match = tournament.matches[difference.match]
    said = tr("the slip is missing")
    if difference.result is not None:
        said = tr(
            "the slip: {result}",
            result=result_in_words(tournament, match, difference.result),
        )
    return tr(
        "{said}; the log: {result}",
        said=said,
        result=result_in_words(tournament, match, difference.recorded),
    )


def margin_in_words(tournament: Tournament, cut: CutOfStage, margin: Margin) -> list[str]:
    """Say how few wrong results would change a cut."""
    named = cut_in_words(cut)
    if margin.changed:
        return [tr("{named}: the current results put other players in the cut", named=named)]
    if not margin.most and margin.least > _slips(tournament, cut):
        return [
            tr(
                "{named}: no number of wrong results changes who makes the cut (proven)",
                named=named,
            )
        ]
    if margin.is_exact:
        least = how_many(margin.least, "wrong result")
        return [
            tr(
                "{named}: {least} would change who makes the cut, fewer would not (proven):",
                named=named,
                least=least,
            )
        ]
    most = tr(", and {most} would be enough", most=margin.most) if margin.most else ""
    return [
        tr(
            "{named}: it takes at least {results} (proven){most}:",
            named=named,
            results=how_many(margin.least, "wrong result"),
            most=most,
        )
    ]


def _slips(tournament: Tournament, cut: CutOfStage) -> int:
    from ledger.tournament.progress import slips_before

    return len(slips_before(tournament, cut.stage))
