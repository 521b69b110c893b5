"""Tables and answers that this folder remembers: tables last shown, first answers to ids.

A bare table number, or a player in its place, means the round that was last shown here: in this
folder, by any verb that lists its tables, or by the loop's own list. If another desk has paired
again meanwhile, other players sit at that number, and the act is refused. `R/T` names its round,
and is taken at its word. If nothing was shown yet, the latest round is meant, and remembered.

An id that is typed with `--id` gets its first answer again, and nothing is done twice. Events carry
their id. An act that writes a key, a witness's or league's file, a season or another store leaves
no event, nor does an act that was done already: those answers are kept in this folder, a league's
in its vault.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from cli.desk.in_hand import Shown, recall, remember
from cli.input.arguments import OF_LOG
from cli.input.find_people import labels
from cli.input.matches import find_match, find_ruling, is_in_full
from cli.languages.speaking import tr
from cli.terminal import output
from cli.terminal.output import say
from ledger.errors import NotFound, Refused, StoreUnavailable
from ledger.files.access import refuse_strange
from ledger.files.kinds import ANSWERS_TABLE
from ledger.problems import phrase
from ledger.tournament.progress import latest_round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cli.desk.in_hand import InHand
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Match, Round, Tournament
    from ledger.tournament.table_records import Ruling

OF_FILE = {"log", "lang", *OF_LOG.values()}
"""The fields of options that no act has: answers that were kept before know nothing of them."""

EVENTS_KEPT = 20
"""How many tournaments a folder remembers this of: those looked at last."""


def table_of(desk: InHand, words: str, command_id: str = "") -> Match:
    """Find the match that an act is meant for; Refused unless who was shown still sits there."""
    given = command_id or desk.command_id
    tournament = desk.at_command(given)
    if given in desk.book.tournament.ids:  # typed again: it means what it meant then
        return find_match(tournament, words)
    if not is_in_full(words):
        _hold_to_shown(desk, tournament, words)
    match = find_match(tournament, words)
    _mean(desk, tournament, [match])
    return match


def ruling_of(desk: InHand, words: str) -> Ruling:
    """Find the ruling that is meant: by its event, or on a match; raises as `table_of`.

    A bare number is an event where that is a ruling, else a table; Refused where it is both.
    """
    if not (words.isascii() and words.isdigit()):
        return find_ruling(desk.tournament, *in_full(desk, [words]))
    tournament = desk.tournament
    named = tournament.floor.ruling(int(words[:16]))
    with suppress(NotFound):
        match = find_match(tournament, words)
        where = f"{match.round}/{match.table}"
        is_table = any(each.made.match == match.number for each in tournament.floor.rulings)
        if named and is_table and named.made.match != match.number:
            raise Refused(
                phrase(
                    "{words} is both a ruling and a table: type {where} if you mean the table",
                    words=words,
                    where=where,
                )
            )
        if is_table and not named:
            return find_ruling(tournament, *in_full(desk, [words]))
    if not named:
        raise NotFound(
            phrase(
                "there is no ruling {words}, and no ruling at that table: `rule` lists the rulings",
                words=words,
            )
        )
    return named


def in_full(desk: InHand, words: Sequence[str], command_id: str = "") -> list[str]:
    """Put `R/T` in the place of the first word, which is a table; see `table_of`."""
    if not words:
        return []
    match = table_of(desk, words[0], command_id)
    return [f"{match.round}/{match.table}", *words[1:]]


def table_of_player(desk: InHand, player: int) -> Match:
    """Find the match of a player in the latest round, held to who sits there; as `table_of`."""
    hold_to_seats(desk, [player])
    return find_match(desk.tournament, f"#{player}")


def hold_to_seats(desk: InHand, players: Iterable[int]) -> None:
    """Hold an act on players to the tables where they were shown; Refused if they sit elsewhere."""
    tournament, played = desk.tournament, latest_round(desk.tournament)
    if played is None or desk.command_id in desk.book.tournament.ids:
        return
    sought = set(players)
    matches = [match for match in played.matches if sought & set(match.players)]
    for match in matches:
        _hold_to_shown(desk, tournament, str(match.table), is_table=False)
    _mean(desk, tournament, matches)


def show_tables(desk: InHand, *, here_alone: bool = False) -> None:
    """Remember that the tables of the latest round are shown; `here_alone`: by the loop."""
    played = latest_round(desk.book.tournament)
    if played is None or desk.book.is_past or not desk.has_memory:
        return
    shown = Shown(played.number, played.seated_seq, _digest(desk, played.seated_seq))
    if here_alone:
        desk.shown = shown
    memory = recall()
    others = {key: each for key, each in memory.shown.items() if key != desk.book.stream}
    kept = dict(list(others.items())[-(EVENTS_KEPT - 1) :]) | {desk.book.stream: shown}
    if memory.shown.get(desk.book.stream) != shown:
        with suppress(OSError):  # a folder that remembers nothing means the latest round
            remember(structs.replace(memory, shown=kept))


def follow_own_act(desk: InHand, recorded: Sequence[Recorded]) -> None:
    """Take the seats that this desk has changed itself for shown, where it knew the others."""
    played = latest_round(desk.book.tournament)
    if played is None or not recorded or played.seated_seq < recorded[0].seq:
        return
    from ledger.facts.rounds import RoundPaired

    is_paired = any(isinstance(each.event, RoundPaired) for each in recorded)
    if is_paired or _was_known(desk, played, recorded[0].seq):
        show_tables(desk, here_alone=desk.shown is not None)


def _was_known(desk: InHand, played: Round, until: int) -> bool:
    """Whether the round was shown here as it was before an event."""
    shown = _shown(desk)
    seated = (seq for seq in (played.paired_seq, *played.reseated.values()) if seq < until)
    return (
        shown is not None
        and shown.round == played.number
        and max(seated, default=0) <= shown.seq
        and _is_on_record(desk, shown)
    )


def _shown(desk: InHand) -> Shown | None:
    return desk.shown or recall().shown.get(desk.book.stream)


def _is_on_record(desk: InHand, shown: Shown) -> bool:
    """Whether this store has what was shown: another one, or a restored one, may have gone on."""
    return shown.seq <= len(desk.book.lines) and _digest(desk, shown.seq) == shown.line


def _digest(desk: InHand, seq: int) -> str:
    return sha256(desk.book.lines[seq - 1]).hexdigest()


def _mean(desk: InHand, tournament: Tournament, matches: Sequence[Match]) -> None:
    from ledger.rules.command import Seen

    desk.seen = Seen(tuple(match.number for match in matches), tournament.seq)


def _hold_to_shown(
    desk: InHand, tournament: Tournament, words: str, *, is_table: bool = True
) -> None:
    """Refuse a table whose players are others than were shown; the text says who sits there."""
    played, shown = latest_round(tournament), _shown(desk)
    if shown is None or played is None:
        show_tables(desk)
        return
    match = None
    with suppress(NotFound):
        match = find_match(tournament, words)
    seated = played.reseated.get(match.number, 0) if match else 0
    is_changed = shown.round != played.number or max(seated, played.paired_seq) > shown.seq
    if is_changed or not _is_on_record(desk, shown):
        look = tr("look with `pairings`") if desk.shown is None else tr("press Enter to look")
        ways = _in_full(look, played, match, shown) if is_table else look
        raise Refused(f"{_not_as_shown(desk, played, match, shown)}: {ways}")


def _not_as_shown(desk: InHand, played: Round, match: Match | None, shown: Shown) -> str:
    """Say what has changed, and who sits there now."""
    tournament = desk.tournament
    if not _is_on_record(desk, shown):
        since = tr("the tables that were last shown here are not from this store")
    elif shown.round == played.number:
        since = tr(
            "the tables of round {number} were changed after they were shown here",
            number=played.number,
        )
    else:
        since = tr(
            "this desk last showed round {round}, but now it is round {number}",
            round=shown.round,
            number=played.number,
        )
    if match is None:
        return since
    names = labels(tournament, match.players, tr(" and "))
    where = f"{match.round}/{match.table}"
    sits = (
        tr("{where} is the bye of {names}", where=where, names=names)
        if match.is_bye
        else tr("at {where} sit {names}", where=where, names=names)
    )
    return f"{since}; {sits}"


def _in_full(look: str, played: Round, match: Match | None, shown: Shown) -> str:
    """Say how to look, and how to name the round that is meant."""
    table = match.table if match else 1
    place, before = f"{played.number}/{table}", f"{shown.round}/{table}"
    if shown.round >= played.number:
        return tr("{look}, or type {place}", look=look, place=place)
    return tr(
        "{look}, or type {place}, or {before} of the previous round",
        look=look,
        place=place,
        before=before,
    )


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
        say(
            tr(
                "nothing to change: the id {id} was used for this; nothing was written",
                id=desk.command_id,
            )
        )
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
        raise StoreUnavailable(
            phrase("{file} cannot be read: {error}", file=str(place), error=str(error))
        ) from None
    if found is None:
        return None
    if found[0] != _line_of(desk):
        raise Refused(
            phrase(
                "the id {id} was used for another command: omit --id to get a new one",
                id=desk.command_id,
            )
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
        say(
            tr(
                "{file} cannot be written: {error}; the id {id} will not be recognized "
                "if you use it again",
                file=place,
                error=error,
                id=command_id,
            )
        )


def _opened(place: Path) -> sqlite3.Connection:
    file = sqlite3.connect(place, timeout=LOCK_SECONDS, isolation_level=None)
    try:
        refuse_strange(file, str(place), ANSWERS_TABLE, *_tables_next_to(place, file))
    except BaseException:
        file.close()
        raise
    file.execute("PRAGMA secure_delete = ON")
    file.execute("PRAGMA synchronous = EXTRA")
    return file


def _tables_next_to(place: Path, file: sqlite3.Connection) -> tuple[str, ...]:
    """Return what makes the other tables of a file with answers: a league's vault has some."""
    if place == HERE:
        return ()
    from projections.season.vault.forgetting import tables_of

    (version,) = file.execute("PRAGMA user_version").fetchone()
    return (tables_of(version),)


def _line_of(desk: InHand) -> str:
    """Return what makes a line the same one, as a digest: its words, and what is said for any."""
    options = desk.options._replace(command_id="", yes=False, store="")
    of_acts = (getattr(options, name) for name in options._fields if name not in OF_FILE)
    said = repr((desk.location, *of_acts, *desk.line))
    return sha256(said.encode()).hexdigest()
