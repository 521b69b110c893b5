"""Heads that count for a log: signed here now, asked of a file by a policy, or found elsewhere.

A newer head that is found beside a file, beside the log's key or at a witness shows that the file
was shortened.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cli.input.arguments import UsageError
from cli.input.given_files import refuse_other_kinds
from cli.languages.speaking import in_figures, tr
from cli.machine.checkpoint_file import CheckpointFile, NotAsSigned
from cli.machine.keyring import folder, key_is_missing, next_log_signer, proving
from cli.terminal.output import say
from cli.terminal.problems import reason_of
from ledger.errors import InvalidLog, NotFound, Refused
from ledger.files.access import first_bytes, refuse_no_text
from ledger.problems import phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.desk.session import Desk
    from cli.machine.checkpoint_file import StoredCheckpoint
    from ledger.lines.recorded import Recorded
    from ledger.proof.heads import Asked, HeadWaiver
    from ledger.proof.policy import Trust
    from ledger.proof.table import Other
    from ledger.store import Store

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
            tr("--policy requires a head over every line, --unsigned none: choose one")
        )
    return HeadWaiver(checked_reason(reason))


def checked_reason(words: str) -> str:
    """Return the reason of --unsigned as it is kept; UsageError unless it is one short line."""
    reason = words.strip()
    if not reason or len(reason) > REASON_MAX or not reason.isprintable():
        raise UsageError(
            tr(
                "--unsigned takes a reason of one line, with up to {most} characters",
                most=REASON_MAX,
            )
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
            phrase(
                "there is no {file}, which the policy asks for: it comes with the log, from "
                "`export`",
                file=str(note),
            )
        )
    return data or b""


def signed_head(desk: Desk) -> StoredCheckpoint:
    """Sign the head of all lines, whose hashes are made again; Refused without the log's key."""
    if kept := desk.heads.sign(whole=True):
        return kept
    raise Refused(
        phrase(
            "no head can be signed: {reason}",
            reason=key_is_missing(desk.tournament),
        )
    )


def head_of_all(desk: Desk) -> StoredCheckpoint | None:
    """Return the head of all lines: signed now, or kept where another machine signs."""
    kept = desk.heads.sign(whole=True) or desk.heads.kept()
    return kept if kept is not None and kept.size == len(desk.book.lines) else None


def sign_all(store: Store, stream: str) -> None:
    """Sign the head of all lines of a stored log, if its key is here and none covers them yet."""
    from cli.machine.checkpoints import Checkpoints
    from cli.machine.keyring import LOG, draw_key, key_path
    from cli.machine.last_heads import kept_head
    from ledger.books.book import open_book
    from projections.standings.table import ranking

    if not key_path(LOG, stream).exists():
        return
    kept = kept_head(store, stream)
    if kept is None or kept.size < store.size(stream):
        Checkpoints(open_book(store, stream, ranking, draw_key)).sign()


def vouch_for(desk: Desk) -> StoredCheckpoint:
    """Sign the head of a tournament that came without a key of its own, with one that is made here.

    Raises:
        Refused: the log has a key, and it is on another machine.
    """
    from ledger.proof.signatures import LOG
    from ledger.rules.signing import active

    if active(desk.tournament, LOG):
        _refuse_key_of_another(desk)
    else:
        register_log_key(desk, f"{desk.command_id}-key")
    return signed_head(desk)


def register_log_key(desk: Desk, command_id: str) -> list[Recorded]:
    """Make the first key of a log here, and register it; return what landed.

    Raises:
        Refused: the log's key here signs another import, or the official may not register it.
    """
    from cli.machine.keyring import take_next_log_key
    from ledger.proof.signatures import LOG
    from ledger.rules.keys import RegisterKey

    _refuse_key_of_another(desk)
    recorded = desk.act(RegisterKey(LOG, *next_log_key(desk)), command_id)
    take_next_log_key(desk.book.stream, desk.book.tournament.keys)
    return recorded


def _refuse_key_of_another(desk: Desk) -> None:
    if desk.heads.file.is_of_another:
        raise Refused(
            phrase(
                "the key of this tournament in {folder} already signs another import of the same "
                "file; to sign this import, repeat it in another folder",
                folder=str(folder()),
            )
        )


def next_log_key(desk: Desk) -> tuple[str, str]:
    """Return the key that the log signs with after this command, and its proof; or InvalidLog."""
    from ledger.proof.notes import base64_of
    from ledger.proof.signatures import possession

    stream, has_landed = desk.book.stream, desk.command_id in desk.book.tournament.ids
    made = next_log_signer(stream, has_landed=has_landed)
    public = base64_of(made.key.public)
    return public, base64_of(made.sign(possession(stream, 0, public)))


WITNESSED = "witness.db"
RECEIPT = ".tlog-proof"
BYTES_MAX = 3 << 16
FILES_MAX = 1_000
"""How many files beside a log are looked at."""


def heads_given(files: list[str]) -> list[Other]:
    """Read heads by their files, receipts or requests to witnesses; NotFound, or InvalidLog."""
    found = []
    for file in files:
        try:
            with proving(file):
                found.append(_head_in(Path(file), file))
        except OSError as error:
            raise NotFound(f"{file}: {error.strerror}") from None
    return found


def heads_at_hand(path: Path) -> Iterator[Other]:
    """Yield heads of a file's log beside it, beside the log's key, at a witness, if readable."""
    from ledger.proof.heads import tournament_in
    from ledger.proof.signatures import origin_of

    stream = tournament_in(path)
    if stream:
        yield from _beside(path, origin_of(stream))
        yield from _kept(stream)
        yield from heads_witnessed(stream)


def heads_witnessed(stream: str) -> Iterator[Other]:
    """Yield the last head of a log that this machine saw as a witness."""
    from ledger.proof.evidence import Witness
    from ledger.proof.formats import Invalid
    from ledger.proof.signatures import origin_of
    from ledger.proof.table import Other

    path = folder() / WITNESSED
    if not path.exists():
        return
    try:
        seen = Witness(path).seen(origin_of(stream))
    except Invalid as error:
        say(
            tr(
                "not compared with what this computer saw as a witness: {error}",
                error=reason_of(error),
            )
        )
        return
    if seen is not None and seen.size:
        yield Other(tr("seen by the witness here, {path}", path=path), seen)


def _beside(path: Path, origin: str) -> Iterator[Other]:
    from ledger.proof.formats import Invalid
    from ledger.proof.heads import CHECKPOINT, beside

    places = sorted(
        each
        for each in path.parent.iterdir()
        if each.name.endswith((CHECKPOINT, RECEIPT)) and each != beside(path, CHECKPOINT)
    )
    if len(places) > FILES_MAX:
        say(
            tr(
                "not compared with {count} heads next to it: choose one with --head",
                count=in_figures(len(places)),
            )
        )
        return
    for place in places:
        try:
            other = _head_in(place, place.name)._replace(is_asked_for=False)
        except (Invalid, OSError):
            continue
        if other.head.origin == origin:
            yield other


def _kept(stream: str) -> Iterator[Other]:
    beside = CheckpointFile(stream)
    try:
        kept = beside.read()
    except NotAsSigned as error:
        say(tr("not compared with the head signed here: {error}", error=reason_of(error)))
        return
    if kept is None:
        return
    other = _other(kept.note.encode(), tr("signed here, {path}", path=beside.path))._replace(
        is_asked_for=False
    )
    with suppress(NotAsSigned):
        beside.verify(kept, {})
        other = other._replace(note=None)  # whatever the lines say of its key: it was signed here
    yield other


def _head_in(path: Path, where: str) -> Other:
    from ledger.proof.evidence import RECEIPT_HEADER, parse_receipt, parse_request

    data = first_bytes(path, BYTES_MAX)
    if data.startswith(RECEIPT_HEADER.encode()):
        data = parse_receipt(data).note
    elif data.startswith(b"old "):
        data = parse_request(data).note
    return _other(data, where)


def _other(note: bytes, where: str) -> Other:
    from ledger.proof.formats import parse_checkpoint, parse_note
    from ledger.proof.table import Other

    parsed = parse_note(note)
    return Other(where, parse_checkpoint(parsed.text), parsed)
