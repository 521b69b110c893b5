"""Warnings that a desk gives of a log when it is opened, once for each command.

* Phones saw heads that no single history contains. They are kept beside the log's key, as evidence;
  only heads that the log's own key signed are kept, so that no caller can fill the disk:

      forks/<tournament>-<digest>.json    a proof that `diff` checks, or the two notes alone

* Lines were taken without a signed head. They are noted in the vault, repeated, and cleared.
* Secrets that the log is read with are missing here.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from cli import outside
from cli.languages.speaking import marked, tr, tr_many
from cli.machine.keyring import folder, follower_path, proving, taken_over_path, why_only_read
from cli.terminal.output import Caveat, set_caveat
from cli.terminal.problems import sentence_of
from ledger.books import unsigned_lines as notes
from ledger.books.unsigned_lines import UnsignedLines
from ledger.books.vault import came_without
from ledger.errors import InvalidLog, Refused
from ledger.files.access import first_bytes, make_private_folder, whole_file
from ledger.lines.sealing import TEXT
from ledger.problems import phrase
from ledger.proof.signatures import LOG

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from cli.machine.renewals import Renewal
    from ledger.books.book import Book
    from ledger.proof.formats import Checkpoint, Key
    from ledger.proof.signatures import Held
    from ledger.store import Store

FOLDER = "forks"
TWO_HEADS = "tourney/two-heads@1"
HEADING_BYTES = 100
KEPT_MAX = 20
"""Reports of one log: two are as good as a thousand."""


def reports(stream: str) -> list[Path]:
    """List what was reported of a log."""
    return sorted((folder() / FOLDER).glob(f"{stream}-*.json"))


def reported_in_words(stream: str) -> str:
    """Say that phones saw another history, or that another desk took over; empty if not."""
    if taken_over_path(stream).exists():
        return sentence_of(why_only_read(stream), {})
    found = reports(stream)
    if not found:
        return ""
    is_proof = TWO_HEADS.encode() not in first_bytes(found[-1], HEADING_BYTES)
    if is_proof:
        return tr(
            "a phone saw another history of this log, signed with the log's own key: {file}; "
            "`tourney diff FILE --policy POLICY` shows it",
            file=found[-1],
        )
    return tr(
        "a phone saw another history of this log, signed with the log's own key: {file}; "
        "it has both heads",
        file=found[-1],
    )


def keep_report(book: Book, notes: list[bytes], renewed: Sequence[Renewal] = ()) -> str:
    """Keep two heads that contradict each other; says so, or nothing where they are of one history.

    `renewed` are lines of another history that renewed the log's key. InvalidLog where the log's
    keys did not sign both heads.
    """
    from cli.machine.renewals import keys_signed_for, log_keys

    stream, lines = book.stream, book.lines
    with proving():
        keys = keys_signed_for(log_keys(book, revoked=True), stream, renewed)
        heads, is_one_key = _opened(notes, keys)
        if max(each.size for each in heads) > len(lines):
            data = _two_notes(notes, renewed)
        elif _has_both(lines, heads):
            data = b""
        else:
            data = (_proof(notes, lines, keys) if is_one_key else b"") or _two_notes(notes, renewed)
    if not data:
        return ""
    path = folder() / FOLDER / f"{stream}-{hashlib.sha256(data).hexdigest()[:16]}.json"
    if not path.exists():
        if len(reports(stream)) >= KEPT_MAX:
            raise Refused(phrase("the desk has enough reports of this kind"))
        write_kept(path, data)
    return reported_in_words(stream)


def _opened(notes: list[bytes], keys: list[Key]) -> tuple[list[Checkpoint], bool]:
    """Open two heads of the log, each by one of its keys; whether that is one key."""
    from ledger.proof.formats import Invalid, open_note, parse_checkpoint, parse_note

    parsed = [parse_note(each) for each in notes]
    one, other = (open_note(each, keys) for each in parsed)
    heads = [parse_checkpoint(each.text) for each in parsed]
    if any(each.origin != keys[0].name for each in heads):
        raise Invalid("these are not heads of this log")
    return heads, bool(one.keys() & other.keys())


def _has_both(lines: Sequence[bytes], heads: list[Checkpoint]) -> bool:
    """Whether the lines here are those of both heads."""
    from ledger.proof.evidence import Prover

    made = Prover(lines)
    return all(made.root(each.size) == each.root for each in heads)


def _proof(notes: list[bytes], lines: Sequence[bytes], keys: list[Key]) -> bytes:
    """Make the proof by the lines here; empty where the heads are of one history."""
    from ledger.proof.evidence import Prover, check_fork, heads_by_one_key, prove_fork
    from ledger.proof.formats import Invalid

    larger = heads_by_one_key(notes, keys).larger.size
    proof = prove_fork(notes, Prover(lines[:larger]), keys)
    if proof is None:
        return b""
    try:
        check_fork(proof, keys)
    except Invalid:  # the lines here are those of neither
        return _two_notes(notes)
    return proof


def _two_notes(notes: Sequence[bytes], renewed: Sequence[Renewal] = ()) -> bytes:
    value: dict[str, object] = {"format": TWO_HEADS, "notes": [each.decode() for each in notes]}
    if renewed:
        value["renewed"] = [{"line": each.line, "root": each.root} for each in renewed]
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def write_kept(path: Path, data: bytes) -> None:
    """Write a private file of a phone's report."""
    try:
        make_private_folder(path.parent)
        with whole_file(path) as file:
            file.write(data)
    except OSError as error:
        raise Refused(
            phrase("{path} cannot be written: {reason}", path=str(path), reason=str(error.strerror))
        ) from None


BYTES_OF_DAY = 10
"""Length of the date at the beginning of a moment."""


def note_of(first: int, last: int, reason: str) -> UnsignedLines:
    """Return the note that these lines are taken unsigned now, at this machine."""
    from cli.machine.draw_keys import machine_name

    return UnsignedLines(first, last, reason, outside.now(), machine_name())


def keep_head(store: Store, stream: str, note: bytes) -> None:
    """Keep the signed head that came with a log in its store, unless a higher one is there.

    The lines that it covers are not unsigned any more.
    """
    from cli.machine.checkpoint_file import head_in

    size, known = head_in(note).size, store.vault_items(stream).get(notes.HEAD)
    if known is None or head_in(known).size < size:
        store.vault_put_all(stream, {notes.HEAD: note})
    clear_covered(store, stream, size)


def clear_covered(store: Store, stream: str, size: int) -> bool:
    """Delete the notes of lines that a signed head of that size covers; return whether any was."""
    secrets = store.vault_items(stream)
    try:
        left = notes.covered_up_to(secrets, size)
    except InvalidLog:  # damaged: a head over all lines makes it good
        left = {} if size >= store.size(stream) else None
    if left is None:
        return False
    if left:
        store.vault_put_all(stream, left)
    else:
        store.vault_delete_all(stream, [notes.ITEM])
    return True


def caveat_of(book: Book) -> Caveat | None:
    """Return what every view of a log repeats of its unsigned lines; None if there are none."""
    if not names_key(book.tournament.keys):
        return None
    return caveat_in(book.seals.keys or book.store.vault_items(book.stream))


def caveat_of_stored(store: Store, stream: str) -> tuple[str, ...]:
    """Return what is repeated of a log in a store, as sentences."""
    caveat = caveat_in(store.vault_items(stream))
    return caveat.sentences if caveat is not None else ()


def caveat_in(secrets: Mapping[str, bytes]) -> Caveat | None:
    """Return the same of a vault's items."""
    try:
        found = notes.unsigned_lines(secrets)
    except InvalidLog as error:
        return Caveat((str(error),), [])
    if not found:
        return None
    values = [
        {
            "first": each.first,
            "last": each.last,
            "reason": each.reason,
            "at": each.at,
            "machine": each.machine,
        }
        for each in found
    ]
    return Caveat(tuple(map(in_words, found)), values)


def caveat_of_file(size: int, uncovered: int, reason: str) -> None:
    """Let what is shown of a file state which of its lines no signed head covers."""
    first = size - uncovered + 1
    value = {"first": first, "last": size, "reason": reason}
    set_caveat("unsigned", Caveat((), [value]))


def in_words(note: UnsignedLines) -> str:
    """State which lines were taken without a signed head, when, at which machine and why."""
    about = {"day": note.at[:BYTES_OF_DAY], "machine": note.machine, "reason": note.reason}
    if note.size > 1:
        return tr(
            "lines {first} to {last} were accepted without a signature on {day} on the computer "
            "{machine}: {reason}",
            first=note.first,
            last=note.last,
            **about,
        )
    return tr(
        "line {line} was accepted without a signature on {day} on the computer {machine}: {reason}",
        line=note.first,
        **about,
    )


def names_key(keys: Mapping[bytes, Held]) -> bool:
    """Return whether a log names a key that signs its heads."""
    return any(each.holder == LOG for each in keys.values())


def reasons_in(secrets: Mapping[str, bytes]) -> str:
    """Join the reasons for which lines of a log were taken unsigned; empty if none were."""
    return "; ".join(dict.fromkeys(each.reason for each in notes.unsigned_lines(secrets)))


WAY_BACK = marked("put the vault's file of this store back, or `restore` a backup")


def missing_in_words(book: Book) -> str:
    """Say what the vault lacks of what this log is read with; empty where it lacks nothing."""
    if not book.tournament.is_sealed:
        return ""
    secrets = book.seals.keys or book.store.vault_items(book.stream)
    if not secrets and follower_path(book.stream).exists():
        return ""  # they are here, sealed until a take-over
    where, lost = book.store.vault_where, _lost(book, secrets)
    if lost and not secrets:
        return tr(
            "the vault is missing: {where} holds nothing of this tournament, so names and "
            "texts stay sealed and draws cannot be made; {way_back}",
            where=where,
            way_back=tr(WAY_BACK),
        )
    if book.is_past:
        return ""
    problems = []
    if lost:
        problems.append(tr_many("{count} secret not there", "{count} secrets not there", len(lost)))
    if book.seals.damaged:
        problems.append(tr("some are damaged"))
    if not problems:
        return ""
    return tr(
        "{where}: {problems}; {way_back}; `verify` names them",
        where=where,
        problems=", ".join(problems),
        way_back=tr(WAY_BACK),
    )


def _lost(book: Book, secrets: Mapping[str, bytes]) -> list[str]:
    """Name the keys that were looked for, not there, neither destroyed nor left elsewhere."""
    seals, ids = book.seals, book.tournament.ids
    return [
        name
        for name in seals.unopened - seals.forgotten
        if not came_without(name, ids.get(name.removeprefix(TEXT), 0), secrets)
    ]
