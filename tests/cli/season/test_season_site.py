"""The season as pages for its readers: whole, escaped, with names of those alone who agreed."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
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
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from tests.support.cli_desk import Desk

Row = tuple["Any", ...]
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


@typed_once
def grouped(desk: Desk) -> Desk:
    """Thirty tournaments with their pages, in which some groups are large."""
    (desk.folder / "played").mkdir()
    season_of_days(desk.folder / "played", 30).rename(desk.folder / "season.duckdb")
    desk.done(*SITE)
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
    *(
        ("stats", name)
        for name in ("retention", "outcomes", "attendance", "byes", "pairing-quality")
    ),
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


Label = tuple[str, str]


def small_of(entered: list[Row], played: list[Row]) -> set[Label]:
    """Which factions are folded into one, in plain Python: by the persons of each."""
    small: set[Label] = set()
    while True:
        came, met = defaultdict(set), defaultdict(set)
        for game, faction, person in ((row[0], row[1], row[-1]) for row in entered):
            if faction:
                came[told((game, faction), small)].add(person)
        for game, one, other, person in played:
            mine, theirs = (told((game, each), small) for each in (one, other))
            if one and other and mine != theirs:
                met[mine].add(person)
        few = {key: min(len(came[key]), len(met[key]) or len(came[key])) for key in came}
        more = {key for key, count in few.items() if count < 5 and key[1] != "other"}
        for game in {game for game, _ in small} if not more else ():
            left = sorted((count, key) for key, count in few.items() if key[0] == game)
            left = [(count, key) for count, key in left if key[1] != "other"]
            alone = [key for key in small if key[0] == game]
            if left and (len(alone) == 1 or few[game, "other"] < 5):
                more.add(left[0][1])
        if not more:
            return small
        small |= more


def told(key: Label, small: set[Label]) -> Label:
    """What a faction is shown as."""
    return (key[0], "other") if key in small else key


def played_in(folder: Path) -> tuple[list[Row], list[Row]]:
    """Every entry by game, faction and person, and every side of a game with both factions."""
    with duckdb.connect(str(folder / "season.duckdb"), read_only=True) as file:
        entered = file.execute(
            "SELECT ruleset, faction, strftime(held_on, '%Y-%m'), person FROM entrants "
            "JOIN people USING (tournament, player) JOIN tournaments USING (tournament) "
            "WHERE status != 'withdrawn'"
        ).fetchall()
        games = file.execute(
            "SELECT ruleset, faction, opponent_faction, strftime(held_on, '%Y-%m'), person "
            "FROM games"
        ).fetchall()
    return entered, games


def test_groups_under_five_persons_are_one(grouped: Desk) -> None:
    """Held to the rows of entries and games, counted here in plain Python."""
    entered, games = played_in(grouped.folder)
    small = small_of(entered, [(game, one, other, who) for game, one, other, _, who in games])
    assert small
    came, of_pair = defaultdict(list), defaultdict(set)
    for game, faction, _, person in entered:
        if faction:
            came[told((game, faction), small)].append(person)
    for game, one, other, _, person in games:
        pair = told((game, one), small)[1], told((game, other), small)[1]
        if one and other and pair[0] != pair[1]:
            of_pair[game, *pair].add(person)
    found = pages(grouped)
    shown = {
        (game, cells["faction"]): int(cells["entrants"])
        for game, cells in rows_of(of_kind(found, "metagame"))
        if "persons" in cells
    }
    games_shown = {game for game, label in came if label != "other"}
    assert shown == {key: len(each) for key, each in came.items() if key[0] in games_shown}
    assert {key for key in shown if key[1] != "other"}
    assert "(none given)" not in of_kind(found, "metagame") + of_kind(found, "matchups")
    for game, cells in rows_of(of_kind(found, "matchups")):
        pair = cells["faction"], cells["opponent"]
        assert min(len(of_pair[game, *pair]), len(of_pair[game, *pair[::-1]])) >= 5
        assert int(cells["persons"]) == len(of_pair[game, *pair])
    for game in {game for game, _, _, _ in entered}:
        none = sum(faction == "" for of, faction, *_ in entered if of == game)
        count = sum(of == game for of, *_ in entered)
        assert (f"{none} of {count} entries not given" in of_kind(found, "metagame")) == bool(none)


@pytest.mark.slow
def test_months_are_shown_of_five_persons_and_more(grouped: Desk) -> None:
    """Held to the entries and games, counted here; what is left out is counted, and no more."""
    entered, games = played_in(grouped.folder)
    small = small_of(entered, [(game, one, other, who) for game, one, other, _, who in games])
    there: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    met: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for game, faction, month, person in entered:
        if faction:
            there[month, *told((game, faction), small)].add(person)
    for game, one, other, month, person in games:
        if one and other and told((game, one), small) != told((game, other), small):
            met[month, *told((game, one), small)].add(person)
    page, shown = of_kind(pages(grouped), "metagame"), 0
    entries = Counter((month, game) for game, faction, month, _ in entered if faction)
    summed = set[tuple[str, str]]()
    for heading, cells in rows_of(page):
        if "month" in cells and cells["faction"] == "smaller groups":
            entries[cells["month"], heading.removesuffix(", by month")] -= int(cells["entrants"])
            summed.add((cells["month"], heading.removesuffix(", by month")))
        elif "month" in cells:
            entries[cells["month"], heading.removesuffix(", by month")] -= int(cells["entrants"])
            key = (cells["month"], heading.removesuffix(", by month"), cells["faction"])
            assert min(len(there[key]), len(met[key])) >= 5, key
            shown += 1
    said = re.findall(r"Not shown: (\d+) of (\d+) row", page)
    games_shown = {game for _, game, label in there if label != "other"}
    assert sum(int(hidden) for hidden, _ in said) + shown == sum(
        game in games_shown for _, game, _ in there
    )
    assert shown
    assert summed
    assert not [month for month in summed if entries[month]]  # with the rest, all are counted


def test_pictures_show_what_the_tables_do(grouped: Desk) -> None:
    """No group that is not broken out is drawn; colours are the page's; there is no script."""
    folder = grouped.folder / "public"
    entered, games = played_in(grouped.folder)
    small = small_of(entered, [(game, one, other, who) for game, one, other, _, who in games])
    drawn = sorted(folder.glob("factions-*.svg"))
    assert drawn
    large = {faction for game, faction, *_ in entered if (game, faction) not in small}
    for picture in drawn:
        words = set(words_of(picture))
        assert not words & ({label for _, label in small} - large | {""})
        text = picture.read_text("utf-8")
        assert "prefers-color-scheme:dark" in text
        assert not re.search(r"<script|<image|href=\"http|onload", text)


def of_kind(found: Mapping[str, str], kind: str) -> str:
    """Return the text of all pages whose name begins so."""
    return "".join(text for name, text in sorted(found.items()) if name.startswith(kind))


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
