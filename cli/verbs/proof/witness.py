"""`witness`: a second machine cosigns the log's heads, by file."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import desk_of
from cli.desk.answers import once
from cli.heads.other_heads import WITNESSED
from cli.input.arguments import UsageError, whole
from cli.input.belonging import refuse_others
from cli.keys.keyring import WITNESS, folder, keep_key, key_path, new_passphrase, proving, unlocked
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, write_bytes
from ledger.errors import NotFound, Refused
from ledger.files import landed

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.proof.evidence.witness import Witness

ACTS = ("init", "trust", "ask", "cosign", "add", "list")


def witness(
    context: typer.Context,
    act: Annotated[str, typer.Argument(metavar="[init|trust|ask|cosign|add|list]")] = "list",
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME|VKEY|FILE]", help="What it takes.")
    ] = None,
    old: Annotated[
        str, typer.Option("--old", metavar="SIZE", help="With ask: what the witness has seen.")
    ] = "0",
    renewed: Annotated[
        bool, typer.Option("--renewed", help="With trust: in the place of the key it had before.")
    ] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Default: stdout.")
    ] = "",
    passphrase: Annotated[
        bool, typer.Option("--passphrase", help="With init: the key is sealed, and asks for it.")
    ] = False,
) -> None:
    """Let a second machine cosign the log.

    That is a judge's, a player's or the league's. The witness makes its key with `init`, and knows
    a log from `trust` on. The desk asks with a file, the witness answers with one, and signs no
    second history of a log that it has seen.

        tourney witness init league.example/cup
        tourney witness trust VKEY
        tourney witness ask -o ask.txt
        tourney witness cosign ask.txt -o answer.txt
        tourney witness add answer.txt
    """
    from ledger.proof.evidence.witness import Witness

    desk, given = desk_of(context), words or []
    refuse_others(context, act)
    seen = Witness(folder() / WITNESSED)
    with proving():
        match act, given:
            case "init", [name]:
                once(desk, partial(_init, name, sealed=passphrase))
            case "trust", [vkey]:
                once(desk, partial(_trust, seen, vkey, renewed=renewed))
            case "ask", []:
                _put(_request(desk, whole("--old", old, 0)), output)
            case "cosign", [file]:
                once(desk, lambda: _put(_cosigned(seen, Path(file)), output))
            case "add", [file]:
                once(desk, partial(_add, desk, Path(file)))
            case "list", []:
                _list(seen, json=desk.json)
            case _ if act in ACTS:
                raise UsageError(f"witness {act} takes other words: `tourney witness --help`")
            case _:
                raise UsageError(f"witness {', '.join(ACTS[:-1])} or {ACTS[-1]}, not {act!r}")


def _put(data: bytes, output: str) -> None:
    if not output:
        write_bytes([data])
        return
    from ledger.files.access import write_whole

    write_whole(Path(output), [data])
    say(output)


def _init(name: str, *, sealed: bool) -> None:
    from ledger.proof.evidence.notes import SEED_BYTES, signer, vkey
    from ledger.proof.formats import COSIGNATURE

    made = signer(name, os.urandom(SEED_BYTES), COSIGNATURE)
    keep_key(key_path(WITNESS), made, new_passphrase("the witness's key") if sealed else "")
    show(f"witness {name} {vkey(made.key)}")
    say("this line belongs in the policy, above its quorum")


def _trust(seen: Witness, vkey: str, *, renewed: bool) -> None:
    from ledger.files.durable import make_folder
    from ledger.proof.formats import ED25519, parse_key

    make_folder(folder(), 0o700)
    seen.add_log(parse_key(vkey, ED25519), renewed=renewed)
    landed.note_place(str(seen.path))
    say("known from here on")


def _request(desk: Desk, old: int) -> bytes:
    from cli.desk.starting import request_of_start, waits_for_witness
    from cli.verbs.proof.heads import signed_head
    from ledger.proof.evidence.prover import Prover
    from ledger.proof.evidence.witness import Request, write_request

    if waits_for_witness(desk):
        return write_request(request_of_start(desk, old))
    kept = signed_head(desk)
    if old > kept.size:
        raise Refused(f"the log has {kept.size} events, the witness can not have seen {old}")
    proof = Prover(desk.book.lines[: kept.size]).consistency(old, kept.size) if old else []
    return write_request(Request(old, proof, kept.note.encode()))


def _cosigned(seen: Witness, path: Path) -> bytes:
    from datetime import UTC, datetime

    from ledger.files.access import whole as read_whole

    if not key_path(WITNESS).exists():
        raise NotFound("this machine is no witness yet: `tourney witness init NAME`")
    signer = unlocked(key_path(WITNESS))
    answer = seen.cosign(read_whole(path), signer, int(datetime.now(UTC).timestamp()))
    landed.note_place(str(seen.path))
    return answer


def _add(desk: Desk, path: Path) -> None:
    """Put a witness's answer to the head that it was asked for."""
    from msgspec import structs

    from ledger.files.access import whole as read_whole
    from ledger.proof.formats import parse_note

    line = read_whole(path).decode("utf-8", "replace")
    with desk.heads.alone() as kept:
        if kept is None:
            raise NotFound("no head was signed here yet")
        if line in kept.note.splitlines(keepends=True):
            say("already so: this signature is there")
            return
        before, note = (parse_note(each.encode()) for each in (kept.note, kept.note + line))
        if note.text != before.text or len(note.signatures) == len(before.signatures):
            raise Refused(f"{path} is no answer of a witness")
        desk.heads.keep(structs.replace(kept, note=kept.note + line))
        landed.note_place(str(desk.heads.file.path))
    say(f"cosigned by {note.signatures[-1][0]}: the head of {kept.size} events")


def _list(seen: Witness, *, json: bool) -> None:
    heads = seen.heads() if seen.path.exists() else []
    if json:
        show_json([{"origin": x.origin, "size": x.size, "root": x.root.hex()} for x in heads])
        return
    if not seen.path.exists():
        say("this machine is no witness yet: `tourney witness init NAME`")
        return
    show(*(f"{head.origin}  {head.size}  {head.root.hex()}" for head in heads))
