"""Elements of HTML pages: the frame of a page, sections, and tables of records.

A page has no script, picture or other file; its own policy forbids everything else. Every table of
every page is made here, so that tables look the same on a wall, a phone and paper.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import htpy
from markupsafe import Markup, escape

from cli.languages.speaking import BETWEEN, first_of_several, language, marked, tr
from cli.render.records import as_read
from cli.terminal.output import caveats
from cli.terminal.visible import NAME_BEGINS, NAME_ENDS, unmarked, visible

if TYPE_CHECKING:
    from htpy import Node

    from cli.terminal.tables import Column

    Cell = Callable[[str, str], Node]
    """Makes what is in a cell of its column's title and its text, which is safe to show."""


_SCORE = re.compile(r"((?<![\w½:-])(?:[0-9]+½?|½)(?:[-:](?:[0-9]+½?|½))+(?![\w½-]|:[0-9½]))")
"""A score or a time of the clock."""

_SEQ = "([0-9]{1,15})"
_SEQS = re.compile(_SEQ)
_NAMED = marked("event {seq}|ruling {seq}|result {seq}|dispute {seq}|ruled by {seq}")
"""Phrases that name events by their numbers; a language has as many forms as it needs.

A page searches for the words before the number of each form.
"""


class Links(NamedTuple):
    """The log that a page has at its end: its last event, and whether these rows are its lines."""

    last: int
    is_log: bool = False

    def row(self, record: Any) -> str | None:  # noqa: ANN401 - a table takes any record
        """Name a row of the log by its event."""
        return f"event-{record.seq}" if self.is_log else None


@cache
def page_style() -> str:
    """Return the style of a page that is a file: it has all styles of this package."""
    names = ("page.css", "lists.css", "figures.css")
    return "".join(compact_style(style_file(name)) for name in names)


def style_file(name: str) -> str:
    """Return the source of a style sheet of this package."""
    return files("cli.render").joinpath(name).read_text("utf-8")


def compact_style(style: str) -> str:
    """Return a style sheet without its comments, and without white space that has no meaning."""
    text = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL))
    return re.sub(r" ?([{};,]) ?", r"\1", text).strip() + "\n"


def web_page(
    title: str,
    style: str,
    body: Node,
    *,
    script: str = "",
    is_module: bool = True,
    links: Node = None,
) -> str:
    """Return the whole page; `style` is this program's own, beside what every page has.

    `script` is a file beside the page, which may then ask for other files there. One that is no
    module runs where the page was opened as a file, too. `links` are those of its head.
    """
    whole = page_style() + style
    digest = base64.b64encode(hashlib.sha256(whole.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    policy += "; script-src 'self'; connect-src 'self'; img-src 'self'" if script else ""
    page = htpy.html(lang=first_of_several(language()))[
        htpy.head[
            htpy.meta(charset="utf-8"),
            htpy.meta(http_equiv="Content-Security-Policy", content=policy),
            htpy.meta(name="viewport", content="width=device-width, initial-scale=1"),
            htpy.meta(name="referrer", content="no-referrer"),
            htpy.title[title],
            links,
            htpy.style[Markup(whole)],  # noqa: S704 - no text of the log is in it
            _script(script, is_module=is_module),
        ],
        htpy.body[caveat_lines(), body],
    ]
    return with_isolates(f"{page}\n")


_PIECE = re.compile(f"</?([a-z]+)[^>]*>|[\n{NAME_BEGINS}{NAME_ENDS}]")
_LONG = re.compile(r"[^\s-]{25}|[^\s-]{12}…")
"""A word that may be broken anywhere: a column of a phone has no room for it.

A long word that was cut short is broken before a word that is whole.
"""

_A_NAME = re.compile(f"{NAME_BEGINS}[^{NAME_ENDS}]*")

_ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
_READ_ALOUD = frozenset({"alt", "aria-label", "placeholder", "title"})
"""Attributes with a text for people: a name in them is between isolate characters."""

_WITHOUT_ELEMENTS = frozenset({"option", "text", "textarea", "title"})
"""Elements with a text and no element: names in them are between isolate characters."""

_ISOLATE_CHARACTERS = str.maketrans({NAME_BEGINS: "\u2068", NAME_ENDS: "\u2069"})


def with_isolate_characters(text: str) -> str:
    """Return a plain text with isolate characters for the marks around its names."""
    return text.translate(_ISOLATE_CHARACTERS)


def with_isolates(html: str) -> str:
    """Return HTML with `<bdi>` for the marks around names, the element of every name on any page.

    The direction of the letters in a `bdi` moves nothing around it: a score stays in its order.
    A name that was cut short ends with its line or with the element that it is in.
    """
    if NAME_BEGINS not in html and NAME_ENDS not in html:
        return html
    html = str(html)  # slices of a `Markup` took half of the time
    made: list[str] = []
    last, depth, plain = 0, -1, ""  # `depth`: elements that are open in the name, -1 outside of one
    opened = 0
    for match in _PIECE.finditer(html):
        made.append(html[last : match.start()])
        if depth >= 0 and not plain and _LONG.search(made[-1]):
            made[opened] = '<bdi class="long">'
        last, piece, element = match.end(), match[0], match[1]
        if depth == 0 and (piece in (NAME_ENDS, NAME_BEGINS, "\n") or piece.startswith("</")):
            made.append("\u2069" if plain else "</bdi>")
            depth = -1
        if piece == NAME_BEGINS:
            if depth < 0:
                opened = len(made)
                made.append("\u2068" if plain else "<bdi>")
                depth = 0
        elif piece != NAME_ENDS:
            made.append(_ATTRIBUTE.sub(_attribute, piece) if NAME_BEGINS in piece else piece)
        if element and piece.startswith("</"):
            depth -= depth > 0
            plain = "" if element == plain else plain
        elif element:
            depth += depth >= 0 and element not in _VOID and not piece.endswith("/>")
            plain = plain or (element if element in _WITHOUT_ELEMENTS else "")
    return "".join([*made, html[last:]])


def _attribute(match: re.Match[str]) -> str:
    name, text = match[1], match[2]
    written = with_isolate_characters(text) if name in _READ_ALOUD else unmarked(text)
    return f' {name}="{written}"'


_IN_BRACES = re.compile(r"\{(\w+)\}")


def tr_nodes(text: str, /, **about: Node) -> list[Node]:
    """Return a text in the language that is spoken, with the elements that its braces name."""
    parts = _IN_BRACES.split(tr(text))
    return [about[part] if place % 2 else part for place, part in enumerate(parts) if part]


COMMAND = re.compile(r"`([^`]+)`")
"""A command within a text, as a terminal shows it."""


def command_node(line: str) -> Node:
    """Return a command that can only be typed."""
    return htpy.code[line]


def plain_nodes(text: str) -> Sequence[Node]:
    """Return a text without any element."""
    return [text]


def told(
    text: str,
    command: Callable[[str], Node] = command_node,
    words: Callable[[str], Sequence[Node]] = plain_nodes,
) -> list[Node]:
    """Return a text of the terminal for a page: its commands are elements, without backticks.

    `command` makes what is shown for a command, and `words` what is shown for the rest.
    """
    parts = COMMAND.split(text)
    return [command(part) if place % 2 else words(part) for place, part in enumerate(parts)]


def told_plainly(text: str) -> str:
    """Return a text of the terminal for a place of a page that has only letters."""
    return COMMAND.sub(lambda found: tr("“{title}”", title=found[1]), text)


def caveat_lines() -> Node:
    """Return what every page of the tournament in hand repeats, such as unsigned lines."""
    return [htpy.p(class_="caveat", role="note")[told(each)] for each in caveats()] or None


def _script(script: str, *, is_module: bool) -> Node:
    if not script:
        return None
    return (
        htpy.script(src=script, type="module") if is_module else htpy.script(src=script, defer=True)
    )


def records_table(
    columns: Sequence[Column], records: Iterable[Any], *, heading: str = "", kind: str = ""
) -> Node:
    """Return a table of records; `heading` is the title of the column that names a row.

    `kind` is the class of the table, by which its cards are laid out on a narrow screen.
    """
    return table_of(*as_read(columns, records), heading=heading, kind=kind)


def table_of(  # noqa: PLR0913 - what a table may have beside its columns and rows
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    *,
    heading: str = "",
    cell: Cell | None = None,
    ids: Iterable[str | None] = (),
    kinds: Iterable[str | None] = (),
    kind: str = "",
) -> Node:
    """Return a table; on a narrow screen each row stands by itself, and its cells say their titles.

    The cells under the title `heading` name their rows, and have the width of a phone; a number
    there has its title, too. `kinds` are the classes of rows, `kind` is that of the table.
    """
    row_ids, row_kinds = iter(ids), iter(kinds)
    cells = [_cells_of(column, heading, cell or _plain) for column in columns]
    made = (
        f"<tr{_attributes(id=next(row_ids, None), class_=next(row_kinds, None))}>"
        f"{''.join(one(text) for one, text in zip(cells, row, strict=True))}</tr>"
        for row in rows
    )
    return htpy.table(class_=kind or None)[
        htpy.thead[htpy.tr[(_title(column) for column in columns)]],
        htpy.tbody[Markup("".join(made))],  # noqa: S704 - escaped cell by cell
    ]


def _cells_of(column: Column, heading: str, cell: Cell) -> Callable[[str], str]:
    """Return what makes a column's cells of their texts, as HTML.

    An element for each cell costs three times as much, and a page has thousands of them. Styles
    know a column by its English title; `data-shown` has the title that people read instead.
    """
    title, kind = visible(column.title), _kind(column)
    shown = visible(column.shown_title)
    translated = shown if shown != title else None
    if heading and title == heading:
        label = title if kind else None
        names = _attributes(scope="row", class_=kind, data_label=label, data_shown=translated)
        begin = f"<th{names}>"
        return lambda text: f"{begin}{_as_html(cell(title, visible(text)))}</th>"
    begin = f"<td{_attributes(class_=kind, data_label=title or None, data_shown=translated)}>"
    long = (
        f"<td{_attributes(class_=kind or 'long', data_label=title or None, data_shown=translated)}>"
    )

    def made(text: str) -> str:
        content = _as_html(cell(title, visible(text)))
        return f"{long if _has_long_word(text) else begin}{content}</td>"

    return made


def _as_html(content: Node) -> str:
    return str(escape(content) if isinstance(content, str) else htpy.fragment[content])


def _attributes(**values: str | None) -> str:
    """Return the attributes that have a value as HTML, each with a space before it."""
    names = {"class_": "class", "data_label": "data-label", "data_shown": "data-shown"}
    return "".join(
        f' {names.get(name, name)}="{escape(value)}"'
        for name, value in values.items()
        if value is not None
    )


def _has_long_word(text: str) -> bool:
    """Return whether a text has a long word outside of its names, such as a digest."""
    return bool(_LONG.search(_A_NAME.sub("", text)))


def _title(column: Column) -> Node:
    if not column.title:
        return htpy.td
    return htpy.th(scope="col", class_=_kind(column))[visible(column.shown_title)]


def _kind(column: Column) -> str | None:
    return "number" if column.right else None


def _plain(_: str, text: str) -> Node:
    return text


def unbroken(text: str) -> Node:
    """Return a text whose scores, such as `10-1` and `107:49`, stay on one line."""
    parts = _SCORE.split(text)
    return [
        htpy.span(class_="score")[part] if place % 2 else part for place, part in enumerate(parts)
    ]


def unbroken_cell(_: str, text: str) -> Node:
    """Return the content of a cell with its scores on one line each."""
    return unbroken(text)


def section(  # noqa: PLR0913 - what a table may show beside its records
    title: str,
    columns: Sequence[Column],
    records: Iterable[Any],
    otherwise: str,
    *,
    marked: str = "",
    classes: Mapping[str, str] = MappingProxyType({}),
    links: Links | None = None,
    cell: Cell | None = None,
) -> Node:
    """Return a heading and a table of records, or what is said without a record.

    The cells under the title `marked` are styled by what they say: `classes` has the class for each
    text that is not its own. Numbers of events are
    links to their lines. `cell` makes the content of a cell instead, of its title and text.
    """
    listed = list(records)
    shown, rows = as_read(columns, listed)
    if not rows:
        return [htpy.h2[title], htpy.p[otherwise]]
    ids = (links.row(record) for record in listed) if links else ()
    cell = cell or partial(_linked, marked=marked, classes=classes, links=links)
    return [htpy.h2[title], table_of(shown, rows, cell=cell, ids=ids)]


def _linked(
    title: str, text: str, marked: str, classes: Mapping[str, str], links: Links | None
) -> Node:
    if title == marked:
        return htpy.span(class_=classes.get(text, text))[text]
    if not links:
        return text
    found = _SEQS if title in {"event", "events"} else _naming(tr(_NAMED))
    return _with_links(found, text, links.last)


@cache
def _naming(forms: str) -> re.Pattern[str]:
    """Return what finds the numbers of events in a text."""
    *parts, _ = forms.split("{seq}")
    before = (part.removeprefix("|").removeprefix(BETWEEN) for part in parts)
    return re.compile(f"(?:{'|'.join(f'(?<={re.escape(words)})' for words in before)})" + _SEQ)


def _with_links(found: re.Pattern[str], text: str, last: int) -> list[Node]:
    """Make links of the numbers of events, each to its line of the log on this page."""
    parts = found.split(text)
    return [
        htpy.a(href=f"#event-{part}")[part] if place % 2 and 0 < int(part) <= last else part
        for place, part in enumerate(parts)
    ]
