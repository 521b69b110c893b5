"""A slip audit: the slips to pull, their differences from the log, and whether the audit may stop.

The order of slips is that of `ledger.pairing.shuffling`. It is drawn with the root of the head that
was shown as its key, by the procedure `slips@1`, for the number of the stage, with the word that
was called out: anybody who has the log can draw it again. Before the draw, slips are in the order
of rounds and tables.

A slip differs if the standings would read another result of it, or if it is missing. Slips are
counted up to the first one in the order drawn that was not read; slips read beyond it correct the
record.

The risk limit: let it take at least `m` wrong results to change a cut, and let there be `N` slips.
If the cut is wrong, at least `m` slips differ from the log; `n` slips that are drawn at random then
show none of them in at most C(N-m, n) of C(N, n) draws. After `k` differences, with `m` bounded
again on the record as the slips correct it, at least `m + k` differed to begin with: the audit
stops at `n` only if P(Hypergeometric(N, m + k, n) <= k) is at most risk / 2^(k+1). These limits add
up to less than the risk over all `k`, so deciding after every slip does not raise it. Otherwise the
audit continues, up to all slips. All numbers are exact fractions.

After R. A. Lindeman and P. B. Stark, risk-limiting audits.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from msgspec import Struct
from msgspec.structs import replace

from ledger.facts.draws import SlipRead
from ledger.facts.results import UNPLAYED, ResultCorrected
from ledger.facts.shared import Result
from ledger.fold import fold
from ledger.lines.recorded import Recorded
from ledger.pairing.shuffling import Draws
from ledger.tournament.state import Tournament
from ledger.tournament.table_records import SlipAudit
from projections.whatif.cut_margin import (
    CutOfStage,
    cut_margin,
    cut_of,
    fewest,
    is_still,
    record_of,
)
from projections.whatif.score_model import SWEPT, enter


def chance_of_few(slips: int, wrong: int, pulled: int, found: int) -> Fraction:
    """The chance that a draw of slips shows no more of the wrong ones than were found."""
    if wrong > slips:
        return Fraction(0)  # there are not as many
    ways = (
        comb(wrong, shown) * comb(slips - wrong, pulled - shown)
        for shown in range(min(found, wrong, pulled) + 1)
    )
    return Fraction(sum(ways), comb(slips, pulled))


def may_stop(slips: int, least: int, pulled: int, found: int, risk: Fraction) -> bool:
    """Whether the pulled slips, with the differences found, are enough."""
    if pulled >= slips:
        return True
    limit = risk / 2 ** (found + 1)
    return least > 0 and chance_of_few(slips, least + found, pulled, found) <= limit


def slips_needed(slips: int, least: int, found: int, risk: Fraction) -> int:
    """With how many slips one may stop, where no further difference is found."""
    low, high = found, slips
    while low < high:
        middle = (low + high) // 2
        if may_stop(slips, least, middle, found, risk):
            high = middle
        else:
            low = middle + 1
    return low


PROCEDURE = "slips@1"
MILLION = 1_000_000


class SlipPlan(Struct, frozen=True):
    """What is known before anyone begins: how many slips, and how many of them are enough."""

    cut: CutOfStage
    slips: int
    least: int
    needed: int
    risk: Fraction


class SlipDifference(Struct, frozen=True):
    """A slip that does not say what the log says; without a result it is missing."""

    seq: int
    match: int
    recorded: Result
    result: Result | None

    @property
    def is_missing(self) -> bool:
        """Whether nothing can be read."""
        return not self.result


class SlipStatus(Struct, frozen=True):
    """A slip audit as far as it has come.

    `order` are the matches whose slips are pulled, one after the other, empty before the word;
    `pulled` of them are read. `least` is how few further wrong results it takes now, `needed` with
    how many slips one may stop, and `chance` what is left of one that the cut is wrong. `changed`:
    as the slips correct the record, others are in.
    """

    audit: SlipAudit
    plan: SlipPlan
    order: tuple[int, ...]
    pulled: int
    differences: tuple[SlipDifference, ...]
    least: int
    needed: int
    chance: Fraction
    is_over: bool
    changed: bool

    @property
    def to_pull(self) -> tuple[int, ...]:
        """The matches whose slips are to be pulled next, as far as is known."""
        return self.order[self.pulled : self.needed] if not self.is_over else ()


def plan_of(tournament: Tournament, stage: int, risk: Fraction) -> SlipPlan:
    """Say how many slips are enough without a difference; the tournament is used up by it."""
    cut = cut_of(tournament, tournament.stages[stage - 1])
    slips = len(record_of(tournament, cut).games)
    least = cut_margin(tournament, cut).least
    return SlipPlan(cut, slips, least, slips_needed(slips, least, 0, risk), risk)


def order_of(audit: SlipAudit) -> tuple[int, ...]:
    """Draw the order in which slips are pulled; before the word there is no order."""
    if not audit.word:
        return ()
    root = bytes.fromhex(audit.begun.root)
    return tuple(Draws(root, PROCEDURE, audit.begun.stage, word=audit.word).shuffled(audit.results))


def status_of(log: Sequence[Recorded], audit: SlipAudit) -> SlipStatus:
    """Say how far a slip audit of a log has come."""
    risk = Fraction(audit.begun.risk, MILLION)
    plan = plan_of(fold(log[: audit.seq]), audit.begun.stage, risk)
    order = order_of(audit)
    read = [match in audit.read for match in order]
    pulled = read.index(False) if False in read else len(read)
    differences = tuple(_differences(audit))
    counted = {*order[:pulled]}
    found = sum(each.match in counted for each in differences)
    least, changed = plan.least, False
    if differences:
        least, changed = _bounded_again(log[: audit.seq], plan.cut, differences)
    is_over = bool(audit.word) and may_stop(plan.slips, least, pulled, found, risk)
    needed = pulled if is_over else max(pulled + 1, slips_needed(plan.slips, least, found, risk))
    chance = _chance(plan.slips, least, pulled, found)
    return SlipStatus(
        audit, plan, order, pulled, differences, least, needed, chance, is_over, changed
    )


def _chance(slips: int, least: int, pulled: int, found: int) -> Fraction:
    if pulled >= slips:
        return Fraction(0)
    return chance_of_few(slips, least + found, pulled, found) if least else Fraction(1)


def _differences(audit: SlipAudit) -> list[SlipDifference]:
    found = []
    for match, recorded in audit.read.items():
        event, before = recorded.event, audit.results[match]
        assert isinstance(event, SlipRead)  # noqa: S101 - nothing else is put there
        if not event.result or worth_of(event.result) != worth_of(before):
            found.append(SlipDifference(recorded.seq, match, before, event.result))
    return found


def worth_of(result: Result) -> tuple[object, ...]:
    """Return what the standings read of a result."""
    fields = {label: pair for label, pair in result.fields.items() if any(pair)}
    return result.outcomes, result.points, sorted(fields.items()), result.manner in UNPLAYED


def _bounded_again(
    log: Sequence[Recorded], cut: CutOfStage, differences: Sequence[SlipDifference]
) -> tuple[int, bool]:
    """Bound the wrong results that are left, on the record as the slips correct it.

    What a missing slip said may be anything.
    """
    tournament = fold(log)
    for each in differences:
        if each.result is not None:  # a slip does not state what a judge added elsewhere
            result = replace(each.result, adjusted=each.recorded.adjusted)
            enter(tournament, ResultCorrected(each.match, 1, result, SWEPT))
    if not is_still(tournament, cut):
        return 0, True
    missing = [each.match for each in differences if each.is_missing]
    record = record_of(tournament, cut)
    if not missing:
        return cut_margin(tournament, cut).least, False
    return fewest(record, missing), False
