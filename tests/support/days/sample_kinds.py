"""Short logs of what no ordinary day has: an import, a forgotten person, lost keys, a fork."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

from ledger import rulesets
from ledger.rules.keys import NoteGuesses
from tests.support.days.confirmed_days import WAITING
from tests.support.days.sample_desk import entries

if TYPE_CHECKING:
    from tests.support.days.sample_desk import SampleDesk

FIRST_WEEK = (
    "round,table,player1,player2,result\n1,1,Ann Lee,Bob Ray,win\n1,2,Cas Dor,Dee Fox,win\n"
)
SECOND_WEEK = "2,1,Ann Lee,Cas Dor,win\n2,2,Bob Ray,Dee Fox,draw\n"


def _opened(day: SampleDesk, ruleset: str = "swiss", *, sealed: bool = False) -> None:
    """Four people, and rounds enough for them."""
    words = ("--ruleset", ruleset, "--organizer", "Olga", "--date", "2026-11-21")
    names = () if sealed else ("--open-names",)
    day.type("new", day.title, *words, "--time-zone", "Europe/Rome", *names)
    day.keep_policy()
    day.register(entries(4, 4, ()))


def _played(day: SampleDesk) -> None:
    day.type("pair")
    day.type("round start")
    day.wait(30)
    for table, first, second in day.tables():
        day.type(f"report {table} #{day.chance.choice((first, second))}")


def _over(day: SampleDesk) -> None:
    _played(day)
    day.type("finish")


def imported(day: SampleDesk) -> None:
    """Import a league's first week, then its second, which ends it."""
    day.write("league.csv", FIRST_WEEK)
    day.type("import league.csv --sign --ruleset swiss --date 2026-11-14 --name", day.title)
    day.write("league.csv", FIRST_WEEK + SECOND_WEEK)
    day.wait(60)
    day.type("import league.csv --into", day.title)
    day.type("finish")
    day.keep_policy()


def forgotten(day: SampleDesk) -> None:
    """Forget a person on request: the name's key is destroyed, the results stay."""
    _opened(day, sealed=True)
    day.type("start custom --rounds 1 --word moss")
    _over(day)
    day.wait(60 * 24)
    day.type("forget #3")


def renewed(day: SampleDesk) -> None:
    """Renew the keys of draws, of hidden cards and of the log, each lost or revoked."""
    _opened(day, "legion")
    day.type("start custom --rounds 2 --word fern")
    _played(day)
    day.type("round close")
    vault = sqlite3.connect(day.desk.folder / "tourney.db-vault")
    vault.execute("DELETE FROM vault WHERE name IN ('shuffle-key', 'hidden-key')")
    vault.commit()
    vault.close()
    day.type("key draws --reason", "the disk had a bad block")
    day.type("key hidden --reason", "the disk had a bad block")
    own = day.json("key")[0]["key"]
    day.type(f"key revoke {own} --reason", "a copy was left at the venue")
    _over(day)


def forked(day: SampleDesk) -> None:
    """Go on after a store older than its signed head was put back."""
    _opened(day)
    day.type("start custom --rounds 1 --word reed")
    day.type("pair")
    store, copy = day.desk.folder / "tourney.db", day.desk.folder / "copy"
    shutil.copy(store, copy)
    day.type("post pairings")
    shutil.copy(copy, store)
    for path in day.desk.folder.glob("tourney.db-[sw]*"):
        path.unlink()
    day.type("checkpoint --accept-fork --reason", "the disk broke, an older copy was put back")
    day.type("round start")
    for table, first, _ in day.tables():
        day.type(f"report {table} #{first}")
    day.type("finish")


def drafted(day: SampleDesk) -> None:
    """Draw the groups of an Ashes draft."""
    _opened(day, "ashes")
    day.type("start custom --rounds 3 --word clay")
    day.type("draft draw")


def confirmed(day: SampleDesk) -> None:
    """Confirm a player's report, where the ruleset has reports wait."""
    game = rulesets.text_of("l5r").replace(*WAITING)
    _opened(day, day.write("game.toml", game))
    day.type("start custom --rounds 1 --word rush")
    day.type("pair")
    day.type("round start")
    for table, first, second in day.tables():
        day.type(f"report {table} #{first} --for #{first}")
        day.type(f"confirm {table} --for #{second}")
    day.type("finish")


def witnessed(day: SampleDesk) -> None:
    """Have a witness cosign the start before anything is drawn."""
    vkey = day.type("witness init league.example/cup").split()[-1]
    words = ("--ruleset", "swiss", "--organizer", "Olga", "--date", "2026-11-21")
    day.type("new", day.title, *words, "--open-names", "--witness", vkey)
    day.keep_policy()
    day.register(entries(4, 4, ()))
    day.type("start custom --rounds 1 --word sedge -o ask.txt")
    log = (day.desk.folder / "policy").read_text().split("\n")[0].split()[1]
    day.type("witness trust", log)
    day.type("witness cosign ask.txt -o answer.txt")
    day.type("start cosigned answer.txt")
    _over(day)


def guessed(day: SampleDesk) -> None:
    """Record that somebody guessed at links, as the hall notes it."""
    _opened(day)
    day.note_by_the_hall(NoteGuesses(40, "10.0.0.23"))
