"""The season as pages for its readers: whole, escaped, with names of those alone who agreed."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from html import escape
from typing import TYPE_CHECKING

import duckdb
import pytest
from tinyhtml5.parser import HTMLParser

from projections.season.for_readers import PersonGroup, left_out
from tests.support.chance.random_seasons import season_of_days
from tests.support.cli_desk import typed_once, without_isolates
from tests.support.sample_season import SCHEME
from tests.support.season import words_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

STRANGE = '<script>alert("x")</script>&<img src=x onerror=1>'
SITE = ("season", "site", "public")


def begun(desk: Desk) -> Desk:
    """Six tournaments, a scheme, and a vault with two names, one of which is hostile."""
    (desk.folder / "played").mkdir()
    season_of_days(desk.folder / "played", 6).rename(desk.folder / "season.duckdb")
    (desk.folder / "points.toml").write_text(SCHEME.replace("Sample", STRANGE.replace('"', "'")))
    seen = persons(desk.folder)
    desk.done("season", "people", "name", f"Ann {STRANGE}", seen[0])
    desk.done("season", "people", "name", "Ben Quiet", seen[1], "--member", "4711")
    return desk


season = typed_once(begun)


@typed_once
def published(desk: Desk) -> Desk:
    """The same with its pages, where nothing more is said."""
    begun(desk).done(*SITE)
    return desk


def persons(folder: Path) -> list[str]:
    with duckdb.connect(str(folder / "season.duckdb"), read_only=True) as file:
        asked = "SELECT DISTINCT person FROM people WHERE known ORDER BY person"
        return [person for (person,) in file.execute(asked).fetchall()]


def pages(desk: Desk) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in (desk.folder / "public").glob("*.html")}


@pytest.mark.slow
def test_every_page_is_valid_and_every_link_leads_somewhere(season: Desk) -> None:
    (season.folder / "agreed.txt").write_text(f"{persons(season.folder)[0]}  # signed on paper\n")
    words = ("--scheme", "points.toml", "--agreed", "agreed.txt", "--title", STRANGE)
    answer = season.done(*SITE, *words, "--json").json
    found = pages(season)
    drawn = list((season.folder / "public").glob("*.svg"))
    written = [path for path in (season.folder / "public").rglob("*") if path.is_file()]
    assert (answer["named"], answer["files"]) == (1, len(written) - 1)  # without the folder's mark
    named = {each for text in found.values() for each in re.findall(r'"([^"]*\.svg)"', text)}
    assert named == {path.name for path in drawn}
    kinds = {re.split(r"[-.]", name)[0] for name in found}
    fixed = {"index", "events", "month", "metagame", "matchups", "forecasts", "persons", "records"}
    fixed |= {"data"}
    assert kinds == fixed | {"standings", "ratings", "event", "person"}
    for name, text in found.items():
        parser = HTMLParser()
        parser.parse(text)
        assert parser.errors == [], name
        own = text.replace('<script src="find.js" defer></script>', "")
        assert not re.search(r"<script|https?:|\x1b|<img (?!src=\"[-a-z0-9]+\.svg\" alt=)", own), (
            name
        )
        links = re.findall(r'href="([^"]*)"', text)
        assert (missing_among(season.folder / "public", links), bool(links)) == ([], True), name
        assert "prefers-color-scheme: dark" in text
        assert 'aria-current="page"' in text
    assert "Ann &lt;script&gt;" in found["persons.html"]


def test_an_elimination_is_drawn_with_pseudonyms_as_its_games_are_stored(published: Desk) -> None:
    found = pages(published)
    with duckdb.connect(str(published.folder / "season.duckdb"), read_only=True) as file:
        asked = """
            SELECT tournament, list(DISTINCT round || '.' || table_number)
            FROM matches JOIN stages USING (tournament, stage)
            WHERE kind != 'swiss' AND NOT void GROUP BY tournament
        """
        stored = dict(file.execute(asked).fetchall())
        people = {person for (person,) in file.execute("SELECT person FROM people").fetchall()}
    drawn = {name: text for name, text in found.items() if '<svg viewBox="' in text}
    assert {name.removeprefix("event-").removesuffix(".html") for name in drawn} == set(stored)
    for tournament, games in stored.items():
        text = drawn[f"event-{tournament}.html"]
        keys = re.findall(r'data-game="(\d+\.\d+)"', text)
        assert sorted(keys) == sorted(games)
        assert "?player=" not in text
        titles = re.findall(r'class="seat"[^>]*><title>(?:\d+\. )?\u2068([^\u2069]*)', text)
        assert titles
        assert all(
            any(person.startswith(each) or person.endswith(each) for person in people)
            for each in titles
        )


def missing_among(folder: Path, links: list[str]) -> list[str]:
    """List the links that lead to no file, or to no place in it."""
    parts = [(each, *each.partition("#")) for each in links]
    return [
        each
        for each, file, _, place in parts
        if not (folder / file).is_file()
        or (place and f' id="{place}"' not in (folder / file).read_text("utf-8"))
    ]


def listed(folder: Path) -> list[list[str]]:
    """Read what is found from every page: calls whose arguments are JSON."""
    found: dict[str, list[str]] = {}
    for path in folder.glob("find-*.js"):
        call = path.read_text("utf-8").removeprefix("FOUND(").removesuffix(");\n")
        for entry in json.loads(f"[{call}]")[1]:
            found[entry[2]] = entry
    return list(found.values())


def test_every_event_and_person_is_found_from_any_page(season: Desk) -> None:
    (season.folder / "agreed.txt").write_text("4711\n")
    season.done(*SITE, "--agreed", "agreed.txt")
    found, folder = listed(season.folder / "public"), season.folder / "public"
    known = persons(season.folder)
    events = [place for _, _, place, _ in found if place.startswith("event-")]
    assert sorted(events) == sorted(path.name for path in folder.glob("event-*.html"))
    assert len(found) == len(events) + len(known)
    assert missing_among(folder, [place for _, _, place, _ in found]) == []
    (named,) = [each for each in found if each[2].startswith("person-")]
    assert named[0] == "Ben Quiet"
    assert all('<ul id="hits"' in text for text in pages(season).values())


@pytest.mark.slow
def test_no_file_names_whom_nobody_may_name(season: Desk) -> None:
    """Every file, of pages, pictures and lists, against every name in the logs and the vault."""
    (season.folder / "agreed.txt").write_text("4711\n")
    base = ("--base", "https://example.org/season")
    season.done(*SITE, "--scheme", "points.toml", "--agreed", "agreed.txt", *base)
    for number, words in enumerate(PICTURES):
        picture = f"public/picture-{number}.svg"
        season.done(*words, "--agreed", "agreed.txt", "--plot", picture)
    names = {f"Ann {STRANGE}", "Ann", "Jun", "Mia"} | {f"Person {n}" for n in range(200)}
    found = defaultdict(set)
    for path in (season.folder / "public").rglob("*"):
        if not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        for name in {*names, "Ben Quiet"}:
            forms = {name, escape(name), json.dumps(name)[1:-1]}
            if any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) for form in forms):
                found[name].add(path.suffix)
    assert found == {"Ben Quiet": {".html", ".svg", ".js", ".csv", ".json", ".parquet", ".xml"}}


PICTURES = (
    ("rating", "elo", "--ruleset", "l5r"),
    ("rating", "glicko2", "--ruleset", "swiss"),
    *(("stats", name) for name in ("factions", "faction-matchups", "faction-trend", "retention")),
    *(("stats", name) for name in ("outcomes", "attendance", "byes", "pairing-quality")),
)


@pytest.mark.slow
def test_nobody_is_named_who_did_not_agree(published: Desk) -> None:
    assert not [
        name for name, text in pages(published).items() if re.search(r"\b(Ann|Ben)\b", text)
    ]
    (published.folder / "agreed.txt").write_text("4711\n")
    published.done(*SITE, "--agreed", "agreed.txt")
    found = pages(published)
    assert "Ben Quiet" in found["persons.html"]
    assert not [name for name, text in found.items() if re.search(r"\b(Ann|Person)\b", text)]
    published.done(*SITE)  # who takes it back is gone with the next writing
    found = pages(published)
    assert not [name for name, text in found.items() if "Quiet" in text]
    assert not [name for name in found if name.startswith("person-")]


def test_groups_under_five_persons_are_not_broken_out(published: Desk) -> None:
    """Held to the rows of the games, counted here in plain Python."""
    with duckdb.connect(str(published.folder / "season.duckdb"), read_only=True) as file:
        games = file.execute(
            "SELECT ruleset, faction, opponent_faction, person FROM games "
            "WHERE faction != opponent_faction"
        ).fetchall()
    of_pair, of_faction = defaultdict(set), defaultdict(set)
    for ruleset, one, other, person in games:
        of_pair[ruleset, one or "(none given)", other or "(none given)"].add(person)
        of_faction[ruleset, one or "(none given)"].add(person)
    shown = list(rows_of(pages(published)["matchups.html"]))
    assert shown
    for ruleset, cells in shown:
        key = (ruleset, cells["faction"], cells["opponent"])
        least = min(len(of_pair[key]), len(of_pair[key[0], key[2], key[1]]))
        if least < 5:
            assert cells["persons"] == "fewer than five"
            assert {cells["games"], cells["score"], cells["wins"]} == {""}
    metagame = list(rows_of(pages(published)["metagame.html"]))
    for ruleset, cells in metagame:
        if "persons" in cells and len(of_faction[ruleset, cells["faction"]]) < 5:
            assert (cells["entrants"], cells["games"]) == ("fewer than five", "")
    assert "fewer than five" in {cells["entrants"] for _, cells in metagame}


@pytest.mark.slow
def test_months_are_shown_of_five_persons_and_more(published: Desk) -> None:
    """Held to the entries and games, counted here; what is left out is counted, and no more."""
    with duckdb.connect(str(published.folder / "season.duckdb"), read_only=True) as file:
        entered = file.execute(
            "SELECT strftime(held_on, '%Y-%m'), ruleset, faction, person FROM entrants "
            "JOIN people USING (tournament, player) JOIN tournaments USING (tournament) "
            "WHERE status != 'withdrawn'"
        ).fetchall()
        played = file.execute(
            "SELECT strftime(held_on, '%Y-%m'), ruleset, faction, person FROM games "
            "WHERE faction != opponent_faction"
        ).fetchall()
    there: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    met: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for found, rows in ((there, entered), (met, played)):
        for month, ruleset, faction, person in rows:
            found[month, ruleset, faction or "(none given)"].add(person)
    page, shown = pages(published)["metagame.html"], 0
    for heading, cells in rows_of(page):
        if "month" in cells:
            key = (cells["month"], heading.removesuffix(", by month"), cells["faction"])
            assert min(len(there[key]), len(met[key])) >= 5, key
            shown += 1
    said = re.findall(r"Not shown: (\d+) of (\d+) row", page)
    assert sum(int(hidden) for hidden, _ in said) == len(there) - shown
    assert 0 < shown < len(there)


def test_pictures_show_what_the_tables_do(published: Desk) -> None:
    """No group that is not broken out is drawn; colours are the page's; there is no script."""
    found, folder = pages(published), published.folder / "public"
    tables = defaultdict(set)
    for game, cells in rows_of(found["metagame.html"]):
        if "persons" in cells:
            tables[game].add((cells["faction"], cells["entrants"].isdecimal()))
    for number, game in enumerate(sorted(tables), start=1):
        for width in ("wide", "narrow"):
            picture = folder / f"factions-{number}-{width}.svg"
            shown = {name for name, is_shown in tables[game] if is_shown}
            if not picture.exists():
                assert not shown or all(name == "(none given)" for name in shown)
                continue
            words = set(words_of(picture))
            hidden = {name for name, is_shown in tables[game] if not is_shown}
            assert not {each for each in words if each in hidden}
            text = picture.read_text("utf-8")
            assert "prefers-color-scheme:dark" in text
            assert not re.search(r"<script|<image|href=\"http|onload", text)


def rows_of(page: str) -> list[tuple[str, dict[str, str]]]:
    """Every row of a page's tables, by the heading above it."""
    rows = []
    for part in without_isolates(page).split("<h3>")[1:]:
        ruleset = part.partition("</h3>")[0]
        titles = re.findall(r"<th scope=\"col\"[^>]*>([^<]*)", part)
        for row in re.split("<tr[^>]*>", part.partition("<tbody>")[2])[1:]:
            cells = re.findall(r"<t[hd][^>]*>([^<]*)<", row)
            rows.append((ruleset, dict(zip(titles, cells, strict=True))))
    return rows


def test_what_is_left_out_does_not_follow_from_a_sum() -> None:
    """A small group alone in its line takes the least of the others with it, and its twin."""
    cells = {
        name: PersonGroup(persons, ("line",))
        for name, persons in zip("abc", (4, 9, 7), strict=True)
    }
    assert left_out(cells) == (frozenset("a"), frozenset("c"))
    assert left_out(cells | {"d": PersonGroup(1, ("line",))}) == (frozenset("ad"), frozenset())
    twins = {
        (one, other): PersonGroup(9 - 5 * ((one, other) == ("a", "b")), (one,), twin=(other, one))
        for one in "abc"
        for other in "abc"
        if one != other
    }
    small, further = left_out(twins)
    assert small == {("a", "b"), ("b", "a")}
    for line in "abc":
        hidden = [each for each in small | further if each[0] == line]  # type: ignore[index] # pairs
        assert len(hidden) != 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--scheme", "none.toml"), 3, "none.toml"),
        (("--rating", "chess"), 2, "not a rating system"),
        (("--in", "none.duckdb"), 3, "there is no season"),
        (("--agreed", "none.txt"), 3, "none.txt cannot be read"),
        (("--agreed", "bad.txt"), 3, "bad.txt: line 3"),
        (("--agreed", "bad.txt", "--league", "none.db"), 3, "there is no none.db"),
    ],
)
def test_what_is_refused_writes_nothing(
    season: Desk, words: tuple[str, ...], code: int, said: str
) -> None:
    (season.folder / "bad.txt").write_text("# who signed\nnobody\nBen Quiet\n")
    refused = season.type(*SITE, *words)
    assert (refused.code, said in refused.err) == (code, True), refused.err
    assert all(line.startswith("tourney: ") for line in refused.err.splitlines())
    assert not (season.folder / "public").exists()


def test_a_folder_of_something_else_is_left_alone(season: Desk) -> None:
    (season.folder / "public").mkdir()
    (season.folder / "public" / "diary.txt").write_text("dear diary")
    assert "not empty" in season.type(*SITE).err
    assert [path.name for path in (season.folder / "public").iterdir()] == ["diary.txt"]
