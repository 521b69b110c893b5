"""`note`: what an official wants on record, and what decides nothing."""

from __future__ import annotations

from typing import Annotated

from cli.desk.acts import carry_out
from cli.desk.remembered import table_of
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.find_people import find_player
from cli.input.options import word
from cli.render.log_tables import show_notes
from cli.render.records import shows_table
from ledger.rules.office import TakeNote

SHAPE = "a note is one text in quotes, after R/T or a player where it is on one"


@shows_table
def note(
    desk: Desk,
    words: Annotated[
        list[str] | None, word("[R/T|PLAYER] [TEXT]", "What it is on, and what it says.")
    ] = None,
) -> None:
    """Put a remark on record, or list the notes.

    Any official may, also after the end. It decides nothing; `match`, `log` and `audit` show it.

        tourney note "the hall opened late"
        tourney note 2/4 "both clocks stood still" --as pat
        tourney note ann "asked for a seat near the door"
    """
    if not words:
        show_notes(desk)
        return
    carry_out(desk, _told(desk, words))


def _told(desk: Desk, words: list[str]) -> TakeNote:
    *about, text = words
    if about[1:] or not text.strip():
        raise UsageError(f'{SHAPE}: note 2/4 "both clocks stood still"')
    if not about:
        return TakeNote(text)
    (word,) = about
    if word.isdigit():
        raise UsageError(f"is {word} a table or a player? type R/{word}, or #{word}")
    if word[:1].isdigit() and "/" in word:
        return TakeNote(text, match=table_of(desk, word).number)
    return TakeNote(text, player=find_player(desk.tournament, word))
