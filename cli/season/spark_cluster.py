"""Spark for the time of a question: found with its Java, started, and ended without leftovers.

The output of Spark and Java goes to a file in a scratch folder, which goes away; one line of it is
shown here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, NamedTuple

from cli.languages.speaking import tr
from cli.season.endings import closed_when_ended, put_off
from cli.terminal.output import Bar
from ledger.errors import Refused, StoreUnavailable
from ledger.files.system import link_or_copy
from ledger.problems import phrase
from projections.season.loading.scratch import room_beside
from projections.season.loading.spark_deriving import one_line

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

JAVA_MIN = 17
SECONDS_TO_JAVA = 20

SECONDS_TO_WORKERS = 60
"""Seconds that Spark waits for a worker without --workers-wait."""

_VERSION = re.compile(r'version "(?:1\.)?([0-9]+)')


def refuse_other_java() -> None:
    """Refuse what Spark would not start on; StoreUnavailable."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if not program or not Path(program).is_file():
        there = phrase("no Java is installed here")
        if home:
            there = phrase("JAVA_HOME ({home}) has no Java", home=home)
        text = phrase(
            "Spark needs Java {least} or newer, but {there}: install Java, or set JAVA_HOME",
            least=JAVA_MIN,
            there=there,
        )
        raise StoreUnavailable(text)
    version = _version_of(program)
    if version < JAVA_MIN:
        what = phrase("{program} does not report that it is Java", program=program)
        if version:
            what = phrase("{program} is Java {version}", program=program, version=version)
        text = phrase(
            "Spark needs Java {least} or newer, but {what}: set JAVA_HOME to another",
            least=JAVA_MIN,
            what=what,
        )
        raise StoreUnavailable(text)


def _version_of(program: str) -> int:
    """Return the version that a program says it is of; 0 if it says none."""
    asked = [program, "-version"]
    try:
        answer = subprocess.run(  # noqa: S603 - the one that Spark would start
            asked, capture_output=True, timeout=SECONDS_TO_JAVA, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = _VERSION.search(answer.stderr.decode("utf-8", "replace"))
    return int(found[1]) if found else 0


SECONDS_TO_ANSWER = 5.0
PYTHON = "spark.pyspark.python"
LEFT = "tourney-on-spark-"
"""How a scratch folder begins; of a program that was killed, the next one removes it."""
SAID = "said.log"
"""What Spark says, in the scratch folder."""

LITTLE_BYTES = 64 << 20
"""Below this, making code for a question takes longer than answering it without."""

_LITTLE = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
}
BYTES_A_TASK = 4 << 20
TASKS = range(2, 1000)
"""How many share a question: each writes to each, which costs more than small work itself."""
_QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""What lets a machine of Java's start sooner, and run slower."""


class RunningSpark(NamedTuple):
    """Spark while it is running, and a folder that goes with it."""

    session: SparkSession
    scratch: Path


@contextmanager
def spark_at(master: str, size: int = 0, wait: int = SECONDS_TO_WORKERS) -> Iterator[RunningSpark]:
    """Have Spark at a master, for a season of a size in bytes: a little one has it begin sooner.

    A master without a worker is given up after `wait` seconds.

    Raises:
        Refused: the extra is not installed.
        StoreUnavailable: Java is missing or too old, or the master or its workers do not answer.
    """
    refuse_without_extra()
    refuse_other_java()
    refuse_absent(master)
    room = room_beside(Path(gettempdir()).resolve(), LEFT)
    with closed_when_ended(), room as scratch, _context(master, scratch, size) as context:
        from py4j.protocol import Py4JError
        from pyspark.sql import SparkSession

        try:
            _wait_for_workers(context, master, wait)
        except (Py4JError, OSError):  # Spark itself has given up
            raise StoreUnavailable(
                phrase("{master} did not accept work: is Spark running there?", master=master)
            ) from None
        yield RunningSpark(SparkSession(context), scratch)


def refuse_without_extra() -> None:
    """Refuse to go on where the extra `spark` is not installed."""
    try:
        import pyspark  # noqa: F401 - whether it is there
        import sqlglot  # noqa: F401 - as above
    except ImportError as error:
        text = phrase(
            "the engine Spark needs {package}, which is not installed: pip install "
            "'tourney-ledger[spark]'",
            package=str(error.name),
        )
        raise Refused(text) from None


def _settings(master: str, scratch: Path, size: int) -> dict[str, str]:
    """How Spark is to run: numbers as exact as DuckDB's, moments in UTC, files in the scratch."""
    java = f"-Djava.io.tmpdir={scratch} -Dderby.system.home={scratch}"
    python = os.environ.get("PYSPARK_PYTHON") or sys.executable
    tasks = min(max(size // BYTES_A_TASK, TASKS[0]), TASKS[-1])
    settings = {
        "spark.master": master,
        "spark.sql.shuffle.partitions": str(tasks),
        "spark.app.name": "tourney",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.ansi.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.local.dir": str(scratch),
        PYTHON: python,
        "spark.pyspark.driver.python": sys.executable,
    }
    if size < LITTLE_BYTES:
        settings |= _LITTLE
        java = f"{java} {_QUICK}"
    if is_here(master):
        settings |= {"spark.driver.host": "localhost", "spark.executor.extraJavaOptions": java}
    return settings | {"spark.driver.extraJavaOptions": java}


@contextmanager
def _context(master: str, scratch: Path, size: int) -> Iterator[SparkContext]:
    """Start a machine of Java's, and Spark in it; both end with the block."""
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway

    settings = _settings(master, scratch, size)
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    with ExitStack() as running, (scratch / SAID).open("wb") as said, _home_in(scratch, master):
        try:
            with put_off():  # it could not be ended before it is known
                # In the scratch folder, where it leaves what it leaves.
                gateway = launch_gateway(conf, {"stdout": said, "stderr": said, "cwd": scratch})
                running.callback(_end, gateway)
            context = SparkContext(gateway=gateway, conf=conf)
            context.pythonExec = settings[PYTHON]
        except (PySparkException, Py4JError, OSError) as error:
            raise StoreUnavailable(
                phrase(
                    "{master} cannot be used: {said}",
                    master=master,
                    said=_last_said(scratch, error),
                )
            ) from None
        yield context


@contextmanager
def _home_in(scratch: Path, master: str) -> Iterator[None]:
    """Let the workers of a local cluster write into the scratch folder: they write beside Spark."""
    if not is_local_cluster(master):
        yield
        return
    from pyspark.find_spark_home import _find_spark_home

    before, home = os.environ.get("SPARK_HOME"), scratch / "home"
    home.mkdir()
    for each in Path(_find_spark_home()).iterdir():
        link_or_copy(home / each.name, each)
    os.environ["SPARK_HOME"] = str(home)
    try:
        yield
    finally:
        os.environ.pop("SPARK_HOME")
        if before is not None:
            os.environ["SPARK_HOME"] = before


def _end(gateway: object) -> None:
    """End Spark and its machine of Java's; nothing must meet what pyspark keeps of it."""
    from pyspark import SparkContext

    with put_off():
        with suppress(Exception), warnings.catch_warnings(action="ignore"):
            SparkContext._active_spark_context.stop()  # noqa: SLF001 - there may be half of one
        with suppress(Exception):
            gateway.shutdown()  # type: ignore[attr-defined] # as py4j made it
        process: subprocess.Popen[bytes] = gateway.proc  # type: ignore[attr-defined] # as above
        if process.stdin is not None:
            process.stdin.close()  # what it ends by
        try:
            process.wait(SECONDS_TO_JAVA)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        SparkContext._gateway = SparkContext._jvm = None  # noqa: SLF001 - there is no other way
        SparkContext._active_spark_context = None  # noqa: SLF001 - as above


def _last_said(scratch: Path, error: Exception) -> str:
    """Return the last error that Spark said, or else what Python heard."""
    text = (scratch / SAID).read_text("utf-8", "replace")
    lines = [line for line in text.splitlines() if "Exception" in line or "rror:" in line]
    return " ".join(lines[-1].split())[:300] if lines else one_line(error)


def _wait_for_workers(context: SparkContext, master: str, wait: int) -> None:
    """Wait until a worker accepts work; Spark itself would wait for ever."""
    if is_here(master) and not is_local_cluster(master):
        return
    begun = time.monotonic()
    with Bar() as bar:
        while context._jsc.sc().getExecutorMemoryStatus().size() < 2:  # noqa: PLR2004, SLF001 - the first is this program
            waited = time.monotonic() - begun
            if waited > wait:
                text = phrase(
                    "{master} answers, but no worker accepted work within {seconds} seconds: free "
                    "a worker, or wait longer with --workers-wait SECONDS",
                    master=master,
                    seconds=str(wait),
                )
                raise StoreUnavailable(text)
            bar(tr("seconds of waiting for a worker"), int(waited), wait)
            time.sleep(0.05)


def is_here(master: str) -> bool:
    """Whether Spark runs on this machine, started for this question and ended with it."""
    return master.startswith("local")


def is_local_cluster(master: str) -> bool:
    """Whether it is Spark's cluster to try on: workers that are processes of this machine."""
    return master.startswith("local-cluster")


def refuse_absent(master: str) -> None:
    """Refuse a master of Spark's own where nobody answers; the others are asked by Spark."""
    if not master.startswith("spark://"):
        return
    import socket

    why = ""
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        try:
            with closing(
                socket.create_connection((host.strip("[]"), int(port)), SECONDS_TO_ANSWER)
            ):
                return
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
    raise StoreUnavailable(
        phrase(
            "{master} does not answer ({reason}): is that engine running?",
            master=master,
            reason=why,
        )
    )
