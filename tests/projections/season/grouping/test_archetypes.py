"""Lists named by rules: what fits, what is disclosed, and rows by two files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.errors import InvalidLog, InvalidRuleset, Refused
from ledger.fold import fold
from ledger.formats.play_lists import read_text
from ledger.lines.line import decode
from ledger.proof.heads import HeadWaiver
from projections.season.asking import Filters, answer, narrow, prepare, question_named
from projections.season.grouping import groups
from projections.season.grouping.archetypes import (
    FILES,
    Archetypes,
    _cards,
    load_archetypes,
    name_lists,
    named_lists,
    refuse_two_for_one,
)
from projections.season.grouping.folding import ways_to_group
from projections.season.loading.adding import add
from projections.season.loading.intake import LoadTerms
from projections.season.loading.sources import sources_of
from projections.season.tables.database import open_season
from tests.support.season import silent, write_log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.season.grouping.archetypes import NamedLists

DAYS = Path(__file__).parents[4] / "sample_logs" / "days"
LIST = """
units
1 Coalition Regulars
- MK-9 Beam Trooper
1 Coalition Regulars
- MK-9 Beam Trooper
1 Hull Cutter (red)
commands 2
3 Ambush
1 Crème Brûlée
"""


def fits(rule: str) -> bool:
    """Whether the list fits an archetype of one rule."""
    text = f'ruleset = "legion"\narchetypes = [{{ name = "A", {rule} }}]'
    lines = list(_cards(read_text(LIST, None)))
    return FILES.parse(text).archetypes[0].fits(lines)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ('all = [{ cards = ["hull cutter"] }]', True),
        ('all = [{ cards = ["Hull Cutter (red)"] }]', True),
        ('all = [{ cards = ["Hull Cutter (blue)"] }]', False),
        ('all = [{ cards = ["Hull"] }]', False),
        ('all = [{ cards = ["creme  brulee"] }]', True),
        ('all = [{ cards = ["Ambush"], least = 3 }]', True),
        ('all = [{ cards = ["Ambush"], least = 4 }]', False),
        ('all = [{ cards = ["Ambush"], most = 2 }]', False),
        ('all = [{ cards = ["Ambush", "Hull Cutter"], least = 4, most = 4 }]', True),
        ('all = [{ cards = ["Ambush", "Hull Cutter", "X"], different = 2 }]', True),
        ('all = [{ cards = ["Ambush", "Hull Cutter", "X"], different = 3 }]', False),
        ('all = [{ cards = ["MK-9 Beam Trooper"], least = 2, most = 2 }]', True),  # one each
        ('all = [{ cards = ["X"], most = 0 }]', True),
        ('all = [{ cards = ["Ambush"], section = "Commands" }]', True),
        ('all = [{ cards = ["Ambush"], section = "units" }]', False),
        ('all = [{ section = "units", least = 5 }]', True),
        ('all = [{ section = "units", least = 6 }]', False),
        ('all = [{ cards = ["Ambush"] }, { cards = ["X"] }]', False),
        ('any = [{ cards = ["Ambush"] }, { cards = ["X"] }]', True),
        ('any = [{ cards = ["Y"] }, { cards = ["X"] }]', False),
        ('all = [{ cards = ["Ambush"] }], any = [{ cards = ["X"] }]', False),
    ],
)
def test_what_fits(rule: str, expected: bool) -> None:  # noqa: FBT001 - a table
    assert fits(rule) == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('ruleset = "l5r"', "archetypes"),
        ('ruleset = "l5r"\narchetypes = []', "at least one"),
        ('ruleset = "l5r"\narchetypes = [{ name = "A" }]', "no condition"),
        ('ruleset = "l5r"\narchetypes = [{ name = "A", all = [{}] }]', "name cards"),
        (
            (
                'ruleset = "l5r"\narchetypes = [{ name = "A", all = [{ cards = ["X"], least = 2, '
                "most = 1 }] }]"
            ),
            "least is above most",
        ),
        (
            (
                'ruleset = "l5r"\narchetypes = [{ name = "A", all = [{ cards = ["X"], '
                "different = 2 }] }]"
            ),
            "different is above",
        ),
        (
            'ruleset = "l5r"\narchetypes = [{ name = "(sealed)", all = [{ cards = ["X"] }] }]',
            "is not a name",
        ),
        (
            (
                'ruleset = "l5r"\narchetypes = [{ name = "A", all = [{ cards = ["X"] }] }, '
                '{ name = "A", all = [{ cards = ["Y"] }] }]'
            ),
            "twice",
        ),
        ('ruleset = "l5r"\nodd = 1\narchetypes = []', "odd"),
    ],
)
def test_a_wrong_file_is_said_with_its_place(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text(text)
    with pytest.raises(InvalidRuleset, match=told) as refused:
        load_archetypes(tmp_path / "rules.toml")
    assert "rules.toml" in str(refused.value)


RULES = """
ruleset = "legion"
otherwise = "Rest"
archetypes = [
  { name = "Cutter", all = [{ cards = ["Hull Cutter"] }] },
  { name = "Trooper", all = [{ cards = ["MK-9 Beam Trooper"], least = 4 }] },
  { name = "Nobody's", all = [{ cards = ["No such card"] }] },
]
"""
ASHES = """
ruleset = "ashes"
archetypes = [{ name = "Glass", all = [{ cards = ["Glass Knight"], section = "deck" }] }]
"""


def rules(folder: Path, text: str = RULES) -> Archetypes:
    (folder / "rules.toml").write_text(text)
    return load_archetypes(folder / "rules.toml")


def lines_of(name: str) -> list[bytes]:
    lines = (DAYS / name).read_bytes().splitlines()
    return [line for line in lines if b'"seq"' in line]


def season_with(
    folder: Path, logs: Sequence[Path], *files: Archetypes
) -> tuple[Path, list[NamedLists]]:
    """Take logs in, and say what the files did."""
    season = folder / "season.duckdb"
    with open_season(season, create=True) as connection:
        sources = list(sources_of(map(str, logs)))
        add(
            connection,
            sources,
            folder,
            silent,
            LoadTerms(trust=HeadWaiver("half a log"), archetypes=files),
        )
        return season, [named_lists(connection, each) for each in files]


def names_in(season: Path) -> Counter[str]:
    with open_season(season, read_only=True) as connection:
        rows = connection.execute("SELECT attributes['archetype'] FROM entrants").fetchall()
    return Counter(name for (name,) in rows)


def test_disclosed_lists_are_named_and_others_are_not(tmp_path: Path) -> None:
    """The end reveals the key of hidden sections; until then the list is no group."""
    whole = lines_of("legion-28.jsonl")
    for place, log in enumerate((whole, whole[: len(whole) - 40])):
        here = tmp_path / str(place)
        here.mkdir()
        by = rules(here)
        season, (found,) = season_with(here, [write_log(here / "a.jsonl", log)], by)
        assert found.lists == 28
        assert found.never(by) == (["Trooper", "Nobody's"] if place == 0 else [*by_names(by)])
        with open_season(season, read_only=True) as connection:
            prepare(connection)
            narrow(connection, Filters(by="archetype"))
            rows = answer(connection, question_named("factions")).rows
            given = groups.given_by(connection, "archetype")
            assert groups.attributes_of(connection) == ["archetype"]
        if place:
            assert (found.closed, given) == (28, (28, 0, 28))
            assert [row[1:4] for row in rows] == [("", 28, None)]
        else:
            assert found.by_name == dict(names_in(season))
            assert given == (28, 0, 0)
            assert sum(row[2] for row in rows if row[1] in {"Cutter", "Rest"}) == 28
            assert found.overlaps.get(("Cutter", "Trooper"), 0) > 0


def by_names(by: Archetypes) -> list[str]:
    return [each.name for each in by.rules.archetypes]


def test_every_name_is_that_of_the_first_rule_that_fits(tmp_path: Path) -> None:
    """In plain Python, from the list as it was opened."""
    by = rules(tmp_path)
    tournament = fold([decode(line) for line in lines_of("legion-28.jsonl")])
    assert name_lists(tournament, [by]) is tournament
    for player in tournament.players[1:]:
        text = tournament.lists[player.number].text
        troopers = text.count("MK-9 Beam Trooper")
        expected = "Cutter" if "Hull Cutter" in text else "Trooper" if troopers >= 4 else "Rest"
        assert player.attributes["archetype"] == expected
        assert player.attributes["archetype (rules)"] == by.sha256
        also = player.attributes.get("archetype (also)", "")
        assert also == ("Trooper" if expected == "Cutter" and troopers >= 4 else "")
    with pytest.raises(InvalidLog, match="already"):
        name_lists(tournament, [by])


def test_the_same_file_changes_nothing_and_another_one_is_seen(tmp_path: Path) -> None:
    logs = [DAYS / "legion-28.jsonl", DAYS / "ashes-36.jsonl"]
    by, ashes = rules(tmp_path), Archetypes(FILES.parse(ASHES), "ab" * 32)
    plain, _ = season_with(tmp_path, logs)
    assert set(names_in(plain)) == {None}
    season, _ = season_with(tmp_path, logs, by, ashes)  # known logs are derived again
    named = names_in(season)
    assert named["Cutter"] == 28
    assert named["Glass"] > 0
    with open_season(season) as connection:
        sources = list(sources_of(map(str, logs)))
        taken = add(connection, sources, tmp_path, silent, LoadTerms(archetypes=(by, ashes)))
        assert [each.fate for each in taken] == ["known", "known"]
        assert ways_to_group(connection, "ashes") == []
        # Rows of one game by two files: a question by the attribute is refused.
        connection.execute(
            "UPDATE entrants SET attributes = map(['archetype', 'archetype (rules)'], "
            "['Cutter', 'cd']) FROM tournaments WHERE entrants.tournament = tournaments.tournament "
            "AND ruleset = 'legion' AND player < 9"
        )
        prepare(connection)
        with pytest.raises(Refused, match="by 2 archetype files"):
            narrow(connection, Filters(by="archetype"))
        narrow(connection, Filters(by="archetype", ruleset="ashes"))
        narrow(connection, Filters())


def test_two_files_for_one_attribute_are_refused(tmp_path: Path) -> None:
    by = rules(tmp_path)
    refuse_two_for_one([by, rules(tmp_path, ASHES)])
    refuse_two_for_one([by, rules(tmp_path, f'attribute = "deck"\n{RULES}')])
    formats = [rules(tmp_path, f'format = "{key}"\n{ASHES}') for key in ("a", "b")]
    refuse_two_for_one(formats)
    for several in ([by, by], [*formats, rules(tmp_path, ASHES)], [*formats, formats[0]]):
        with pytest.raises(Refused, match="two files fill archetype"):
            refuse_two_for_one(several)
