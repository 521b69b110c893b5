"""Two copies of one log: what differs, which copy a signed head vouches for, and forks.

`diff` calls this for files. A proof of a fork, made here or elsewhere, is checked
here, too.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from cli.desk.session import Desk
from cli.exits import REFUSED
from cli.input.arguments import UsageError
from cli.input.given_files import refuse_other_kinds
from cli.languages.speaking import marked, tr
from cli.machine.keyring import proving
from cli.render.records import show_records
from cli.terminal.output import say, show, show_prose, write_bytes
from cli.terminal.problems import said
from cli.terminal.tables import Column, for_program, prose
from cli.terminal.visible import how_many, visible
from ledger.errors import InvalidLog, NotFound
from ledger.problems import Phrase, phrase
from ledger.proof.formats import KEY_BYTES, NOTE_BYTES_MAX, Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cli.input.file_names import InFile, OutFile
    from cli.wording.copy_words import CopyWords, StatedDifference
    from ledger.proof.formats import Checkpoint, Key
    from projections.copies import Copy, TwoCopies


def compare_files(
    desk: Desk, first: InFile, second: InFile, policy: InFile, output: OutFile
) -> None:
    """Compare two files, or check a proof of a fork; a policy names the keys that count.

    Raises:
        UsageError: an option or a file is missing.
        InvalidLog: a file is not a copy of the log; with a policy also if a head does not vouch for
            its copy, or if two heads prove a fork.
    """
    from ledger.proof.policy import read_policy

    for file in filter(None, (first, second, policy)):
        refuse_other_kinds(desk.files.reading(file), "diff")
        desk.files.refuse_no_text(file)
    if output and not policy:
        raise UsageError(tr("-o writes the proof of a fork, which needs --policy"))
    try:
        keys: list[Key] | None = None
        if policy:
            with proving(str(policy)):
                keys = read_policy(desk.files.reading(policy)).logs
        if second:
            _compare(desk, first, second, keys, output)
        elif keys is None:
            raise UsageError(
                tr("name another copy of the log; to check a proof of a fork, add --policy")
            )
        else:
            with proving(str(first)):
                _check_fork(_proof_in(desk.files.whole(first)), keys)
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None


class CopyHead(NamedTuple):
    """The signed head of a copy, and what it vouches for."""

    note: bytes = b""
    head: Checkpoint | None = None
    problem: Phrase | str = ""
    """Why no signature of it counts; empty if one does."""

    covers: tuple[bool, bool] = (False, False)
    """Whether it is a head of the lines of the first copy, and of those of the second."""

    @property
    def counts(self) -> bool:
        """Return whether a key that counts signed it."""
        return self.head is not None and not self.problem


def _compare(
    desk: Desk, first: InFile, second: InFile, keys: list[Key] | None, output: OutFile
) -> None:
    alone = [_head_alone(desk.files.first_bytes(file, NOTE_BYTES_MAX)) for file in (first, second)]
    if any(alone):
        _compare_head(desk, (first, second), alone, keys, output)
        return
    from cli.wording.copy_words import CopyWords
    from projections.copies import compare_copies

    paths = desk.files.reading(first), desk.files.reading(second)
    heads = [_head_beside(path, is_asked_for=keys is not None) for path in paths]
    copies = compare_copies(
        paths, os.urandom(KEY_BYTES), [head.head.size for head in heads if head.head]
    )
    pair = (copies.first, copies.second)
    _refuse_what_is_no_copy(copies, (first, second))
    heads = [_checked(head, copy, pair, keys) for head, copy in zip(heads, pair, strict=True)]
    words = CopyWords(copies, str(first), str(second))
    proof = _fork_of(heads, pair, keys)
    wrong = _failure(words, heads, output, proof=proof) if keys is not None else None
    _show(desk, words, heads, keys, proof, wrong)
    if proof and output:
        desk.files.write(output, [proof])
    elif proof and not desk.json:
        write_bytes([proof])
    if wrong and desk.json:
        raise typer.Exit(REFUSED)
    if wrong:
        raise InvalidLog(wrong)


def _head_beside(path: Path, *, is_asked_for: bool) -> CopyHead:
    """Read the head next to a copy; without one, `problem` is a sentence.

    Raises:
        InvalidLog: a policy asks for the head, and its file is not a head.
    """
    from cli.machine.checkpoint_file import head_in
    from cli.machine.trust import read_head
    from ledger.proof.heads import CHECKPOINT, beside

    try:
        note = read_head(path, is_asked_for=False)
    except InvalidLog as error:
        if is_asked_for:
            raise
        return CopyHead(problem=str(error))
    if not note:
        return CopyHead(problem=phrase("there is no {file}", file=str(beside(path, CHECKPOINT))))
    return CopyHead(note, head_in(note))


def _checked(
    head: CopyHead, copy: Copy, pair: tuple[Copy, Copy], keys: list[Key] | None
) -> CopyHead:
    """Check who signed a head, and the lines of which copy it is a head of."""
    from ledger.proof.formats import open_note, parse_note

    if head.head is None:
        return head
    problem = ""
    try:
        if keys is None:
            _check_by_own_keys(head.note, head.head, copy)
        else:
            open_note(parse_note(head.note), keys)
    except Invalid as error:
        problem = str(error)
    covers = [copy.roots.get(head.head.size) == head.head.root for copy in pair]
    return head._replace(problem=problem, covers=(covers[0], covers[1]))


def _check_by_own_keys(note: bytes, head: Checkpoint, copy: Copy) -> None:
    """Check who signed a head by the keys that its copy itself names for the log.

    Raises:
        Invalid: none of them signed it, or a line that it covers revoked the key.
    """
    from ledger.proof.formats import open_note, parse_note
    from ledger.proof.heads import own_keys, refuse_revoked
    from ledger.rules.signing import named_in
    from projections.copies import KEY_LINES_MAX

    if len(copy.words.key_lines) > KEY_LINES_MAX:
        raise Invalid(
            f"the copy has over {KEY_LINES_MAX:,} lines about keys; use --policy to name the keys "
            "that count"
        )
    keys = named_in(copy.words.key_lines)
    signed = open_note(parse_note(note), own_keys(head.origin, keys))
    refuse_revoked(head, signed, keys)


def _refuse_what_is_no_copy(copies: TwoCopies, files: tuple[InFile, InFile]) -> None:
    for copy, file in zip((copies.first, copies.second), files, strict=True):
        if copy.flawed == copy.size:
            raise InvalidLog(
                phrase("{file} is not a copy of a log: it has no line of an event", file=str(file))
            )
    if not copies.common:
        raise InvalidLog(phrase("these files are of two logs: they have no event in common"))


def _fork_of(
    heads: Sequence[CopyHead], pair: tuple[Copy, Copy], keys: list[Key] | None
) -> bytes | None:
    """Prove a fork by two heads that count, one for each copy; None if they prove nothing."""
    from ledger.proof.evidence import Prover, prove_fork
    from projections.copies import event_lines

    vouches = [head.counts and head.covers[side] for side, head in enumerate(heads)]
    if keys is None or not all(vouches) or (heads[0].covers[1] or heads[1].covers[0]):
        return None
    sizes = [head.head.size for head in heads if head.head]
    longer = pair[sizes.index(max(sizes))]
    return prove_fork([head.note for head in heads], Prover(event_lines(longer.path)), keys)


def _failure(
    words: CopyWords,
    heads: Sequence[CopyHead],
    output: OutFile,
    *,
    proof: bytes | None,
) -> Phrase | None:
    """Say in one line why the two copies do not pass under a policy; None if they do."""
    if proof:
        where = phrase("they differ from {difference}", difference=words.first_difference())
        return _two_histories(where, output)
    copies = words.copies.first, words.copies.second
    wrong = (
        _not_vouched(name, head, copy, is_covered=head.covers[side])
        for side, (name, head, copy) in enumerate(zip(words.names, heads, copies, strict=True))
    )
    return next(filter(None, wrong), None)


def _two_histories(where: Phrase, output: OutFile) -> Phrase:
    place = str(output) if output else phrase("on stdout")
    return phrase(
        "two histories signed with one key: {where}; the proof is {place}", where=where, place=place
    )


def _not_vouched(name: str, head: CopyHead, copy: Copy, *, is_covered: bool) -> Phrase | None:
    """Say why the head next to a copy does not vouch for all of its lines; None if it does."""
    if head.head is None:
        return phrase(
            "{problem}, which the policy asks for: it comes with the log, from `export`",
            problem=head.problem,
        )
    if head.problem:
        return phrase(
            "the head next to {name} does not count: {problem}", name=name, problem=head.problem
        )
    if not is_covered:
        return phrase("{name} does not match the signed head next to it", name=name)
    if copy.returns:
        return phrase("{name} has lines that end with CR LF: its signed lines do not", name=name)
    if head.head.size < copy.size:
        return phrase(
            "no signed head covers lines {first} to {last} of {name}",
            first=head.head.size + 1,
            last=copy.size,
            name=name,
        )
    return None


def _about_heads(words: CopyWords, heads: Sequence[CopyHead], *, has_policy: bool) -> Iterator[str]:
    """Say which copy each signed head vouches for."""
    copies = words.copies.first, words.copies.second
    by = tr("a key of the policy") if has_policy else tr("the key that the copy itself names")
    for side, head in enumerate(heads):
        name = words.names[side]
        if head.head is None:
            yield tr("{name} has no signed head: {problem}", name=name, problem=said(head.problem))
            continue
        if head.problem:
            yield tr(
                "the head next to {name} does not count: {problem}",
                name=name,
                problem=said(head.problem),
            )
            continue
        as_is = [
            tr("{copy} with line feeds only", copy=copy) if lines.returns else copy
            for copy, lines in zip(words.names, copies, strict=True)
        ]
        covered = [copy for copy, is_so in zip(as_is, head.covers, strict=True) if is_so]
        denying = [copy for copy, is_so in zip(words.names, head.covers, strict=True) if not is_so]
        size = head.head.size
        is_whole = size == copies[side].size
        counted = how_many(size, "event")
        about = {"name": name, "by": by, "copies": tr(" and of ").join(covered)}
        about |= {"others": tr(" or ").join(denying)}
        about["events"] = (
            tr("all {events}", events=counted)
            if is_whole
            else tr("the first {events}", events=counted)
        )
        yield _vouching(**about)
    if not has_policy and any(head.counts for head in heads):
        yield tr("with --policy POLICY only the keys of the policy count")


def _vouching(**about: str) -> str:
    """Say which copies a head vouches for, and which others it does not match."""
    if about["copies"] and about["others"]:
        return tr(
            "the head next to {name}, signed with {by}, vouches for {events} of {copies}, and does "
            "not match {others}",
            **about,
        )
    if about["copies"]:
        return tr(
            "the head next to {name}, signed with {by}, vouches for {events} of {copies}", **about
        )
    return tr("the head next to {name}, signed with {by}, does not match {others}", **about)


def _vouched(heads: Sequence[CopyHead]) -> str:
    """Return which copy a head that counts vouches for: first, second, both or neither."""
    first, second = (any(head.counts and head.covers[side] for head in heads) for side in (0, 1))
    if first == second:
        return "both" if first else "neither"
    return "first" if first else "second"


class ChangedValue(NamedTuple):
    """A row of the table: an event, and a value that the two copies do not have alike."""

    stated: StatedDifference
    member: str
    first: str
    second: str


def _show(
    desk: Desk,
    words: CopyWords,
    heads: Sequence[CopyHead],
    keys: list[Key] | None,
    proof: bytes | None,
    wrong: Phrase | None,
) -> None:

    def sentences() -> list[str]:
        return [*words.sentences(), *_about_heads(words, heads, has_policy=keys is not None)]

    rows = list(_rows(words))
    if desk.options.for_person:
        show_prose(*sentences())
        if rows:
            show("")
    columns = _columns(words)
    if desk.options.for_person and not rows:
        return

    show_records(
        desk, columns, rows, json=lambda: _as_json(words, sentences(), heads, proof, wrong)
    )
    if desk.options.for_person and proof:
        show("")


def _columns(words: CopyWords) -> list[Column]:
    return [
        Column(marked("event"), right=True, value=lambda row: row.stated.difference.seq),
        Column(marked("match"), value=lambda row: row.stated.where, optional=True),
        for_program("kind", lambda row: row.stated.difference.kind),
        prose(marked("what"), lambda row: row.member.replace("_", " ")),
        prose(words.names[0], lambda row: row.first, key="first"),
        prose(words.names[1], lambda row: row.second, key="second"),
    ]


def _rows(words: CopyWords) -> Iterator[ChangedValue]:
    for stated in words.stated:
        if stated.changes:
            for change in stated.changes:
                yield ChangedValue(stated, change.member, change.before, change.after)
            continue
        difference = stated.difference
        more = " to {}" if difference.events > 1 else ""
        lines = (
            f"line {place}{more.format(place + difference.events - 1)}" if place else "-"
            for place in difference.places
        )
        flaws = (f", {flaw}" if flaw else "" for flaw in difference.flaws)
        cells = [line + flaw for line, flaw in zip(lines, flaws, strict=True)]
        yield ChangedValue(stated, difference.kind, *cells)


def _as_json(
    words: CopyWords,
    sentences: list[str],
    heads: Sequence[CopyHead],
    proof: bytes | None,
    wrong: Phrase | None,
) -> dict[str, object]:
    import json

    copies = words.copies
    return {
        "equal": copies.is_equal,
        "words": sentences,
        "first": _copy_as_json(copies.first, words.names[0], heads[0]),
        "second": _copy_as_json(copies.second, words.names[1], heads[1]),
        "counts": dict(copies.counts),
        "differences": [_difference_as_json(stated) for stated in words.stated],
        "vouched": _vouched(heads),
        "proof": json.loads(proof) if proof else None,
        "problem": str(wrong) if wrong else None,
    }


def _copy_as_json(copy: Copy, name: str, head: CopyHead) -> dict[str, object]:
    return {
        "file": name,
        "events": copy.size,
        "crlf": copy.returns,
        "cut": copy.is_cut,
        "head": head.head.size if head.head else None,
        "head_problem": str(head.problem) or None,
        "head_covers": list(head.covers),
    }


def _difference_as_json(stated: StatedDifference) -> dict[str, Any]:
    difference, place = stated.difference, stated.place
    return {
        "kind": difference.kind,
        "event": difference.seq or None,
        "events": difference.events,
        "lines": [line or None for line in difference.places],
        "match": stated.match or None,
        "round": place.round if place else None,
        "table": place.table if place else None,
        "text": stated.text,
        "changes": [
            {"member": change.member, "first": change.before, "second": change.after}
            for change in stated.changes
        ],
    }


def _compare_head(
    desk: Desk,
    files: tuple[InFile, InFile],
    alone: list[bytes],
    keys: list[Key] | None,
    output: OutFile,
) -> None:
    """Compare a head that was kept without its log, as a phone copies it, with a log."""
    from cli.machine.checkpoint_file import head_in
    from cli.machine.trust import read_head
    from ledger.exchange import read_log
    from ledger.proof.evidence import Prover, prove_fork
    from ledger.proof.formats import open_note, parse_note
    from ledger.proof.verifier import verify_file

    if keys is None:
        raise UsageError(
            tr("a head without its log needs --policy: it cannot name the keys to trust")
        )
    paths = [desk.files.reading(file) for file in files]
    notes, sizes = [], []
    for path, head in zip(paths, alone, strict=True):
        notes.append(head or read_head(path, is_asked_for=True))
        with proving(str(path)):
            open_note(parse_note(notes[-1]), keys)
            sizes.append(head_in(notes[-1]).size if head else verify_file(path).log.tree.size)
    longer = max((0, 1), key=lambda side: (sizes[side], not alone[side]))
    if alone[longer]:
        events = how_many(sizes[longer], "event")
        raise InvalidLog(
            phrase(
                "{file} is a head of {events}: also name a log of that length",
                file=str(paths[longer]),
                events=events,
            )
        )
    with proving(f"{paths[0]} and {paths[1]}"):
        proof = prove_fork(notes, Prover(read_log(paths[longer])), keys)
    if proof is None:
        say(
            tr(
                "one history of {first} and {second} events: one copy continues the other",
                first=sizes[0],
                second=sizes[1],
            )
        )
        return
    if output:
        desk.files.write(output, [proof])
    else:
        write_bytes([proof])
    raise InvalidLog(_two_histories(phrase("they differ"), output))


def _head_alone(data: bytes) -> bytes:
    """Return a head that was kept without its log, as a phone copies it, or nothing."""
    if not data.startswith(b"tourney/"):
        return b""
    return data.replace(b"\r\n", b"\n").strip() + b"\n"


def _proof_in(data: bytes) -> bytes:
    """Return a proof, also from an answer that was saved with the words above it."""
    _, mark, proof = data.rpartition(b"\n{\n")
    return b"{\n" + proof if mark else data


def _check_fork(proof: bytes, keys: list[Key]) -> None:
    from ledger.proof.evidence import check_fork

    fork = check_fork(proof, keys)
    show(
        tr(
            "two histories of {origin} are signed with one key:",
            origin=visible(fork.smaller.origin),
        ),
        tr(
            "{events}, root {root}",
            events=how_many(fork.smaller.size, "event"),
            root=fork.smaller.root.hex(),
        ),
        tr(
            "{events}, root {root}",
            events=how_many(fork.larger.size, "event"),
            root=fork.larger.root.hex(),
        ),
    )
