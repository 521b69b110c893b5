"""A clock for the hall: digits as large as the terminal, and long lists page by page."""

from __future__ import annotations

FONT = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", " # ", " # "),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    ":": (" ", "#", " ", "#", " "),
    "-": ("  ", "  ", "##", "  ", "  "),
}
ROWS = 5
BLOCK = "\u2588"


def digits(text: str, width: int, height: int) -> list[str]:
    """Draw a time as large as it fits; what is no time stays a word in the middle."""
    if not text or any(letter not in FONT for letter in text):
        return [text.center(width).rstrip()]
    rows = [" ".join(FONT[letter][row] for letter in text) for row in range(ROWS)]
    down = max(height // ROWS, 1)
    across = max(min(width // len(rows[0]), 2 * down + 1), 1)
    wide = ["".join(cell * across for cell in row).replace("#", BLOCK) for row in rows]
    return [row.center(width).rstrip() for row in wide for _ in range(down)]


def page_of(lines: list[str], room: int, turn: int) -> tuple[list[str], str]:
    """Return the page of a turn, and which of how many it is; empty where all fit on one."""
    pages = -(-len(lines) // room)
    if pages <= 1:
        return lines, ""
    place = turn % pages
    return lines[place * room : (place + 1) * room], f"{place + 1} of {pages}"
