"""Logs of every kind for tests that compare two ways through the same lines."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ledger.exchange.log_files import is_names, read_log
from tests.support.sample_season import first_logs
from tests.support.simulate import play

SAMPLES = Path(__file__).parent.parent.parent.parent / "sample_logs"


@cache
def every_log() -> dict[str, list[bytes]]:
    """Return the sample logs and simulated days, by their names, without the keys of names.

    Among them are an import, sealed names, forgotten persons, links, keys, disputes, drafts and
    words of players.
    """
    folders = SAMPLES / "days", SAMPLES / "kinds"
    logs = {
        path.stem: [line for line in read_log(path) if not is_names(line)]
        for folder in folders
        for path in sorted(folder.glob("*.jsonl"))
    }
    for seed, players in ((1, 12), (2, 17), (3, 24)):
        logs[f"simulated {seed}"] = play(seed, players, structure="advanced").lines
    logs["disputed"] = play(4, 16, structure="advanced", disputes=True).lines
    for number, lines in enumerate(first_logs(5)):
        logs[f"season {number}"] = list(lines)
    return logs
