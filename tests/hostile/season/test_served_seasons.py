"""A season's file from a stranger, shown by a hall: every view, and the event's own pages."""

from __future__ import annotations

import shutil
import signal
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.season import sandbox, served
from cli.season.opening import SafeSeason, only_known_values
from cli.season.sandbox import confined_season
from cli.season.served import CheckedWords, ServedSeason, ShownFiles, view_of
from cli.serve.views import BASE, SEASON_VIEWS, AskedView
from cli.serve.visitors import NOBODY
from cli.verbs.season.by_points import own_scheme
from ledger.errors import LedgerError
from projections.season.ratings import SYSTEMS
from projections.season.tables.definitions import questions
from tests.hostile.season.conftest import SECRET
from tests.hostile.season.season_attacks import Attack, attacks
from tests.hostile.season.test_season_files import secret_of, unread
from tests.support.examples import TIMES
from tests.support.hall import Browser, first_round, hall_open, official

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.cli_desk import Desk

WORDS = {
    "standings": ["sample-season", "sample-season?at=2026-03-01", "none"],
    "question": [each.name for each in questions()],
    "ratings": [f"{each}{asked}" for each in SYSTEMS for asked in ("?ruleset=l5r", "")],
}
"""The words that views are asked with, by the name of the view."""

PAGES = ("/", "/standings")
"""Pages of the event, which the season does not touch."""

STRIDE = 7
"""Each attack is shown by every seventh view, the next one by others; TOURNEY_EXAMPLES: by all."""

DONE = (200, 400, 401, 403, 404, 409, 422, 503)


def paths() -> Iterator[str]:
    """Every view's path, with each of its words."""
    for view in SEASON_VIEWS:
        path = f"{BASE}{view.path}".removesuffix("/{word}")
        words = WORDS[view.name] if "{word}" in view.path else [""]
        yield from (f"{path}/{word}".removesuffix("/") for word in words)


class NearSeason(ServedSeason):
    """Makes the views in this process, which is quicker, of the files that a hall opens."""

    def _made(self, asked: AskedView, checked: CheckedWords, _: Callable[[], bool]) -> bytes:
        files = self._safe_files()
        place = Path(files.season)
        safe = SafeSeason(place, place, files.signed, is_own=files.is_own)
        with only_known_values(safe), confined_season(files.season) as season:
            return view_of(season, files, asked, checked)


@pytest.fixture
def shown(near: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A hall's desk; what the hall does in other processes, it does in this one."""
    monkeypatch.setattr(served, "bounded", sandbox.bounded)
    return first_round(near)


def asked(browser: Browser, paths: list[str]) -> int:
    """Ask for every path as a visitor and as an official; return how many views were given."""
    given = 0
    for browser.who in (NOBODY, official(1)):
        for path in paths:
            answer = browser.get(path)
            assert answer.status_code in DONE, (path, answer.status_code, answer.text)
            assert SECRET not in answer.text, path
            assert "Traceback" not in answer.text, path
            given += answer.status_code == HTTPStatus.OK
            if answer.status_code != HTTPStatus.OK:
                assert "\n" not in answer.json()["detail"]
    return given


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "attack"), list(enumerate(attacks())), ids=[attack.name for attack in attacks()]
)
def test_no_view_runs_anything_of_a_file(
    shown: Desk, genuine: Path, number: int, attack: Attack
) -> None:
    secret, file = secret_of(shown), shown.folder / "season.duckdb"
    attack.applied(genuine / "season.duckdb", file, secret)
    before, content = unread(secret), file.read_bytes()
    files = ShownFiles(str(file), "", "", (own_scheme(Path("points.toml")),))
    season = NearSeason(files)
    with suppress(LedgerError):
        season.check()
    with hall_open(season=season) as browser:
        asked(browser, list(paths())[0 if TIMES else number % STRIDE :: 1 if TIMES else STRIDE])
        assert asked(browser, list(PAGES)) == 2 * len(PAGES)
    assert secret.stat().st_atime_ns == before
    assert file.read_bytes() == content


@pytest.mark.slow
def test_a_genuine_file_gives_its_views(shown: Desk, genuine: Path) -> None:
    files = ShownFiles(
        str(genuine / "season.duckdb"), "", "", (own_scheme(shown.folder / "points.toml"),)
    )
    with hall_open(season=NearSeason(files)) as browser:
        assert asked(browser, list(paths())) > len(list(paths()))


@pytest.mark.slow
@pytest.mark.usefixtures("shown")
def test_a_copy_that_was_tidied_up_is_made_again(genuine: Path) -> None:
    """The copy is made in the first thread, and made again in one that cannot hear signals."""
    files = ShownFiles(str(genuine / "season.duckdb"), "", "", ())
    season, heard = NearSeason(files), signal.getsignal(signal.SIGTERM)
    season.check()
    assert signal.getsignal(signal.SIGTERM) == heard
    with hall_open(season=season) as browser:
        assert browser.get(f"{BASE}/events").status_code == HTTPStatus.OK
        shutil.rmtree(Path(season._safe_files().season).parent)
        assert browser.get(f"{BASE}/standings").status_code == HTTPStatus.OK
