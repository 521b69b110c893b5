"""`stats` and `rating` at the command line."""

from __future__ import annotations

import builtins
import csv
import io
import re
import struct
import sys
from typing import TYPE_CHECKING, Any

import pytest

from projections.season.for_readers import labels_of
from projections.season.rating_tables import RANKING
from projections.season.ratings import RANKED_GAMES
from projections.season.tables.database import open_season
from projections.season.tables.definitions import questions
from tests.support.chance.random_seasons import day
from tests.support.season import opened, take_in, words_of, write_log

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.slow

DAYS = 24
SYSTEMS = ("elo", "glicko2", "bayes")
PERSON = f"{12:032x}"
RATING = ("rating", "--ruleset", "swiss")
DRAWN = [question.name for question in questions() if question.plot]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A season's file."""
    folder = tmp_path_factory.mktemp("season")
    logs = [write_log(folder / f"{number:02}.jsonl", day(number)) for number in range(DAYS)]
    take_in(folder / "season.duckdb", *logs)
    return (folder / "season.duckdb").read_bytes()


@pytest.fixture
def season(desk: Desk, made: bytes) -> Path:
    """The season at the desk, and a vault with one name in it."""
    path = desk.folder / "season.duckdb"
    path.write_bytes(made)
    desk.done("season", "people", "name", "Ann Lee", PERSON, "--member", "M-12")
    return path


def refused(desk: Desk, code: int, *words: str) -> str:
    answer = desk.type(*words)
    assert (answer.code, answer.out) == (code, "")
    assert re.fullmatch(r"tourney: .+\n", answer.err)
    return answer.err


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_the_list_names_every_question(desk: Desk) -> None:
    out = desk.done("stats").out
    assert re.findall(r"^([a-z-]+) ", out, re.MULTILINE)[1:] == [each.name for each in questions()]
    assert out == desk.done("stats", "list").out
    assert [row["question"] for row in desk.done("stats", "list", "--json").json] == [
        each.name for each in questions()
    ]


@pytest.mark.parametrize("question", questions(), ids=lambda each: each.name)
def test_a_question_shown_can_be_asked_as_it_stands(
    desk: Desk,
    season: Path,
    question: Any,  # noqa: ANN401 - a question
) -> None:
    assert season.exists()
    told = desk.done("stats", "show", question.name, "--json").json
    assert [column["name"] for column in told["columns"]] == [c.name for c in question.columns]
    shown = desk.done("stats", "show", question.name).out
    assert question.answers in shown
    assert shown.endswith(question.sql + "\n")
    asked = desk.done("query", told["sql"], "--csv").out
    plain = [column.name for column in question.columns]
    answered = cells(desk.done("stats", question.name, "--csv").out)
    kept = [place for place, head in enumerate(answered[0]) if head in plain]
    assert cells(asked) == [[row[place] for place in kept] for row in answered]


@pytest.mark.parametrize("question", questions(), ids=lambda each: each.name)
def test_a_table_fits_the_terminal(
    desk: Desk,
    season: Path,
    question: Any,  # noqa: ANN401 - a question
) -> None:
    assert season.exists()
    in_pipe = desk.done("stats", question.name)
    assert "no room" not in in_pipe.err
    desk.patch.setenv("COLUMNS", "80")
    answer = desk.done("stats", question.name)
    assert all(len(line) <= 80 for line in answer.out.splitlines())
    *told, last = (line for line in answer.err.splitlines() if line != UNNAMED)
    assert last.startswith(question.title)
    titles = [each.name.replace("_", " ") for each in question.columns]
    if answer.out:
        heads = re.split(" {2,}", answer.out.splitlines()[0].strip())
        without = [title for title in titles if title not in heads]
        assert set(titles) <= {*re.split(" {2,}", in_pipe.out.splitlines()[0].strip())}
        also = f"no room for: {', '.join(without)}; a wider terminal or --json shows them"
        assert told == ([also] if without else [])


def test_names_stand_beside_pseudonyms_and_only_where_people_look(desk: Desk, season: Path) -> None:
    assert season.exists()
    head, *rows = cells(desk.done("stats", "head-to-head", "--player", "ann lee", "--csv").out)
    assert head[:4] == ["person", "person_name", "opponent", "opponent_name"]
    assert {tuple(row[:2]) for row in rows} == {(PERSON, "Ann Lee")}
    again = desk.done("stats", "head-to-head", "--player", "M-12", "--json").json
    assert [row["opponent"] for row in again] == [row[2] for row in rows]
    assert "Ann Lee" in desk.done("stats", "head-to-head", "--player", PERSON).out
    desk.done("stats", "head-to-head", "--parquet", "all.parquet")
    with opened(season) as connection:
        found = connection.execute("FROM read_parquet('all.parquet')").fetchall()
    assert any(PERSON in row for row in found)
    assert b"Ann Lee" not in (desk.folder / "all.parquet").read_bytes()


def test_the_first_rows_and_the_rest(desk: Desk, season: Path) -> None:
    assert season.exists()
    every = desk.done("stats", "head-to-head", "--csv").out.splitlines()
    assert desk.done("stats", "head-to-head", "--csv", "--top", "3").out.splitlines() == every[:4]
    count = f"{len(every) - 1:,} rows"
    for top, told in (
        (("--top", "3"), f"the first 3 of {count}"),
        (("--top", "1"), f"the first 1 of {count}"),
        ((), f"the first 40 of {count}; --top N shows more"),
        (("--top", str(len(every) - 1)), count),
        (("--top", str(len(every))), count),
        (("--player", PERSON, "--top", "1"), "the first 1 of "),
    ):
        assert f": {told}" in desk.done("stats", "head-to-head", *top).err
    assert f": {count}" not in desk.done("stats", "head-to-head", "--player", PERSON).err
    assert desk.done("query", "SELECT 1").err == "1 row\n"
    short = desk.done("stats", "head-to-head")
    assert len(short.out.splitlines()) == 41
    assert "--top" in short.err


def test_a_cell_that_a_spreadsheet_would_calculate_is_text(desk: Desk, season: Path) -> None:
    with open_season(season) as connection:
        connection.execute("UPDATE entrants SET faction = '=1+1' WHERE faction = 'Crab'")
    out = desk.done("stats", "factions", "--csv").out
    assert "'=1+1" in out
    assert not re.search(r"(^|,)=", out, re.MULTILINE)


def test_a_faction_can_not_steer_the_terminal(desk: Desk, season: Path) -> None:
    with open_season(season) as connection:
        connection.execute("UPDATE entrants SET faction = 'a' || chr(27) || '[2J'")
    for words in ((), ("--json",)):
        assert "\x1b" not in desk.done("stats", "factions", *words).out


@pytest.mark.parametrize("name", DRAWN)
def test_every_picture_is_one_and_1200_wide(desk: Desk, season: Path, name: str) -> None:
    assert season.exists()
    said = desk.done("stats", name, "--plot", "picture.png").err
    assert said.startswith("picture.png: ")
    picture = (desk.folder / "picture.png").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", picture[16:24])
    assert (wide, high > 100) == (1200, True)


def test_no_rows_are_no_picture_and_an_empty_table(desk: Desk, season: Path) -> None:
    with open_season(season) as connection:
        connection.execute("DELETE FROM cuts")
    line = refused(desk, 1, "stats", "cut-conversion", "--plot", "x.png")
    assert "nothing to draw" in line
    assert desk.done("stats", "cut-conversion").err == "Conversion to the cut: 0 rows\n"
    assert desk.done("stats", "cut-conversion", "--json").json == []
    assert not (desk.folder / "x.png").exists()


def test_a_page_needs_no_network(desk: Desk, season: Path) -> None:
    assert season.exists()
    desk.done("stats", "factions", "--plot", "page.html")
    page = (desk.folder / "page.html").read_text("utf-8")
    chart = re.sub(r"<script>const.*?</script>", "", page, count=1, flags=re.DOTALL)
    assert len(chart) < len(page) - 100_000  # the library stands in the page
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", chart)
    assert "default-src 'none'" in chart
    desk.done("stats", "factions", "--plot", "picture.svg")
    assert "<svg" in (desk.folder / "picture.svg").read_text("utf-8")
    assert {each.name for each in desk.folder.iterdir()} == {
        "season.duckdb",
        "league.db",
        "page.html",
        "picture.svg",
    }


def test_a_hostile_faction_does_not_break_out_of_a_page(desk: Desk, season: Path) -> None:
    with open_season(season) as connection:
        connection.execute("UPDATE entrants SET faction = '</script><script>alert(7)</script>'")
    desk.done("stats", "cut-conversion", "--plot", "page.html")
    page = (desk.folder / "page.html").read_text("utf-8")
    assert "<script>alert(7)" not in page
    assert page.count("</script>") == 2
    desk.done("stats", "cut-conversion", "--plot", "picture.svg")
    assert "<script" not in (desk.folder / "picture.svg").read_text("utf-8")


def test_without_the_extra_it_says_what_to_install(
    desk: Desk, season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert season.exists()
    original = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - as Python's own
        if name == "vl_convert":
            raise ImportError(name)
        return original(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.delitem(sys.modules, "vl_convert", raising=False)
    assert "tourney-ledger[plots]" in refused(desk, 1, "stats", "factions", "--plot", "x.png")


@pytest.mark.parametrize(
    ("code", "words", "told"),
    [
        (3, ("stats", "faction"), "did you mean factions"),
        (3, ("stats", "show", "bye"), "did you mean byes"),
        (2, ("stats", "show"), "stats show: give QUESTION"),
        (1, ("stats", "factions", "--plot", "x.gif"), ".png, .svg, .html"),
        (1, ("stats", "factions", "--plot", "none/x.png"), "cannot be written|No such"),
        (1, ("stats", "officials", "--plot", "x.png"), "no picture"),
        (1, ("stats", "byes", "--player", PERSON), "cannot be asked about one person"),
        (1, ("stats", "byes", "--parquet", "none/x.parquet"), "cannot be written"),
        (3, ("stats", "head-to-head", "--player", "Zoe"), "no one in the season"),
        (3, ("stats", "byes", "--ruleset", "l5"), "did you mean l5r"),
        (3, ("stats", "byes", "--tier", "huge"), "formal, premier, relaxed"),
        (3, ("stats", "byes", "--from", "2031-01-01"), "it goes from 2026-01-"),
        (2, ("stats", "byes", "--from", "May"), "--from must be a date"),
        (2, ("stats", "byes", "--from", "2026-05-01", "--to", "2026-04-01"), "is before"),
        (2, ("stats", "byes", "--top", "0"), "--top"),
        (2, ("stats", "factions", "--by", "attribute:"), "an attribute of entrants"),
        (3, ("stats", "factions", "--by", "attribute:corp"), "no entrant"),
        (3, ("stats", "byes", "--in", "none.duckdb"), "there is no season"),
        (2, ("rating", "elos"), "elo, glicko2, bayes"),
        (2, ("rating", "--calibration", "--player", PERSON), "--player"),
        (2, ("rating", "--at", "2026-13-01"), "--at must be a date"),
        (3, ("rating", "--at", "2020-01-01"), "it goes from 2026-01-"),
        (3, (*RATING, "--player", "Zoe"), "no one in the season"),
        (2, ("rating",), "choose it with --ruleset, from l5r, legion, runewars, swiss"),
        (2, ("rating", "--calibration", "--upsets"), "choose one"),
        (2, (*RATING, "--calibration", "--top", "2"), "omit --top"),
        (2, (*RATING, "--csv", "--plot", "x.png"), "choose one"),
        (2, ("stats", "byes", "--parquet", "x.parquet", "--plot", "x.png"), "choose one"),
        (2, ("stats", "byes", "--csv", "--plot", "x.png"), "choose one"),
        (2, ("stats", "byes", "--parquet", "x.parquet", "--top", "2"), "all rows"),
        (1, (*RATING, "--upsets", "--plot", "x.png"), "has no picture"),
        (1, ("rating", "--plot", "x.jpg"), ".png, .svg, .html"),
        (3, ("rating", "--in", "none.duckdb"), "there is no season"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_bad_input(desk: Desk, season: Path, code: int, words: tuple[str, ...], told: str) -> None:
    assert season.exists()
    line = refused(desk, code, *words)
    assert any(part in line for part in told.split("|")), line


@pytest.mark.parametrize("words", [("stats", "byes"), ("rating",)])
def test_an_empty_season(desk: Desk, words: tuple[str, ...]) -> None:
    open_season(desk.folder / "season.duckdb", create=True).close()
    assert "no tournament yet" in refused(desk, 3, *words)


@pytest.mark.parametrize("system", SYSTEMS)
def test_ratings_as_of_a_day_know_nothing_of_later_ones(
    desk: Desk, season: Path, system: str
) -> None:
    assert season.exists()
    words = (*RATING, system, "--at", "2026-03-01")
    rows = desk.done(*words, "--json").json
    assert [row["place"] for row in rows] == list(range(1, len(rows) + 1))
    if system == "elo":
        assert all(row["low"] is row["high"] is None for row in rows)
        ranks = [(row["games"] < RANKED_GAMES, -row["rating"]) for row in rows]
        assert ranks == sorted(ranks)
    else:
        assert [row for row in rows if not row["low"] < row["rating"] < row["high"]] == []
        ranks = [(row["games"] < RANKED_GAMES, -row["low"]) for row in rows]
        assert ranks == sorted(ranks)
    said = desk.done(*words).err
    of_elo = f"ranked by rating; players with {RANKED_GAMES} games or more come first"
    assert (of_elo in said) is (system == "elo")
    assert ("ranked by the lower end of the interval" in said) is (system != "elo")
    assert max(row["last_day"] for row in rows) <= "2026-03-01"
    assert cells(desk.done(*words, "--csv", "--top", "2").out)[1][1] == rows[0]["person"]
    desk.patch.setenv("COLUMNS", "80")
    table = desk.done(*words, "--top", "5").out
    assert all(len(line) <= 80 for line in table.splitlines())


def test_glicko2_is_the_system_of_who_names_none(desk: Desk, season: Path) -> None:
    assert season.exists()
    named, default = (desk.done(*RATING, *system, "--json") for system in (("glicko2",), ()))
    assert default.json == named.json
    assert default.err.startswith("glicko2: ")
    assert all(
        "conservative" in column.meaning for column in RANKING.columns if column.name == "low"
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_history_is_the_rating_of_each_day(desk: Desk, season: Path, system: str) -> None:
    assert season.exists()
    rows = desk.done(*RATING, system, "--player", "Ann Lee", "--json").json
    assert len(rows) > 1
    for row in rows:
        then = desk.done(*RATING, system, "--at", row["day"], "--json").json
        (mine,) = [each for each in then if each["person"] == PERSON]
        if system != "glicko2" or row is rows[-1]:  # a period is rated when it is over
            assert (mine["rating"], mine["games"]) == (row["rating"], row["games"])
        assert mine["person_name"] == "Ann Lee"


def test_calibration_adds_up(desk: Desk, season: Path) -> None:
    assert season.exists()
    answer = desk.done(*RATING, "--calibration", "--json")
    rows = answer.json
    games = int(re.findall(r"over ([\d,]+) games", answer.err)[0].replace(",", ""))
    assert sum(row["sides"] for row in rows) == 2 * games
    assert sum(row["sides"] * row["actual"] for row in rows) == pytest.approx(games)
    assert all(row["low"] <= row["expected"] <= row["high"] for row in rows)
    brier, lead = re.findall(r"Brier score (-?0\.\d{4})", answer.err)
    assert float(brier) + float(lead) == pytest.approx(0.25, abs=0.0002)


@pytest.mark.parametrize("words", [(), ("--calibration",), ("--player", "Ann Lee")])
def test_pictures_of_ratings(desk: Desk, season: Path, words: tuple[str, ...]) -> None:
    assert season.exists()
    desk.done(*RATING, *words, "--plot", "r.png")
    wide, _ = struct.unpack(">II", (desk.folder / "r.png").read_bytes()[16:24])
    assert wide == 1200


def test_a_picture_says_what_it_shows(desk: Desk, season: Path) -> None:
    with opened(season) as connection:
        chosen = "FROM tournaments WHERE ruleset = 'l5r' AND held_on >= '2026-02-01'"
        [(tournaments, games)] = connection.execute(
            f"SELECT (SELECT count(*) {chosen}), count(*) FROM results "
            f"SEMI JOIN (SELECT * {chosen}) USING (tournament) WHERE met"
        ).fetchall()
    picture = desk.folder / "r.svg"
    desk.done("stats", "factions", "--plot", "r.svg")
    assert any(each.startswith(f"The whole season: {DAYS} ") for each in words_of(picture))
    narrowed = ("--ruleset", "l5r", "--from", "2026-02-01")
    desk.done("stats", "factions", *narrowed, "--plot", "r.svg")
    told = f"Of l5r from 2026-02-01: {tournaments} tournaments, {games} games played, 2026-"
    assert any(each.startswith(told) for each in words_of(picture))
    desk.done("rating", "glicko2", "--ruleset", "l5r", "--player", "ann", "--plot", "r.svg")
    (told,) = (each for each in words_of(picture) if "glicko2" in each)
    assert told.startswith("Ann Lee. Of l5r: ")


def test_a_hostile_faction_is_drawn_and_ends_nothing(desk: Desk, season: Path) -> None:
    names = ("<script>alert(1)</script>", "a\x1b[2J\x01b", "W" * 200, "\u05e9\u05dc\u202eabc")
    with open_season(season) as connection:
        for number, name in enumerate(names):
            connection.execute(
                "UPDATE entrants SET faction = ? WHERE player % 4 = ?", [name, number]
            )
    for question in ("factions", "faction-matchups", "cut-conversion"):
        desk.done("stats", question, "--plot", "r.png")
        wide, _ = struct.unpack(">II", (desk.folder / "r.png").read_bytes()[16:24])
        assert wide == 1200
        desk.done("stats", question, "--plot", "r.svg")
        assert "\\u{1b}[2J\\u{1}b" in " ".join(words_of(desk.folder / "r.svg"))


def test_two_of_one_name_and_guests_are_told_apart(desk: Desk, season: Path) -> None:
    assert season.exists()
    other = f"{13:032x}"
    desk.done("season", "people", "name", "Ann Lee", other)
    rows = desk.done(*RATING, "--json").json
    labels = labels_of((row["person"] for row in rows), {PERSON: "Ann Lee", other: "Ann Lee"})
    assert len(set(labels.values())) == len(labels) == len(rows)
    assert {labels[PERSON], labels[other]} == {f"Ann Lee ({PERSON})", f"Ann Lee ({other})"}
    assert any("/" in person for person in labels)
    head, *lines = desk.done(*RATING, "--top", "99").out.splitlines()
    where = slice(head.index("person"), head.index("rating") - 8)
    shown = [line[where].strip() for line in lines]
    assert len(shown) == len(rows)
    assert any(each.startswith("Ann Lee (0") for each in shown)
    desk.done(*RATING, "--top", "99", "--plot", "r.svg")
    assert sum("Ann Lee" in each for each in words_of(desk.folder / "r.svg")) == 2


def test_the_upsets_of_a_rating(desk: Desk, season: Path) -> None:
    assert season.exists()
    rows = desk.done(*RATING, "--upsets", "--json").json
    assert [row["chance"] for row in rows] == sorted(row["chance"] for row in rows)
    assert 0 < rows[0]["chance"] <= rows[-1]["chance"] < 0.5
    assert cells(desk.done(*RATING, "--upsets", "--csv", "--top", "3").out)[1:] == [
        ["" if value is None else str(value) for value in row.values()] for row in rows[:3]
    ]
    assert f"{len(rows):,} upsets" in desk.done(*RATING, "--upsets").err
    lines = (RATING, (*RATING, "--upsets"), ("stats", "head-to-head", "--ruleset", "l5r"))
    for line in lines:
        assert UNNAMED in desk.done(*line).err, line
        assert UNNAMED not in desk.done(*line, "--json").err, line
    assert UNNAMED not in desk.done("stats", "factions", "--ruleset", "l5r").err


UNNAMED = "an id is shown for a person without a name in the league's vault: see `help league`"


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_of_one_game_has_its_heading(desk: Desk, season: Path, name: str) -> None:
    """The heading of a chart that is alone does not take the place of the picture's own."""
    title = next(each.title for each in questions() if each.name == name)
    drawn = desk.type("stats", name, "--ruleset", "l5r", "--plot", "one.svg")
    assert drawn.code == 0 or "nothing to draw" in drawn.err
    if drawn.code == 0:
        words = words_of(season.parent / "one.svg")
        assert (title in words, any("Of l5r" in each for each in words)) == (True, True)


def test_groups_by_an_attribute(desk: Desk, season: Path) -> None:
    """A question with groups in it, one without, ratings, a file; what is folded in a picture."""
    with open_season(season) as connection:
        connection.execute(
            "UPDATE entrants SET attributes = map(['club', 'it''s'], "
            "[CASE player % 3 WHEN 0 THEN '' WHEN 1 THEN '(sealed)' ELSE 'North' END, "
            "'<b>' || player % 2])"
        )
    rows = desk.done("stats", "factions", "--by", "it's", "--json").json
    assert {row["faction"] for row in rows} == {"<b>0", "<b>1"}
    answer = desk.done("stats", "factions", "--by", "it's", "--top", "1")
    assert answer.out.split()[1] == "it's"
    assert "Factions, by it's: the first 1 of" in answer.err
    of_groups = desk.done("stats", "byes", "--by", "attribute:it's", "--json").json
    assert list(of_groups[0])[:3] == ["group", "ruleset", "byes"]
    assert {row["group"] for row in of_groups} == {"<b>0", "<b>1"}
    assert len(desk.done("stats", "byes", "--by", "it's", "--top", "2", "--json").json) == 2
    written = desk.done("stats", "byes", "--by", "it's", "--parquet", "x.parquet", "--json").json
    assert written["rows"] == len(of_groups)
    shown = desk.done(*RATING, "--factions", "--by", "it's", "--json").json
    assert {row["faction"] for row in shown} <= {"<b>0", "<b>1"}
    assert "add --factions" in refused(desk, 2, *RATING, "--by", "club")
    rows = desk.done("stats", "factions", "--by", "club", "--json").json
    assert {row["faction"] for row in rows} == {"", "North"}
    assert {row["field"] for row in rows} == {None, 1.0}
    desk.done("stats", "factions", "--by", "it's", "--plot", "picture.svg")
    assert "By it's" in " ".join(words_of(desk.folder / "picture.svg"))
    assert "known: club, it's" in refused(desk, 3, "stats", "byes", "--by", "squad")
    assert "known: club, it's" in refused(desk, 3, "season", "site", "public", "--by", "squad")


def test_a_picture_of_small_groups_is_refused(desk: Desk, season: Path) -> None:
    with open_season(season) as connection:
        connection.execute(
            "UPDATE entrants SET attributes = map(['badge'], [tournament || player])"
        )
    line = refused(desk, 1, "stats", "factions", "--by", "badge", "--plot", "x.svg")
    assert "no group has five persons" in line
