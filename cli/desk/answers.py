"""First answers to ids that no log can give: of acts outside a log, and of acts that did nothing.

An id that is typed with `--id` gets its first answer again, and nothing is done twice. Events carry
their id. What writes a key, a witness's or league's file, a season or another store leaves none,
nor does a wish that was fulfilled already: those answers are kept in this folder, a league's in its
vault.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from cli.terminal import output
from cli.terminal.output import say
from ledger.errors import Refused, StoreUnavailable
from ledger.files.access import refuse_strange
from ledger.files.kinds import ANSWERS_TABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.desk.in_hand import InHand

HERE = Path(".tourney-answers")
KEPT_MAX = 10_000
"""How many answers a file keeps: the newest."""

LOCK_SECONDS = 30


def once(desk: InHand, work: Callable[[], None], place: Path = HERE) -> None:
    """Do the work of a line and keep its answer; with the id of an earlier one answer alone."""
    is_typed = bool(desk.options.command_id)
    before = first_answer(desk, place) if is_typed else None
    if before is not None:
        output.write(before)
        say(f"already so: this was done before with the id {desk.command_id}; nothing was written")
        return
    line = _line_of(desk)
    output.copy_answer()
    work()
    output.flush()
    if is_typed or output.has_failed():  # nobody knows the id of an answer that arrived
        _keep(place, desk.command_id, line, output.answer_so_far())


def did_nothing(desk: InHand) -> bool:
    """Whether this very line found before, with this id, that it was so already."""
    return bool(desk.options.command_id) and first_answer(desk) is not None


def keep_nothing(desk: InHand) -> None:
    """Keep that an id's line found its wish fulfilled, so that it does nothing later either."""
    if desk.options.command_id:
        _keep(HERE, desk.command_id, _line_of(desk), "")


def first_answer(desk: InHand, place: Path = HERE) -> str | None:
    """Return what was answered to the id; None where it is new; Refused for another line's."""
    if not place.exists():
        return None
    try:
        with closing(_opened(place)) as file:
            # Where the file's owner has not made it yet, no table is made for it here.
            known = "SELECT 1 FROM sqlite_schema WHERE name = 'answers'"
            query = "SELECT line, answer FROM answers WHERE id = ?"
            is_made = file.execute(known).fetchone()
            found = file.execute(query, [desk.command_id]).fetchone() if is_made else None
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{place} cannot be read: {error}") from None
    if found is None:
        return None
    if found[0] != _line_of(desk):
        raise Refused(
            f"the id {desk.command_id} was used for another command: leave --id out to have a new "
            "one drawn"
        )
    return str(found[1])


def _keep(place: Path, command_id: str, line: str, answer: str) -> None:
    """Keep an answer under its id, durably."""
    try:
        if not place.exists():
            os.close(os.open(place, os.O_WRONLY | os.O_CREAT, 0o600))
        with closing(_opened(place)) as file:
            file.execute(ANSWERS_TABLE)
            insert = "INSERT OR IGNORE INTO answers (id, line, answer) VALUES (?, ?, ?)"
            file.execute(insert, [command_id, line, answer])
            forget = "DELETE FROM answers WHERE number <= (SELECT max(number) FROM answers) - ?"
            file.execute(forget, [KEPT_MAX])
    except (OSError, sqlite3.Error) as error:
        say(f"{place} cannot be written: {error}; the id {command_id} is not known the next time")


def _opened(place: Path) -> sqlite3.Connection:
    file = sqlite3.connect(place, timeout=LOCK_SECONDS, isolation_level=None)
    try:
        refuse_strange(file, str(place), ANSWERS_TABLE, *_tables_next_to(place))
    except BaseException:
        file.close()
        raise
    file.execute("PRAGMA secure_delete = ON")
    file.execute("PRAGMA synchronous = EXTRA")
    return file


def _tables_next_to(place: Path) -> tuple[str, ...]:
    """Return what makes the other tables of a file with answers: a league's vault has some."""
    if place == HERE:
        return ()
    from projections.season.tables.definitions import sql

    return (sql("tables/league"),)


def _line_of(desk: InHand) -> str:
    """Return what makes a line the same one, as a digest: its words, and what is said for any."""
    options = desk.options._replace(command_id="", yes=False, store="")
    said = repr((desk.location, *options, *desk.line))
    return sha256(said.encode()).hexdigest()
