"""Persons as acts: any acts and their undoing, guests and public ids, and who is forgotten."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.errors import Refused, StoreUnavailable
from projections.season.league import (
    Alias,
    League,
    LeagueAct,
    LogRead,
    aliases_of,
    in_force,
    persons_of,
)
from projections.season.loading.manifest import PEOPLE
from projections.season.tables.database import empty_tables, put_aliases
from projections.season.tables.definitions import sql
from projections.season.vault.persons import is_guest
from projections.season.vault.public_ids import KINDS, LogEntry, is_id, kind_of, plain_name, read_id

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from projections.season.vault.persons import VaultEntry

EVENTS = ["a" * 32, "b" * 32, "c" * 32]
NAMES = ["Ann Leverkusen", "Bob Rayment", "Casimir Dorsey", "Deirdre Foxwell"]
LEAGUE_IDS = ["", "", "league-1", "league-2"]


def act(kind: str, one: str, other: str = "", where: str = "", undoes: int = 0) -> LeagueAct:
    return LeagueAct("2026-01-01", "Kim", kind, one, other, where, "why", undoes)  # type: ignore[arg-type] # drawn


def numbered(acts: Sequence[LeagueAct]) -> list[LeagueAct]:
    return [each._replace(number=number) for number, each in enumerate(acts, start=1)]


def entered(player: int, person: int, league_id: str, ids: tuple[int, ...]) -> LogEntry:
    known = tuple((kind, f"{4_000_000 + id_}") for kind, id_ in zip(KINDS, ids, strict=False))
    return LogEntry(
        player, league_id, NAMES[person], "l5r", "ENG", "2026-03-14", known, bool(known)
    )


logs = st.fixed_dictionaries(
    {
        event: st.lists(
            st.builds(
                entered,
                st.just(0),
                st.integers(0, 3),
                st.sampled_from(LEAGUE_IDS),
                st.lists(st.integers(1, 4), max_size=2).map(tuple),
            ),
            max_size=4,
        ).map(lambda rows: [replace(row, player=n) for n, row in enumerate(rows, start=1)])
        for event in EVENTS
    }
)


def take(vault: League, read: dict[str, list[LogEntry]]) -> None:
    vault.put_logs((LogRead(event, 9, "0" * 64), rows) for event, rows in read.items())


def names_in(vault: League) -> list[str]:
    """Everything that an act may name."""
    entries = vault.entries()
    known = {entry.base for entry in entries} | {entry.guest for entry in entries}
    return sorted({*known, "league-1", "league-3", f"{EVENTS[0]}/9"})


@st.composite
def acts_among(draw: st.DrawFn, ids: list[str], most: int = 8, first: int = 1) -> list[LeagueAct]:
    """Any acts, each undoing an earlier one at times."""
    acts: list[LeagueAct] = []
    for number in range(first, first + draw(st.integers(0, most))):
        kind = draw(st.sampled_from(["merge", "merge", "split", "apart", "undo"]))
        one, other = draw(st.sampled_from(ids)), draw(st.sampled_from(ids))
        if kind == "undo" and number > 1:
            acts.append(act("undo", "", undoes=draw(st.integers(1, number - 1))))
        elif kind == "split":
            where = draw(st.sampled_from(["", *EVENTS]))
            acts.append(act("split", one, one if not where else f"{number:032x}", where))
        elif kind != "undo":
            acts.append(act(kind, one, other))
        else:
            acts.append(act("apart", one, other))
    return acts


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], League]:
    """Make empty vaults."""
    folder, made = tmp_path_factory.mktemp("vaults"), iter(range(1_000_000))
    return lambda: League(folder / f"{next(made)}.db", create=True)


@given(st.data(), logs)
def test_acts_undone_in_reverse_give_the_first_state(
    vault: Callable[[], League], data: st.DataObject, read: dict[str, list[LogEntry]]
) -> None:
    with vault() as league:
        take(league, read)
        ids, entries = names_in(league), league.entries()
    before = data.draw(acts_among(ids))
    further = data.draw(acts_among(ids, first=len(before) + 1))
    first = aliases_of(numbered(before), entries)
    acts = [*before, *further]
    acts += [act("undo", "", undoes=n) for n in range(len(acts), len(before), -1)]
    assert aliases_of(numbered(acts), entries) == first
    everything = [*before, *further]
    everything += [act("undo", "", undoes=n) for n in range(len(everything), 0, -1)]
    assert aliases_of(numbered(everything), entries) == aliases_of([], entries)
    assert not in_force(numbered(everything))


@given(st.data(), logs)
def test_the_order_of_logs_is_of_no_account(
    vault: Callable[[], League], data: st.DataObject, read: dict[str, list[LogEntry]]
) -> None:
    order = data.draw(st.permutations(EVENTS))
    with vault() as league:
        take(league, read)
        acts = data.draw(acts_among(names_in(league)))
        league.record_all((each, "", "") for each in acts)
        first = league.aliases(), league.entries(), league.ids()
        for event in order:
            take(league, {event: read[event][:1]})
            take(league, {event: read[event]})
        assert (league.aliases(), league.entries(), league.ids()) == first


def partition(entries: Sequence[VaultEntry], aliases: Sequence[Alias]) -> set[frozenset[str]]:
    """Which entrants are one person, whatever the person is called."""
    groups: dict[str, set[str]] = {}
    for (event, player), person in persons_of(entries, aliases).items():
        groups.setdefault(person, set()).add(f"{event}/{player}")
    return {frozenset(group) for group in groups.values()}


@given(st.data(), logs, st.booleans())
def test_who_is_forgotten_leaves_no_byte_and_every_number(
    vault: Callable[[], League],
    data: st.DataObject,
    read: dict[str, list[LogEntry]],
    keeps_ids: bool,  # noqa: FBT001 - drawn
) -> None:
    with vault() as league:
        take(league, read)
        league.record_all(
            (each, "0.9", "evidence") for each in data.draw(acts_among(names_in(league)))
        )
        entries, aliases = league.entries(), league.aliases()
        who = data.draw(st.sampled_from(names_in(league)))
        before, persons = partition(entries, aliases), persons_of(entries, aliases)
        person = {entry.guest: persons[entry.tournament, entry.player] for entry in entries}
        stands_for = {each.league_id: each.person for each in aliases if not each.tournament}
        gone = [x for x in entries if person[x.guest] == stands_for.get(who, who)]
        others = {x.name for x in entries if x not in gone}
        digests = {
            x.digest
            for x in league.ids()
            if (x.tournament, x.player) in {(y.tournament, y.player) for y in gone}
        }
        done = league.forget(act("forget", who), keeps_ids=keeps_ids)
        assert partition(league.entries(), league.aliases()) == before
        # the logs again, as published: nothing comes back, and nobody is told apart otherwise
        take(league, read)
        assert partition(league.entries(), league.aliases()) == before
        kept = {x.digest for x in league.ids()}
        path = league.path
    data_of = path.read_bytes()
    for name in {x.name for x in gone} - others:
        assert name.encode() not in data_of
        assert plain_name(name).encode() not in data_of
    for digest in digests - kept:
        assert digest.encode() not in data_of
    for pseudonym in done.pseudonyms:
        assert pseudonym.encode() not in data_of
    assert not is_guest(done.person) or done.person in {x.guest for x in entries} | {who}


@given(st.data(), logs)
def test_the_season_tells_persons_as_the_vault_does(
    vault: Callable[[], League], data: st.DataObject, read: dict[str, list[LogEntry]]
) -> None:
    """Both wordings, of a file and of a folder, against plain Python."""
    with vault() as league:
        take(league, read)
        league.record_all((each, "", "") for each in data.draw(acts_among(names_in(league))))
        entries, aliases = league.entries(), league.aliases()
    expected = [(*place, person) for place, person in sorted(persons_of(entries, aliases).items())]
    with empty_tables() as season:
        for entry in entries:
            row = [entry.tournament, entry.player, entry.league_id]
            season.execute(
                "INSERT INTO entrants SELECT $1, $2, $3, '', map(), 0, 1, NULL, false, 'active', "
                "0, NULL, NULL",
                row,
            )
            own = entry.league_id or entry.guest
            season.execute("INSERT INTO people VALUES (?, ?, ?, ?)", [*row[:2], own, bool(row[2])])
        asked = "SELECT tournament, player, person FROM ({}) ORDER BY ALL"
        put_aliases(season, aliases)
        shown = PEOPLE.format(rows="people", aliases="aliases")
        assert season.execute(asked.format(shown)).fetchall() == expected
        known = season.execute(
            f"SELECT tournament, player, known FROM ({shown}) ORDER BY ALL"
        ).fetchall()
        season.execute(sql("tables/retell"))
        assert season.execute(asked.format("FROM people")).fetchall() == expected
        assert (
            season.execute("SELECT tournament, player, known FROM people ORDER BY ALL").fetchall()
            == known
        )
        season.execute("DELETE FROM aliases")
        season.execute(sql("tables/retell"))
        alone = season.execute("SELECT person FROM people WHERE NOT known").fetchall()
        assert all(is_guest(person) for (person,) in alone)


def test_equal_ids_of_one_kind_join_and_nothing_else(vault: Callable[[], League]) -> None:
    with vault() as league:
        one = LogEntry(1, "", "Ann Lee", "fide", "", "", (("fide", "4000001"),), joins=True)
        twin = replace(one, player=2, joins=False)
        other = replace(one, ids=(("egf", "4000001"),))
        take(league, {EVENTS[0]: [one], EVENTS[1]: [one], EVENTS[2]: [other, twin]})
        persons = persons_of(league.entries(), league.aliases())
        assert persons[EVENTS[0], 1] == persons[EVENTS[1], 1] == league.pseudonym("fide", "4000001")
        assert persons[EVENTS[2], 1] == league.pseudonym("egf", "4000001")
        assert persons[EVENTS[2], 2] == f"{EVENTS[2]}/2"


def test_a_fresh_pseudonym_is_led_to_by_the_id(vault: Callable[[], League]) -> None:
    one = LogEntry(1, "", "Ann Lee", "fide", "", "", (("fide", "4000001"),), joins=True)
    with vault() as league:
        take(league, {EVENTS[0]: [one]})
        before = league.pseudonym("fide", "4000001")
        done = league.forget(act("forget", before), keeps_ids=True)
        assert league.pseudonym("fide", "4000001") == done.person != before
        take(league, {EVENTS[1]: [one]})
        assert {(x.pseudonym, x.name) for x in league.entries()} == {(done.person, "")}
        assert not league.ids()
        data = league.path.read_bytes()
        assert b"Ann Lee" not in data
        assert before.encode() not in data
        again = league.forget(act("forget", done.person))
        assert again.person == done.person
        plain = league.digest("fide", "4000001")
    assert plain[:32] == before
    assert plain[32:].encode() not in data


def test_an_older_vault_is_brought_over(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    with closing(sqlite3.connect(path)) as file:
        file.executescript(
            f"{sql('tables/league_1')}PRAGMA application_id = {0x6C656167};PRAGMA user_version = 1;"
            "INSERT INTO persons VALUES ('x', '7', 'Ann Lee');"
            "INSERT INTO acts VALUES (1, 'then', 'Kim', 'merge', 'y', 'x', '', 'one card');"
        )
    with League(path) as vault:
        (kept,) = vault.acts()
        assert kept == LeagueAct("then", "Kim", "merge", "y", "x", "", "one card", 0, 1)
        assert vault.aliases() == [Alias("", "y", "x")]
        assert [each.name for each in vault.persons()] == ["Ann Lee"]
        digest = vault.key_digest()
        vault.record(act("undo", "", undoes=1))
        assert vault.aliases() == []
    with League(path) as vault:
        assert vault.key_digest() == digest
        with pytest.raises(StoreUnavailable), vault.writing() as file:
            file.execute("DELETE FROM acts")


def test_a_backup_is_the_vault_while_others_write(tmp_path: Path) -> None:
    with League(tmp_path / "league.db", create=True) as vault, League(vault.path) as other:
        vault.name("x", "Ann Lee", "7")
        with other.writing():
            other.name("y", "Bob Ray", "8")
            vault.backup(tmp_path / "copy.db")
        vault.backup(tmp_path / "copy.db")
        with League(tmp_path / "copy.db") as copy:
            assert copy.persons() == vault.persons()
            assert copy.key_digest() == vault.key_digest()
        with pytest.raises(Refused, match="not a backup"):
            vault.backup(vault.path)
        League(tmp_path / "another.db", create=True).close()
        with pytest.raises(Refused, match="not a backup"):
            vault.backup(tmp_path / "another.db")
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "done",
    [
        "DELETE FROM vault_key",
        "UPDATE vault_key SET secret = x'00'",
        "INSERT INTO vault_key VALUES (x'00')",
    ],
)
def test_a_vault_without_its_key_says_so(tmp_path: Path, done: str) -> None:
    path = tmp_path / "league.db"
    League(path, create=True).close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(done)
    with League(path) as vault, pytest.raises(StoreUnavailable, match="key of 32 bytes"):
        vault.key_digest()


def test_labels_and_ids_are_read_as_people_write_them() -> None:
    assert {kind_of(each) for each in ("FIDE ID", "fide-id", "Fide_Id", "fide")} == {"fide"}
    assert [kind_of(each) for each in ("EGF PIN", "start.gg", "NRDB", "squad")] == [
        "egf", "startgg", "nrdb", "",
    ]  # fmt: skip
    assert is_id("Arena ID")
    assert not is_id("corp identity")
    assert not is_id("paid")
    assert read_id("fide", " 400 0001 ") == "4000001"
    assert [read_id("fide", each) for each in ("0", "", "n/a", "12a", "1" * 12, "x" * 10**6)] == [
        "" for _ in range(6)
    ]
    assert read_id("melee", "Ann#1") == "ann#1"
    assert read_id("melee", "a\x00b") == ""
    assert plain_name("LEE, Ann-Marie") == "ann marie lee"
