"""`witness`: a second machine cosigns the log's heads, by file."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cli import outside
from cli.desk.acts import note_in
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import whole
from cli.input.file_names import NO_OUTPUT, InFile, OutFile
from cli.input.options import Output, Sealed  # noqa: TC001 - typer resolves them
from cli.languages.speaking import tr
from cli.machine.keyring import (
    WITNESS,
    folder,
    is_kept,
    keep_key,
    key_path,
    make_keys_folder,
    new_passphrase,
    proving,
    unlocked,
)
from cli.machine.trust import WITNESSED, signed_head
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show, write_bytes
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from ledger.errors import NotFound, Refused
from ledger.files import landed
from ledger.problems import phrase

if TYPE_CHECKING:
    from ledger.proof.evidence import Witness


@shows_table
def list_heads(desk: Desk) -> None:
    """List the heads that this computer has seen as a witness."""
    seen = _witness()
    heads = seen.heads() if is_kept(seen.path) else []
    records = [{"origin": x.origin, "size": x.size, "root": x.root.hex()} for x in heads]
    if not desk.options.for_person:
        show_records(
            desk,
            (Column("origin"), Column("size"), Column("root")),
            records,
        )
    elif not is_kept(seen.path):
        say(tr("this computer is not a witness yet: use `tourney witness init NAME`"))
    else:
        show(*("  ".join(map(str, each.values())) for each in records))


def init(
    desk: Desk,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The witness's name, such as league.example/cup.")
    ],
    passphrase: Sealed = False,
) -> None:
    """Make a witness's key on this computer.

    A witness is the computer of a judge, a player or the league. It never signs a second history of
    a log that it has seen.

    tourney witness init league.example/cup
    """
    with proving():
        once(desk, partial(_init, name, sealed=passphrase))


def trust(
    desk: Desk,
    vkey: Annotated[str, typer.Argument(metavar="VKEY", help="The log's own key.")],
    renewed: Annotated[
        bool, typer.Option("--renewed", help="The key replaces an older one.")
    ] = False,
) -> None:
    """Add a log to those that the witness on this computer cosigns."""
    with proving():
        once(desk, partial(_trust, _witness(), vkey, renewed=renewed))


def ask(
    desk: Desk,
    old: Annotated[
        str, typer.Option(metavar="SIZE", help="Number of lines that the witness has seen.")
    ] = "0",
    output: Output = NO_OUTPUT,
) -> None:
    """Write a request for a witness to cosign the log's head.

    tourney witness ask -o ask.txt
    """
    with proving():
        _put(desk, _request(desk, whole("--old", old, 0)), output)


def cosign(
    desk: Desk,
    file: Annotated[InFile, typer.Argument(metavar="FILE", help="The desk's request.")],
    output: Output = NO_OUTPUT,
) -> None:
    """Cosign a desk's request, as a witness.

    tourney witness cosign ask.txt -o answer.txt
    """
    with proving():
        once(desk, lambda: _put(desk, _cosigned(desk, _witness(), file), output))


def add(
    desk: Desk,
    file: Annotated[InFile, typer.Argument(metavar="FILE", help="The witness's answer.")],
) -> None:
    """Add a witness's cosignature to the log's head."""
    with proving():
        once(desk, partial(_add, desk, file))


def _witness() -> Witness:
    """Return what this machine has seen as a witness."""
    from ledger.proof.evidence import Witness

    return Witness(folder() / WITNESSED)


def _put(desk: Desk, data: bytes, output: OutFile) -> None:
    if not output:
        write_bytes([data])
        return
    desk.files.write(output, [data])
    say(str(output))


def _init(name: str, *, sealed: bool) -> None:
    from ledger.proof.formats import COSIGNATURE
    from ledger.proof.notes import SEED_BYTES, signer, vkey

    made = signer(name, os.urandom(SEED_BYTES), COSIGNATURE)
    keep_key(key_path(WITNESS), made, new_passphrase(tr("the witness's key")) if sealed else "")
    show(f"witness {name} {vkey(made.key)}")
    say(tr("add this line to the policy, above its quorum line"))


def _trust(seen: Witness, vkey: str, *, renewed: bool) -> None:
    from ledger.proof.formats import ED25519, parse_key

    make_keys_folder()
    seen.add_log(parse_key(vkey, ED25519), renewed=renewed)
    landed.note_place(str(seen.path))
    say(tr("the witness now cosigns this log"))


def _request(desk: Desk, old: int) -> bytes:
    from cli.desk.acts import request_of_start, waits_for_witness
    from ledger.proof.evidence import Prover, Request, write_request

    if waits_for_witness(desk):
        return write_request(request_of_start(desk, old))
    kept = signed_head(desk)
    if old > kept.size:
        count = how_many(kept.size, "event")
        raise Refused(
            phrase(
                "the log has only {events}: the witness cannot have seen {old}",
                events=count,
                old=old,
            )
        )
    proof = Prover(desk.book.lines[: kept.size]).consistency(old, kept.size) if old else []
    return write_request(Request(old, proof, kept.note.encode()))


def _cosigned(desk: Desk, seen: Witness, file: InFile) -> bytes:
    if not is_kept(key_path(WITNESS)):
        raise NotFound(
            phrase("this computer is not a witness yet: use `tourney witness init NAME`")
        )
    signer = unlocked(key_path(WITNESS))
    answer = seen.cosign(note_in(desk, file), signer, int(outside.moment().timestamp()))
    landed.note_place(str(seen.path))
    return answer


def _add(desk: Desk, file: InFile) -> None:
    """Add a witness's cosignature to the log's head."""
    from msgspec import structs

    from ledger.proof.formats import parse_note

    line = note_in(desk, file).decode("utf-8", "replace")
    with desk.heads.alone() as kept:
        if kept is None:
            raise NotFound(phrase("no head was signed here yet"))
        if line in kept.note.splitlines(keepends=True):
            say(tr("nothing to change: this signature was added before"))
            return
        before, note = (parse_note(each.encode()) for each in (kept.note, kept.note + line))
        if note.text != before.text or len(note.signatures) == len(before.signatures):
            raise Refused(phrase("{file} is not an answer of a witness", file=str(file)))
        desk.heads.file.write(structs.replace(kept, note=kept.note + line))
        landed.note_place(str(desk.heads.file.path))
    say(
        tr(
            "{witness} cosigned the head of {events}",
            witness=note.signatures[-1][0],
            events=how_many(kept.size, "event"),
        )
    )
