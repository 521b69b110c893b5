"""Exports edited by chance, with all that lies beside them: nothing false is ever accepted.

Four readers look at the edits: the verifier as a function, as a command of its own, `tourney
verify`, and a second implementation that shares no code with them.
"""

from __future__ import annotations

import re
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidLog
from ledger.lines.line import read
from ledger.proof import formats, heads, verifier
from ledger.proof.evidence import check_receipt, parse_receipt
from ledger.proof.formats import Invalid
from ledger.proof.heads import CHECKPOINT, HASHES, NAMES, beside
from ledger.proof.policy import Policy, parse_policy
from ledger.proof.verifier import verify_file
from tests.faults.logs import tampering
from tests.faults.logs.exports import exports
from tests.faults.logs.tampering import Edited, is_earlier_export, is_harmless
from tests.truth import second_curve
from tests.truth import second_verifier as second

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from tests.faults.logs.exports import Export
    from tests.faults.slices import Slice
    from tests.faults.summary import Begin
    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
AREAS = {
    tampering.lines_edited: 70,
    tampering.note_edited: 8,
    tampering.hashes_edited: 8,
    tampering.all_computed_again: 8,
    tampering.policy_edited: 6,
}
COMMAND_EVERY, DESK_EVERY, FORGET_EVERY = 16, 64, 100_000
SECOND_EVERY = 8
"""How often the second verifier, whose Ed25519 is slow, is asked about new signatures."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory if the system has it: on a disk most of the time goes to opening."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        yield Path(name)


def one_of(chance: Random) -> Export:
    """Choose an export, the shorter the more often."""
    every = exports()
    return chance.choices(every, [1 / len(each.lines) for each in every])[0]


def written(edited: Edited, folder: Path) -> tuple[Path, Path]:
    """Write the files; returns the log's and the policy's."""
    path, policy = folder / "day.jsonl", folder / "policy"
    path.write_bytes(b"".join(edited.lines))
    beside(path, CHECKPOINT).write_bytes(edited.note)
    beside(path, HASHES).write_bytes(edited.hashes)
    policy.write_bytes(edited.policy)
    return path, policy


def verdict(path: Path, policy: Policy | bytes) -> str:
    """What the verifier says against a log; nothing where it accepts it."""
    try:
        verify_file(path, parse_policy(policy) if isinstance(policy, bytes) else policy)
    except Invalid as error:
        return str(error) or "invalid"
    return ""


def by_command(path: Path, policy: Path) -> str:
    said = StringIO()
    with redirect_stderr(said), redirect_stdout(StringIO()):
        code = verifier.main([str(path), "--policy", str(policy)])
    return said.getvalue().strip() if code else ""


def second_accepts(edited: Edited) -> bool:
    policy = second.policy_of(edited.policy)
    if policy is None or not second.accepts_under(edited.lines, edited.note, policy):
        return False
    events = [line for line in edited.lines if not line.startswith(NAMES)]
    return second.hashes_fit(events, edited.hashes)


def may_be_accepted(export: Export, edited: Edited) -> bool:
    """Whether an edit left the lines as they are, under a head that still says the same."""
    if is_earlier_export(export, edited):
        return True
    return edited.lines == export.whole and is_harmless(export, edited.note)


def shake(run: Slice, folder: Path, desk: Desk | None) -> None:
    """Edit exports, and put on record whatever should not be."""
    for case in run:
        chance = run.chance(case)
        export = one_of(chance)
        edited = chance.choices([*AREAS], [*AREAS.values()])[0](export, chance)
        path, policy = written(edited, folder)
        is_own = edited.policy == export.policy_text
        said = verdict(path, export.policy if is_own else edited.policy)
        if not said and is_own and not may_be_accepted(export, edited):
            run.lose(case, f"accepted: {edited.what}")
        if edited.first and not re.search(rf"\bline {edited.first}\b", said):
            run.lose(case, f"line {edited.first} not named: {edited.what}: {said}")
        if not said and edited.what == "hashes alone" and edited.hashes != export.hashes:
            run.lose(case, "accepted beside hashes of other lines")
        is_asked = (edited.note == export.note and is_own) or case % SECOND_EVERY == 0
        if is_asked and second_accepts(edited) != (not said):
            run.lose(case, f"the second verifier disagrees: {edited.what}: {said or 'accepted'}")
        if case % COMMAND_EVERY == 0 and (told := by_command(path, policy)) != ascii(said)[1:-1]:
            run.lose(case, f"the command disagrees: {edited.what}: {told!r} and {said!r}")
        if desk is not None and case % DESK_EVERY == 0:
            answer = desk.type("verify", str(path), "--policy", str(policy))
            if answer.code not in {0, 1} or bool(answer.code) != bool(said):
                run.lose(case, f"tourney verify ends with {answer.code}: {edited.what}: {said}")
        run.count(edited.what.partition(":")[0] + (" refused" if said else " harmless"))
        if case % FORGET_EVERY == 0:
            second_curve.signed_by.cache_clear()
            second.key_of.cache_clear()


def test_no_edit_of_an_export_is_accepted(begin: Begin, folder: Path, desk: Desk) -> None:
    run = begin("tampering-exports", short=4_000, long=1_000_000)
    shake(run, folder, desk)
    assert not run.lost, run.report()


def test_the_honest_exports_are_accepted_by_all(folder: Path, desk: Desk) -> None:
    for export in exports():
        edited = tampering.honest(export)
        path, policy = written(edited, folder)
        assert (verdict(path, export.policy), by_command(path, policy)) == ("", "")
        assert second_accepts(edited)
        desk.done("verify", str(path), "--policy", str(policy))


def is_held(data: bytes, policy: Policy) -> bool:
    """Whether a receipt is accepted, as `tourney verify` does it."""
    try:
        receipt = parse_receipt(data)
        check_receipt(receipt, receipt.extra, policy)
        return bool(receipt.extra) and read(receipt.extra).seq == receipt.position + 1
    except (Invalid, InvalidLog):
        return False


def is_true(data: bytes, export: Export) -> bool:
    """Whether a receipt says what is so, under the head that was signed."""
    receipt = parse_receipt(data)
    places = range(len(export.lines))
    return (
        receipt.position in places
        and receipt.extra == export.lines[receipt.position]
        and is_harmless(export, receipt.note)
    )


def shake_receipts(run: Slice, folder: Path, desk: Desk | None) -> None:
    """Edit receipts, and put on record which are accepted for what is not so."""
    for case in run:
        chance = run.chance(case)
        export = one_of(chance)
        others = tuple(each for each in exports() if each is not export)
        data = tampering.receipt_edited(export, others, chance)
        held = is_held(data, export.policy)
        if held and not is_true(data, export):
            run.lose(case, f"accepted: {data!r}")
        policy = second.policy_of(export.policy_text)
        is_asked = data.endswith(export.note) or case % SECOND_EVERY == 0
        if policy is None or (is_asked and second.receipt_holds(data, policy) != held):
            run.lose(case, f"the second verifier disagrees, ours says {held}: {data!r}")
        if desk is not None and case % DESK_EVERY == 0:
            path, trusted = folder / "r.tlog-proof", folder / "policy"
            path.write_bytes(data)
            trusted.write_bytes(export.policy_text)
            code = desk.type("verify", str(path), "--policy", str(trusted)).code
            if code not in {0, 1} or (code == 0) != held:
                run.lose(case, f"tourney verify ends with {code}, ours says {held}: {data!r}")
        run.count("harmless" if held else "refused")
        if case % FORGET_EVERY == 0:
            second_curve.signed_by.cache_clear()


def test_no_edit_of_a_receipt_is_accepted(begin: Begin, folder: Path, desk: Desk) -> None:
    run = begin("tampering-receipts", short=1_000, long=100_000)
    shake_receipts(run, folder, desk)
    assert not run.lost, run.report()


def test_the_control_that_believes_every_signature_loses(
    begin: Begin, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "is_signed", lambda *_: True)
    for name, shaking in (("exports", shake), ("receipts", shake_receipts)):
        run = begin(f"tampering-{name}-unsigned", short=200, must_lose="accepted")
        shaking(run, folder, None)
        assert run.is_shown


class Agreeable(bytes):
    """A root that is the same as any other."""

    __slots__ = ()

    def __eq__(self, _: object) -> bool:
        """Say yes."""
        return True

    def __ne__(self, _: object) -> bool:
        """Say no."""
        return False

    __hash__ = bytes.__hash__


def test_the_control_that_compares_no_trees_loses(
    begin: Begin, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats.Tree, "root", lambda _: Agreeable())
    monkeypatch.setattr(heads.Hashes, "hold", lambda *_: None)
    monkeypatch.setattr(heads.Hashes, "settle", lambda *_: None)
    run = begin("tampering-exports-without-trees", short=200, must_lose="accepted: lines")
    shake(run, folder, None)
    assert run.is_shown
