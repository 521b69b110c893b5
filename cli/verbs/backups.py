"""`backup`, `restore`: the record with its secrets, to go on with it elsewhere."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Annotated

import typer

from cli.desk.acts import desk_of
from cli.desk.answers import once
from cli.desk.session import draw_key
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show_json
from cli.typed.filekinds import refuse_other_kinds
from ledger import landed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cli.desk.session import Desk
    from ledger.store import Store


def backup(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file, or an older backup.")],
    incomplete: Annotated[
        bool, typer.Option("--incomplete", help="Also where secrets are damaged or not there.")
    ] = False,
) -> None:
    """Write the tournaments and their secrets to one file.

    With -t only that tournament. For another machine in the middle of an event, or against a
    broken disk. Keep it private: it holds what the draws are made with. Every secret is held to the
    lines first, and a backup that has more is never written over.
    """
    from cli.desk.shelf import find_named
    from cli.desk.soundness import hold_replaced
    from cli.desk.soundness import hold_stored
    from ledger.files import place_of

    place_of(Path(file))  # what is no place for a file is refused before anything is read
    desk = desk_of(context)
    store = desk.store()
    streams = [find_named(store, desk.options.tournament)] if desk.options.tournament else None
    sound = [
        hold_stored(store, stream, incomplete=incomplete)
        for stream in (store.streams() if streams is None else streams)
    ]
    hold_replaced(file, store, streams)
    sizes = store.backup(file, streams)
    if desk.json:
        show_json({"file": file, "tournaments": sizes})
    secrets = "the secrets of the draws" if all(sound) else "the secrets that are left"
    say(f"{file}: {_counted(sizes)}; keep it private, it holds {secrets}")


def restore(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file that `backup` wrote.")],
) -> None:
    """Take the tournaments of a backup into the store.

    A single one is taken in hand. Who was forgotten stays forgotten, whatever keys the backup has.
    Into the store that it is of, also an older one gives back secrets that are damaged or lost.
    """
    desk = desk_of(context)
    refuse_other_kinds(file, "restore")
    once(desk, lambda: _restore(desk, file))


def _restore(desk: Desk, file: str) -> None:
    from cli.desk.soundness import departures
    from cli.desk.soundness import hold_saved
    from cli.desk.soundness import lacking
    from ledger.store.backup import read_through
    from ledger.vault import fitting

    read_through(file, partial(hold_saved, file))
    store = desk.store(create=True)
    lost = [*lacking(store, store.streams())]
    added = store.restore(file, fitting)
    still = [*lacking(store, store.streams())]
    if any(added.values()) or lost != still:
        landed.note_place(store.where)
    _forget_again(store, added)
    if len(added) == 1:
        desk.take_in_hand(next(iter(added)))
    if desk.json:
        show_json({"tournaments": added})
    say(f"restored from {file}: {_counted(added)} added")
    if lost != still:
        say("secrets that were damaged or not there were taken from it")
    for problem in (*departures(store, added), *still):
        say(problem)


def _forget_again(store: Store, streams: Iterable[str]) -> None:
    """Destroy the keys of the forgotten that came back with a backup."""
    from ledger.books import open_book
    from ledger.events.people import PersonForgotten
    from projections.standings import ranking

    for stream in streams:
        if store.lines_of(stream, [PersonForgotten.__name__]):
            open_book(store, stream, ranking, draw_key).destroy_forgotten()


def _counted(sizes: dict[str, int]) -> str:
    events = sum(sizes.values())
    count = len(sizes)
    return f"{how_many(count, 'tournament')}, {how_many(events, 'event')}"
