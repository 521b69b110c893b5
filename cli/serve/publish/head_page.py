"""The page of the published head, where anybody holds a head that they kept to the log beside it.

It lies on another host than the hall: who changed the hall's server did not change this one.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import htpy
from markupsafe import Markup

from cli.machine.renewals import log_keys
from cli.render.codes import svg_code
from cli.serve.publish.pages import PublicPage
from cli.terminal.visible import visible
from ledger.proof.notes import vkey

if TYPE_CHECKING:
    from ledger.books.book import Book

SCRIPTS = ("check.js", "heads.js", "ed25519.js", "sha2.js")
"""The first one is the page's; it takes the others from beside it."""


def scripts() -> dict[str, bytes]:
    """Return the page's own code, as a phone runs it."""
    static = files("cli.serve").joinpath("static")
    return {name: static.joinpath(name).read_bytes() for name in SCRIPTS}


def head_page(note: str, book: Book) -> PublicPage:
    """Return the page of a head: as text, as a code, and a field for one that was kept."""
    code = Markup(svg_code(note.encode()))  # noqa: S704 - drawn here, of bytes
    keys = " ".join(vkey(key) for key in log_keys(book))
    content = [
        htpy.p["The log's newest signed head, which stands for every line up to there:"],
        htpy.pre["\n".join(map(visible, note.splitlines()))],
        htpy.div(class_="code")[code],
        htpy.h2["Check a head that you kept"],
        htpy.form(id="check", hidden=True, data_keys=keys)[
            htpy.p[htpy.label(for_="kept")["The text of the code in the hall"]],
            htpy.textarea(id="kept", rows="7", spellcheck="false"),
            htpy.p[htpy.button(type="submit")["Check it"]],
        ],
        htpy.p(id="found", role="status", hidden=True),
        htpy.p[
            "Without JavaScript, or to rely on no page at all: ",
            htpy.code["tourney compare FILE log.jsonl --policy POLICY"],
            ".",
        ],
    ]
    return PublicPage("head.html", "Signed head", content, SCRIPTS[0])
