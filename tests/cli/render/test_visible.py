"""Nothing invisible and nothing that steers a terminal comes out; all else does, unchanged."""

from __future__ import annotations

import json
import sys
from unicodedata import category
from unicodedata import name as unicode_name

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.terminal.tables import FLEXIBLE_MIN, GAP, Column, broken, laid_out, table
from cli.terminal.visible import cells, shortened, visible, visible_json

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
DRAWN_AS_NOTHING = ("VARIATION SELECTOR", "FILLER", "BRAILLE PATTERN BLANK", "VOWEL INHERENT")

anything = st.text(st.characters(exclude_categories=[]))


@pytest.mark.slow
def test_every_code_point_is_shown_or_written_out() -> None:
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        blank = any(word in unicode_name(letter, "") for word in DRAWN_AS_NOTHING)
        if category(letter) in HIDDEN:
            assert visible(letter) == f"\\u{{{code:x}}}"
        elif not blank and letter != "\u034f":
            assert visible(letter) == letter


def test_letters_that_are_drawn_as_nothing_are_written_out() -> None:
    for letter in "\u034f\u115f\u1160\u17b4\u180b\u2800\u3164\ufe00\ufe0f\uffa0\U000e0100":
        assert visible(letter) == f"\\u{{{ord(letter):x}}}"


def test_a_terminal_escape_is_seen_and_not_obeyed() -> None:
    assert visible("\x1b[2J\x9b31m\u202eevil") == r"\u{1b}[2J\u{9b}31m\u{202e}evil"


@pytest.mark.slow
@given(anything)
def test_what_is_visible_stays_so(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@pytest.mark.slow
@given(st.recursive(anything, st.lists))
def test_escaped_json_is_the_same_value_and_visible(value: object) -> None:
    text = visible_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value
    assert visible(text) == text


@given(anything.map(visible), st.integers(1, 40))
def test_cut_text_fits(text: str, width: int) -> None:
    cut = shortened(text, width)
    assert cells(cut) <= width
    assert cut == text or cut.endswith("…")


def test_wide_letters_take_two_columns_and_marks_none() -> None:
    assert cells("田中") == 4
    assert cells("e\u0301") == 1
    assert shortened("田中太郎", 5) == "田中…"


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(0, 99_999), anything, anything), min_size=1, max_size=6),
    st.integers(30, 120),
)
def test_a_table_fits_the_terminal(rows: list[tuple[int, str, str]], width: int) -> None:
    columns = (
        Column("rank", right=True),
        Column("player", flexible=True),
        Column("remark", flexible=True, wraps=True, yields=1),
    )
    lines = list(table(columns, [[str(number), *texts] for number, *texts in rows], width))
    assert all(cells(line) <= width for line in lines)
    assert len(lines) > len(rows)


def test_two_cells_that_would_look_alike_are_not_shortened() -> None:
    columns = [Column("player", flexible=True), Column("points", right=True)]
    names = [
        "Anna-Maria Kowalska the Elder",
        "Anna-Maria Kowalska the Younger",
        "Zoe Longname Alone",
    ]
    lines = list(table(columns, [[name, "3"] for name in names], 20))
    text = " ".join(" ".join(lines).split())
    assert "Elder" in text
    assert "Younger" in text
    assert "Alone" not in text
    assert "Zoe Longnam…" in text


def test_columns_give_way_in_their_order() -> None:
    columns = (Column("name", flexible=True), Column("first", yields=2), Column("second", yields=1))
    row = ["someone", "x" * 10, "y" * 10]
    assert [len(list(table(columns, [row], width))[1].split()) for width in (40, 22, 10)] == [
        3,
        2,
        1,
    ]
    assert "y" in list(table(columns, [row], 22))[1]
    assert laid_out(columns, [row], 22).left_out == ["first"]
    assert laid_out(columns, [row], 10).left_out == ["first", "second"]
    assert laid_out(columns, [["someone", "", "y" * 10]], 22).left_out == []


@given(anything.map(visible), st.integers(2, 40))
def test_broken_text_loses_nothing_but_spaces(text: str, width: int) -> None:
    lines = broken(text, width)
    assert all(cells(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.booleans(), st.integers(1, 40)), min_size=1, max_size=6),
    st.integers(1, 90),
)
def test_the_widest_columns_give_way_first(columns: list[tuple[bool, int]], room: int) -> None:
    """Cell by cell, and the first of those that are equally wide."""
    widths = [width for _, width in columns]
    while sum(widths) + GAP * (len(widths) - 1) > room:
        over = sum(widths) + GAP * (len(widths) - 1) - room
        flexible = [place for place, (is_flexible, _) in enumerate(columns) if is_flexible]
        wide = [place for place in flexible if widths[place] > FLEXIBLE_MIN]
        if sum(widths[place] - FLEXIBLE_MIN for place in wide) < over:
            wide = [place for place in flexible if widths[place] > 1]
        if not wide:
            break
        widths[max(wide, key=lambda place: widths[place])] -= 1
    shown = laid_out([Column("", flexible=each) for each, _ in columns], [_row(columns)], room)
    assert shown.widths == widths


def _row(columns: list[tuple[bool, int]]) -> list[str]:
    return ["x" * width for _, width in columns]
