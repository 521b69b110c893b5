"""The Java that Spark needs, or words for what is wrong with the one that is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from ledger.errors import StoreUnavailable

JAVA_MIN = 17
SECONDS_TO_JAVA = 20

_VERSION = re.compile(r'version "(?:1\.)?([0-9]+)')


def refuse_other_java() -> None:
    """Refuse what Spark would not start on; StoreUnavailable."""
    needs = f"Spark needs Java {JAVA_MIN} or newer"
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if not program or not Path(program).is_file():
        there = f"JAVA_HOME ({home}) has none" if home else "none is installed here"
        raise StoreUnavailable(f"{needs}, and {there}: install one, or set JAVA_HOME")
    version = _version_of(program)
    if version < JAVA_MIN:
        what = f"is Java {version}" if version else "does not say that it is Java"
        raise StoreUnavailable(f"{needs}, and {program} {what}: set JAVA_HOME to another")


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
