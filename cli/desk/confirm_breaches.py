"""A warning before an act is accepted that breaches what pairings and standings rest on.

On a terminal the question is asked whether to go on; through a pipe, and with --yes, the act goes
on: it carries its reason into the log either way.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, NamedTuple

from cli.languages.speaking import marked, tr
from cli.terminal.output import overheard, say
from cli.terminal.problems import NAME_CELLS, said
from cli.terminal.visible import how_many, shortened, visible
from ledger.errors import LedgerError, Refused
from ledger.facts.base import LABEL_MAX
from ledger.fold import evolve
from ledger.lines.line import decode
from ledger.problems import phrase

YES = frozenset({"y", "yes"})
OTHERS_NAMED = 8
"""Most rows of a file that one message names."""

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cli.desk.session import Desk
    from ledger.rules.command import Command
    from ledger.rules.people import Entry
    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Tournament
    from projections.audit.findings import AuditFinding


def confirm_breaches(desk: Desk, command: Command) -> None:
    """Say which breaches of the audit a command would be; Refused where the person desists."""
    from cli.wording.audit_words import finding_in_words
    from projections.audit.findings import kind_in

    breaches = list(_breaches(desk, command))
    tournament = desk.book.tournament
    for finding in breaches:
        kind = kind_in(finding.kind, tournament.ruleset)
        clause = f" ({kind.clause})" if kind.clause else ""
        say(
            tr(
                "warning: {finding}{clause}; `audit` will show it",
                finding=finding_in_words(tournament, finding),
                clause=clause,
            )
        )
    if breaches:
        confirm(desk, tr("go on?"))


def confirm(desk: Desk, question: str) -> None:
    """Ask the person at the terminal, but for `--yes`; Refused where they would rather not."""
    if desk.options.yes or not is_asked():
        return
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in YES:
        raise Refused(phrase("nothing was written"))


def confirm_change(desk: Desk, command: Command, question: str) -> None:
    """Ask before an act at the terminal, unless it would change nothing; but for `--yes`.

    Raises:
        Refused: the act is not admissible, so nobody is asked; or the person desists.
    """
    is_again = desk.command_id in desk.book.tournament.ids
    if not desk.options.yes and is_asked() and not is_again and desk.preview(command):
        confirm(desk, question)


def printed_factions(rules: Ruleset) -> dict[str, str]:
    """Return the factions as the game prints them, by what they are compared by."""
    from cli.input.find_people import plain

    return {plain(faction): faction for faction in rules.factions}


def known_faction(desk: Desk, typed: str) -> str:
    """Return a faction as the game prints it; another one is asked about, with the nearest."""
    from cli.input.find_people import plain
    from ledger.rulesets.toml_files import nearest

    rules = desk.tournament.ruleset
    spelled = printed_factions(rules)
    if not typed or not spelled or plain(typed) in spelled or len(typed) > LABEL_MAX:
        return spelled.get(plain(typed), typed)
    say(
        tr(
            "{typed} is not a faction of {game}; {nearest}",
            typed=visible(typed),
            game=rules.key,
            nearest=said(nearest(typed, rules.factions)),
        )
    )
    confirm(desk, tr("record {typed} anyway?", typed=visible(typed)))
    return typed


def known_factions(
    desk: Desk, entries: tuple[Entry, ...], rows: Sequence[int]
) -> tuple[Entry, ...]:
    """Return a file's entries with factions as the game prints them; all others are one question.

    Raises:
        Refused: the person at the terminal does not want other factions.
    """
    from msgspec import structs

    from cli.input.find_people import plain

    spelled = printed_factions(desk.tournament.ruleset)
    typed = zip(rows, entries, strict=True)
    confirm_factions(desk, [FactionTyped(row, entry.name, entry.faction) for row, entry in typed])
    return tuple(
        structs.replace(entry, faction=spelled.get(plain(entry.faction), entry.faction))
        for entry in entries
    )


RECORDED_SO = marked("these are recorded as the file has them: to correct one, use `amend`")


class FactionTyped(NamedTuple):
    """A faction as a row of a file has it, and the player of that row."""

    row: int
    player: str
    faction: str


def confirm_factions(desk: Desk, typed: Sequence[FactionTyped]) -> None:
    """Name the rows whose faction the game does not have, and ask once about all of them.

    Raises:
        Refused: the person at the terminal does not want them.
    """
    from cli.input.find_people import plain

    rules = desk.tournament.ruleset
    spelled = printed_factions(rules)
    others = [row for row in typed if row.faction and plain(row.faction) not in spelled]
    if not spelled or not others:
        return
    for row in others[:OTHERS_NAMED]:
        player = shortened(visible(row.player), NAME_CELLS)
        faction = visible(row.faction[:LABEL_MAX])
        say(
            tr(
                "row {row}: {player}: {faction} is not a faction of {game}",
                row=row.row,
                player=player,
                faction=faction,
                game=rules.key,
            )
        )
    if others[OTHERS_NAMED:]:
        say(tr("and {rows}", rows=how_many(len(others) - OTHERS_NAMED, "more row")))
    is_open = is_asked() and not desk.options.yes
    advice = tr("correct the file, or add --yes to record them") if is_open else tr(RECORDED_SO)
    say(
        tr(
            "the factions of {game} are {factions}; {advice}",
            game=rules.key,
            factions=", ".join(rules.factions),
            advice=advice,
        )
    )
    confirm(desk, tr("record them anyway?"))


NEAR_LETTERS_MIN = 5
"""From how many letters on a name is nearly another one that differs in one."""

_LETTER, _NO_LETTER = re.compile(r"[^\W\d_]"), re.compile(r"[\W_]+")


def confirm_near_names(desk: Desk, names: Sequence[str]) -> None:
    """Say which names are nearly those of players or of one another, and ask for a yes.

    Names are near that differ in accents, spaces, signs or the order of their words, or in one
    letter; names that differ in a number are not.

    Raises:
        Refused: the person at the terminal does not want them.
    """
    if desk.command_id in desk.book.tournament.ids:
        return
    pairs = list(_near(desk.tournament, names))
    for name, near in pairs[:OTHERS_NAMED]:
        say(tr("{name} is nearly {near}", name=visible(name), near=near))
    if pairs:
        more = (
            tr(", and {count} more", count=len(pairs) - OTHERS_NAMED)
            if pairs[OTHERS_NAMED:]
            else ""
        )
        people = (
            tr("another person")
            if len(pairs) == 1
            else tr("{count} other people", count=len(pairs))
        )
        confirm(desk, tr("register {people}{more}?", people=people, more=more))


def _near(tournament: Tournament, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each name with the player, or the name before it, that it is nearly the same as.

    If a name is taken, yield nothing: the act is refused.
    """
    from cli.input.find_people import labelled, name_of, numbers_by_name
    from ledger.facts.people import name_key

    if numbers_by_name(tournament).keys() & {*map(name_key, names)}:
        return
    spelled: dict[str, str] = {}
    for player in tournament.registered():
        for spelling in _spellings(name_of(tournament, player.number)):
            spelled.setdefault(spelling, labelled(tournament, player.number))
    for name in names:
        spellings = _spellings(name)
        if near := next((spelled[text] for text in spellings if text in spelled), ""):
            yield name, near
        for text in spellings:
            spelled.setdefault(text, visible(name))


def _spellings(name: str) -> list[str]:
    """Return what a name is compared by: its letters, and these without each one of them."""
    from cli.input.find_people import plain

    words = _NO_LETTER.sub(" ", plain(name)).split()
    texts = list(dict.fromkeys(("".join(words), "".join(sorted(words)))))
    if len(_LETTER.findall(texts[0])) < NEAR_LETTERS_MIN:
        return [text for text in texts if text]
    return texts + [
        f"{text[: letter.start()]}{text[letter.end() :]}"
        for text in texts
        for letter in _LETTER.finditer(text)
    ]


def _breaches(desk: Desk, command: Command) -> Iterator[AuditFinding]:
    """Find what an act would breach, on a copy; nothing where it was sent before, or is refused."""
    from projections.audit.findings import findings_of, kind_in

    book = desk.book
    if desk.command_id in book.tournament.ids:
        return
    try:
        proposed = desk.preview(command)
    except LedgerError:
        return
    tournament = book.at(len(book.lines))
    for recorded in proposed:
        for finding in findings_of(
            tournament, recorded, lambda seq: decode(book.lines[seq - 1]).at
        ):
            if kind_in(finding.kind, tournament.ruleset).severity == "breach":
                yield finding
        evolve(tournament, recorded)


def is_asked() -> bool:
    """Whether a person sits at the terminal."""
    return overheard() is None and sys.stdin.isatty() and sys.stderr.isatty()
