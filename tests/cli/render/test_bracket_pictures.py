"""The picture of a bracket, measured in a browser and checked against the value of `--json`."""

from __future__ import annotations

import re
from html import unescape
from itertools import combinations
from typing import TYPE_CHECKING, Any

import htpy
import msgspec
import pytest

from cli.render.bracket_grids import grid_of, parts_in_play, parts_of
from cli.render.bracket_pictures import PAGE, SCREEN, figure, fitted, picture
from cli.render.brackets import bracket_words
from cli.render.elements import web_page, with_isolates
from cli.terminal.visible import clusters, marking_names
from ledger.facts.shared import Stage
from ledger.rules.elimination import AnswerReplacement, FinishTournament, MakeCut
from ledger.rules.people import DisqualifyPlayer, DropPlayer
from ledger.rules.rounds import StartRound
from projections.standings.bracket import as_json, bracket
from tests.support.files.nrtm_files import document, game, imported, table
from tests.support.simulate import Day, open_matches_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from ledger.tournament.state import Tournament

SCRIPTS = (
    "محمد عبدالله الأحمدي المصري",
    "山田太郎左衛門之助正宗",
    "देवेन्द्र कुमार क्षत्रिय",
    "Ελένη Παπαδοπούλου",
    "Владимир Кузнецов-Щербаков",
    "שרה לוי-כהן",
    "Wilhelmina Mommsen-Schwammbergerhofstett",
    "</text><script>alert(1)</script>",
    "김민수",
    "Ann Lee",
)
"""Names of many scripts, one of 40 letters and one that is markup."""


def names(count: int) -> list[str]:
    return [
        SCRIPTS[number] if number < len(SCRIPTS) else f"{SCRIPTS[number % len(SCRIPTS)]} {number}"
        for number in range(count)
    ]


def cut_to(size: int, rounds: int, *, troubled: bool = False) -> Tournament:
    """Play that many rounds after a cut; of the last one only the first half of the games.

    A troubled cut has a replaced qualifier, a disqualified player and one who dropped out.
    """
    day = Day(names(size + 2 * troubled))
    day.start(1, Stage("single", entry="top", size=size))
    day.pair()
    day.report_all()
    day.do(MakeCut())
    stage = day.tournament.stages[1]
    if troubled:
        day.do(DropPlayer(stage.seeds[1]))
        day.do(AnswerReplacement(stage.waiting[0], accepts=True))
    for number in range(1, rounds + 1):
        day.pair()
        matches = open_matches_of(day)
        if troubled and number == 1:
            day.do(StartRound())
            day.do(DisqualifyPlayer(matches[0].players[1], "two decks", "FFG-AUTH-DQ"))
            matches = matches[1:]
        is_last = number == rounds
        for match in matches[: (len(matches) + 1) // 2 if is_last else None]:
            day.report(match, "win" if match.number % 3 else "loss")
    if 2**rounds == size and not open_matches_of(day):
        day.do(FinishTournament())
    return day.tournament


def drawn(tournament: Tournament, chosen: int = 0) -> str:
    """Return the picture as a page has it."""
    grid = grid_of(bracket(tournament))
    assert grid is not None
    with marking_names():
        return with_isolates(str(figure(grid, bracket_words(tournament, None, chosen))))


MEASURED = """() => {
  const rect = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const svg = document.querySelector('svg.bracket');
  const matrix = svg.getScreenCTM();
  const at = (path, length) => {
    const point = path.getPointAtLength(length).matrixTransform(matrix);
    return [point.x, point.y];
  };
  return {
    svg: rect(svg),
    texts: [...svg.querySelectorAll('text')].map((text) => [text.textContent, rect(text)]),
    games: Object.fromEntries([...svg.querySelectorAll('.game')].map((game) => [
      game.dataset.game,
      {
        box: rect(game.querySelector('.box')),
        names: [...game.querySelectorAll('.seat')].map((seat) => ({
          player: Number(seat.dataset.player.slice(1)),
          box: rect(seat.querySelector('.name')),
          weight: seat.querySelector('.name').getAttribute('font-weight'),
          isTicked: seat.querySelector('.won') !== null,
          title: seat.querySelector('title').textContent,
        })),
      },
    ])),
    lines: [...svg.querySelectorAll('.line')].map((path) =>
      [at(path, 0), at(path, path.getTotalLength())]),
  };
}"""

Rect = dict[str, float]


def measured(chromium: Browser, html: str) -> dict[str, Any]:
    page = chromium.new_page(viewport={"width": 2400, "height": 1000})
    page.set_content(web_page("Bracket", "", htpy.div["@"]).replace("@", html))
    found: dict[str, Any] = page.evaluate(MEASURED)
    page.close()
    return found


def overlap(one: Rect, other: Rect) -> bool:
    slack = 1  # a font reserves room above and below its letters
    return (
        one["left"] < other["right"] - slack
        and other["left"] < one["right"] - slack
        and one["top"] < other["bottom"] - 4 * slack
        and other["top"] < one["bottom"] - 4 * slack
    )


def inside(inner: Rect, outer: Rect) -> bool:
    return (
        outer["left"] <= inner["left"]
        and inner["right"] <= outer["right"]
        and outer["top"] - 2 <= inner["top"]
        and inner["bottom"] <= outer["bottom"] + 2
    )


def value_of(tournament: Tournament) -> Any:  # noqa: ANN401 - JSON
    return msgspec.json.decode(msgspec.json.encode(as_json(bracket(tournament), tournament.names)))


@pytest.mark.parametrize(
    ("size", "rounds"),
    [(2, 1), (4, 2), (6, 2), (8, 1), (8, 3), (16, 2), pytest.param(64, 3, marks=pytest.mark.slow)],
)
def test_no_texts_overlap_and_lines_join_the_right_games(
    chromium: Browser, size: int, rounds: int
) -> None:
    tournament = cut_to(size, rounds)
    value, found = value_of(tournament), measured(chromium, drawn(tournament))
    for (text, one), (text_of_other, other) in combinations(found["texts"], 2):
        assert not overlap(one, other), (text, text_of_other)
    for key, shown in found["games"].items():
        for name in shown["names"]:
            assert inside(name["box"], shown["box"]), (key, name["title"])
        for key_of_other, another in found["games"].items():
            assert key == key_of_other or not overlap(shown["box"], another["box"])
    _assert_games_are_those_of_the_value(value, found)
    _assert_lines_join(value, found)


def _assert_games_are_those_of_the_value(value: Any, found: dict[str, Any]) -> None:  # noqa: ANN401 - JSON
    for round_ in value["rounds"]:
        for played in round_["games"]:
            shown = found["games"][f"{round_['round']}.{played['game']}"]["names"]
            seats = [seat for seat in played["players"] if seat]
            assert [name["player"] for name in shown] == [seat["player"] for seat in seats]
            assert (played["points"] is None) == (played["bye"] or not played["winner"])
            for name, seat, points in zip(shown, seats, played["points"] or ("", ""), strict=False):
                assert not points or f"\u2069: {points}" in name["title"]
                has_won = seat["player"] == played["winner"]
                assert (name["weight"] == "700", name["isTicked"]) == (has_won, has_won)
                assert f"\u2068{seat['name']}\u2069" in name["title"]
                assert name["title"].startswith(f"{seat['seed']}. ")
    count = len(value["rounds"][0]["games"])
    assert len(found["games"]) == 2 * count - 1, "the games ahead are drawn"


def _assert_lines_join(value: Any, found: dict[str, Any]) -> None:  # noqa: ANN401 - JSON
    """Each winner has a line from the box of their game to their seat in the next round's box."""
    games, lines = found["games"], found["lines"]
    assert len(lines) == len(games) - 1
    for before, after in zip(value["rounds"], value["rounds"][1:], strict=False):
        for played in after["games"]:
            box = games[f"{after['round']}.{played['game']}"]
            for seat, name in zip(played["players"], box["names"], strict=False):
                came = next(each for each in before["games"] if each["winner"] == seat["player"])
                source = games[f"{before['round']}.{came['game']}"]["box"]
                begin = (source["right"], (source["top"] + source["bottom"]) / 2)
                row = (name["box"]["top"] + name["box"]["bottom"]) / 2
                assert any(
                    abs(line[0][0] - begin[0]) < 2
                    and abs(line[0][1] - begin[1]) < 2
                    and abs(line[1][0] - box["box"]["left"]) < 2
                    and abs(line[1][1] - row) < 5
                    for line in lines
                ), (after["round"], played["game"], seat["name"])


def test_every_mark_is_said_in_words_and_by_a_form() -> None:
    tournament = cut_to(8, 1, troubled=True)
    html, value = drawn(tournament), value_of(tournament)
    seats = [seat for each in value["rounds"][0]["games"] for seat in each["players"]]
    (gone,) = [seat for seat in seats if seat["left"]]
    (substitute,) = [seat for seat in seats if seat["replacement"]]
    titles = re.findall(r"<title>([^<]*)</title>", html)
    assert gone["left"] == "disqualified"
    assert any(gone["name"] in unescape(title) and "disqualified" in title for title in titles)
    assert any(
        substitute["name"] in unescape(title) and "took the place of" in title for title in titles
    )
    assert ">DQ</text>" in html
    assert f">{substitute['seed']}*</text>" in html
    assert html.count("line-through") == 1
    for text in ("DQ: disqualified", "*: took the place of a qualifier who left", "✓: won"):
        assert text in html
    assert ", open</text>" in html
    assert ">winner of game " in html


def test_a_bracket_of_six_has_byes_and_a_finished_one_has_a_champion() -> None:
    html = drawn(cut_to(6, 1))
    assert html.count(">bye</text>") == 2
    assert ">champion</text>" not in html
    html = drawn(cut_to(4, 2))
    assert html.count(">champion</text>") == 1


def test_seeds_are_drawn_before_the_first_pairing() -> None:
    tournament = cut_to(8, 0)
    html = drawn(tournament)
    pairs = re.findall(r'data-game="ahead\.\d">.*?</g></g>', html)
    seeds = [re.findall(r"<title>(\d)\. ", each) for each in pairs]
    assert sorted(seeds) == [["1", "8"], ["2", "7"], ["3", "6"], ["4", "5"]]


def test_the_same_value_is_the_same_picture_and_names_are_no_markup() -> None:
    tournament = cut_to(16, 2)
    html = drawn(tournament)
    assert html == drawn(tournament)
    assert "<script" not in html
    assert "&lt;/text&gt;&lt;script&gt;alert(1)" in html
    shown = re.findall(r"<title>[^<]*</title>|<text [^>]*>[^<]*</text>", html)
    for name in names(10):
        loose = [
            text for text in shown if name in re.sub("\u2068[^\u2069]*\u2069", "", unescape(text))
        ]
        assert loose == []


def test_the_path_of_a_player_is_marked() -> None:
    tournament = cut_to(8, 3)
    shown = bracket(tournament)
    (champion,) = {place.seat.player for place in shown.ranking if place.rank == 1} or {0}
    played = sum(
        any(seat and seat.player == champion for seat in each.seats)
        for round_ in shown.rounds
        for each in round_.games
    )
    html = drawn(tournament, champion)
    assert html.count('class="chosen"') == played == 3
    assert html.count('class="chosen line"') == played - 1
    assert "chosen" not in drawn(tournament)


@pytest.mark.parametrize(("size", "parts"), [(16, 1), (32, 3), (64, 5), (128, 9)])
def test_a_large_bracket_is_divided_so_that_each_game_is_in_a_part(size: int, parts: int) -> None:
    grid = grid_of(bracket(cut_to(size, 1)))
    assert grid is not None
    divided = parts_of(grid, 16)
    assert [part.part for part in divided] == [*range(1, parts + 1)]
    assert {part.parts for part in divided} == {parts}
    keys = {box.key for part in divided for column in part.columns for box in column.boxes}
    assert keys == {box.key for column in grid.columns for box in column.boxes}
    assert max(len(part.columns[0].boxes) for part in divided) <= 8
    first = {box.key for part in parts_in_play(divided) for box in part.columns[0].boxes}
    assert first == {box.key for box in grid.columns[0].boxes}
    words = bracket_words(cut_to(2, 1))._replace(name=str)
    for part in divided:
        assert str(picture(part, words, SCREEN)).count('class="line"') == sum(
            2 * len(column.boxes) for column in part.columns[1:]
        )


def test_a_double_elimination_is_drawn_as_it_was_played(chromium: Browser) -> None:
    rounds = [
        [game(1, 4, 1), game(2, 3, 3)],
        [game(1, 3, 3), game(4, 2, 4)],
        [game(1, 4, 1)],
        [game(3, 1, 1)],
        [game(1, 3, 1)],
    ]
    everybody = range(1, 5)
    swiss = [table(player, None, 6, None) for player in everybody]
    cut = [{"id": player, "seed": player} for player in everybody]
    tournament = imported(document(everybody, [swiss, *rounds], eliminationPlayers=cut))
    found = measured(chromium, drawn(tournament))
    assert sorted(found["games"]) == sorted(
        f"{number}.{place}"
        for number, games in enumerate(rounds, start=2)
        for place in range(1, len(games) + 1)
    )
    for one, other in combinations(found["texts"], 2):
        assert not overlap(one[1], other[1]), (one[0], other[0])
    for one, other in combinations(found["games"].values(), 2):
        assert not overlap(one["box"], other["box"])
    assert "champion" in [text for text, _ in found["texts"]]


@pytest.mark.parametrize("name", SCRIPTS)
@pytest.mark.parametrize("room", [3, 6, 9])
def test_a_shortened_name_ends_at_a_letter(name: str, room: float) -> None:
    cut = fitted(name, room)
    letters = [*clusters(name)]
    beginnings = ["".join(letters[:count]).rstrip() for count in range(len(letters) + 1)]
    assert cut == name or (cut.endswith("…") and cut[:-1] in beginnings)


def test_pictures_of_pages_and_screens_have_the_same_games() -> None:
    tournament = cut_to(8, 2)
    grid, words = grid_of(bracket(tournament)), bracket_words(tournament)
    assert grid is not None
    keys = [
        re.findall(r'data-game="([^"]*)"', str(picture(grid, words, each)))
        for each in (PAGE, SCREEN)
    ]
    assert keys[0] == keys[1]
    assert len(keys[0]) == 7
