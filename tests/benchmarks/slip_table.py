"""How many slips a slip audit takes: m and n over all samples and the real events.

Run with `python -m tests.benchmarks.slip_table`. N slips, m wrong results that change the cut, n of
the slips without a difference at a risk of 5 % and of 10 %. An event without a cut is asked who is
first, and in a second line who is among the first eight.
"""

from __future__ import annotations

import json
import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.books.open_log import taken
from ledger.errors import LedgerError
from ledger.proof.formats import Invalid
from projections.audit.slips import slips_needed
from projections.standings.table import ranking
from projections.whatif.cut_margin import (
    CutOfStage,
    cut_margin,
    cut_of,
    cut_stage,
    record_of,
)
from tests.support.files.nrtm_files import imported
from tests.support.paths import ROOT
from tests.support.shared import TOURNAMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.tournament.state import Tournament

RISKS = (Fraction(1, 20), Fraction(1, 10))
EIGHT = 8


def samples() -> Iterator[tuple[str, list[bytes]]]:
    """The logs of whole days among the samples, by name."""
    for path in sorted((ROOT / "sample_logs").rglob("*.jsonl")):
        if not {"broken", "kinds"}.intersection(path.parts):
            lines = path.read_bytes().splitlines()
            yield (
                str(path.relative_to(ROOT / "sample_logs")),
                [line for line in lines if b'"type":' in line],
            )


def cuts_of(tournament: Tournament) -> Iterator[tuple[str, CutOfStage]]:
    """The cut by the standings; without one who is first, and who among the first eight."""
    stage = cut_stage(tournament)
    if stage is not None:
        cut = cut_of(tournament, stage)
        yield f"cut to {len(cut.inside)}", cut
        return
    active = [player for player in ranking(tournament, 1) if player in set(tournament.active())]
    for size in (1, EIGHT):
        if len(active) > size:
            inside, outside = tuple(active[:size]), tuple(active[size:])
            yield f"first {size}", CutOfStage(2, inside, outside, 0, is_made=False)


def rows(name: str, fresh: list[Tournament]) -> Iterator[str]:
    """The lines of an event; each tournament of `fresh` is used up by one."""
    for which, cut in cuts_of(fresh[0]):
        begun = time.perf_counter()
        slips = len(record_of(fresh[0], cut).games)
        found = cut_margin(fresh.pop(), cut)
        most = str(found.most or "-") if found.least <= slips else "-"
        needed = [slips_needed(slips, found.least, 0, risk) for risk in RISKS]
        took = time.perf_counter() - begun
        numbers = f"{slips:5} {found.least:4} {most:>4} {needed[0]:6} {needed[1]:6} {took:7.2f}"
        yield f"{name:44} {which:10} {numbers}"


def main() -> None:
    """Print the table."""
    print(f"{'event':44} {'which':10} {'N':>5} {'m':>4} {'most':>4} {'n 5%':>6} {'n 10%':>6}   sec")  # noqa: T201
    for name, lines in samples():
        try:
            printed = list(rows(name, [taken(lines) for _ in range(3)]))
        except (LedgerError, Invalid) as error:
            printed = [f"{name:44} {error}"]
        for row in printed:
            print(row)  # noqa: T201
    for path in TOURNAMENTS:
        content = json.loads(Path(path).read_bytes())
        for row in rows(path.stem, [imported(content) for _ in range(3)]):
            print(row)  # noqa: T201


if __name__ == "__main__":
    main()
