"""Pages of ratings and forecasts: the floor and the scores, counted again in plain Python."""

from __future__ import annotations

import re
from collections import Counter
from math import log
from typing import TYPE_CHECKING

import pytest

from cli.season.opening import opened
from cli.season.site.frame import PAGE_BYTES_MAX, Readable, read, whole_page
from cli.season.site.named_pages import pages_of
from cli.season.site.rating_pages import rated_seasons, rating_pages
from cli.season.site.season_site import written
from projections.season.asking import Filters, narrow, prepare
from projections.season.for_readers import EventPlace, SeasonEvent
from projections.season.person_records import OwnGame
from projections.season.ratings import RANKED_GAMES
from tests.cli.season.test_named_pages import (
    PlainSeason,
    elo_before,
    published,
    tables_of,
)
from tests.support.cli_desk import without_isolates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk

__all__ = ["published"]


def pages_by_game(desk: Desk, kind: str) -> Iterator[tuple[str, str]]:
    """Yield the pages of a kind, each with its game, by the first word of what it says."""
    for path in sorted((desk.folder / "public").glob(f"{kind}*.html")):
        text = without_isolates(path.read_text("utf-8"))
        (game,) = re.findall(r'<p class="about">(\w+):', text)
        yield game, text


def test_forecasts_have_the_scores_of_plain_python(published: Desk) -> None:
    """Elo from its definition against every result, and the coin."""
    plain = PlainSeason(published.folder)
    records = {(row[0], row[2]): (row[3], row[4], row[5] + row[6]) for row in plain.results}
    found = dict(pages_by_game(published, "forecasts"))
    assert len(found) > 1
    for game, page in found.items():
        squares = logs = 0.0
        before = elo_before(plain, game)
        for (event, match), ratings in before.items():
            one, other, record = records[event, match]
            first, second = (ratings[plain.people[event, player]] for player in (one, other))
            chance = 1 / (1 + 10 ** ((second - first) / 400))
            for share, came in ((record.count("W") and record[0] == "W", chance),
                                (record.count("W") and record[1] == "W", 1 - chance)):  # fmt: skip
                if share:
                    squares += (1 - came) ** 2
                    logs -= log(came)
            if record == "DD":
                squares += ((1 - chance) ** 2 + chance**2) / 2
                logs -= (log(chance) + log(1 - chance)) / 2
        rows = {row["system"]: row for row in dict(tables_of(page))["Scores"]}
        assert list(rows) == ["glicko2", "elo", "bayes", "coin"]
        count = len(before)
        assert {row["games"] for row in rows.values()} == {str(count)}
        assert rows["elo"]["brier"] == f"{squares / count:.4f}"
        assert rows["elo"]["log loss"] == f"{logs / count:.4f}"
        assert rows["elo"]["brier lead"] == f"{0.25 - squares / count:.4f}"
        assert (rows["coin"]["brier"], rows["coin"]["log loss"]) == ("0.2500", "0.6931")
        sides = sum(int(row["sides"]) for row in dict(tables_of(page))[f"{DECILES} elo"])
        assert sides == 2 * count


DECILES = "Expected and actual scores by"


@pytest.mark.parametrize("floor", [5, RANKED_GAMES])
def test_persons_below_the_floor_are_not_ranked_and_counted(
    published: Desk, monkeypatch: pytest.MonkeyPatch, floor: int
) -> None:
    monkeypatch.setattr("projections.season.ratings.RANKED_GAMES", floor)
    plain, ranked = PlainSeason(published.folder), 0
    known = {person for person in plain.people.values() if "/" not in person}
    with opened(published.folder / "season.duckdb") as connection:
        prepare(connection)
        narrow(connection, Filters())
        season = read(connection, {})
        rated = list(rated_seasons(season, "elo"))
        pages = [whole_page("", page, [], "").decode() for page in rating_pages(season, rated)]
    for ratings, page in zip(rated, map(without_isolates, pages), strict=True):
        games: Counter[str] = Counter()
        for pair in elo_before(plain, ratings.game).values():
            games.update(pair.keys() & known)
        enough = sum(count >= floor for count in games.values())
        rows = next((found for _, found in tables_of(f"<h3>{page}") if found), [])
        assert [row["place"] for row in rows] == [str(n) for n in range(1, enough + 1)]
        assert all(int(row["games"]) >= floor for row in rows)
        (said,) = re.findall(rf"fewer than {floor} games: (\d+) person", page)
        assert int(said) == len(games) - enough
        ranked += enough
    assert bool(ranked) == (floor < RANKED_GAMES)


def test_a_person_of_five_thousand_games_has_light_pages() -> None:
    """Every page is under 300 kB, whatever somebody plays."""
    person = "a" * 32
    events = [
        SeasonEvent(f"{n:032x}", f"A tournament with a long name {n}", None, "relaxed", "l5r", 32,
                    6, 100, "", finished=True, signed_size=0, signed_by=None, by_policy=False)
        for n in range(1_000)
    ]  # fmt: skip
    places = [EventPlace(event.tournament, 3, person, 5, 3, 0) for event in events]
    games = [
        OwnGame(person, None, event.tournament, "l5r", "Crab", 1, number, number, "W",
                is_played=True, opponent_player=number,
                opponent_person=f"{event.tournament}/{number}")
        for event in events
        for number in range(1, 6)
    ]  # fmt: skip
    labels = {event.tournament: event.name for event in events}
    season = Readable(None, {person: "Ann"}, {person: "Ann"}, events, places, [], labels)  # type: ignore[arg-type] # not asked
    (sheet,) = pages_of(season, person, list(zip(events, places, strict=True)), games, [])
    pages = written("Season", sheet, [sheet], "")
    assert len(pages) > 5
    assert all(len(data) < PAGE_BYTES_MAX for _, data in pages)
    assert sum(data.count(b"<tr") for _, data in pages) > 6_000
