"""A Spark that runs by itself, as a league rents one: a master, a worker, what is asked of them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from projections.season.loading.manifest import MANIFEST
from tests.support.chance.random_seasons import day
from tests.support.season import write_log

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.season.spark_cluster import RunningSpark

DAYS = 6
SECONDS_TO_BEGIN = 60
DEPLOY = "org.apache.spark.deploy"


@pytest.fixture
def master(spark: RunningSpark, tmp_path: Path) -> Iterator[str]:
    """A master and one worker with half a gigabyte, which end with the test."""
    assert spark.scratch.is_dir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"spark://127.0.0.1:{port}"
    here = ("--host", "127.0.0.1", "--webui-port", "0")
    with ExitStack() as running:
        for name, *words in (
            ("master.Master", "--port", str(port), *here),
            ("worker.Worker", address, "--cores", "2", "--memory", "1g", *here),
        ):
            running.enter_context(_running(tmp_path / "cluster", f"{DEPLOY}.{name}", *words))
            _wait_for(port)
        yield address


def _running(folder: Path, *words: str) -> ExitStack:
    from pyspark.find_spark_home import _find_spark_home  # noqa: PLC0415 - an extra

    folder.mkdir(exist_ok=True)
    home = _find_spark_home()
    told = {
        **os.environ,
        "SPARK_HOME": home,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
        "SPARK_LOCAL_DIRS": str(folder),
        "SPARK_WORKER_DIR": str(folder),
    }
    program = str(Path(home, "bin", "spark-class"))
    null = subprocess.DEVNULL
    process = subprocess.Popen([program, *words], cwd=folder, env=told, stdout=null, stderr=null)
    ended = ExitStack()
    ended.callback(process.wait)
    ended.callback(process.terminate)
    return ended


def _wait_for(port: int) -> None:
    end = time.monotonic() + SECONDS_TO_BEGIN
    while True:
        try:
            with closing(socket.create_connection(("127.0.0.1", port), 1)):
                return
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.1)


def test_derived_and_asked_there(master: str, tmp_path: Path) -> None:
    """The same bytes as here, and the same rows; nothing of it stays where it was asked."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(DAYS):
        write_log(logs / f"{number}.jsonl", day(number))
    room = tmp_path / "room"
    room.mkdir()
    _done(tmp_path, "season", "derive", "here", "logs", "--processes", "1")
    _done(tmp_path, "season", "derive", "there", "logs", "--engine", master)
    assert _files(tmp_path / "there") == _files(tmp_path / "here")
    checked = _done(tmp_path, "stats", "outcomes", "--check", "--engine", master, "--in", "there")
    said = f"1 question answered by duckdb and {master}: the same rows"
    assert checked.stderr.splitlines()[-1] == said
    assert not list(room.iterdir())


def _done(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    found = subprocess.run(
        [sys.executable, "-m", "cli.main", *words],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "room")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert found.returncode == 0, found.stderr
    return found


def _files(folder: Path) -> dict[str, object]:
    """Return the contents of a season's files, without its head: each season has its own key."""
    files: dict[str, object] = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    manifest = json.loads((folder / MANIFEST).read_bytes())
    assert manifest.pop("head")
    return files | {MANIFEST: manifest}
