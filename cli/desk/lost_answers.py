"""What has landed although its answer was lost, in words, and how to have the answer again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.terminal.visible import how_many
from ledger.files import landed

if TYPE_CHECKING:
    from cli.desk.session import Desk

PLACES_NAMED = 3


def what_landed(desk: Desk | None) -> str:
    """Say what landed, and the line that gives the answer again without doing it twice."""
    acts, places = landed.acts(), landed.places()
    parts = [_acts_in_words(acts)] if acts else []
    parts += [_places_in_words(places)] if places else []
    line = f"; it is answered again by: {desk.repeat()}" if desk else ""
    if desk and acts and acts != [desk.command_id]:
        line += ", with the same lines; those behind the last act were not carried out"
    return f"{', and '.join(parts)} all the same{line}"


def _acts_in_words(acts: list[str]) -> str:
    if len(acts) == 1:
        return f"the act has landed (id {acts[0]})"
    return f"{how_many(len(acts), 'act')} have landed (the last has the id {acts[-1]})"


def _places_in_words(places: list[str]) -> str:
    named = ", ".join(places[:PLACES_NAMED])
    if len(places) > PLACES_NAMED:
        named += f" and {len(places) - PLACES_NAMED} more"
    return f"{named} {'was' if len(places) == 1 else 'were'} written"
