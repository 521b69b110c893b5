"""`season people import`, `suggest`, `backup`: names for many persons, a copy of the vault."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import structs

from cli import outside
from cli.desk.confirm_breaches import confirm, is_asked
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile, OutFile
from cli.input.options import word
from cli.languages.speaking import in_figures, marked, tr
from cli.render.records import show_records, show_value, shows_table
from cli.season.league import apply_decisions, persons_agreed, seen_in, vault_at
from cli.season.options import (
    DEFAULT_SEASON,
    OWN_VAULT,
    AgreedToNames,
    SeasonFile,
    WrittenLeague,
)
from cli.terminal.output import say
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from cli.verbs.season.people import UNSAID, DecisionOptions
from ledger.errors import Refused
from ledger.exchange.sheets.cells import InvalidSheet, table_of
from ledger.files import landed
from ledger.problems import Phrase, Problem, phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from projections.season.league import Alias, League, LeaguePerson, VaultEntry

NAME, NUMBER, LEAGUE_ID = "name", "number", "league_id"
_TITLES = {
    "name": NAME,
    "number": NUMBER,
    "member": NUMBER,
    "membershipnumber": NUMBER,
    "leagueid": LEAGUE_ID,
}
CELL_MAX = {NAME: 200, NUMBER: 64, LEAGUE_ID: 64}
PROBLEMS_MAX = 40

_SUGGESTED = (
    Column(marked("league id"), flexible=True),
    Column(marked("name"), flexible=True),
    Column(marked("tournaments"), right=True),
    Column(
        marked("other spellings"),
        flexible=True,
        key="others",
        text=lambda row: ", ".join(row["others"]),
    ),
)


class MemberRow(NamedTuple):
    """A row of a list of members: its place, and what it has; ids by kind, as written."""

    row: int
    name: str
    number: str
    league_id: str
    ids: dict[str, str]


class Entered(NamedTuple):
    """Changes for a row: the person to name, and the pseudonyms of ids to merge."""

    person: str
    name: str
    number: str
    digests: tuple[tuple[str, str], ...]
    merged: tuple[str, ...]


def take_members(
    desk: Desk,
    path: Annotated[InFile, word("FILE", "A CSV file: name, number, league_id, and public ids.")],
    decision: DecisionOptions = UNSAID,
) -> None:
    """Import members from a sheet: names, numbers, public ids.

    A column is called `name`, `number`, `league_id`, or as a public id: `fide id`, `egf pin`,
    `melee`, `start.gg`, `nrdb`. The file is checked as a whole; if any row is wrong, every problem
    is listed and nothing is written. The same file again changes nothing.

    tourney season people import members.csv --by Kim --reason "members of 2026"
    """
    vault = desk.files.writing(decision.league)
    once(desk, lambda: _import(desk, path, decision), vault)


def _import(desk: Desk, path: InFile, decision: DecisionOptions) -> None:
    from projections.season.league import LeagueAct

    if not (decision.by.strip() and decision.reason.strip()):
        raise UsageError(tr("season people import needs --by NAME and --reason TEXT"))
    members, ignored = _members_of(str(path), desk.files.whole(path))
    season, league = desk.files.writing(decision.season), desk.files.writing(decision.league)
    with vault_at(league) as vault, vault.writing():
        recorded = {person.league_id: person for person in vault.persons()}
        entered = _Plan(vault, str(path)).of(members)
        acts = [
            LeagueAct(
                outside.now(), decision.by, "merge", pseudonym, row.person, "", decision.reason
            )
            for row in entered
            for pseudonym in row.merged
        ]
        for row in entered:
            vault.name(row.person, row.name, row.number or None)
            for kind, digest in row.digests:
                vault.note_id(digest, kind)
        vault.record_all((act, "", "") for act in acts)
        new = sum(row.person not in recorded for row in entered)
    moved = apply_decisions(season, league)
    show_value(desk, {"members": len(entered), "new": new, "merged": len(acts)})
    if ignored:
        say(tr("ignored: {columns}", columns=", ".join(ignored)))
    text = tr(
        "{members}: {new} new, {merged} pseudonyms of public ids merged",
        members=how_many(len(entered), "member"),
        new=in_figures(new),
        merged=in_figures(len(acts)),
    )
    say(tr("{decision}; the season is updated", decision=text) if moved else text)


def _members_of(path: str, data: bytes) -> tuple[list[MemberRow], list[str]]:
    """Read a list of members; return the rows, and the columns that are ignored.

    Raises:
        Refused: it is not a list of members; every problem has its row.
    """
    from projections.season.vault.public_ids import kind_of

    try:
        (_, titles), *rows = table_of(data)
    except InvalidSheet as error:
        problems = (
            structs.replace(fault.within(path), code=Refused.code) for fault in error.problems
        )
        raise Refused(*problems) from None
    kinds = map(kind_of, titles)
    columns = [
        _title(x) or (f"id {kind}" if kind else "") for x, kind in zip(titles, kinds, strict=True)
    ]
    repeated = [column for column, count in Counter(filter(None, columns)).items() if count > 1]
    if NAME not in columns or repeated:
        raise Refused(
            phrase(
                "{path}: row 1 must have the column `name`, and every other column once",
                path=path,
            )
        )
    if not rows:
        raise Refused(phrase("{path} has no members below the row of column names", path=path))
    members = []
    for row, line in rows:
        cells = dict(zip(columns, (cell.strip() for cell in line), strict=False))
        ids = {
            title.removeprefix("id "): text
            for title, text in cells.items()
            if title.startswith("id ") and text
        }
        members.append(
            MemberRow(
                row, cells.get(NAME, ""), cells.get(NUMBER, ""), cells.get(LEAGUE_ID, ""), ids
            )
        )
    ignored = [title for title, name in zip(titles, columns, strict=True) if title and not name]
    return members, ignored


def _title(title: str) -> str:
    return _TITLES.get("".join(letter for letter in title.casefold() if letter.isalnum()), "")


class _Plan:
    """Changes that a list of members makes, with every reason against them."""

    def __init__(self, vault: League, path: str) -> None:
        from projections.season.league import everywhere

        self._vault, self._path = vault, path
        self._persons: Mapping[str, LeaguePerson] = {x.league_id: x for x in vault.persons()}
        self._by_number = {x.member: x.league_id for x in vault.persons() if x.member}
        self._stands_for = everywhere(vault.aliases())
        self._seen: dict[tuple[str, str], int] = {}
        self._problems: list[Problem | Phrase] = []

    def of(self, members: Iterable[MemberRow]) -> list[Entered]:
        """Return the changes.

        Raises:
            Refused: rows are wrong; every problem is listed.
        """
        entered = [self._row(member) for member in members]
        if self._problems:
            raise Refused(*self._problems[:PROBLEMS_MAX])
        return entered

    def _row(self, member: MemberRow) -> Entered:
        self._texts(member)
        digests = list(self._digests(member))
        pseudonyms = [self._vault.pseudonym_of(digest) for _, digest in digests]
        persons = [self._stands_for.get(pseudonym, pseudonym) for pseudonym in pseudonyms]
        by_number = self._by_number.get(member.number, "") if member.number else ""
        person = member.league_id or by_number or next(iter(persons), "") or outside.draw_id()
        if by_number and by_number != person:
            self._add(
                member,
                phrase("the number {number} belongs to {id}", number=member.number, id=by_number),
            )
        target = self._stands_for.get(person, person)
        recorded = self._persons.get(person)
        if recorded is not None and member.name and recorded.name != member.name:
            self._add(
                member,
                phrase("{id} has another name: change it with `season people rename`", id=person),
            )
        if recorded is not None and recorded.member and member.number not in {"", recorded.member}:
            self._add(member, phrase("{id} has another number", id=person))
        for pseudonym, owner in zip(pseudonyms, persons, strict=True):
            if owner not in {pseudonym, target} or (owner != target and pseudonym in self._persons):
                self._add(member, phrase("a public id belongs to another person, {id}", id=owner))
        self._once(member, "person", target)
        merged = tuple(
            dict.fromkeys(
                pseudonym
                for pseudonym in pseudonyms
                if self._stands_for.get(pseudonym, pseudonym) != target
            )
        )
        return Entered(person, member.name, member.number, tuple(digests), merged)

    def _digests(self, member: MemberRow) -> Iterable[tuple[str, str]]:
        from projections.season.vault.public_ids import KINDS, read_id

        for kind in KINDS:
            if written := member.ids.get(kind, ""):
                if id_ := read_id(kind, written):
                    self._once(member, kind, id_)
                    yield kind, self._vault.digest(kind, id_)
                else:
                    self._add(member, phrase("the {kind} id is not an id of that kind", kind=kind))

    def _texts(self, member: MemberRow) -> None:
        if not member.name:
            self._add(member, phrase("the name is missing"))
        if not (member.number or member.league_id or member.ids):
            self._add(member, phrase("a member needs a number, a league id or a public id"))
        for title, text in (
            (NAME, member.name),
            (NUMBER, member.number),
            (LEAGUE_ID, member.league_id),
        ):
            if len(text) > CELL_MAX[title]:
                self._add(member, phrase("{title} is too long", title=title))
            if not text.isprintable():
                self._add(member, phrase("{title} has invisible characters", title=title))
        if member.number:
            self._once(member, NUMBER, member.number)

    def _once(self, member: MemberRow, column: str, text: str) -> None:
        earlier = self._seen.setdefault((column, text), member.row)
        if earlier != member.row:
            self._add(
                member, phrase("the same {what} is in row {earlier}", what=column, earlier=earlier)
            )

    def _add(self, member: MemberRow, text: Phrase) -> None:
        if len(self._problems) <= PROBLEMS_MAX:
            place = phrase("{path}: row {row}", path=self._path, row=member.row)
            self._problems.append(phrase("{place}: {text}", place=place, text=text))


@shows_table
def suggest_names(
    desk: Desk,
    agreed: AgreedToNames = NO_INPUT,
    season: SeasonFile = DEFAULT_SEASON,
    league: WrittenLeague = OWN_VAULT,
) -> None:
    """Suggest names from logs, for persons who agreed.

    They are listed, and entered into the vault after one question; with --yes without it.

    tourney season people suggest --agreed agreed.txt
    """
    if not agreed:
        raise UsageError(
            tr("season people suggest needs --agreed FILE: those who agreed to be named")
        )
    file, vault = desk.files.reading(season), desk.files.writing(league)
    once(desk, lambda: _suggest(desk, agreed, file, vault), vault)


def _suggest(desk: Desk, agreed: InFile, season: Path, league: Path) -> None:
    from projections.season.league import League, everywhere

    counts = seen_in(season)
    persons = persons_agreed(str(desk.files.reading(agreed)), str(league), counts)
    with League(league) as vault:
        aliases, entries = vault.aliases(), vault.entries()
        stands_for = everywhere(aliases)
        named = {stands_for.get(x.league_id, x.league_id) for x in vault.persons()}
        records = _suggestions(entries, aliases, [x for x in persons if x not in named])
        show_records(
            desk, _SUGGESTED, records, empty=tr("no names to suggest: all have one, or no log has")
        )
        if not records:
            return
        if not (desk.options.yes or is_asked()):
            say(tr("nothing was entered: --yes enters these names"))
            return
        confirm(desk, tr("enter {names}?", names=how_many(len(records), "name")))
        with vault.writing():
            for record in records:
                vault.name(str(record["league_id"]), str(record["name"]), None)
    landed.note_place(str(league))
    say(tr("{names} entered", names=how_many(len(records), "name")))


def _suggestions(
    entries: Sequence[VaultEntry], aliases: Sequence[Alias], persons: Sequence[str]
) -> list[dict[str, object]]:
    """Return a name for each person: the spelling of most logs, or else of the latest."""
    from projections.season.league import persons_of

    agreed = dict.fromkeys(persons)
    by_person: dict[str, list[VaultEntry]] = {}
    person_of = persons_of(entries, aliases)
    for entry in entries:
        person = person_of[entry.tournament, entry.player]
        if entry.name and person in agreed:
            by_person.setdefault(person, []).append(entry)
    records = []
    for person in agreed:
        theirs = sorted(by_person.get(person, ()), key=lambda entry: entry.day, reverse=True)
        spelt = Counter(entry.name for entry in theirs)
        if spelt:
            name, *others = (name for name, _ in spelt.most_common())
            count = len({entry.tournament for entry in theirs})
            records.append(
                {"league_id": person, "name": name, "tournaments": count, "others": others}
            )
    return records


def backup(
    desk: Desk,
    path: Annotated[OutFile, word("FILE", "The copy; a backup of the same vault is replaced.")],
    league: WrittenLeague = OWN_VAULT,
) -> None:
    """Copy the league's vault.

    Keep the copy as secret as the vault: it has the names and the key. Without the key every
    pseudonym of a public id is another one. To restore it, copy it to league.db, or name it:
    --league FILE.

    tourney season people backup league-2026-06-30.db
    """
    from projections.season.league import League

    with League(desk.files.writing(league)) as vault:
        vault.backup(desk.files.writing(path))
        persons, acts = len(vault.persons()), len(vault.acts())
    landed.note_place(str(path))
    show_value(desk, {"file": str(path), "persons": persons, "acts": acts})
    say(
        tr(
            "{file}: {persons}, {acts}; keep it as secret as the vault",
            file=str(path),
            persons=how_many(persons, "person"),
            acts=how_many(acts, "act"),
        )
    )
