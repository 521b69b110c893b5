"""`season` and `query` at the command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from operator import itemgetter
from stat import S_IMODE
from typing import TYPE_CHECKING

import pytest

from cli.season.league import find_person
from ledger.errors import Refused
from projections.season.tables.database import open_season
from tests.support.cli_desk import typed_once
from tests.support.paths import ROOT
from tests.support.sample_season import SCHEME, first_logs, league, write_four
from tests.support.season import contents, write_log

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow
BROKEN = ROOT / "sample_logs" / "broken" / "forged-points.jsonl"
ONE, OTHER = (each.entry.league_id for each in league()[:2])


@typed_once
def logs(desk: Desk) -> Desk:
    """A folder of four logs beside a points scheme, and a season of them."""
    write_four(desk.folder)
    desk.done("season", "add", "logs")
    return desk


def season_of(desk: Desk) -> object:
    return contents(desk.folder / "season.duckdb")


def refused(desk: Desk, code: int, *words: str) -> str:
    """The one line of a refusal; the season stays as it was."""
    there = (desk.folder / "season.duckdb").exists()
    before = season_of(desk) if there else None
    answer = desk.type(*words)
    assert answer.code == code, answer.err
    assert answer.err.count("\n") == 1, answer.err
    assert answer.err.startswith("tourney: ")
    assert (season_of(desk) if there else None) == before
    return answer.err


@pytest.mark.usefixtures("logs")
def test_what_is_added_is_listed(desk: Desk) -> None:
    listed = desk.done("season", "--json").json
    assert [each["ruleset"] for each in listed] == ["l5r", "ashes", "runewars", "legion"]
    assert "Sample Season 01" in desk.done("season").out
    again = desk.done("season", "add", "logs", "--json")
    assert {each["fate"] for each in again.json} == {"known"}
    assert "4 already in the season" in again.err


@pytest.mark.usefixtures("logs")
def test_the_store_is_a_source(desk: Desk) -> None:
    before = season_of(desk)
    for number in range(4):
        desk.done("import", f"logs/{number}.jsonl")
    desk.done("season", "rebuild", "tourney.db")
    assert season_of(desk) == before


@pytest.mark.usefixtures("logs")
def test_points(desk: Desk) -> None:
    rows = desk.done("season", "standings", "--scheme", "points.toml", "--json").json
    assert rows[0]["rank"] == 1
    assert rows[0]["points"] == sum(x["points"] for x in rows[0]["results"] if x["counts"])
    early = desk.done("season", "standings", "--scheme", "points.toml", "--at", "2026-01-10")
    assert "qualified" in early.out
    assert "without a league id" in early.err
    assert refused(desk, 2, "season", "standings").count("--scheme")
    assert "--at must be a date" in refused(
        desk, 2, "season", "standings", "--scheme", "points.toml", "--at", "May"
    )
    gap = SCHEME.replace("players_min = 16", "players_min = 18")
    (desk.folder / "gap.toml").write_text(gap, "utf-8")
    told = refused(desk, 2, "season", "standings", "--scheme", "gap.toml")
    assert "gap.toml: bands 2 (18-): there is a gap before it: the previous one ends at 15" in told


def test_a_season_without_tournaments(desk: Desk) -> None:
    assert "there is no season" in refused(desk, 3, "season")
    assert "there is no season" in refused(desk, 3, "query", "SELECT 1")
    (desk.folder / "empty").mkdir()
    assert "no log" in refused(desk, 3, "season", "add", "empty")
    assert "no log, folder or store" in refused(desk, 3, "season", "add", "nowhere")
    assert "there is no season" in refused(desk, 3, "season")
    open_season(desk.folder / "season.duckdb", create=True).close()
    assert "contains no tournament yet" in refused(desk, 3, "season")


@pytest.mark.usefixtures("logs")
def test_a_bad_log_is_named_and_changes_nothing(desk: Desk) -> None:
    (desk.folder / "logs" / "2b.jsonl").write_bytes(BROKEN.read_bytes())
    told = refused(desk, 1, "season", "add", "logs")
    assert re.search(r"2b\.jsonl: line \d+", told)
    assert "nothing was changed" in told
    answer = desk.done("season", "add", "logs", "--keep-going")
    assert "1 skipped" in answer.err
    assert re.search(r"2b\.jsonl: line \d+", answer.err)


NO_LOGS = {
    "notes.jsonl": b'{"id":1,"note":"bring tables"}\n',
    "empty.jsonl": b"",
    "text.jsonl": b"Ann owes Bob a coffee\n",
    "bytes.jsonl": bytes(range(256)) * 9,
    "list.jsonl": b"[1,2,3]\n",
}


@pytest.mark.usefixtures("logs")
@pytest.mark.parametrize("verb", ["add", "rebuild", "derive"])
def test_files_of_a_folder_that_are_no_logs_are_passed_over(desk: Desk, verb: str) -> None:
    for name, data in NO_LOGS.items():
        (desk.folder / "logs" / name).write_bytes(data)
    words = ["season", verb, *(["parts"] if verb == "derive" else []), "logs"]
    answer = desk.done(*words)
    for name in NO_LOGS:
        assert f"{name} is not a log: skipped" in answer.err
    assert f"4 logs: 4 {'already in the season' if verb == 'add' else 'new'}" in answer.err
    alone = desk.type("season", "add", "logs/notes.jsonl")  # named by itself, it is meant
    assert (alone.code, "line 1" in alone.err) == (1, True)


@pytest.mark.usefixtures("logs")
def test_two_logs_that_disagree(desk: Desk) -> None:
    lines = first_logs(4)
    place = len(lines[0]) - 5  # behind the head of the start
    forked = [*lines[0]]
    forked[place] = forked[place].replace(b".000Z", b".001Z")
    write_log(desk.folder / "fork.jsonl", forked)
    write_log(desk.folder / "short.jsonl", forked[:-2])
    write_log(desk.folder / "long.jsonl", lines[0])
    for name in ("fork.jsonl", "short.jsonl"):
        told = refused(desk, 1, "season", "add", name)
        assert f"{name} contradicts the log of its tournament in the season" in told
        assert f"they differ from event {place + 1} on; find out" in told
    told = refused(desk, 1, "season", "add", "fork.jsonl", "long.jsonl", "--in", "new.duckdb")
    assert "long.jsonl contradicts fork.jsonl: they" in told
    assert f"they differ from event {place + 1} on; find out" in told


@pytest.mark.usefixtures("logs")
def test_a_damaged_file_is_made_anew(desk: Desk) -> None:
    before = season_of(desk)
    file = desk.folder / "season.duckdb"
    file.write_bytes(b"damaged" * 1_000)
    for words in (("season",), ("season", "add", "logs"), ("query", "SELECT 1")):
        answer = desk.type(*words)
        assert (answer.code, answer.err.count("\n")) == (4, 1)
        assert "season rebuild" in answer.err
    desk.done("season", "rebuild", "logs")
    assert season_of(desk) == before
    assert {each.name for each in desk.folder.iterdir()} == {
        ".tourney-keys",
        "logs",
        "points.toml",
        "season.duckdb",
    }


@pytest.mark.usefixtures("logs")
def test_no_rebuild_takes_the_place_of_another_file(desk: Desk) -> None:
    """A word too few, and a store is the season's file."""
    desk.open(4)
    desk.done("season", "people", "name", "Ann Lee")
    for path in ("logs/0.jsonl", "tourney.db", "league.db"):
        before = (desk.folder / path).read_bytes()
        assert "never replaced" in refused(desk, 1, "season", "rebuild", "logs", "--in", path)
        for words in (("season", "add", "logs"), ("season",), ("stats", "factions")):
            assert "is not a season" in refused(desk, 4, *words, "--in", path)
        assert (desk.folder / path).read_bytes() == before


@pytest.mark.usefixtures("logs")
def test_a_damaged_block_is_no_other_program(desk: Desk) -> None:
    before = season_of(desk)
    file = desk.folder / "season.duckdb"
    whole = file.read_bytes()
    file.write_bytes(whole[:12] + b"\xff" * 16 + whole[28:])
    answer = desk.type("season")
    assert (answer.code, "season rebuild" in answer.err) == (4, True)
    desk.done("season", "rebuild", "logs")
    assert season_of(desk) == before


@pytest.mark.usefixtures("logs")
def test_a_rebuild_that_fails_leaves_the_old_one(desk: Desk) -> None:
    (desk.folder / "logs" / "bad.jsonl").write_bytes(BROKEN.read_bytes())
    assert "bad.jsonl" in refused(desk, 1, "season", "rebuild", "logs")


@pytest.mark.usefixtures("logs")
def test_an_archive_gives_the_season_back(desk: Desk) -> None:
    before = season_of(desk)
    assert desk.done("season", "archive", "kept", "--json").json["written"] == 4
    assert "4 unchanged" in desk.done("season", "archive", "kept").err
    desk.done("season", "rebuild", "kept")
    assert season_of(desk) == before
    assert "add logs and Parquet files separately" in refused(
        desk, 2, "season", "add", "kept", "logs"
    )
    (desk.folder / "other.parquet").write_bytes(b"PAR1")
    assert "not a file of an archive" in refused(desk, 1, "season", "add", "other.parquet")
    damaged = next((desk.folder / "kept").iterdir())
    damaged.write_bytes(b"PAR1" + b"\0" * 99)
    assert "cannot be read" in refused(desk, 1, "season", "rebuild", "kept")


@pytest.mark.usefixtures("logs")
def test_a_shorter_log_beside_an_archive_is_named(desk: Desk) -> None:
    lines = first_logs(4)
    desk.done("season", "archive", "kept")
    desk.done("season", "rebuild", "kept")
    before = season_of(desk)
    write_log(desk.folder / "short.jsonl", lines[0][:-1])
    answer = desk.done("season", "add", "short.jsonl", "--json")
    assert [each["fate"] for each in answer.json] == ["shorter"]
    named, counted = answer.err.splitlines()
    assert named.startswith("tourney: short.jsonl was left out")
    assert "season rebuild" in named
    assert counted == "1 log: 1 not compared"
    assert season_of(desk) == before
    desk.done("season", "rebuild", "logs", "short.jsonl")
    assert season_of(desk) == before


@pytest.mark.usefixtures("logs")
def test_a_narrow_terminal_keeps_the_names(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    person = desk.done("season", "standings", "--scheme", "points.toml", "--json").json[0]["person"]
    desk.done("season", "people", "name", "Zebulon Quill", person)
    monkeypatch.setenv("COLUMNS", "40")
    head, *rows = desk.done("season", "standings", "--scheme", "points.toml").out.splitlines()
    assert "Zebulon" in rows[0]
    assert rows[0].rstrip().endswith("qualified")
    assert "points" in head
    assert all(len(row) <= 40 for row in rows)


@pytest.mark.usefixtures("logs")
def test_a_correction_in_may(desk: Desk) -> None:
    desk.done("import", "logs/0.jsonl")
    winner = desk.done("standings", "--final", "--json").json[0]["player"]
    desk.done("disqualify", f"#{winner}", "--reason", "found in May")
    desk.done("export", "-o", "grown.jsonl")
    told = desk.done("season", "restate", "grown.jsonl", "--scheme", "points.toml", "--json").json
    assert [each["fate"] for each in told["logs"]] == ["grown"]
    assert {"tournaments", "entrants", "events"} <= {each["table"] for each in told["changes"]}
    assert any(
        each["before"]["rank"] < (each["after"] or {"rank": 999})["rank"]
        for each in told["season"]
        if each["before"]
    )
    asked = ("season", "restate", "grown.jsonl", "--scheme", "points.toml")
    brief, words = desk.done(*asked), desk.done(*asked, "--rows")
    tournament = told["logs"][0]["tournament"][:12]
    assert f"+ departures {tournament} seq " in words.out
    assert re.search(rf"(?m)^~ tournaments {tournament}: size \d+ → \d+, root \w+ → \w+", words.out)
    assert f"~ entrants {tournament} player {winner}: status " in words.out
    told_once = [line.partition(":")[0] for line in words.out.splitlines() if line[0] in "-+~"]
    assert len(set(told_once)) == len(told_once)
    assert "nothing was written" in words.err
    *first, last = brief.out.splitlines(keepends=True)
    assert (words.out.startswith("".join(first)), last[:13]) == (True, f"{tournament}:")
    moved = [line.split(": ")[1] for line in words.out.splitlines() if line.startswith("season: ")]
    here = [each["after"] or each["before"] for each in told["season"]]
    assert moved == [each["person"][:12] for each in sorted(here, key=itemgetter("rank"))]
    desk.done("season", "add", "grown.jsonl")
    assert desk.done("season", "restate", "grown.jsonl").out == ""


@pytest.mark.usefixtures("logs")
def test_people_of_the_league(desk: Desk) -> None:
    desk.done("season", "people", "name", "Ann Lee", ONE, "--member", "4711")
    desk.done("season", "people", "name", "Ann Lee", OTHER)
    drawn = desk.done("season", "people", "name", "Bo Ek", "--member", "12").out.strip()
    assert re.fullmatch("[0-9a-f]{32}", drawn)
    assert desk.done("season", "people", "name", "Bo Ek", "--member", "12").out.strip() == drawn
    assert S_IMODE((desk.folder / "league.db").stat().st_mode) == 0o600
    assert b"Ann Lee" not in (desk.folder / "season.duckdb").read_bytes()
    decided = ("--by", "Kim Larsen", "--reason", "one card, two ids")
    assert "a name is not enough" in refused(
        desk, 1, "season", "people", "merge", "Ann Lee", ONE, *decided
    )
    assert "--by" in refused(desk, 2, "season", "people", "merge", ONE, OTHER)
    assert "themselves" in refused(desk, 1, "season", "people", "merge", ONE, "4711", *decided)
    assert "no one in the league" in refused(
        desk, 3, "season", "people", "merge", "0" * 32, ONE, *decided
    )
    assert "another person" in refused(
        desk, 1, "season", "people", "name", "Ann Lee", OTHER, "--member", "4711"
    )


@pytest.mark.parametrize("name", ["p7", "7", "#7", "o2", "4711", ONE, ONE[:8], f" {ONE} "])
def test_an_id_is_not_taken_as_a_name(desk: Desk, name: str) -> None:
    """Typed in the place of the name, it would be one for the rest of the season."""
    ann = desk.done("season", "people", "name", "Ann 2 Lee").out.strip()
    for words in (("name", name), ("name", name, "Ann Lee"), ("rename", ann, name)):
        said = refused(desk, 2, "season", "people", *words)
        assert "is an id or a number, not a name: give the name of the person" in said
    assert [each["name"] for each in desk.done("season", "people", "--json").json] == ["Ann 2 Lee"]


def test_the_exact_spelling_of_a_persons_name_wins(desk: Desk) -> None:
    ids = {
        name: desk.done("season", "people", "name", name).out.strip()
        for name in ("Jos\u00e9 N", "Jose N", "JOSE N")
    }
    for name, id_ in ids.items():
        assert find_person("league.db", name, dict.fromkeys(ids.values())) == id_
    with pytest.raises(Refused, match="2 people in the season are called 'jose n'"):
        find_person("league.db", "jose n", dict.fromkeys(ids.values()))


def test_nobody_takes_another_persons_place(desk: Desk) -> None:
    """A pseudonym that has a name is not given to somebody else, by its number or as it stands."""
    ann = desk.done("season", "people", "name", "Ann Lee", "--member", "1").out.strip()
    for words in (("Bob", "--member", "1"), ("Bob", ann)):
        told = refused(desk, 1, "season", "people", "name", *words)
        assert f"{ann} is Ann Lee: another person needs a separate id" in told
    assert [each["name"] for each in desk.done("season", "people", "--json").json] == ["Ann Lee"]
    answer = desk.done("season", "people", "rename", "1", "Ann Lee-Ray")
    assert answer.err == f"{ann} is Ann Lee-Ray, no longer Ann Lee; every result stays theirs\n"
    (person,) = desk.done("season", "people", "--json").json
    assert (person["league_id"], person["name"], person["member"]) == (ann, "Ann Lee-Ray", "1")
    assert "no one in the league" in refused(desk, 3, "season", "people", "rename", "0" * 32, "Cy")
    assert "give a name" in refused(desk, 2, "season", "people", "rename", ann, " ")


@pytest.mark.parametrize("unseen", [f"{ONE}\r", f" {ONE}", f"{ONE}\u200b", " "])
def test_an_id_with_what_nobody_sees_is_refused(desk: Desk, unseen: str) -> None:
    """The name would be that of nobody in any season."""
    said = refused(desk, 2, "season", "people", "name", "Ann Lee", unseen)
    assert "invisible characters" in said
    assert not list(desk.folder.glob("league*"))


@pytest.mark.usefixtures("logs")
def test_a_refusal_makes_no_vault(desk: Desk) -> None:
    decided = ("--by", "Kim Larsen", "--reason", "one card, two ids")
    assert "no one in the league" in refused(
        desk, 3, "season", "people", "merge", "0" * 32, ONE, *decided
    )
    person = min(persons(desk))
    assert "themselves" in refused(desk, 1, "season", "people", "merge", person, person, *decided)
    assert not (desk.folder / "league.db").exists()


@pytest.mark.usefixtures("logs")
def test_two_of_one_name_are_told_apart_in_the_standings(desk: Desk) -> None:
    words = ("season", "standings", "--scheme", "points.toml")
    first, second = (row["person"] for row in desk.done(*words, "--json").json[:2])
    for each in (first, second):
        desk.done("season", "people", "name", "Ann Lee", each)
    rows = desk.done(*words).out.splitlines()[1:3]
    assert f"Ann Lee ({first[:12]})" in rows[0]
    assert f"Ann Lee ({second[:12]})" in rows[1]


def persons(desk: Desk) -> set[str]:
    asked = "SELECT DISTINCT person FROM people WHERE known"
    return {each["person"] for each in desk.done("query", "--json", asked).json}


@pytest.mark.usefixtures("logs")
def test_a_merge_and_a_split_are_acts(desk: Desk) -> None:
    apart = persons(desk)
    one, other = sorted(apart)[:2]
    decided = ("--by", "Kim Larsen", "--reason", "one card, two ids")
    desk.done("season", "people", "merge", one, other, *decided)
    assert persons(desk) == apart - {one}
    assert "themselves" in refused(desk, 1, "season", "people", "merge", other, one, *decided)
    before = season_of(desk)
    desk.done("season", "rebuild", "logs")
    assert season_of(desk) == before
    desk.done("season", "people", "split", one, *decided)
    assert persons(desk) == apart
    where = desk.done(
        "query", "--json", f"SELECT tournament FROM entrants WHERE league_id = '{one}'"
    ).json[0]["tournament"]
    desk.done("season", "people", "split", one, "-t", where, *decided)
    assert len(persons(desk) - apart) == 1
    acts = desk.done("season", "people", "acts", "--json").json
    assert [each["kind"] for each in acts] == ["merge", "split", "split"]
    assert {each["made_by"] for each in acts} == {"Kim Larsen"}


@pytest.mark.usefixtures("logs")
def test_a_person_is_forgotten_and_the_numbers_stay(desk: Desk) -> None:
    desk.done("season", "people", "name", "Zebulon Quill", ONE)
    shown = desk.done("season", "standings", "--scheme", "points.toml")
    before = season_of(desk)
    desk.done("season", "people", "forget", ONE, "--by", "Kim", "--reason", "they asked")
    assert b"Zebulon" not in (desk.folder / "league.db").read_bytes()
    assert season_of(desk) == before
    after = desk.done("season", "standings", "--scheme", "points.toml")
    assert "Zebulon" not in after.out
    assert len(after.out.splitlines()) == len(shown.out.splitlines())
    assert "nothing to forget" in refused(
        desk, 3, "season", "people", "forget", ONE, "--by", "Kim", "--reason", "again"
    )


@pytest.mark.usefixtures("logs")
def test_questions(desk: Desk) -> None:
    asked = "SELECT ruleset, count(*) AS n FROM tournaments GROUP BY ALL ORDER BY ALL"
    assert desk.done("query", "--json", asked).json[0] == {"ruleset": "ashes", "n": 1}
    assert desk.done("query", "--csv", asked).out.splitlines()[:2] == ["ruleset,n", "ashes,1"]
    assert desk.done("query", asked).out.split()[:3] == ["ruleset", "n", "ashes"]
    assert desk.done("query", "-", "--csv", stdin=asked).out.startswith("ruleset,n")
    formula = desk.done("query", "--csv", "SELECT '=1+1' AS a, -5 AS b, 'x,\"y' AS c").out
    assert formula.splitlines()[1] == '\'=1+1,-5,"x,""y"'
    assert "\x1b" not in desk.done("query", "SELECT chr(27) || '[31m' AS a").out
    assert "not DELETE" in refused(desk, 1, "query", "DELETE FROM events")
    assert "disabled" in refused(desk, 1, "query", "SELECT * FROM read_text('points.toml')")
    assert "give a question" in refused(desk, 2, "query")
    assert "final_place" in desk.done("query", "tables").out


@pytest.mark.usefixtures("logs")
def test_the_shell_in_a_pipe(desk: Desk) -> None:
    typed = "SELECT 1 AS a;\nSELECT\n2 AS b;\nDROP TABLE events;\nSELECT 3 AS c;\nSELECT 4"
    answer = desk.done("query", "--csv", stdin=typed)
    assert answer.out.split() == ["a", "1", "b", "2", "c", "3"]
    assert "not DROP" in answer.err
    assert "was not asked" in answer.err


def test_no_other_verb_pays_for_the_season(desk: Desk) -> None:
    script = (
        "import sys; from cli.main import main; main(['--help']); main(['ruleset']);"
        "sys.exit('duckdb' in sys.modules)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=desk.folder, env=env, capture_output=True, check=False
    )
    assert ran.returncode == 0
