"""Verbs that record players' lists: `lists submit`, `give`, `correct`, `check`, `draw`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Annotated, TypeAlias
from unicodedata import normalize

import typer

from cli.desk.acts import carry_out
from cli.desk.list_files import ReadFile, handed_text, list_in_file, lists_in_folder
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason, whole
from cli.input.file_names import NO_INPUT, InFile
from cli.input.find_people import find_player, labelled, labels
from cli.input.given_files import read_card_file
from cli.input.options import NeededReason, PassOver, flag, option, word
from cli.languages.speaking import marked, tr, tr_many
from cli.terminal.output import say, show, show_table
from cli.terminal.problems import said
from cli.terminal.tables import Column
from ledger import problems
from ledger.errors import NotFound, Refused
from ledger.facts import hands
from ledger.facts.list_rules import check_clause, given_to, list_clause
from ledger.facts.people import name_key
from ledger.facts.shared import CardSource, ListFinding
from ledger.problems import phrase
from ledger.rules.lists import (
    CheckList,
    CheckLists,
    CorrectList,
    DrawDeckChecks,
    GiveExclusive,
    SubmitList,
    SubmitLists,
    another_named,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.formats import CardFile, Finding, LoadedFormat, PlayList
    from ledger.problems import Phrase
    from ledger.tournament.state import Tournament

Cards = Annotated[InFile, option("FILE", "The card file, for a list without sections.")]
PlayerAndFile = Annotated[
    list[InFile], word("PLAYER FILE", "The player, and then the file of the list.")
]
"""Words of which the last names a file; a page takes none of them."""

PlayerOrFolder = Annotated[
    list[InFile], word("PLAYER FILE|FOLDER", "The player and the file of the list; or a folder.")
]


def submit(desk: Desk, words: PlayerOrFolder, cards: Cards = NO_INPUT) -> None:
    """Submit a player's list, or a folder of lists, before the start.

    A list is plain text, or an export of a deck builder; parts of a file that do not belong to
    the list are reported.

    In a folder, each file is the list of the player named in the file or by the file's name. If
    any file has a problem, no list is submitted.

    tourney lists submit ann ann.txt
    tourney lists submit lists/
    """
    if len(words) == 1 and desk.files.is_folder(words[0]):
        found = lists_in_folder(desk, words[0], cards)
        orders = tuple(SubmitList(player, read.text) for player, read in sorted(found.items()))
        carry_out(
            desk, SubmitLists(orders), tr("{folder} contains the submitted lists", folder=words[0])
        )
        for _, read in sorted(found.items()):
            read.say()
        return
    player, read = _player_and_list(desk, words, cards)
    whose = tr("{player} has this list", player=labelled(desk.tournament, player))
    carry_out(desk, SubmitList(player, read.text), whose)
    read.say()
    _say_whose(desk, player, read.written.listed)


def correct(
    desk: Desk,
    words: PlayerAndFile,
    reason: NeededReason = "",
    clerical: Annotated[
        bool, flag("--clerical", "Only the sheet was wrong; the deck played is unchanged.")
    ] = False,
    no_advantage: Annotated[
        bool, flag("--no-advantage", "The correction gives no advantage: do not flag it.")
    ] = False,
    cards: Cards = NO_INPUT,
) -> None:
    """Correct a list after the start; only a leader can.

    The submitted list stays in the log; the cards that differ are shown.
    """
    needs_reason(reason, tr("correcting a list"), list_clause(desk.tournament))
    player, read = _player_and_list(desk, words, cards)
    order = CorrectList(player, read.text, reason, not no_advantage, clerical)
    before = _before(desk, player)
    recorded = carry_out(
        desk, order, tr("{player} has this list", player=labelled(desk.tournament, player))
    )
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
    return None if why else read_part(text.encode(), hands.shape_of(desk.tournament))


def _show_changes(before: PlayList, now: PlayList) -> None:
    from ledger.formats.comparing import card_changes

    columns = (
        Column("section"),
        Column("card", flexible=True),
        Column("before", right=True),
        Column("now", right=True),
    )
    changes = card_changes(before, now)
    rows = [
        [change.section, change.card, str(change.before), str(change.now)] for change in changes
    ]
    show_table(columns, rows)


def give(
    desk: Desk,
    words: Annotated[list[str], word("PLAYER NAME", "The player, and then the name of the card.")],
    take_back: Annotated[bool, flag("--take-back", "The record was a mistake.")] = False,
) -> None:
    """Record an exclusive card issued to a player at registration.

    tourney lists give ann "Ember Queen Sael"
    """
    *player, name = words
    if not player:
        raise UsageError(tr('give the player and the card: lists give ann "Ember Queen Sael"'))
    number = find_player(desk.tournament, " ".join(player))
    command = GiveExclusive(number, normalize("NFC", " ".join(name.split())), take_back)
    carry_out(
        desk,
        command,
        tr("this is on record for {player}", player=labelled(desk.tournament, number)),
    )


def _player_and_list(desk: Desk, words: list[InFile], cards: InFile) -> tuple[int, ReadFile]:
    *name, file = words
    if not name:
        raise UsageError(tr("give the player and the file: lists submit ann ann.txt"))
    player = find_player(desk.tournament, " ".join(map(str, name)))
    return player, list_in_file(desk, file, cards)


def _say_whose(desk: Desk, player: int, listed: PlayList) -> None:
    """Say that a list names somebody whom the tournament does not know."""
    own = name_key(desk.tournament.names.get(f"p{player}", ""))
    named = name_key(listed.player)
    is_own = set(named.split()) <= set(own.split()) or set(own.split()) <= set(named.split())
    if named and not is_own and not another_named(desk.tournament, player, listed.player):
        say(tr("the list names {player}, who is not registered", player=repr(listed.player)))


Facts: TypeAlias = "tuple[LoadedFormat, CardFile]"
"""What a list is held to: the tournament's format, and the facts of the cards."""

TEXT_MAX = 400
NAME_MAX = 200

_FIELD = (
    Column("player", flexible=True),
    Column("breaks", right=True),
    Column("not checked", right=True),
    Column("first finding", flexible=True, wraps=True),
)
"""Columns of several checks: a row each."""

_STATES = {"breaks": marked("breaks"), "not checked": marked("not checked")}
_FINDINGS = (Column("", key="state"), Column("clause"), Column("", flexible=True, wraps=True))


def check(
    desk: Desk,
    player: Annotated[
        list[str] | None, word("[PLAYER ...]", "The player, or several players, each as one word.")
    ] = None,
    cards: Annotated[InFile, option("FILE", "The card file.")] = NO_INPUT,
    found: Annotated[
        InFile, option("FILE", "The cards counted at the table, as a list.")
    ] = NO_INPUT,
    fails: Annotated[
        list[str] | None, option("TEXT", "A problem found by hand; can be repeated.")
    ] = None,
    note: Annotated[str, option("TEXT", "A remark on the check.")] = "",
    every: Annotated[bool, flag("--all", "Check all submitted lists.")] = False,
    pass_over: PassOver = False,
) -> None:
    """Check a list against the tournament's format, or by hand.

    With --cards the list is checked against the tournament's format; without it, this records a
    check made by hand. The exit code is 1 if a finding breaks the format.

    tourney lists check ann --cards cards.csv
    tourney lists check 2 3 4
    tourney lists check ann --found table.txt --fails "31 cards"
    tourney lists check --all --cards cards.csv
    """
    if every:
        _refuse_besides(player, found, fails, cards)
        _check_all(desk, _facts(desk, cards, pass_over=pass_over), note)
        return
    if not player:
        raise UsageError(tr("give the player, as in `lists check ann`, or --all"))
    number, *others = _players(desk.tournament, player)
    if others:
        _refuse_for_several(found, fails)
        facts = _facts(desk, cards, pass_over=pass_over) if cards else None
        _check_several(desk, [number, *others], facts, note)
        return
    held = desk.tournament.lists.get(number)
    seen = bool((cards or found) and held and held.seq)
    text = _whole(desk, number) if seen else ""
    facts = _facts(desk, cards, pass_over=pass_over) if cards else None
    command = _checked(desk.tournament, number, facts, note, text)
    more = (*_against(desk, number, text, found), *_by_hand(desk.tournament, fails))
    command = CheckList(number, command.cards, (*command.findings, *more), note)
    carry_out(
        desk,
        command,
        tr("this check of {player} is on record", player=labelled(desk.tournament, number)),
    )
    if not desk.json:
        rows = [
            [tr(_STATES[finding.state]), finding.clause, finding.text]
            for finding in command.findings
        ]
        show_table(_FINDINGS, rows)
        show(*map(said, _counts(facts, text) if facts else ()))
    _exit_where_broken([command])


def draw(desk: Desk, tables: Annotated[str, word("N", "The number of tables.")]) -> None:
    """Draw the tables of the round at which decks are checked.

    The draw is recorded; another draw gives other tables.

    tourney lists draw 3
    """
    recorded = carry_out(desk, DrawDeckChecks(whole("lists draw", tables, 1)))
    tournament = desk.after(recorded)
    drawn = {table for each in recorded for table in getattr(each.event, "tables", ())}
    matches = tournament.rounds[-1].matches
    if not desk.json:
        show_table(
            (Column("table", right=True), Column("players", flexible=True)),
            [
                [str(match.table), labels(tournament, match.players, tr(" and "))]
                for match in matches
                if match.table in drawn and not match.void
            ],
        )


def _refuse_besides(
    player: list[str] | None, found: InFile, fails: list[str] | None, cards: InFile
) -> None:
    if player or found or fails:
        raise UsageError(
            tr("--all checks every list against --cards FILE: omit PLAYER, --found and --fails")
        )
    if not cards:
        raise UsageError(tr("lists check --all needs the card file: --cards FILE"))


def _players(tournament: Tournament, words: list[str]) -> list[int]:
    """Find one player by all words, or several, each by one word."""
    try:
        return [find_player(tournament, " ".join(words))]
    except NotFound:
        if len(words) == 1:
            raise
    return list(dict.fromkeys(find_player(tournament, each) for each in words))


def _refuse_for_several(found: InFile, fails: list[str] | None) -> None:
    if found or fails:
        raise UsageError(tr("--found and --fails are about one list: name one player"))


def _check_several(desk: Desk, players: list[int], facts: Facts | None, note: str) -> None:
    """Check several lists in one act, all or none; against a card file, show a row of each."""
    tournament = desk.tournament
    checks = []
    for player in players:
        text = _whole(desk, player) if facts and _handed(tournament, player) else ""
        checks.append(_checked(tournament, player, facts, note, text))
    carry_out(desk, CheckLists(tuple(checks)), tr("these checks are on record"))
    if facts and not desk.json:
        show_table(_FIELD, [_field_row(tournament, each) for each in checks])
    _exit_where_broken(checks)


def _check_all(desk: Desk, facts: Facts, note: str) -> None:
    """Check every list of who plays on, in one act, and show the field as a table."""
    tournament = desk.tournament
    here = [each for each in tournament.active() if _handed(tournament, each)]
    if not here:
        raise Refused(
            problems.problem(
                "list.none_submitted", "no list has been submitted", clause=list_clause(tournament)
            )
        )
    checks = [_held_to(tournament, facts, each, _whole(desk, each), note) for each in here]
    carry_out(
        desk,
        CheckLists(tuple(checks)),
        tr_many("{count} list was checked", "{count} lists were checked", len(here)),
    )
    if not desk.json:
        show_table(_FIELD, [_field_row(tournament, each) for each in checks])
        without = [each for each in tournament.active() if not _handed(tournament, each)]
        show(*(tr("no list: {player}", player=labelled(tournament, each)) for each in without))
    _exit_where_broken(checks)


def _field_row(tournament: Tournament, check: CheckList) -> list[str]:
    breaking, open_ = hands.counts(check.findings)
    worst = sorted(check.findings, key=lambda each: each.state != "breaks")
    first = f"{worst[0].text} ({worst[0].clause})" if worst else ""
    return [labelled(tournament, check.player), str(breaking), str(open_), first]


def _handed(tournament: Tournament, player: int) -> bool:
    held = tournament.lists.get(player)
    return held is not None and held.seq > 0


def _exit_where_broken(checks: list[CheckList]) -> None:
    if any(each.state == "breaks" for each in chain.from_iterable(one.findings for one in checks)):
        raise typer.Exit(1)


def _whole(desk: Desk, player: int) -> str:
    """Return the whole list; Refused where who is at the desk may not see all of it."""
    text, why = handed_text(desk, player)
    if why:
        raise Refused(why)
    return text


def checked(
    tournament: Tournament, player: int, cards: Path | None, note: str, text: str = ""
) -> CheckList:
    """A check against the tournament's format, or one by hand where no card file is given.

    `text` is the whole list, where a part of it is hidden in the log.

    Raises:
        Refused: the tournament names no format, or the player has no list.
    """
    facts = _format_and_cards(tournament, cards) if cards else None
    return _checked(tournament, player, facts, note, text)


def _checked(
    tournament: Tournament, player: int, facts: Facts | None, note: str, text: str
) -> CheckList:
    if facts is None:
        return CheckList(player, note=note)
    held = tournament.lists.get(player)
    if held is None or not held.seq:
        text = marked("{player} has submitted no list: omit --cards")
        raise Refused(problems.problem("list.none", text, player=problems.Player(player)))
    return _held_to(tournament, facts, player, text or held.text, note)


def _facts(desk: Desk, cards: InFile, *, pass_over: bool) -> Facts:
    return _format_and_cards(desk.tournament, desk.files.reading(cards), pass_over=pass_over)


def _format_and_cards(tournament: Tournament, cards: Path, *, pass_over: bool = False) -> Facts:
    from ledger import formats

    opening = tournament.opening
    if opening is None or opening.format is None:
        raise Refused(phrase("the tournament has no format to check lists against: omit --cards"))
    loaded = formats.of_document(opening.format)
    return loaded, read_card_file(cards, loaded, pass_over=pass_over)


def _held_to(tournament: Tournament, facts: Facts, player: int, text: str, note: str) -> CheckList:
    from ledger import formats

    loaded, known = facts
    found = formats.findings(
        formats.read_list(text.encode(), loaded.format.shape),
        loaded,
        known,
        date=tournament.opening.date if tournament.opening else "",
        tier=tournament.opening.tier if tournament.opening else "relaxed",
        scenario=tournament.ruleset.floor.scenario,
        given=given_to(tournament, player),
    )
    source = CardSource(known.name[:NAME_MAX], known.version[:NAME_MAX], known.date, known.sha256)
    return CheckList(player, source, tuple(map(_recorded, found)), note)


def _recorded(finding: Finding) -> ListFinding:
    return ListFinding(finding.clause, str(finding.text)[:TEXT_MAX], finding.state)


def _against(desk: Desk, player: int, text: str, found: InFile) -> tuple[ListFinding, ...]:
    """Compare what was counted at the table with the list."""
    from ledger.formats import read_list
    from ledger.formats.comparing import card_changes

    if not found:
        return ()
    if not text:
        words = marked("{player} has submitted no list to check the deck against")
        raise Refused(problems.problem("list.none", words, player=problems.Player(player)))
    tournament = desk.tournament
    shape = hands.shape_of(tournament)
    listed = read_list(text.encode(), shape)
    counted = list_in_file(desk, found).written.listed
    clause = check_clause(tournament)
    return tuple(
        ListFinding(
            clause,
            f"{each.section}: {each.card}: {each.before} listed, {each.now} found"[:TEXT_MAX],
            "breaks",
        )
        for each in card_changes(listed, counted)
    )


def _by_hand(tournament: Tournament, fails: list[str] | None) -> tuple[ListFinding, ...]:
    clause = check_clause(tournament)
    return tuple(ListFinding(clause, each[:TEXT_MAX], "breaks") for each in fails or [])


def _counts(facts: Facts, text: str) -> list[Phrase]:
    """Say what the checked list comes to: its cards, points, influence and ranks."""
    from ledger import formats

    loaded, known = facts
    return formats.derived(formats.read_list(text.encode(), loaded.format.shape), loaded, known)
