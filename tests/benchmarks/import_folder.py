"""One `import` of a folder beside one import of each of its files: processor time, and the report.

Run with `python -m tests.benchmarks.import_folder [FILES] [EVERY]`. A folder of 500 files of every
format is made (published ones are added if `../shared` is there) and imported by one command, whose
report is printed. Then every file, or every EVERY-th one, is imported by a command of its own into
another store, and the ratio of the processor times is printed: at most 1.2 is asked for. The third
figure leaves the start of the programs out: the same files, one after the other, in one process.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, process_time

from ledger.books.vault import Secrets
from ledger.exchange import Details, take
from ledger.rulesets import text_of
from ledger.store import open_store
from projections.file_batches import FileReader, ReadingTerms
from tests.support.files.folder_of_files import add_others, fill
from tests.support.paths import ROOT
from tests.support.store_worker import say

FILES = 500
ASKED_FOR = 1.2
OF_SHEETS = ("--ruleset", "mtg", "--date", "2024-05-05")


def spent(folder: Path, *words: str, is_shown: bool = False) -> float:
    """Run a command line in a folder; return the processor time of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "cli.main", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=None if is_shown else subprocess.DEVNULL,
        stderr=None if is_shown else subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def one_process(folder: Path, paths: list[Path]) -> float:
    """Read, compare and take files one after the other, without the start of a program."""
    reader = FileReader(ReadingTerms(Details(text_of("mtg"), "", OF_SHEETS[-1], is_sheet=True)))
    begun, secrets = process_time(), Secrets(os.urandom(32), os.urandom(32))
    store = open_store(str(folder / "one.db"), create=True)
    for number, path in enumerate(paths):
        take(store, reader.read(number, path, secrets).content())
    store.close()
    return process_time() - begun


def main(files: int, every: int) -> None:
    """Measure, and print the report and the ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = fill(folder / "files", files)
        add_others(folder / "files")
        for place in ("together", "alone", "alike"):
            (folder / place).mkdir()
        begun = monotonic()
        together = spent(folder / "together", "import", "../files", *OF_SHEETS, is_shown=True)
        elapsed = monotonic() - begun
        alike = one_process(folder / "alike", paths)
        some = paths[::every]
        alone = 0.0
        for path in some:
            own = OF_SHEETS if path.suffix == ".csv" else ()
            alone += spent(folder / "alone", "import", f"../files/{path.name}", *own)
        alone *= len(paths) / len(some)
        say(f"one import of {len(paths)} files: {together:.1f} s of processor, {elapsed:.1f} s")
        say(f"{len(some)} single imports, for {len(paths)}: {alone:.1f} s of processor")
        say(f"ratio: {together / alone:.3f} (at most {ASKED_FOR} is asked for)")
        say(f"one after the other in one process: {alike:.1f} s; ratio: {together / alike:.2f}")


if __name__ == "__main__":
    main(*[int(word) for word in sys.argv[1:]], *(FILES, 1)[len(sys.argv) - 1 :])
