"""`checkpoint`: the log's signed head, its policy, and going on from a fork."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import carry_out
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.options import reason_with
from cli.languages.speaking import tr
from cli.machine.keyring import log_signer, take_next_log_key
from cli.machine.trust import next_log_key, signed_head
from cli.terminal.output import show, show_json, write_bytes
from ledger.errors import Refused
from ledger.files import landed
from ledger.problems import phrase

if TYPE_CHECKING:
    from cli.machine.checkpoints import Checkpoints
    from ledger.proof.formats import Checkpoint
    from ledger.rules.keys import AcceptFork


def checkpoint(
    desk: Desk,
    policy: Annotated[
        bool,
        typer.Option(
            "--policy", help="Show the policy to publish: it pins the keys of log and officials."
        ),
    ] = False,
    accept_fork: Annotated[
        bool,
        typer.Option("--accept-fork", help="Continue although signed lines are lost or changed."),
    ] = False,
    reason: Annotated[str, reason_with("--accept-fork")] = "",
) -> None:
    """Sign the current head of the log, and show it.

    This happens automatically at every posting, round close and finish, on the computer that
    opened the tournament. Publish the policy early: with it, anyone can check the whole log later.

        tourney checkpoint --policy > policy
    """
    if accept_fork and not reason.strip():
        raise UsageError(
            tr("--accept-fork needs --reason: why the desk continues despite the loss")
        )
    if reason.strip() and not accept_fork:
        raise UsageError(tr("--reason is only for --accept-fork"))
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
        from cli.machine.checkpoint_file import head_of

        head = head_of(kept)
        value = {"origin": head.origin, "size": head.size, "root": head.root.hex()}
        show_json(value | {"note": kept.note})
    else:
        write_bytes([kept.note.encode()])


def _show_policy(desk: Desk) -> None:
    from cli.verbs.proof.key import own_keys
    from ledger.proof.formats import ED25519, Key
    from ledger.proof.notes import vkey
    from ledger.proof.signatures import origin_of

    name = origin_of(desk.book.stream)
    keys = [f"log {vkey(Key(name, ED25519, x.public))}" for x in own_keys(desk.tournament)]
    show(*keys, *_pins(desk), "quorum none")


def _pins(desk: Desk) -> list[str]:
    """List the lines of a policy that pin the keys of officials.

    Those that were revoked are among them: without these the log's own lines would be refused.
    """
    from ledger.rules.signing import vkey_of_official

    held = [key for key in desk.tournament.keys.values() if key.holder]
    held.sort(key=lambda each: each.holder)
    return [f"official o{each.holder} {vkey_of_official(desk.book.stream, each)}" for each in held]


def _accept_fork(desk: Desk, reason: str) -> None:
    from msgspec import structs

    from ledger.rules.keys import AcceptFork

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
    from cli.machine.last_heads import Known, seen_of

    heads.look(Known(desk.book.stream, heads.kept(), seen_of(desk.book.stream)))


def _lost_head(heads: Checkpoints) -> tuple[Checkpoint, bool]:
    """Return the head whose lines are lost, and whether it was signed, or seen alone; or Refused.

    Where the signed head itself is lost, that is one of no lines.
    """
    from cli.machine.checkpoint_file import NoHead, NotAsSigned, head_of
    from cli.machine.last_heads import NotAsSeen
    from ledger.proof.formats import EMPTY_ROOT, Checkpoint
    from ledger.proof.signatures import origin_of

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
        raise Refused(phrase("no head was ever signed here, so no signed line can be lost"))
    raise Refused(phrase("the store contains all signed lines: there is no fork to accept"))


def _accepted_before(desk: Desk) -> AcceptFork | None:
    """Return what this very id accepted: typed again, there is no fork any more."""
    from ledger.facts.keys import ForkAccepted, KeyRegistered
    from ledger.rules.keys import AcceptFork

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
