"""`lists`: what players hand in, how a leader corrects it, and what was given out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from unicodedata import normalize

from cli.desk.acts import carry_out
from cli.desk.list_files import ReadFile, handed_text, list_in_file, lists_in_folder
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.file_names import NO_INPUT, InFile
from cli.input.find_people import find_player, labelled
from cli.input.options import flag, option, word
from cli.terminal.output import say, show_table
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from ledger.rules.lists import (
    CorrectList,
    GiveExclusive,
    SubmitList,
    SubmitLists,
    another_named,
)
from ledger.tournament.lists import hidden_hands
from ledger.tournament.same_names import name_key

if TYPE_CHECKING:
    from ledger.formats import PlayList

Cards = Annotated[InFile, option("FILE", "The facts of the cards, for a list without sections.")]
PlayerAndFile = Annotated[list[InFile], word("PLAYER FILE", "Whose list, and the file, last.")]
"""Words of which the last names a file; a page takes none of them."""

PlayerOrFolder = Annotated[
    list[InFile], word("PLAYER FILE|FOLDER", "Whose list, and the file; or a folder of lists.")
]


def submit(desk: Desk, words: PlayerOrFolder, cards: Cards = NO_INPUT) -> None:
    """Hand a player's list in, before the start; or a folder of lists.

    A list is plain text, or what the players' tools export; what of a file is no part of the list
    is said.

    Of a folder each file is the list of the player that it names, or that the file is called by;
    where anything is wrong with any of them, none is handed in.

    tourney lists submit ann ann.txt
    tourney lists submit lists/
    """
    if len(words) == 1 and desk.files.is_folder(words[0]):
        found = lists_in_folder(desk, words[0], cards)
        orders = tuple(SubmitList(player, read.text) for player, read in sorted(found.items()))
        carry_out(desk, SubmitLists(orders), f"the {how_many(len(orders), 'list')} of {words[0]}")
        for _, read in sorted(found.items()):
            read.say()
        return
    player, read = _player_and_list(desk, words, cards)
    whose = f"this is the list of {labelled(desk.tournament, player)}"
    carry_out(desk, SubmitList(player, read.text), whose)
    read.say()
    _say_whose(desk, player, read.written.listed)


def correct(
    desk: Desk,
    words: PlayerAndFile,
    reason: Annotated[str, option("TEXT", "Required: why.")] = "",
    clerical: Annotated[
        bool, flag("--clerical", "The sheet was wrong; what is played stays as it was.")
    ] = False,
    no_advantage: Annotated[
        bool, flag("--no-advantage", "The correction is no advantage: no flag.")
    ] = False,
    cards: Cards = NO_INPUT,
) -> None:
    """Correct a list after the start; a leader does.

    What was handed in stays in the log; the cards that differ are shown.
    """
    needs_reason(reason, "correcting a list")
    player, read = _player_and_list(desk, words, cards)
    order = CorrectList(player, read.text, reason, not no_advantage, clerical)
    before = _before(desk, player)
    recorded = carry_out(desk, order, f"this is the list of {labelled(desk.tournament, player)}")
    read.say()
    if recorded and before and not desk.json:
        _show_changes(before, read.written.listed)


def _before(desk: Desk, player: int) -> PlayList | None:
    """Return the player's list as it is now, where who is at the desk may see all of it."""
    from ledger.formats.play_lists import read_part

    held = desk.tournament.lists.get(player)
    if held is None or not held.seq:
        return None
    text, why = handed_text(desk, player)
    return None if why else read_part(text.encode(), hidden_hands.shape_of(desk.tournament))


def _show_changes(before: PlayList, now: PlayList) -> None:
    from ledger.tournament.lists.card_changes import card_changes

    columns = (
        Column("section"),
        Column("card", flexible=True),
        Column("before", right=True),
        Column("now", right=True),
    )
    changes = card_changes(before, now)
    rows = [[each.section, each.card, str(each.before), str(each.now)] for each in changes]
    show_table(columns, rows)


def give(
    desk: Desk,
    words: Annotated[list[str], word("PLAYER NAME", "Who got it, and what, last.")],
    take_back: Annotated[bool, flag("--take-back", "It was a mistake.")] = False,
) -> None:
    """Record what was given out to a player at registration.

    tourney lists give ann "Ember Queen Sael"
    """
    *player, name = words
    if not player:
        raise UsageError('say who got what, as lists give ann "Ember Queen Sael"')
    number = find_player(desk.tournament, " ".join(player))
    command = GiveExclusive(number, normalize("NFC", " ".join(name.split())), take_back)
    carry_out(desk, command, f"{labelled(desk.tournament, number)} has it")


def _player_and_list(desk: Desk, words: list[InFile], cards: InFile) -> tuple[int, ReadFile]:
    *name, file = words
    if not name:
        raise UsageError("say whose list it is and the file, as lists submit ann ann.txt")
    player = find_player(desk.tournament, " ".join(map(str, name)))
    return player, list_in_file(desk, file, cards)


def _say_whose(desk: Desk, player: int, listed: PlayList) -> None:
    """Say that a list names somebody whom the event does not know."""
    own = name_key(desk.tournament.names.get(f"p{player}", ""))
    named = name_key(listed.player)
    is_own = set(named.split()) <= set(own.split()) or set(own.split()) <= set(named.split())
    if named and not is_own and not another_named(desk.tournament, player, listed.player):
        say(f"the list names {listed.player!r}, whom the event does not know")
