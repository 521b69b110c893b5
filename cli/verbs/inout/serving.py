"""`serve`: the event in hand on everybody's screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cli.desk.session import Desk
from cli.input.arguments import whole
from cli.terminal.output import finish, show
from cli.verbs.options import flag, option

PORT = 8600
PORT_MAX = 65_535


def serve(
    desk: Desk,
    port: Annotated[str, option("N", f"Default: {PORT}; 0: any that is free.", "--port")] = "",
    lan: Annotated[bool, flag("--lan", "Also for the other machines of this network.")] = False,
    published: Annotated[
        str, option("FOLDER", "Also as files, as `publish --watch` writes them.", "--publish")
    ] = "",
) -> None:
    """Serve the event in hand to browsers, until Ctrl-C.

    Pairings, standings, bracket and clock, on phones and on screens.

    Pages follow the log by themselves; who opens the address looks, and can change nothing.

    tourney serve
    tourney serve --lan
    tourney serve --publish public
    """
    from cli.desk.effects.reading_desk import LineReader
    from cli.serve import server
    from cli.verbs.day.lines import line_read, words_of

    number = whole("--port", port, 0, PORT_MAX) if port else PORT
    desk.book.refresh()  # an event that is not there is said before a port is taken
    host = server.EVERYWHERE if lan else server.LOOPBACK
    with server.listening(host, number) as taken:
        show(*server.lines_for(server.addresses(host, taken.getsockname()[1])))
        with _also_published(desk, published):
            finish()
            server.serve(desk, taken, LineReader(words_of, line_read))


@contextmanager
def _also_published(desk: Desk, folder: str) -> Iterator[None]:
    """Write the files for a web host, too, as long as the hall is open."""
    if not folder:
        yield
        return
    from threading import Event, Thread

    from cli.serve.publish.watching import follow, write

    path, ended = Path(folder), Event()
    write(desk, path)

    def follow_alone() -> None:
        own = Desk(desk.options, desk.line)
        try:
            follow(own, path, ended, 0)
        finally:
            own.close()

    following = Thread(target=follow_alone, name="publish")
    following.start()
    try:
        yield
    finally:
        ended.set()
        following.join()
