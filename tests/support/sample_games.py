"""The sample logs of the other games: `python -m tests.support.sample_games` writes them anew.

Typed line by line as a real day would be; the people are made up.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.support.days.typed_days import TypedDay, typed_day
from tests.support.sample_days import EARLIER, edition_of, format_of, people
from tests.support.sample_rules import begun_by_the_rules_of_the_samples

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def named(count: int) -> list[str]:
    """So many made-up people."""
    return [entry.name for entry in people(count, seed=count)]


def open_day(day: TypedDay, line: str, count: int, further: tuple[str, ...] = ()) -> None:
    """Open the day, with its officials, and register everyone."""
    day.open(line)
    for name, role in zip(("Mara Vos", "Jun Ito"), further, strict=False):
        day.type("official", "add", name, "--role", role)
    day.register(named(count))


def end_of_round(day: TypedDay, lines: list[str]) -> None:
    """Report what is left to report and close."""
    day.report(lines)
    day.type("round close")


def _duel(table: int, first: int, second: int, chance: random.Random) -> str:
    """One Phoenixborn falls; the other side has drawn some blood too."""
    winner, loser = chance.sample((first, second), 2)
    drawn = chance.randrange(5, 17)
    return f"{table} #{winner} {drawn}-20 --fact destroyed=#{loser}"


def _rolled(day: TypedDay, table: int, first: int, second: int, chance: random.Random) -> None:
    """Both roll, ties again; who rolls most basics chooses (AOP-FIRST)."""
    rolls: list[tuple[int, int]] = []
    while not rolls or rolls[-1][0] == rolls[-1][1]:
        rolls.append((chance.randrange(6), chance.randrange(6)))
    typed = [word for one, other in rolls for word in ("--roll", f"{one}-{other}")]
    day.type(f"first {table} #{chance.choice((first, second))}", *typed)


def _ashes_round(day: TypedDay, chance: random.Random, number: int) -> None:
    """First Fives are looked at, the players roll, the clock runs for 50 minutes (AOP-CLOCK)."""
    day.type("pair")
    tables = list(day.tables())
    for table, first, second in tables:
        for player in (first, second):
            day.type(f"firstfive #{player} --official mara")
        _rolled(day, table, first, second, chance)
    day.type("round start")
    lines = []
    if number == 1:
        day.type(f"concede #{tables[3][1]}")
    if number == 2:
        day.type(f"penalty #{tables[0][1]} warning --clause AOP-PENALTY --for-what", "slow play")
        lines.append(f"{tables[4][0]} 9-12 --ended time")
    if number == 3:
        late = tables[5][1]
        day.type(
            f"penalty #{late} match-loss --clause AOP-PENALTY --for-what", "a deck of 31 cards"
        )
    day.wait(35)
    day.type("round time --left 10")
    told = {int(line.split()[0]) for line in lines}
    open_now = [each for each in day.tables() if each[0] not in told]
    early, late_ones = open_now[: len(open_now) // 2], open_now[len(open_now) // 2 :]
    day.report([_duel(*each, chance) for each in early])
    if lines:
        day.wait(8)
        day.type("round time")
    end_of_round(day, [*lines, *(_duel(*each, chance) for each in late_ones)])


def cinder_bracket(day: TypedDay) -> None:
    """20 play Ashes: the organizer among them, a draw by time, a penalty, a cut to four."""
    chance = random.Random(day.title)
    line = "--ruleset edition.toml --format format.toml --date 2026-04-11 --time-zone Europe/Rome"
    day.type("new", day.title, *line.split(), "--open-names", "--organizer", named(20)[5])
    day.type("official", "add", "Mara Vos", "--role", "co-organizer")
    day.register(named(20))
    day.type("prize offer 1-2", "a playmat")
    for player in range(1, 21):
        day.type(f"lists check #{player} --note", "30 cards, 10 dice")
    day.type("start advanced --word cinder")
    for number in range(1, 5):
        _ashes_round(day, chance, number)
        day.type("post standings")
    day.type("cut")
    for number in (5, 6):
        _ashes_round(day, chance, number)
    day.type("finish")
    for due in day.desk.done(["prize", "--json"][0], "--json").json:
        day.type(f"prize award #{due['player']}", "a playmat")
    day.type("prize award #6 --kind participation", "a promo card")


def _army(table: int, chance: random.Random) -> str:
    """Army points and objectives of both, as the table wrote them down."""
    low, high = chance.randrange(20, 100), chance.randrange(100, 190)
    army = (low, high) if chance.random() < 1 / 2 else (high, low)
    objectives = (chance.randrange(4) * 10, chance.randrange(3) * 10)
    return (
        f"{table} --ended rounds --fact army={army[0]}:{army[1]} "
        f"--fact objectives={objectives[0]}:{objectives[1]}"
    )


def _totals(day: TypedDay, verb: str, table: int, seats: tuple[int, int], equal: bool) -> None:  # noqa: FBT001 - a case
    """The lower army total chooses; where they are equal somebody is drawn to."""
    first = seats[0]
    if equal:
        day.type(f"{verb} draw {table} --totals 200-200")
    day.type(f"{verb} {table} #{first} --totals {'200-200' if equal else '196-200'}")


def flurry_field(day: TypedDay) -> None:
    """10 play Runewars, a Regional: a scenario a round, a final flurry, time called."""
    chance = random.Random(day.title)
    open_day(
        day,
        "--ruleset edition.toml --tier formal --date 2026-04-18 --organizer Olga",
        10,
        ("marshal", "judge"),
    )
    day.type("armies order --as mara")
    day.type("start advanced --word flurry")
    for number in range(1, 4):
        day.type("pair")
        day.type("scenario draw")
        tables = list(day.tables())
        for table, first, second in tables:
            _totals(day, "first", table, (first, second), equal=table == number)
            day.type(f"side {table} #{chance.choice((first, second))}")
        day.type("round start --as jun")
        lines = [_army(table, chance) for table, *_ in tables]
        if number == 1:
            table = tables[2][0]
            rolls = "--fact flurry-1=4:4 --fact flurry-2=3:6"
            lines[2] = f"{table} --ended rounds --fact score=95:95 {rolls}"
            day.wait(30)
            day.type("round extend 4 5 --as jun --reason", "a judge was called")
        if number == 2:
            day.type(f"concede #{tables[1][2]}")
            del lines[1]
        day.wait(60)
        last = lines.pop()
        day.report(lines)
        day.wait(28)
        day.type("round time --as mara")
        end_of_round(day, [last.replace("--ended rounds", "--ended time")])
    day.type("finish")


CARDS = (
    *("--objective", "Intercept", "--objective", "Breakthrough", "--objective", "Recover"),
    *("--deployment", "Battle Lines", "--deployment", "Long March", "--deployment", "Disarray"),
    *("--condition", "Clear", "--condition", "Rapid Supply", "--condition", "Minefield"),
)
STRIKES = ("objective", "deployment", "condition", "pass")


def _built(day: TypedDay, table: int, chance: random.Random) -> None:
    """Blue's cards are laid out, and each side strikes twice."""
    struck = chance.sample((*STRIKES, "pass"), 4)
    day.type(f"battle {table}", *CARDS, *(word for kind in struck for word in ("--strike", kind)))


def _battle(table: int, chance: random.Random, ending: str) -> str:
    """Tokens decide; where they are equal, the score."""
    low = chance.randrange(100, 400)
    tokens = (chance.randrange(3), chance.randrange(3))
    score = f"--fact score={low}:{700 - low + 1}"
    return f"{table} {tokens[0]}-{tokens[1]} --ended {ending} {score}"


def _legion_round(day: TypedDay, chance: random.Random, number: int) -> None:
    """Sides, battles, 150 minutes, and time called where a table still plays."""
    day.type("pair")
    tables = list(day.tables())
    for table, first, second in tables:
        _totals(day, "side", table, (first, second), equal=table == 2)
        _built(day, table, chance)
    day.type("round start --as jun")
    day.wait(120)
    ended = [_battle(table, chance, "rounds") for table, *_ in tables[2 if number == 1 else 1 :]]
    if ended:
        day.report(ended)
    day.wait(28)
    day.type("round time --as mara")
    rest = [_battle(tables[0][0], chance, "time")]
    if number == 1:
        rest.append(f"{tables[1][0]} 2-2 --ended time --fact score=310:310")  # blue decides
    end_of_round(day, rest)


def blue_bridge(day: TypedDay) -> None:
    """10 play Legion: drawn choosers, sealed battles, one game that blue decides, time called."""
    chance = random.Random(day.title)
    open_day(
        day,
        "--ruleset edition.toml --tier formal --date 2026-04-25 --organizer Olga",
        10,
        ("marshal", "judge"),
    )
    day.type("round extra 30")
    for table in range(1, 6):
        pieces = ("--piece", "forest=2", "--piece", "ruin=3")
        day.type(f"terrain count {table} --covered {28 + table % 3}", *pieces)
    day.type("start advanced --word bridge")
    for number in range(1, 4):
        _legion_round(day, chance, number)
    day.type("cut")
    _legion_round(day, chance, 4)
    day.type("finish")


GAMES: Mapping[tuple[str, str], tuple[Callable[[TypedDay], None], str, str]] = {
    ("ashes", "cinder-bracket-20"): (cinder_bracket, "Cinder Bracket", "2026-04-11T07:30"),
    ("runewars", "flurry-field-10"): (flurry_field, "Flurry Field", "2026-04-18T07:30"),
    ("legion", "blue-bridge-10"): (blue_bridge, "Blue Bridge", "2026-04-25T07:30"),
}
"""Each log with who types it, its title and when its day begins."""


@begun_by_the_rules_of_the_samples()
def log_of(ruleset: str, name: str) -> bytes:
    """Play the day and give its log."""
    play, title, begins = GAMES[ruleset, name]
    with typed_day(title, begins) as day:
        edition = edition_of(f"{ruleset}/{name}")
        (day.desk.folder / "edition.toml").write_bytes(edition.encode())
        (day.desk.folder / "format.toml").write_bytes(format_of(f"{ruleset}/{name}").encode())
        play(day)
        return day.log()


def main() -> None:
    """Write every log."""
    for ruleset, name in GAMES:
        path = EARLIER / ruleset / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(log_of(ruleset, name))


if __name__ == "__main__":
    main()
