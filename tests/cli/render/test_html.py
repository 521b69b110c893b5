"""Pages for a browser: whatever a text says, it stays a text."""

from __future__ import annotations

import htpy
import pytest

from cli.render.elements import section, web_page
from cli.terminal.tables import Column


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('<script>alert("x")</script>', "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;"),
        ("\u202eeno", "\\u{202e}eno"),
        ("a\x1b[31m", "a\\u{1b}[31m"),
        ("&amp;", "&amp;amp;"),
    ],
)
def test_a_text_is_no_markup(text: str, shown: str) -> None:
    table = section(text, [Column("name")], [{"name": text}], "", marked="name")
    page = web_page(text, "p { margin: 0 }", htpy.div[table])
    assert f'<span class="{shown}">{shown}</span>' in page
    assert "<script" not in page
    assert page.startswith("<!doctype html>")


def test_a_section_without_rows_says_so() -> None:
    page = web_page("Day", "", section("Notes", [Column("note")], [], "Nobody took a note."))
    assert "<h2>Notes</h2><p>Nobody took a note.</p>" in page
