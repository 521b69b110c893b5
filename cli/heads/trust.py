"""What a file's log is held to: the head beside it, and whose signature counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.input.arguments import UsageError
from cli.input.given_files import refuse_other_kinds
from cli.keys.keyring import proving
from ledger.errors import InvalidLog, NotFound
from ledger.files.access import refuse_no_text

if TYPE_CHECKING:
    from ledger.proof.heads import Asked, HeadWaiver
    from ledger.proof.policy import Trust

REASON_MAX = 200
"""Maximum length of the reason for which unsigned lines are taken, in characters."""


def asked_of(policy: str, unsigned: str, verb: str) -> Asked:
    """Return what the heads of logs are checked against: policies, a reason to need none, or None.

    Raises:
        UsageError: both are given, or the reason is not one short line.
        NotFound: there is no such policy file.
        InvalidLog: the file is not a policy.
    """
    if not unsigned:
        return trust_in(policy, verb)
    return leave_for(unsigned, has_policy=bool(policy))


def leave_for(reason: str, *, has_policy: bool) -> HeadWaiver:
    """Return the leave to read lines that no signed head covers; UsageError with a policy."""
    from ledger.proof.heads import HeadWaiver

    if has_policy:
        raise UsageError(
            "--policy asks for a head over every line, --unsigned for none: choose one"
        )
    return HeadWaiver(checked_reason(reason))


def checked_reason(words: str) -> str:
    """Return the reason of --unsigned as it is kept; UsageError unless it is one short line."""
    reason = words.strip()
    if not reason or len(reason) > REASON_MAX or not reason.isprintable():
        raise UsageError(
            f"--unsigned takes a reason of one line, with up to {REASON_MAX} characters"
        )
    return reason


def trust_in(place: str, verb: str) -> Trust | None:
    """Read the policies at a place, if one is named; NotFound, or InvalidLog for no policy."""
    if not place:
        return None
    from ledger.proof.policy import read_policies

    path = Path(place)
    if not path.is_dir():
        refuse_other_kinds(path, verb)
        refuse_no_text(path)
    try:
        with proving(place):
            return read_policies(path)
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None


def read_head(path: Path, *, is_asked_for: bool) -> bytes:
    """Return the head beside a log; empty where it may be missing, or InvalidLog."""
    from ledger.proof.formats import parse_checkpoint, parse_note
    from ledger.proof.heads import CHECKPOINT, beside, note_beside

    note = beside(path, CHECKPOINT)
    with proving():
        data = note_beside(path)
    if data is not None:
        with proving(str(note)):
            parse_checkpoint(parse_note(data).text)
    elif is_asked_for:
        raise InvalidLog(
            f"there is no {note}, which the policy asks for: it comes with the log, from `export`"
        )
    return data or b""
