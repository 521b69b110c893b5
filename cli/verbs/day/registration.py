"""`register`, `list`: enrolling players, one or a file of many."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import structs

from cli.desk.acts import act_as_json, answer, say_with_next
from cli.desk.confirm_breaches import (
    FactionTyped,
    confirm,
    confirm_factions,
    confirm_near_names,
    is_asked,
    known_faction,
    known_factions,
    printed_factions,
)
from cli.desk.guide import next_here
from cli.desk.remembered import did_nothing, keep_nothing
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile
from cli.input.find_people import labelled, labels, name_of, numbers_by_name, plain
from cli.input.moments import NOW, AtRound, look_at
from cli.input.options import flag, option, word
from cli.languages.speaking import marked, tr
from cli.render.game_tables import NO_PLAYER, PLAYER_COLUMNS, player_as_json
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show, show_json
from cli.terminal.problems import said
from cli.terminal.tables import terminal_width
from cli.terminal.visible import how_many, shortened, visible
from ledger.errors import Refused
from ledger.problems import phrase, problem
from ledger.tournament.progress import round_in_play

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cli.input.sheets import Sheet
    from ledger.lines.recorded import Recorded
    from ledger.rules.people import AmendPlayer, Entry
    from ledger.tournament.state import Tournament


LABEL_CELLS = 40
TABLE_ENDINGS = (".csv", ".tsv", ".txt", ".xlsx", ".ods")
"""Endings of files of players: no player has such a name."""

PSEUDONYM = re.compile(r"([0-9a-f]{32})?")
"""An id as the league's vault draws it, or none."""


def register(
    desk: Desk,
    name: Annotated[list[str] | None, word("[NAME]", "One player.")] = None,
    file: Annotated[
        InFile, option("FILE", "A CSV file with a column `name`; - reads stdin.")
    ] = NO_INPUT,
    faction: Annotated[str, option("NAME", "The player's faction, clan or army.")] = "",
    league_id: Annotated[str, option("ID", "The pseudonym from the league office.")] = "",
    attribute: Annotated[
        list[str] | None, option("KEY=VALUE", "Another attribute; can be repeated.")
    ] = None,
    keep: Annotated[
        list[str] | None, option("COLUMN", "Another column of the file to keep; can be repeated.")
    ] = None,
    namesake: Annotated[
        bool, flag("--namesake", "Register a second person with the same name.")
    ] = False,
) -> None:
    """Register a player, or all players of a CSV file.

    If any row of a file has a problem, no player is registered; each problem is listed with its
    row. The first line names the columns: name, and optionally faction (or clan) and league_id.
    Other columns are left out, except those named by --keep, which the log keeps permanently as
    attributes. Late players (after round 1, by the organizer) lose each missed round unpaired.

    If all players of the file are registered already, their values that differ are shown, and
    amended if you answer yes, or with --yes. In a pipe nothing is written (exit code 1).

        tourney register "Ann Lee" --faction Crane
        tourney register --file players.csv
    """
    from ledger.rules.people import RegisterPlayers

    if bool(name) == bool(file):
        raise UsageError(tr('give one player, register "Ann Lee", or a file, --file players.csv'))
    if name and name[-1].lower().endswith(TABLE_ENDINGS):
        raise UsageError(
            tr(
                "{name} is a file: register its players with --file {name}",
                name=name[-1],
            )
        )
    if file:
        if faction or league_id or attribute:
            raise UsageError(
                tr("with --file, faction, league id and attributes must be columns of the file")
            )
        recorded = _register_file(desk, file, keep or (), namesake=namesake)
        if recorded is None:
            return
    elif keep:
        raise UsageError(tr("--keep is only for columns of a --file"))
    else:
        faction = known_faction(desk, faction)
        entries = (_entry(_one_name(name or []), faction, league_id, attribute or []),)
        if not namesake:
            confirm_near_names(desk, [entries[0].name])
        recorded = desk.act(RegisterPlayers(entries, namesake))
    _answer(desk, recorded)


def _register_file(
    desk: Desk, file: InFile, keep: Sequence[str], *, namesake: bool
) -> list[Recorded] | None:
    """Register the players of a file; None if all were registered, and what to do was said."""
    from cli.input.sheets import read_entries
    from ledger.exchange.sheets.cells import BYTES_MAX
    from ledger.facts.people import name_key
    from ledger.rules.people import RegisterPlayers

    data = desk.files.first_bytes(file, BYTES_MAX + 1, stdin="-")
    sheet = read_entries(str(file), data, keep, namesake=namesake)
    entries, numbers = sheet.entries, numbers_by_name(desk.tournament)
    is_known = not namesake and all(name_key(entry.name) in numbers for entry in entries)
    is_repeat = did_nothing(desk)
    if is_known and not is_repeat and _take_corrections(desk, sheet, numbers):
        return None
    if is_known or is_repeat:
        keep_nothing(desk)
        if desk.json:
            show_json(act_as_json(desk.command_id, []) | {"players": []})
        say(
            tr(
                "{players} already registered; nothing was written",
                players=how_many(len(entries), "player"),
            )
        )
        _say_spellings(desk.tournament, entries, numbers)
        return None
    entries = known_factions(desk, entries, sheet.rows)
    if not namesake:
        confirm_near_names(desk, [entry.name for entry in entries])
    with sheet.rows_named():
        recorded = desk.act(RegisterPlayers(entries, namesake))
    say(sheet.columns_in_words)
    return recorded


def _one_name(words: list[str]) -> str:
    """Read a name that was typed with or without quotes; several in quotes are several people."""
    if len(words) > 1 and any(" " in word.strip() for word in words):
        raise UsageError(
            tr(
                "{names}: register one player at a time, or use --file",
                names=tr(" and ").join(map(repr, words)),
            )
        )
    return " ".join(words)


def _entry(name: str, faction: str, league_id: str, typed: list[str]) -> Entry:
    from ledger.rules.people import Entry

    return Entry(name, faction, league_id, attributes_of(typed))


def attributes_of(typed: list[str]) -> dict[str, str]:
    """Read `KEY=VALUE`s; UsageError for any other word."""
    from ledger.facts.base import label_problem

    attributes: dict[str, str] = {}
    for each in typed:
        key, equals, value = each.partition("=")
        if not equals or not key:
            raise UsageError(
                tr(
                    "--attribute must be KEY=VALUE, such as club=Altona, not {typed}",
                    typed=repr(each),
                )
            )
        label = unicodedata.normalize("NFC", key)
        if problem := label_problem(label):
            raise UsageError(f"--attribute: {said(problem)}")
        attributes[label] = value
    return attributes


def _say_spellings(
    tournament: Tournament, entries: tuple[Entry, ...], numbers: Mapping[str, list[int]]
) -> None:
    """Say that names are written in another way on record, which a file does not change."""
    from ledger.facts.people import name_key

    pairs = [
        (name_of(tournament, namesakes[-1]) if namesakes else entry.name, entry.name)
        for entry in entries
        for namesakes in [numbers.get(name_key(entry.name))]
    ]
    others = [pair for pair in pairs if _as_written(pair[0]) != _as_written(pair[1])]
    if others:
        on_record, written = map(visible, others[0])
        say(
            tr(
                "{names} written differently on record, such as {on_record} (in the file: "
                "{written}): to correct one, use `rename`",
                names=how_many(len(others), "name"),
                on_record=on_record,
                written=written,
            )
        )


def _as_written(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


class EntryCorrection(NamedTuple):
    """The correction of a registered player in a row of a file, and its words."""

    command: AmendPlayer
    words: str
    row: FactionTyped
    """The row with its new faction, or none."""


def _take_corrections(desk: Desk, sheet: Sheet, numbers: Mapping[str, list[int]]) -> bool:
    """Amend registered players by a file; return whether it differs from the record.

    Raises:
        Refused: no person at a terminal accepts the differences, which are named row by row.
    """
    from ledger.rules.people import AmendPlayers

    corrections = list(_corrections(desk.tournament, sheet, numbers))
    if not corrections:
        return False
    count = how_many(len(corrections), "player")
    if not (desk.options.yes or is_asked()):
        text = marked("the file changes {count}, so nothing was written: add --yes to amend them")
        rows = (Refused(correction.words).problems[0] for correction in corrections)
        raise Refused(*rows, problem("register.differs", text, count=count))
    for correction in corrections:
        say(correction.words)
    confirm_factions(desk, [correction.row for correction in corrections])
    confirm(desk, tr("amend {count} as the file says?", count=count))
    recorded = desk.act(AmendPlayers(tuple(correction.command for correction in corrections)))
    if desk.json:
        tournament = desk.after(recorded)
        players = [tournament.players[row.command.player] for row in corrections]
        amended = [player_as_json(tournament, player) for player in players]
        show_json(act_as_json(desk.command_id, recorded) | {"players": amended})
    answer(desk, recorded)
    return True


def _corrections(
    tournament: Tournament, sheet: Sheet, registered: Mapping[str, list[int]]
) -> Iterator[EntryCorrection]:
    """Compare the rows of a file with the players of these names.

    Raises:
        Refused: a row differs from each of several players with one name.
    """
    from ledger.facts.people import name_key

    printed = printed_factions(tournament.ruleset)
    for entry, row in zip(sheet.entries, sheet.rows, strict=True):
        spelled = structs.replace(entry, faction=printed.get(plain(entry.faction), entry.faction))
        numbers = registered[name_key(entry.name)]
        differing = [_correction(tournament, number, spelled, sheet, row) for number in numbers]
        if None in differing:
            continue
        if differing[1:]:
            names = labels(tournament, numbers, tr(" and "))
            raise Refused(
                phrase(
                    "{file}: row {row} may be {players}: use `amend` for the one meant",
                    file=str(sheet.path),
                    row=row,
                    players=names,
                )
            )
        yield from filter(None, differing)


def _correction(
    tournament: Tournament, number: int, entry: Entry, sheet: Sheet, row: int
) -> EntryCorrection | None:
    """Return what a row says otherwise of a player in the columns that were read; or None."""
    from ledger.rules.people import AmendPlayer

    player, columns = tournament.players[number], sheet.columns
    labels_read = columns - {"name", "faction", "league_id"}
    values_read = {label: entry.attributes.get(label, "") for label in labels_read}
    command = AmendPlayer(
        number,
        entry.faction if "faction" in columns else None,
        entry.league_id if "league_id" in columns else None,
        {label: text for label, text in values_read.items() if text or label in player.attributes},
    )
    amended = command.differences(tournament)
    values = (
        (tr("faction"), amended.faction, player.faction),
        (tr("league id"), amended.league_id, player.league_id),
        *((key, text, player.attributes.get(key)) for key, text in amended.attributes.items()),
        *((key, str(n), player.numbers.get(key)) for key, n in amended.numbers.items()),
    )
    changes = [
        tr(
            "{label} {new} (on record: {old})",
            label=label,
            new=visible(new) or tr("none"),
            old=visible(str(old or "")) or tr("none"),
        )
        for label, new, old in values
        if new is not None
    ]
    words = tr(
        "{file}: row {row}: {player}: {changes}",
        file=sheet.path,
        row=row,
        player=labelled(tournament, number),
        changes=", ".join(changes),
    )
    in_row = FactionTyped(row, entry.name, amended.faction or "")
    return EntryCorrection(command, words, in_row) if changes else None


def _answer(desk: Desk, recorded: list[Recorded]) -> None:
    from ledger.facts.people import PlayerRegistered

    tournament = desk.after(recorded)
    players = [
        tournament.players[each.event.player]
        for each in recorded
        if isinstance(each.event, PlayerRegistered)
    ]
    if desk.json:
        added = [player_as_json(tournament, player) for player in players]
        show_json(act_as_json(desk.command_id, recorded) | {"players": added})
    else:
        names = [(each.number, name_of(tournament, each.number)) for each in players]
        room = terminal_width() - len(f"{0:>4}  ")
        show(*(f"{number:>4}  {shortened(visible(name), room)}" for number, name in names))
    count = len(list(tournament.registered()))
    is_one_of_many = len(players) == 1 and not tournament.started
    following = tr("next: register more, or `start`") if is_one_of_many else next_here(desk)
    done = tr(
        "registered {added}, {count} in all{missed}",
        added=len(players),
        count=count,
        missed=_missed(recorded),
    )
    if open_ids := [each.league_id for each in players if not PSEUDONYM.fullmatch(each.league_id)]:
        say(
            tr(
                "a league id is permanently readable in the log: if {id} is a name or a "
                "membership number, it identifies the player; `season people name` draws ids "
                "that do not",
                id=shortened(visible(open_ids[0]), LABEL_CELLS),
            )
        )
    if tournament is desk.book.tournament and len(players) == 1 and _joins_a_round(tournament):
        following = tr(
            "to seat the player in this round: `late {number}` | {following}",
            number=players[0].number,
            following=following,
        )
    say_with_next(done, following)


def _joins_a_round(tournament: Tournament) -> bool:
    """Whether a round is in play that a latecomer can still be seated in: somebody waits there."""
    from ledger.rules.rounds import free_seats

    round_ = round_in_play(tournament)
    if round_ is None or not tournament.stages[round_.stage - 1].is_swiss:
        return False
    bye, waiting = free_seats(tournament, round_)
    return bye is not None or len(waiting) > 1


def _missed(recorded: list[Recorded]) -> str:
    """What late entrants have missed; the same rounds for all of one act."""
    from cli.wording.phrases import missed_in_words
    from ledger.facts.people import PlayerRegistered

    missed = [each.event.missed for each in recorded if isinstance(each.event, PlayerRegistered)]
    return missed_in_words(missed[0]) if missed else ""


@shows_table
def list_players(
    desk: Desk,
    everyone: Annotated[bool, flag("--all", "Include withdrawn registrations.")] = False,
    moment: AtRound = NOW,
) -> None:
    """List the players: number, name, faction, and who has left."""
    from cli.wording.phrases import playing_in_words

    tournament = look_at(desk, moment)
    listed = [
        player for player in tournament.players[1:] if everyone or player.status != "withdrawn"
    ]
    if not show_records(
        desk, PLAYER_COLUMNS, [player_as_json(tournament, player) for player in listed]
    ):
        return
    count = how_many(len(listed), "player")
    shown = f"{count}, {playing_in_words(tournament)}" if listed else NO_PLAYER
    say(shown)
