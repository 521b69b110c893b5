"""What is recorded, and what programs read, is the same in every language."""

from __future__ import annotations

from hashlib import sha512
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.cli.languages.pseudo import STANDS_FOR, speak_pseudo, speaks_pseudo
from tests.kept.test_every_verb import LEFT_OUT, clock_after
from tests.support.cli_desk import Desk
from tests.support.days.json_day import JsonDay

LOG_MIN = 10_000

if TYPE_CHECKING:
    from pathlib import Path


def day_in(language: str, folder: Path) -> tuple[dict[str, list[str]], bytes]:
    """Play the day with every verb; return every answer as JSON, and the log."""
    with pytest.MonkeyPatch.context() as patch:
        drawn, seconds = count(1), count()
        patch.setattr("os.urandom", lambda size: sha512(b"%d" % next(drawn)).digest()[:size])
        patch.setattr("cli.outside.now", lambda: clock_after(next(seconds)))
        desk = Desk(folder, patch)
        if language != "en":
            speak_pseudo(patch)
            patch.setenv("LC_ALL", language)
        day = JsonDay(desk)
        day.play()
        refused = desk.type("standings", "--at", "never").err
        assert speaks_pseudo(refused) == (language != "en")
    answers = {
        line: [answer.replace(str(folder), "FOLDER") for answer in given]
        for line, given in {**day.acts, **day.given}.items()
        if line not in LEFT_OUT
    }
    return answers, b"".join(sorted(path.read_bytes() for path in folder.rglob("*.jsonl")))


@pytest.mark.slow
def test_logs_and_answers_for_programs_are_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    english, logs = day_in("en", tmp_path / "one")
    other, other_logs = day_in(STANDS_FOR, tmp_path / "two")
    assert other.keys() == english.keys()
    assert {line: given for line, given in other.items() if given != english[line]} == {}
    assert other_logs == logs
    assert len(logs) > LOG_MIN
