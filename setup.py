"""Record the commit that is built, and compile the catalogues of other languages.

Everything else that setuptools reads is in `pyproject.toml`.

The file `ledger/commit.txt` is in what is built alone, never in a checkout: `tourney --version`
shows it. A build from an sdist takes the sdist's own.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
RECORD = Path("ledger", "commit.txt")


def commit() -> str:
    """Return the commit of this checkout, marked if files were changed; empty without git."""

    def git(*words: str) -> str:
        line = ["git", *words]
        ran = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - our own words
        return ran.stdout.strip()

    try:
        if Path(git("rev-parse", "--show-toplevel")).resolve() != ROOT:
            return ""  # unpacked within another project
        return git("describe", "--always", "--dirty=+changes", "--abbrev=12", "--exclude=*")
    except (OSError, subprocess.CalledProcessError):
        return ""


def record(folder: str) -> None:
    """Write the commit into what is built, if it is known."""
    if found := commit():
        place = Path(folder, RECORD)
        place.unlink(missing_ok=True)  # it may be a link into the checkout
        place.write_text(f"{found}\n", "utf-8")


def compile_catalogues(folder: Path) -> None:
    """Put a compiled catalogue in the place of each text: reading it takes a hundredth."""
    for text in folder.glob("*.po"):
        with text.open("rb") as source, text.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(source, locale=text.stem))
        text.unlink()


class Build(build_py):
    """Builds a wheel's files with the record; an editable install reads the checkout's own."""

    def run(self) -> None:
        """See `build_py.run`."""
        super().run()
        if not self.editable_mode:
            record(self.build_lib)
            compile_catalogues(Path(self.build_lib, "cli", "languages"))


class Source(sdist):
    """Builds a source archive with the record."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """See `sdist.make_release_tree`."""
        super().make_release_tree(base_dir, files)
        record(base_dir)


setup(cmdclass={"build_py": Build, "sdist": Source})
