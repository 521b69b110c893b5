"""`checkpoint`, `receipt`, `compare`: the log's signed heads, and what they prove."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import carry_out, desk_of
from cli.input.arguments import UsageError
from cli.input.file_kinds import refuse_other_kinds
from cli.input.matches import find_match
from cli.keys.keyring import key_is_away, log_signer, next_log_signer, proving, take_next_log_key
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, write_bytes
from ledger.errors import InvalidLog, NotFound, Refused
from ledger.files import landed
from ledger.files.access import refuse_no_text

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from cli.heads.checkpoint_file import StoredCheckpoint
    from cli.heads.checkpoints import Checkpoints
    from ledger.decisions.keys import AcceptFork
    from ledger.proof.evidence.receipts import Receipt
    from ledger.proof.formats import Checkpoint, Key
    from ledger.tournament.state import Match


def checkpoint(
    context: typer.Context,
    policy: Annotated[
        bool,
        typer.Option(
            "--policy", help="The policy that pins the keys of log and officials, to be given out."
        ),
    ] = False,
    accept_fork: Annotated[
        bool, typer.Option("--accept-fork", help="Go on although signed lines are lost or changed.")
    ] = False,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="With --accept-fork: why.")] = "",
) -> None:
    """Sign the log's head as it is now, and show it.

    This happens by itself at every posting, round close and finish, on the machine that opened the
    event. Hand the policy out early: whoever has it can check everything later.

        tourney checkpoint --policy > policy
    """
    desk = desk_of(context)
    if accept_fork != bool(reason.strip()):
        raise UsageError("going on from a fork needs --accept-fork and --reason")
    if policy:
        _show_policy(desk)
        return
    if accept_fork:
        desk.if_changed = "pass"
        _accept_fork(desk, reason)
        if log_signer(desk.book.stream) is None:
            return  # the head is signed where the key is
    before = desk.heads.kept()
    kept = signed_head(desk)
    if kept != before:
        landed.note_place(str(desk.heads.file.path))
    if desk.json:
        from cli.heads.checkpoint_file import head_of

        head = head_of(kept)
        value = {"origin": head.origin, "size": head.size, "root": head.root.hex()}
        show_json(value | {"note": kept.note})
    else:
        write_bytes([kept.note.encode()])


def signed_head(desk: Desk) -> StoredCheckpoint:
    """Sign the head of all lines, hashed anew.

    Raises:
        Refused: the log's key is not here.
    """
    kept = desk.heads.sign(whole=True)
    if kept is None:
        raise Refused(f"{key_is_away()}: its owner signs heads")
    return kept


def _show_policy(desk: Desk) -> None:
    from ledger.checks.authority.signing import active
    from ledger.proof.acts import origin_of
    from ledger.proof.evidence.notes import vkey
    from ledger.proof.formats import ED25519, Key

    held = active(desk.tournament, 0)
    if not held:
        raise NotFound("no key of the log stands in it")
    name = origin_of(desk.book.stream)
    keys = [f"log {vkey(Key(name, ED25519, each.public))}" for each in held]
    show(*keys, *_pins(desk), "quorum none")


def _pins(desk: Desk) -> list[str]:
    """List the lines of a policy that pin the keys of officials.

    Those that were revoked are among them: without these the log's own lines would be refused.
    """
    from ledger.checks.authority.signing import vkey_of_official

    held = [each for each in desk.tournament.keys.values() if each.holder]
    lines = [f"official o{each.holder} {vkey_of_official(desk.book.stream, each)}" for each in held]
    return sorted(lines, key=lambda line: int(line.split()[1][1:]))


def _accept_fork(desk: Desk, reason: str) -> None:
    from msgspec import structs

    from ledger.decisions.keys import AcceptFork

    if before := _accepted_before(desk):
        carry_out(desk, structs.replace(before, reason=reason))
        return
    heads = desk.heads
    lost, is_signed = _lost_head(heads)
    heads.read_strictly(None)
    book = desk.book
    book.store.put_tree(book.stream, book.tree_at(len(book.lines)))
    if is_signed:
        order = AcceptFork(lost.size, lost.root.hex(), reason, *next_log_key(desk))
        with heads.abandoning(lost.size):
            carry_out(desk, order)
        take_next_log_key(desk.book.stream, desk.book.tournament.keys)
    else:
        carry_out(desk, AcceptFork(lost.size, lost.root.hex(), reason))
    heads.look(heads.kept(), heads.seen.read())


def _lost_head(heads: Checkpoints) -> tuple[Checkpoint, bool]:
    """Return the head whose lines are lost, and whether it was signed, or seen alone.

    Where the signed head itself is lost, that is one of no lines.

    Raises:
        Refused: nothing is lost.
    """
    from cli.heads.checkpoint_file import NoHead, NotAsSigned, head_of
    from cli.heads.last_heads import NotAsSeen
    from ledger.proof.acts import origin_of
    from ledger.proof.formats import EMPTY_ROOT, Checkpoint

    origin, last = origin_of(heads.book.stream), heads.seen.read()
    try:
        kept = heads.kept()
        heads.check()
    except NoHead:
        return Checkpoint(origin, 0, EMPTY_ROOT), True
    except NotAsSeen:
        assert last is not None  # noqa: S101 - what is not as seen was seen
        return Checkpoint(origin, last.size, last.root), False
    except NotAsSigned:
        assert kept is not None  # noqa: S101 - what is not as signed was signed
        return head_of(kept), True
    if kept is None:
        raise Refused("no head was ever signed here: there is nothing to go back behind")
    raise Refused("the store has every line that was signed: there is no fork to accept")


def _accepted_before(desk: Desk) -> AcceptFork | None:
    """Return what this very id accepted: typed again, there is no fork any more."""
    from ledger.decisions.keys import AcceptFork
    from ledger.events.keys import ForkAccepted, KeyRegistered

    landed = desk.book.tournament.ids.get(desk.command_id)
    if not landed:
        return None
    acts = islice(desk.book.recorded(landed - 1), 2)
    fork, *others = (each.event for each in acts if each.command_id == desk.command_id)
    if not isinstance(fork, ForkAccepted):
        return None
    keys = [each for each in others if isinstance(each, KeyRegistered)]
    public, proof = (keys[0].public, keys[0].proof) if keys else ("", "")
    return AcceptFork(fork.size, fork.root, fork.reason, public, proof)


def next_log_key(desk: Desk) -> tuple[str, str]:
    """Return the key that the log signs with after this command, and its proof, as text.

    Raises:
        InvalidLog: it can not be written, or not be used.
    """
    from ledger.proof.evidence.notes import base64_of
    from ledger.proof.holders import possession

    stream, has_landed = desk.book.stream, desk.command_id in desk.book.tournament.ids
    made = next_log_signer(stream, has_landed=has_landed)
    public = base64_of(made.key.public)
    return public, base64_of(made.sign(possession(stream, 0, public)))


def receipt(
    context: typer.Context,
    match: Annotated[str, typer.Argument(metavar="R/T|SEQ", help="A match, or #SEQ: an event.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Default: a QR code is shown.")
    ] = "",
    slips: Annotated[
        str, typer.Option("--slips", metavar="FILE", help="A page with a slip for each player.")
    ] = "",
) -> None:
    """Prove to a player that their result stands in the signed log.

    Or to a judge that their key does. A file, a QR code on the terminal, or slips to be printed
    (HTML), each with the code. `tourney verify FILE --policy POLICY` checks it.

        tourney receipt 3/12 -o aki.tlog-proof
        tourney receipt 3/12 --slips table-12.html
        tourney receipt '#7' -o pat.tlog-proof
    """
    from ledger.files.access import refuse_to_replace
    from ledger.proof.evidence.receipts import write_receipt

    desk = desk_of(context)
    found, seq = _found(desk, match)
    if slips and found is None:
        raise UsageError("--slips is for a match, as 3/12: an event has no players")
    for each in filter(None, (output, slips)):
        refuse_to_replace(Path(each))
    made, size = _proven(desk, seq)
    if output:
        _write(output, write_receipt(made), f"event {seq} of {size}")
    if slips and found is not None:
        from cli.render.html.receipt_page import receipts_page

        page = receipts_page(desk.tournament, found, made).encode()
        _write(slips, page, f"slips for {len(found.players)}, to be printed")
    if not output and not slips:
        from cli.render.codes import terminal_code

        write_bytes([terminal_code(write_receipt(made._replace(extra=b"")))])
        say(f"event {seq} of {size}: the code holds the proof; -o writes it with the event")


def _proven(desk: Desk, seq: int) -> tuple[Receipt, int]:
    """Sign the head of all lines, and prove that an event stands among so many."""
    from ledger.proof.evidence.prover import Prover
    from ledger.proof.evidence.receipts import Receipt

    kept = signed_head(desk)
    lines = desk.book.lines[: kept.size]
    proof = Prover(lines).inclusion(seq - 1, kept.size)
    return Receipt(seq - 1, proof, kept.note.encode(), lines[seq - 1]), kept.size


def write_receipt_of(desk: Desk, seq: int, output: str) -> None:
    """Sign a head, and write the receipt of an event.

    Raises:
        Refused: the log's key is not here, or the file is there already.
    """
    from ledger.files.access import refuse_to_replace
    from ledger.proof.evidence.receipts import write_receipt

    refuse_to_replace(Path(output))
    made, size = _proven(desk, seq)
    _write(output, write_receipt(made), f"event {seq} of {size}")


def _found(desk: Desk, words: str) -> tuple[Match | None, int]:
    """Find the match meant and the event of its result, or an event by its number alone."""
    tournament = desk.tournament
    if words.startswith("#") and words[1:].isdigit():
        seq = int(words[1:])
        if not 1 <= seq <= tournament.seq:
            raise NotFound(f"there is no event {seq}")
        return None, seq
    found = find_match(tournament, words)
    if not found.result_seq:
        raise Refused(f"{words} has no result yet: there is nothing to prove")
    return found, found.result_seq


def _write(path: str, data: bytes, what: str) -> None:
    from ledger.files.access import write_whole

    size = write_whole(Path(path), [data])
    say(f"{path}: {what}, {size:,} bytes")


def compare(
    context: typer.Context,
    first: Annotated[str, typer.Argument(metavar="A", help="A log, or a proof to be checked.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another copy of the same log.")] = "",
    policy: Annotated[
        str, typer.Option(metavar="POLICY", help="Required: whose signature counts.")
    ] = "",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where the proof is written.")
    ] = "",
) -> None:
    """Hold two signed copies of one log side by side.

    If one does not go on from the other, their heads are a proof of it that anyone can check:

        tourney compare mine.jsonl theirs.jsonl --policy policy -o fork.json
        tourney compare fork.json --policy policy
    """
    from ledger.proof.verifier import read_policy

    desk_of(context)
    if not policy:
        raise UsageError("compare needs --policy: nothing in a file is trusted to say who signs")
    for each in filter(None, (first, second, policy)):
        refuse_other_kinds(each, "compare")
        refuse_no_text(Path(each))
    try:
        with proving(policy):
            trusted = read_policy(Path(policy))
        if second:
            _compare(Path(first), Path(second), trusted.logs, output)
        else:
            with proving(first):
                _check_fork(Path(first), trusted.logs)
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None


def _compare(first: Path, second: Path, keys: list[Key], output: str) -> None:
    from cli.verbs.proof.verify import read_head
    from ledger.exchange import read_log
    from ledger.proof.evidence.fraud import prove_fork
    from ledger.proof.evidence.prover import Prover
    from ledger.proof.formats import open_note, parse_note
    from ledger.proof.verifier import verify_file

    notes, sizes = [], {}
    for path in (first, second):
        notes.append(read_head(path, is_asked_for=True))
        with proving(str(path)):
            open_note(parse_note(notes[-1]), keys)
            sizes[path] = verify_file(path).log.tree.size
    larger = Prover(read_log(max(sizes, key=lambda path: sizes[path])))
    with proving(f"{first} and {second}"):
        proof = prove_fork(notes, larger, keys)
    if proof is None:
        say(f"one history: {sizes[first]} and {sizes[second]} events, one goes on from the other")
        return
    if output:
        from ledger.files.access import write_whole

        write_whole(Path(output), [proof])
    else:
        write_bytes([proof])
    place = _first_difference(first, second)
    raise InvalidLog(
        f"two histories under one key: they differ from line {place} on; the proof is "
        f"{output or 'on stdout'}"
    )


def _first_difference(first: Path, second: Path) -> int:
    from itertools import zip_longest

    from ledger.exchange import read_log

    pairs = zip_longest(read_log(first), read_log(second))
    return next((place for place, (a, b) in enumerate(pairs, start=1) if a != b), 0)


def _check_fork(path: Path, keys: list[Key]) -> None:
    from ledger.files.access import whole
    from ledger.proof.evidence.fraud import check_fork

    fork = check_fork(whole(path), keys)
    show(
        f"two histories of {fork.smaller.origin} are signed with one key:",
        f"{fork.smaller.size} events, root {fork.smaller.root.hex()}",
        f"{fork.larger.size} events, root {fork.larger.root.hex()}",
    )
