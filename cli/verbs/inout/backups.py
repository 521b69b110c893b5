"""`backup`, `restore`: the record with its secrets, to go on with it elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated

from cli.desk.in_hand import ORGANIZER
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile, OutFile
from cli.input.given_files import refuse_other_kinds
from cli.input.options import Sealed, Unsigned, flag, option, word
from cli.languages.speaking import tr
from cli.machine.trust import checked_reason
from cli.render.records import show_value
from cli.terminal.output import say
from cli.terminal.problems import reason_of, said
from cli.terminal.visible import how_many
from ledger.errors import LedgerError, Refused
from ledger.files import landed

if TYPE_CHECKING:
    from ledger.store import Store
    from ledger.store.backup import Seal


def backup(
    desk: Desk,
    file: Annotated[OutFile, word("FILE", "A new file, or an older backup.")],
    incomplete: Annotated[
        bool, flag("--incomplete", "Write it even if secrets are damaged or missing.")
    ] = False,
    passphrase: Sealed = False,
    reader: Annotated[
        InFile,
        option("KEY|FILE", "Seal it for a reader's key, as made by `key new --reader`.", "--for"),
    ] = NO_INPUT,
) -> None:
    """Write the tournaments and their secrets to one file.

    With -t only that tournament. Use it to continue on another computer, or after a disk
    failure. Keep it private unless it is sealed: it contains the keys of the draws. Every line and
    secret is checked first, and an existing backup that contains more is never overwritten.

        tourney backup kotei.backup --passphrase
        tourney backup kotei.backup --for READER+league.example+…
    """
    from cli.desk.in_hand import find_named
    from cli.machine.backup_keys import new_seal, unlocked_backup
    from cli.machine.integrity import hold_replaced, hold_stored
    from ledger.store.backup import Backup

    if passphrase and reader:
        raise UsageError(tr("choose one of --passphrase and --for: a backup is sealed only once"))
    desk.files.refuse_no_place(
        file
    )  # what is no place for a file is refused before anything is read
    store = desk.store()
    streams = [find_named(store, desk.options.tournament)] if desk.options.tournament else None
    sound = [
        hold_stored(store, stream, incomplete=incomplete)
        for stream in (store.streams() if streams is None else streams)
    ]
    hold_replaced(Backup(desk.files.named(file), unlocked_backup), store, streams)
    seal = new_seal(passphrase=passphrase, reader=desk.files.named(reader))
    sizes = _save(desk, desk.files.named(file), streams, seal)
    show_value(desk, {"file": str(file), "tournaments": sizes})
    away = list(_draw_keys_away(store, sizes))
    if not all(sound):
        secrets = tr("the remaining secrets")
    elif away:
        secrets = tr("the other secrets")
    else:
        secrets = tr("the secrets of the draws")
    about = {"file": file, "counted": _counted(sizes), "secrets": secrets}
    if seal:
        say(tr("{file}: {counted}; it is sealed and contains {secrets}", **about))
    else:
        text = tr(
            "{file}: {counted}; keep it private, it is not sealed and contains {secrets}", **about
        )
        say(text)
    for each in away:
        say(tr("it does not contain the key of the draws: also copy {place}", place=each))
    _say_unsigned(store, sizes)


def _say_unsigned(store: Store, streams: Iterable[str]) -> None:
    """Repeat which lines of tournaments were taken unsigned."""
    from cli.machine.caveats import caveat_of_stored

    for stream in streams:
        for sentence in caveat_of_stored(store, stream):
            say(sentence)


def _draw_keys_away(store: Store, streams: Iterable[str]) -> Iterator[str]:
    """Say where the keys of draws are that no backup holds."""
    from cli.machine.draw_keys import in_words
    from ledger.books.open_log import taken
    from ledger.books.vault import machine_of_draws

    for stream in streams:
        tournament = taken(store.lines(stream))
        if machine := machine_of_draws(tournament, store.vault_items(stream)):
            yield in_words(stream, tournament, machine)


def _save(desk: Desk, file: str, streams: list[str] | None, seal: Seal | None) -> dict[str, int]:
    from cli.machine.backup_keys import signers_of, vouchers
    from cli.machine.last_heads import kept_note
    from cli.machine.trust import sign_all
    from ledger.store.backup import save

    store = desk.store()

    chosen = streams or store.streams()
    keys = {each: _log_keys(store, each) for each in chosen}
    signers = signers_of(keys)  # a passphrase is asked for before anything is written
    for stream in chosen:
        sign_all(store, stream)
    return save(
        store,
        file,
        streams,
        heads=partial(kept_note, store),
        vouch=lambda digest: vouchers(digest, signers),
        seal=seal,
    )


def _log_keys(store: Store, stream: str) -> frozenset[bytes]:
    """Return the keys that a log signs its heads with now."""
    from ledger.books.open_log import taken

    held = taken(store.lines(stream)).keys.values()
    return frozenset(each.public for each in held if not each.holder and not each.until)


def restore(
    desk: Desk,
    file: Annotated[InFile, word("FILE", "A file that `backup` wrote.")],
    unsigned: Unsigned = "",
) -> None:
    """Restore the tournaments of a backup into the store.

    A single tournament is selected. Each line is checked as in an import, and each secret against
    the lines; the whole backup is restored, or nothing. Forgotten persons stay forgotten, even if
    the backup contains their keys. In the store that was backed up, even an older backup restores
    damaged or lost secrets; no other secret of the store is replaced. Events are added only with
    --unsigned if no signed head covers them and the log's key did not sign the whole backup.

    If the log's key is on another computer, a question on the terminal is whether that computer is
    permanently lost. Yes renews the key here, so that heads are signed again; no makes the copy
    readable only, until `key renew --lost`. Nothing is asked and nothing renewed with --yes or
    --json, or in a pipe.
    """
    refuse_other_kinds(desk.files.reading(file), "restore")
    reason = checked_reason(unsigned) if unsigned else ""
    once(desk, lambda: _restore(desk, file, reason))


def _restore(desk: Desk, file: InFile, reason: str) -> None:
    from cli.machine.backup_keys import own_key_shows_it, shown_by, unlocked_backup
    from cli.machine.caveats import clear_covered, note_of
    from cli.machine.checkpoint_file import head_in
    from cli.machine.integrity import departures, lacking
    from cli.machine.last_heads import checkpoint_file_of
    from ledger.exchange.restoring import Restoring
    from ledger.store.backup import Backup
    from projections.standings.table import ranking

    backup = Backup(desk.files.named(file), unlocked_backup)
    restoring = Restoring(backup, ranking, partial(note_of, reason=reason) if reason else None)
    restoring.examine()
    own = own_key_shows_it(backup)
    if not desk.has_store():
        restoring.refuse_unsigned()
    store = desk.store(create=True)
    restoring.compare(store)
    lost = [*lacking(store, store.streams())]
    with _only_read_until_asked(desk, restoring.streams):
        added = restoring.take(store)
    for stream, head in restoring.heads.items():
        lines = store.lines(stream)
        checkpoint_file_of(stream, lines).take(head, lines)
        clear_covered(store, stream, head_in(head).size)
    still = [*lacking(store, store.streams())]
    if any(added.values()) or lost != still:
        landed.note_place(store.where)
    if len(added) == 1:
        desk.take_in_hand(next(iter(added)))
    show_value(desk, {"tournaments": added})
    say(
        tr(
            "restored from {file}: {counted} added; {shown}",
            file=file,
            counted=_counted(added),
            shown=shown_by(backup, restoring, own=own),
        )
    )
    if lost != still:
        say(tr("damaged or missing secrets were restored from it"))
    _say_unsigned(store, added)
    for problem in (*departures(store, added), *still):
        say(problem)
    for each in _draw_keys_away(store, added):
        say(
            tr(
                "it contains no key of the draws: to continue, copy {place} to this computer; if "
                "it is permanently lost, use `tourney key draws --reason TEXT`",
                place=each,
            )
        )
    _settle_keys_away(desk, [stream for stream, count in added.items() if count])


@contextmanager
def _only_read_until_asked(desk: Desk, streams: Iterable[str]) -> Iterator[None]:
    """Mark the restored logs as only read before their first event is stored.

    Only if a question follows at the terminal: Ctrl-C at the question then equals no. The mark of a
    log is removed again if no event was added to it.

    Raises:
        Refused: a mark cannot be written; nothing was restored.
    """
    from cli.machine.keyring import is_kept, mark_only_read, only_read_path, unmark_only_read

    if not _is_asked_of_keys(desk):
        yield
        return
    store = desk.store()
    unmarked = [stream for stream in streams if not is_kept(only_read_path(stream))]
    before = {stream: store.size(stream) for stream in unmarked}
    for stream in before:
        mark_only_read(stream)
    try:
        yield
    finally:
        for stream, size in before.items():
            if store.size(stream) == size:
                unmark_only_read(stream)


def _is_asked_of_keys(desk: Desk) -> bool:
    """Return whether a question can be asked about keys that are elsewhere."""
    from cli.desk.confirm_breaches import is_asked

    return not (desk.json or desk.options.yes) and is_asked()


def _settle_keys_away(desk: Desk, streams: Iterable[str]) -> None:
    """Say how heads are signed here whose key is elsewhere; at a terminal ask, and settle it."""
    from cli.machine.checkpoint_file import CheckpointFile
    from cli.machine.keyring import key_is_away, only_read_in_words, unmark_only_read

    keys = {stream: _log_keys(desk.store(), stream) for stream in streams}
    away = [
        stream
        for stream, public in keys.items()
        if public and not CheckpointFile(stream).has_key_of(public)
    ]
    is_asked = _is_asked_of_keys(desk)
    for stream in keys.keys() - away if is_asked else ():
        unmark_only_read(stream)
    if not away:
        return
    if not is_asked:
        say(tr("no head can be signed: {reason}", reason=key_is_away()))
        return
    try:
        is_lost = _is_lost_for_good()
    except KeyboardInterrupt:
        say(only_read_in_words())
        raise
    if not is_lost:
        say(only_read_in_words())
        return
    for stream in away:
        unmark_only_read(stream)
        _renew(desk, stream)


def _is_lost_for_good() -> bool:
    """Ask whether the computer with the log's key is lost; the end of the input is a no."""
    from cli.desk.questions import agreed
    from cli.machine.keyring import folder

    question = tr(
        "the log's key is not in {folder} here: is the first laptop, which has it, "
        "permanently lost? Yes makes a new key here; no lets this copy only be read.",
        folder=folder(),
    )
    try:
        return agreed(question)
    except Refused:
        return False


def _renew(desk: Desk, stream: str) -> None:
    """Renew a log's key whose computer is lost, as its organizer; the reason names the last head.

    If that is refused, the restored events stay.
    """
    from cli.machine.keyring import IF_LOST
    from cli.verbs.proof.key import renew

    options = desk.options._replace(tournament=stream, acting="", on_behalf_of="")
    at = Desk(options, desk.line)
    at.command_id = f"{desk.command_id}-{stream[:8]}"
    try:
        officials = at.book.tournament.officials[1:]
        organizer = next(
            (official.number for official in officials if "organizer" in official.roles), ORGANIZER
        )
        at.enter_as(f"o{organizer}")
        renew(at, lost=True, reason=_reason_of_renewal(at))
    except LedgerError as error:
        say(
            tr(
                "the log's key is not renewed: {error}; {if_lost}",
                error=reason_of(error),
                if_lost=said(IF_LOST),
            )
        )
    finally:
        at.close()


def _reason_of_renewal(desk: Desk) -> str:
    from cli.machine.checkpoint_file import head_of
    from ledger.proof.notes import base64_of

    reason = "the computer with the log's key is permanently lost"
    if stored := desk.heads.file.read():
        head = head_of(stored)
        reason += f"; its last signed head covers {how_many(head.size, 'event')}, root "
        reason += base64_of(head.root)
    return reason


def _counted(sizes: dict[str, int]) -> str:
    events = sum(sizes.values())
    count = len(sizes)
    return f"{how_many(count, 'tournament')}, {how_many(events, 'event')}"
