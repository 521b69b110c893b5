"""`publish`: what everybody may see, as files for any web host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cli.desk.session import Desk
from cli.render.records import show_value
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.verbs.options import flag, word


def publish(
    desk: Desk,
    folder: Annotated[str, word("FOLDER", "A new or an empty one, or one published before.")],
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
    from cli.serve.publish.watching import follow, write

    path = Path(folder)
    count, size = write(desk, path), len(desk.book.lines)
    show_value(desk, {"folder": folder, "files": count, "events": size})
    say(f"{folder}: {how_many(count, 'file')}, as of event {size}")
    if watch:
        from threading import Event

        say("it follows the log until Ctrl-C")
        try:
            follow(desk, path, Event(), size)
        except KeyboardInterrupt:
            return  # the way out
