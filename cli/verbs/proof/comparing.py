"""`compare`: two signed copies of one log, side by side."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, NO_OUTPUT, InFile, OutFile
from cli.input.given_files import refuse_other_kinds
from cli.input.options import Policy  # noqa: TC001 - typer resolves them
from cli.machine.keyring import proving
from cli.terminal.output import say, show, write_bytes
from cli.terminal.visible import how_many
from ledger.errors import InvalidLog, NotFound
from ledger.proof.formats import NOTE_BYTES_MAX

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.proof.formats import Key


def compare(
    desk: Desk,
    first: Annotated[
        InFile,
        typer.Argument(metavar="A", help="A log, a saved head, or a proof to check."),
    ],
    second: Annotated[
        InFile, typer.Argument(metavar="B", help="Another copy of the same log.")
    ] = NO_INPUT,
    policy: Policy = NO_INPUT,
    output: Annotated[
        OutFile,
        typer.Option("--output", "-o", metavar="FILE", help="File for the proof; default: stdout."),
    ] = NO_OUTPUT,
) -> None:
    """Compare two signed copies of one log.

    If neither copy continues the other, their heads are a proof of that which anyone can check:

        tourney compare mine.jsonl theirs.jsonl --policy policy -o fork.json
        tourney compare fork.json --policy policy

    One of the two can be only a head, saved by a phone or read from the hall's code:

        tourney compare phone.txt cup.jsonl --policy policy
    """
    from ledger.proof.policy import read_policy

    if not policy:
        raise UsageError("compare needs --policy: a file cannot name the keys to trust")
    for each in filter(None, (first, second, policy)):
        refuse_other_kinds(desk.files.reading(each), "compare")
        desk.files.refuse_no_text(each)
    try:
        with proving(str(policy)):
            trusted = read_policy(desk.files.reading(policy))
        if second:
            _compare(desk, first, second, trusted.logs, output)
        else:
            with proving(str(first)):
                _check_fork(desk.files.whole(first), trusted.logs)
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None


def _compare(desk: Desk, one: InFile, other: InFile, keys: list[Key], output: OutFile) -> None:
    from cli.machine.checkpoint_file import head_in
    from cli.machine.trust import read_head
    from ledger.exchange import read_log
    from ledger.proof.evidence import Prover, prove_fork
    from ledger.proof.formats import open_note, parse_note
    from ledger.proof.verifier import verify_file

    first, second = desk.files.reading(one), desk.files.reading(other)
    notes, sizes, alone = [], {}, {}
    for file, path in ((one, first), (other, second)):
        alone[path] = _head_alone(desk.files.first_bytes(file, NOTE_BYTES_MAX))
        notes.append(alone[path] or read_head(path, is_asked_for=True))
        with proving(str(path)):
            open_note(parse_note(notes[-1]), keys)
            sizes[path] = head_in(notes[-1]).size
            if not alone[path]:
                sizes[path] = verify_file(path).log.tree.size
    longer = max(sizes, key=lambda path: (sizes[path], not alone[path]))
    if alone[longer]:
        events = how_many(sizes[longer], "event")
        raise InvalidLog(f"{longer} is a head of {events}: also name a log of that length")
    larger = Prover(read_log(longer))
    with proving(f"{first} and {second}"):
        proof = prove_fork(notes, larger, keys)
    if proof is None:
        lengths = f"{sizes[first]} and {sizes[second]} events"
        say(f"one history of {lengths}: one copy continues the other")
        return
    if output:
        desk.files.write(output, [proof])
    else:
        write_bytes([proof])
    where = "they differ"
    if not any(alone.values()):
        where += f" from line {_first_difference(first, second)}"
    raise InvalidLog(
        f"two histories signed with one key: {where}; the proof is {output or 'on stdout'}"
    )


def _head_alone(data: bytes) -> bytes:
    """Return a head that was kept without its log, as a phone copies it, or nothing."""
    if not data.startswith(b"tourney/"):
        return b""
    return data.replace(b"\r\n", b"\n").strip() + b"\n"


def _first_difference(first: Path, second: Path) -> int:
    from ledger.exchange import read_log

    pairs = zip_longest(read_log(first), read_log(second))
    return next((place for place, (a, b) in enumerate(pairs, start=1) if a != b), 0)


def _check_fork(proof: bytes, keys: list[Key]) -> None:
    from ledger.proof.evidence import check_fork

    fork = check_fork(proof, keys)
    show(
        f"two histories of {fork.smaller.origin} are signed with one key:",
        f"{how_many(fork.smaller.size, 'event')}, root {fork.smaller.root.hex()}",
        f"{how_many(fork.larger.size, 'event')}, root {fork.larger.root.hex()}",
    )
