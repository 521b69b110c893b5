"""What all tests share: the fixtures of some modules, and the option for golden files."""

from __future__ import annotations

import gc
import os
import runpy
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.season.spark_cluster import refuse_other_java, refuse_without_extra, spark_at
from ledger.errors import LedgerError
from tests.support.examples import load_profile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from cli.season.spark_cluster import RunningSpark
    from tests.support.cli_desk import Desk
    from tests.support.hall import Browser as HallBrowser

ELSEWHERE = Path(__file__).parent / "support" / "elsewhere"

MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own there
ROOM = 4 << 30

load_profile()

os.environ["NO_COLOR"] = "1"  # plain text in any terminal; the tests of colours unset it
os.environ["LC_ALL"] = "C.UTF-8"  # answers in English on every machine


def _be_elsewhere() -> None:
    """Run as on a system that is not POSIX, as `tests/support/elsewhere/sitecustomize.py` says."""
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if os.environ.get("TOURNEY_ELSEWHERE") and str(ELSEWHERE) not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(ELSEWHERE), *filter(None, paths)])
        runpy.run_path(str(ELSEWHERE / "sitecustomize.py"))


_be_elsewhere()


def _keep_folders_in_memory() -> None:
    """Let tests wait for no disk, where there is room; what a disk keeps is shown in `faults`."""
    if sys.platform.startswith("linux") and MEMORY.is_dir():
        room = os.statvfs(MEMORY)
        if room.f_bavail * room.f_frsize >= ROOM and not room.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def _measures() -> bool:
    """Whether the line asks for benchmarks, whose figures are those of the disk."""
    return any("bench" in word for word in sys.argv)


if not _measures():
    _keep_folders_in_memory()

pytest_plugins = [
    "tests.support.store_fixtures",
    "tests.support.cli_desk",
    "tests.support.files.season_begun",
    "tests.support.stranger",
    "tests.support.days.draw_desks",
    "tests.support.days.table_day",
    "tests.faults.summary",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update-golden`."""
    parser.addoption("--update-golden", action="store_true", help="write the expected outputs anew")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the fast set start no server, no browser: what needs them is slow. Make nothing twice."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            for mark in (pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")):
                item.add_marker(mark)
        if "spark" in getattr(item, "fixturenames", ()):
            for mark in (pytest.mark.spark, pytest.mark.slow, pytest.mark.xdist_group("spark")):
                item.add_marker(mark)
        given = getattr(item, "callspec", None)
        if "postgres_url" in getattr(item, "fixturenames", ()) or (
            given and "postgres" in given.params.values()
        ):
            item.add_marker(pytest.mark.slow)
        if isinstance(item, pytest.Function) and not item.get_closest_marker("xdist_group"):
            _keep_together(item)


def _keep_together(item: pytest.Function) -> None:
    """Let one process run the tests of what is made once for a module: it makes it once."""
    made = item._fixtureinfo.name2fixturedefs.values()
    if any(each[-1].scope == "module" for each in made):
        item.add_marker(pytest.mark.xdist_group(item.path.stem))


def pytest_collection_finish() -> None:
    """Let the garbage collector skip what stays: modules, and thousands of tests."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Let what was skipped be collected as it is in any program that ends."""
    gc.unfreeze()


@pytest.hookimpl(trylast=True, specname="pytest_collection_modifyitems")
def pytest_name_groups(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the group behind a test's id, as `--dist loadgroup` reads it there, and long tests first.

    pytest-xdist 3.8 writes it into `_nodeid`, which pytest 9.2 no longer reads. It hands out large
    groups first, and tests without one in this order: so no process waits for another's long test.
    """
    if config.getoption("loadgroup", default=False):
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items if config.getoption("loadgroup", default=False) else ():
        group = item.get_closest_marker("xdist_group")
        if group and hasattr(item, "_id") and not item.nodeid.endswith(f"@{group.args[0]}"):
            item._id = type(item._id).parse(f"{item.nodeid}@{group.args[0]}")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Chromium of the distribution; skipped where it or the extra `browser` is missing."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="the extra `browser` is not installed"
    )
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.skip("there is no Chromium")
    with playwright.sync_playwright() as playing:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        opened = playing.chromium.launch(executable_path=program, args=options)
        yield opened
        opened.close()


@pytest.fixture
def browser(day: Desk) -> Iterator[HallBrowser]:
    """The hall of the tournament that a module's fixture `day` has made, open for its organizer."""
    from tests.support.hall import hall_open, official  # noqa: PLC0415 - needs the extra `serve`

    del day
    with hall_open(official(1)) as asking:
        yield asking


@pytest.fixture(scope="session")
def spark() -> Iterator[RunningSpark]:
    """A Spark of two workers; skipped where Java or the extra `spark` is missing."""
    try:
        refuse_without_extra()
        refuse_other_java()
    except LedgerError as error:
        pytest.skip(str(error))
    with spark_at("local-cluster[2,1,1024]") as running:
        yield running


@pytest.fixture
def heard_ctrl_c() -> Iterator[None]:
    """Ctrl-C counts in this process and in those it starts, also where a shell had it ignored.

    A shell starts what runs in the background with SIGINT ignored, and every child inherits that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
