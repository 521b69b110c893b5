"""`publish`: what everybody may see, as files for any web host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.file_names import OutFile  # noqa: TC001 - typer resolves it
from cli.input.options import flag, word
from cli.render.records import show_value
from cli.terminal.output import say
from cli.terminal.visible import how_many
from ledger.files import landed

if TYPE_CHECKING:
    from pathlib import Path


def publish(
    desk: Desk,
    folder: Annotated[OutFile, word("FOLDER", "A new or an empty one, or one published before.")],
    watch: Annotated[bool, flag("--watch", "Again after each act, until Ctrl-C.")] = False,
) -> None:
    """Write what everybody may see to a folder, for a web host.

    Pairings, standings, bracket, every round, the log with its signed head and its tiles. The
    folder changes as a whole. `names` says how much of a name is in it: only with `names full` the
    keys of names. Nothing that is hidden while the event runs is in it, and who was forgotten is in
    none of its files.

    tourney publish public
    tourney publish public --watch
    """
    path, written = desk.files.writing(folder), [0]
    once(desk, lambda: written.append(_write(desk, path)))
    if watch:
        from threading import Event

        from cli.serve.publish.watching import follow

        say("it follows the log until Ctrl-C")
        try:
            follow(desk, path, Event(), written[-1])
        except KeyboardInterrupt:
            return  # the way out


def _write(desk: Desk, folder: Path) -> int:
    """Write the files, and say so; returns up to which event of the log."""
    from cli.serve.publish.watching import write

    count, size = write(desk, folder), len(desk.book.lines)
    landed.note_place(str(folder))
    show_value(desk, {"folder": str(folder), "files": count, "events": size})
    say(f"{folder}: {how_many(count, 'file')}, as of event {size}")
    return size
