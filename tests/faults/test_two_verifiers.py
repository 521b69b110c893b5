"""Two verifiers that share no code, and logs of chance: they accept and refuse the same.

`ledger.proof.verifier` reads files; `tests.truth.second_verifier` is written from the page on
the proof. Where they accept a log they have to agree on its lines, its signed acts and its
opened names too.
"""

from __future__ import annotations

import re
from collections import deque
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from ledger.errors import LedgerError
from ledger.exchange import replay
from ledger.proof import signatures
from ledger.proof.formats import Invalid
from ledger.proof.heads import CHECKPOINT, HASHES, HeadWaiver, beside
from ledger.proof.policy import parse_policy
from ledger.proof.verifier import verify_file
from tests.faults.logs import small_days, small_edits
from tests.faults.logs.tampering import split
from tests.truth import second_officials
from tests.truth import second_verifier as second

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from tests.faults.logs.small_logs import Small
    from tests.faults.slices import Slice
    from tests.faults.summary import Begin

pytestmark = pytest.mark.slow

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
Found = tuple[int, int, int, int]
PINNED = re.compile("([0-9]+) with keys that the policy pins")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory if the system has it: on a disk most of the time goes to opening."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        yield Path(name)


def ours(small: Small, folder: Path) -> tuple[Found | None, str]:
    """What the verifier makes of a log, or why it refuses it."""
    path = folder / "log"
    path.write_bytes(b"".join(small.lines))
    beside(path, CHECKPOINT).write_bytes(small.note)
    beside(path, HASHES).unlink(missing_ok=True)
    if small.hashes is not None:
        beside(path, HASHES).write_bytes(small.hashes)
    try:
        _, vouched, table = verify_file(path, parse_policy(small.policy))
    except Invalid as error:
        return None, str(error)
    if vouched is None or vouched.is_strange:
        return None, table.head.unchecked
    pinned = int(said[1]) if (said := PINNED.search(table.acts.said)) else 0
    return (table.tree.checked, table.acts.checked, table.names.checked, pinned), ""


def theirs(small: Small) -> Found | None:
    """What the second verifier makes of it; None where it refuses it."""
    policy = second.policy_of(small.policy)
    lines = split(b"".join(small.lines))
    found = second.accepts_under(lines, small.note, policy) if policy else None
    events, _ = second_officials.split(lines)
    if found is None or (small.hashes is not None and not second.hashes_fit(events, small.hashes)):
        return None
    return found


def compare(run: Slice, folder: Path, edited: Callable[[Random, int], Small]) -> None:
    """Ask both about log after log, and put on record where they differ."""
    for case in run:
        small = edited(run.chance(case), case)
        (found, why), other = ours(small, folder), theirs(small)
        if found != other:
            run.lose(case, f"{small.what}: {found or why} and {other}")
        run.count(f"{small.what} {'accepted' if found else 'refused'}")


def test_both_verifiers_agree_on_small_logs(begin: Begin, folder: Path) -> None:
    run = begin("verifiers-small", short=1_500, long=1_000_000)
    compare(run, folder, small_edits.edited)
    assert not run.lost, run.report()


def test_both_verifiers_agree_on_whole_days(begin: Begin, folder: Path) -> None:
    run = begin("verifiers-days", short=60, long=20_000)
    compare(run, folder, small_days.edited)
    assert not run.lost, run.report()


def test_the_full_verification_refuses_no_type_and_no_author_alone(
    begin: Begin, folder: Path
) -> None:
    """A line of an unknown type, and one that only an official enters, by a player."""
    run = begin("verifiers-full", short=400, long=20_000)
    tried = found = 0
    for case in run:
        tried += 1
        lines = list(small_days.days()[0])
        kind = (small_edits.type_changed, small_edits.entered_by_player)[case % 2]
        path = folder / "log"
        chance = run.chance(case)
        edited = small_edits.signed_again(kind(lines, chance), chance)
        path.write_bytes(b"".join(edited))
        beside(path, CHECKPOINT).unlink(missing_ok=True)
        why = full(path)
        if why.isdisjoint({"log.unknown_type", "authority.official"}):
            continue
        found += 1
        try:
            verify_file(path, HeadWaiver("no head"))
        except Invalid:
            continue
        run.lose(case, f"{kind.__name__}: accepted, and the full verification says {why}")
    assert not run.lost, run.report()
    assert found > tried // 20


def full(path: Path) -> set[str]:
    """The codes of what the full verification says of a log."""
    try:
        replay(path, trust=HeadWaiver("no head"))
    except LedgerError as error:
        return {each.code for each in error.problems} | {
            "log.unknown_type" for each in error.sentences if "unknown event" in each
        }
    return set()


def test_a_fair_share_is_accepted_and_signed(folder: Path) -> None:
    """Logs that are all refused, or have no signed act, would say little."""
    found = deque[Found | None]()
    for seed in range(400):
        found.append(ours(small_edits.edited(small_days.chance_of(seed), seed), folder)[0])
    accepted = [each for each in found if each]
    assert 80 < len(accepted) < 320
    assert sum(each[1] > 0 for each in accepted) > 15
    assert sum(each[2] > 0 for each in accepted) > 10
    assert any(each[3] for each in accepted)


def test_the_control_whose_signatures_bind_no_history_is_found(
    begin: Begin, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signatures, "holds", lambda _: True)
    monkeypatch.setattr("ledger.proof.verifier.holds", lambda _: True)
    run = begin("verifiers-unsigned", short=300, must_lose="")
    compare(run, folder, small_edits.edited)
    assert run.is_shown
