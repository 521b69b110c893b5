"""Pages of persons who agreed: counted again in plain Python, and silent about all others."""

from __future__ import annotations

import re
import shutil
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from cli.season.opening import opened
from cli.season.site.frame import read, whole_page
from cli.season.site.named_pages import named_pages
from projections.season.asking import Filters, narrow, prepare
from projections.season.for_readers import labels_of
from projections.season.person_records import RatingBands
from tests.support.chance.random_seasons import season_of_days
from tests.support.cli_desk import typed_once, without_isolates

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.cli_desk import Desk

DAYS, AGREED = 12, 5
RESULTS = {"won": "W", "lost": "L", "drawn": "D"}


@typed_once
def published(desk: Desk) -> Desk:
    """A season whose five most diligent persons agreed to be named, rated by Elo."""
    (desk.folder / "played").mkdir()
    season_of_days(desk.folder / "played", DAYS).rename(desk.folder / "season.duckdb")
    for number, person in enumerate(agreed_in(desk.folder)):
        desk.done("season", "people", "name", f"Named {number}", person)
    (desk.folder / "agreed.txt").write_text("\n".join(agreed_in(desk.folder)))
    desk.done("season", "site", "public", "--agreed", "agreed.txt", "--rating", "elo")
    return desk


def rows(folder: Path, question: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(folder / "season.duckdb"), read_only=True) as file:
        return file.execute(question).fetchall()


def agreed_in(folder: Path) -> list[str]:
    seen = Counter(person for (person,) in rows(folder, "SELECT person FROM people WHERE known"))
    return sorted(seen, key=lambda person: (-seen[person], person))[:AGREED]


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def page_of(desk: Desk, person: str) -> str:
    return without_isolates((desk.folder / "public" / f"person-{person}.html").read_text("utf-8"))


def tables_of(page: str) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield the tables of a page with the heading above each."""
    for part in re.split("<h[34]>", page)[1:]:
        if "<thead>" not in part:
            continue
        titles = re.findall(r"<th scope=\"col\"[^>]*>([^<]*)", part)
        titles = titles or re.findall(r"<t[hd][^>]*>([^<]*)", part.partition("</thead>")[0])
        found = []
        for row in re.split("<tr[^>]*>", part.partition("<tbody>")[2])[1:]:
            texts = [
                re.sub("<[^>]*>", "", cell)
                for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
            ]
            found.append(dict(zip(titles, texts, strict=True)))
        yield part.partition("</h")[0], found


def table(page: str, heading: str) -> list[dict[str, str]]:
    return next((found for name, found in tables_of(page) if name == heading), [])


class PlainSeason:
    """The rows of a season, read one by one, and joined here."""

    def __init__(self, folder: Path) -> None:
        events = rows(folder, "SELECT tournament, name, held_on, ruleset FROM tournaments")
        self.events = {event: (name, day, ruleset) for event, name, day, ruleset in events}
        people = rows(folder, "SELECT tournament, player, person FROM people")
        self.people = {(event, player): person for event, player, person in people}
        asked = "tournament, round, match, player1, player2, record1, record2, met, stage"
        self.results = rows(folder, f"SELECT {asked} FROM results")
        self.byes = rows(
            folder,
            "SELECT tournament, round, coalesce(player1, player2) FROM matches "
            "WHERE bye AND NOT void",
        )

    def sides(self, person: str) -> Iterator[tuple[str, int, int, str, str, bool, int]]:
        """Yield each result of a person: event, round, opponent, who that is, record, met."""
        for event, number, match, one, other, record1, record2, met, _ in self.results:
            for mine, theirs, record in ((one, other, record1), (other, one, record2)):
                if self.people[event, mine] == person:
                    who = self.people[event, theirs]
                    yield event, number, theirs, who, record, met, match


def test_results_and_byes_are_those_of_the_rows(published: Desk) -> None:
    plain, folder = PlainSeason(published.folder), published.folder
    names = {person: f"Named {n}" for n, person in enumerate(agreed_in(folder))}
    byes_seen = 0
    for person in names:
        expected = Counter(
            (
                str(plain.events[event][1]),
                str(number),
                names.get(who, f"player {opponent}"),
                {"W": "won", "L": "lost", "D": "drawn"}[record] + ("" if met else ", not played"),
            )
            for event, number, opponent, who, record, met, _ in plain.sides(person)
        )
        for event, number, player in plain.byes:
            if plain.people[event, player] == person:
                expected[str(plain.events[event][1]), str(number), "-- bye --", "bye"] += 1
                byes_seen += 1
        page = page_of(published, person)
        shown = Counter(
            (row["held on"], row["round"], row["opponent"], row["result"])
            for row in table(page, "Games")
        )
        assert shown == expected
        assert sum(int(row["byes"]) for row in table(page, "Tournaments")) == sum(
            count for (*_, result), count in expected.items() if result == "bye"
        )
    assert byes_seen


def test_no_row_is_without_a_heading(published: Desk) -> None:
    """A row of a bye is read out as one, too."""
    for person in agreed_in(published.folder):
        assert '<th scope="row"></th>' not in page_of(published, person)


def test_head_to_head_is_counted_against_those_alone_who_agreed(published: Desk) -> None:
    plain = PlainSeason(published.folder)
    names = {person: f"Named {n}" for n, person in enumerate(agreed_in(published.folder))}
    met_by_name = 0
    for person in names:
        found: dict[str, list[str]] = defaultdict(list)
        days: dict[str, list[str]] = defaultdict(list)
        for event, _, _, who, record, met, _ in plain.sides(person):
            if met:
                name = names.get(who, "all others")
                found[name].append(record)
                days[name].append(str(plain.events[event][1]))
        expected = {
            name: (
                str(len(records)),
                f"{records.count('W')}-{records.count('L')}-{records.count('D')}",
                f"{(records.count('W') + records.count('D') / 2) / len(records):.1%}",
                min(days[name]),
                max(days[name]),
            )
            for name, records in found.items()
        }
        shown = {
            row["opponent"]: (
                row["games"],
                row["W-L-D"],
                row["score"],
                row["first met"],
                row["last met"],
            )
            for row in table(page_of(published, person), "Head-to-head")
        }
        assert shown == expected
        met_by_name += len(expected) - ("all others" in expected)
    assert met_by_name > 2


def elo_before(plain: PlainSeason, ruleset: str) -> dict[tuple[str, int], dict[str, float]]:
    """Compute Elo from its definition: both ratings before each game, by event and match."""
    games = [
        (plain.events[event][1], event, number, match, one, other, record1 + record2)
        for event, number, match, one, other, record1, record2, met, _ in plain.results
        if met and plain.events[event][2] == ruleset and plain.events[event][1]
        and record1 + record2 in {"WL", "LW", "DD"}
    ]  # fmt: skip
    ratings: dict[str, float] = defaultdict(lambda: 1500.0)
    played: Counter[str] = Counter()
    before = {}
    for _, event, _, match, one, other, records in sorted(games, key=lambda game: game[:4]):
        first, second = plain.people[event, one], plain.people[event, other]
        before[event, match] = {first: ratings[first], second: ratings[second]}
        chance = 1 / (1 + 10 ** ((ratings[second] - ratings[first]) / 400))
        score = {"WL": 1.0, "DD": 0.5, "LW": 0.0}[records]
        for person, beyond in ((first, score - chance), (second, chance - score)):
            ratings[person] += (48 if played[person] < 15 else 24) * beyond
            played[person] += 1
    return before


def test_best_wins_are_by_the_rating_before_the_game(published: Desk) -> None:
    """Elo from its definition; of who did not agree a range of ratings that five have had."""
    plain, seen = PlainSeason(published.folder), Counter[str]()
    names = {person: f"Named {n}" for n, person in enumerate(agreed_in(published.folder))}
    for ruleset in {ruleset for _, _, ruleset in plain.events.values()}:
        before = elo_before(plain, ruleset)
        for person in names:
            wins = [
                (-before[event, match][who], str(plain.events[event][1]), number, who, opponent)
                for event, number, opponent, who, record, met, match in plain.sides(person)
                if met and record == "W" and (event, match) in before
            ]
            best = sorted(wins)[:10]
            shown = table(page_of(published, person), ruleset)
            assert len(shown) == len(best)
            assert sorted(-rating for rating, *_ in wins)[-10:] == sorted(-w[0] for w in best)
            for row, (rating, *_) in zip(shown, best, strict=True):
                same = [win for win in wins if win[0] == rating]
                who = {names.get(each[3], f"player {each[4]}") for each in same}
                assert row["opponent"] in who
                if row["opponent"].startswith("Named"):
                    assert row["rating before"] == f"{-rating:,.0f}"
                    seen["named"] += 1
                elif row["rating before"] != "-":
                    low, high = (
                        float(end.replace(",", "")) for end in row["rating before"].split(" to ")
                    )
                    assert low <= -rating < high
                    there = {
                        player
                        for pair in before.values()
                        for player, value in pair.items()
                        if low <= value < high
                    }
                    assert len(there) >= 5
                    seen["band"] += 1
    assert min(seen["named"], seen["band"]) > 3


def test_a_page_does_not_know_whether_two_opponents_are_one_person(published: Desk) -> None:
    """With another identity in every tournament for all who did not agree, not a byte differs."""
    folder, agreed = published.folder, agreed_in(published.folder)
    names = {person: f"Named {n}" for n, person in enumerate(agreed)}
    shutil.copy(folder / "season.duckdb", folder / "apart.duckdb")
    with duckdb.connect(str(folder / "apart.duckdb")) as file:
        file.execute(
            "UPDATE people SET person = md5(tournament || player) "
            "WHERE NOT list_contains($agreed, person)",
            {"agreed": agreed},
        )
        changed = file.execute("SELECT count(DISTINCT person) FROM people").fetchone()
    assert changed
    assert changed[0] > len({person for (person,) in rows(folder, "SELECT person FROM people")})
    made = []
    for season_file in ("season.duckdb", "apart.duckdb"):
        with opened(folder / season_file) as connection:
            prepare(connection)
            narrow(connection, Filters())
            season = read(connection, names)
            pages = list(named_pages(season, []))
            made.append([whole_page("Season", page, [], "") for page in pages])
    assert len(made[0]) >= AGREED
    assert made[0] == made[1]


def test_no_new_page_file_link_or_anchor_has_a_pseudonym_of_others(published: Desk) -> None:
    """Pages of persons, forecasts and groups: no id, no label, no anchor of who did not agree."""
    folder, agreed = published.folder, set(agreed_in(published.folder))
    everybody = [person for (person,) in rows(folder, "SELECT DISTINCT person FROM people")]
    called = labels_of(everybody, {})
    labels = {called[person] for person in everybody if person not in agreed}
    kinds = ("person-", "forecasts", "metagame", "matchups")
    files = [path for path in (folder / "public").rglob("*") if path.name.startswith(kinds)]
    assert {".html", ".svg", ".csv", ".json"} <= {path.suffix for path in files}
    known = {str(path.relative_to(folder / "public")) for path in (folder / "public").rglob("*")}
    for path in files:
        text = path.read_text("utf-8", "replace")
        # Of tournaments, which are numbered as persons are here.
        own = re.sub(r"event-\w+\.html|Day \d \(\w+\)|[\u2068\u2069]", "", text) + path.name
        assert not [label for label in labels if label in own], path.name
        if path.suffix == ".html":
            assert set(re.findall(r'href="([^"]*)"', text)) <= known  # nowhere inside of a page
            assert set(re.findall(r' id="([^"]*)"', text)) <= {"search", "find", "found", "hits"}
    persons = {path.name.removeprefix("person-")[:32] for path in files if "person-" in path.name}
    assert persons == agreed


def test_a_name_that_looks_like_another_opponent_leads_nowhere(published: Desk) -> None:
    """Who is called "player 3" is not linked from every player 3."""
    agreed = agreed_in(published.folder)
    names = {agreed[0]: "Named 0", agreed[1]: "player 3"}
    with opened(published.folder / "season.duckdb") as connection:
        prepare(connection)
        narrow(connection, Filters())
        page, *_ = named_pages(read(connection, names), [])
        text = without_isolates(whole_page("Season", page, [], "").decode())
    games = table(text, "Games")
    assert "player 3" in {row["opponent"] for row in games}
    assert f'href="person-{agreed[1]}.html">player 3' not in text


def test_bands_of_ratings_have_five_persons() -> None:
    """Neighbours are joined until five persons are in a band; the rest is in the last one."""
    before = [(f"p{number}", 1450.0 + 20 * number) for number in range(12)]
    bands = RatingBands(before, 100.0)
    assert bands.of(1450.0) == bands.of(1670.0) == (1400.0, 1700.0)
    wide = [(f"p{number}", 1405.0 + 20 * number) for number in range(14)]
    assert RatingBands(wide, 100.0).of(1650.0) == (1500.0, 1700.0)
    for _, rating in before:
        low, high = bands.of(rating)
        assert low is not None
        assert high is not None
        assert low <= rating < high
        assert sum(low <= value < high for _, value in before) >= 5
    one = [("p0", 1500.0 + number) for number in range(400)]
    assert RatingBands(one, 100.0).of(1700.0) == (None, None)
    assert RatingBands([], 100.0).of(1700.0) == (None, None)


@pytest.mark.slow
def test_the_same_season_is_the_same_bytes(published: Desk) -> None:
    first = {path.name: path.read_bytes() for path in files_in(published.folder / "public")}
    published.done("season", "site", "again", "--agreed", "agreed.txt", "--rating", "elo")
    again = {path.name: path.read_bytes() for path in files_in(published.folder / "again")}
    assert again == first
