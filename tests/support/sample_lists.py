"""The sample log of a day with lists: `python -m tests.support.sample_lists` writes it anew.

Played through the commands, like the days of `tests.support.sample_days`; the people are made up.
"""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

import msgspec

from cli.verbs.day.lists import checked
from ledger import formats
from ledger.fold import fold_lines
from ledger.rules.elimination import FinishTournament
from ledger.rules.lists import CorrectList, SubmitList
from ledger.rules.opening import OpenTournament, StartTournament
from ledger.rules.people import RegisterPlayers
from tests.support.files.format_lists import SAMPLES, sample_list
from tests.support.sample_days import EARLIER, close, edition_of, people, play_round
from tests.support.sample_rules import begun_by_the_rules_of_the_samples
from tests.support.simulate import ORGANIZER, Day

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command

TITLE = "Embers Evening"
LOG = EARLIER / "l5r-legacy" / "embers-evening-8.jsonl"
KEY = LOG.parent.name
CARDS = SAMPLES / "cards" / f"{KEY}.csv"


def _format_text() -> str:
    if not LOG.exists():
        return formats.text_of(KEY)
    opening = fold_lines(LOG.read_bytes().splitlines()[:1]).opening
    assert opening is not None
    assert opening.format is not None
    return opening.format.text


class FormatDay(Day):
    """A day whose opening names the format."""

    def do(
        self, command: Command, *, by: str = ORGANIZER, command_id: str = "", at: str = ""
    ) -> list[Recorded]:
        """Do it; the opening with the format, in the edition that the log has once it exists."""
        if isinstance(command, OpenTournament):
            text = _format_text()
            command = msgspec.structs.replace(command, format=text, variant="standard")
        return super().do(command, by=by, command_id=command_id, at=at)


@begun_by_the_rules_of_the_samples()
def embers_evening() -> Day:
    """Eight lists, one with findings and one corrected after the start, which is flagged."""
    identity = hashlib.sha256(TITLE.encode()).hexdigest()
    day = FormatDay(
        [],
        ruleset=edition_of(f"{KEY}/{LOG.stem}"),
        shuffle_key=bytes.fromhex(identity),
        title=TITLE,
        number=identity[:32],
    )
    entries = people(8, seed=8)
    day.do(RegisterPlayers(tuple(entries)))
    good, bad = sample_list(KEY), sample_list(f"{KEY}-findings")
    for number, entry in enumerate(entries, start=1):
        text = bad.replace("Gil Soto", entry.name) if number == 5 else good
        day.do(SubmitList(number, text.replace("Fay Moreau", entry.name)))
        day.do(checked(day.tournament, number, CARDS, ""))
    mended = day.tournament.lists[1].text.replace("Player:", "# The player's own list.\nPlayer:")
    mended = mended.replace(entries[0].name, entries[4].name)
    day.do(CorrectList(5, mended, "rebuilt before the start", advantageous=False))
    day.do(checked(day.tournament, 5, CARDS, ""))
    day.do(StartTournament("basic", word="embers"))
    chance = random.Random(TITLE)
    for number in range(3):
        play_round(day, chance, modified=0)
        close(day)
        if number == 0:
            played = day.tournament.lists[3].text.replace("3 Rice Terrace", "3 Quiet Shrine")
            day.do(CorrectList(3, played, "three other holdings were in the deck"))
            day.do(checked(day.tournament, 3, CARDS, "the deck was counted"))
    day.do(FinishTournament())
    return day


def main() -> None:
    """Write the log."""
    LOG.parent.mkdir(parents=True, exist_ok=True)
    LOG.write_bytes(b"".join(line + b"\n" for line in embers_evening().lines))


if __name__ == "__main__":
    main()
