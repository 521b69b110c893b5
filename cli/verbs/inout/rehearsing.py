"""`rehearse`: a made-up event, played by programs over real HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import to_builtins

from cli.desk.session import Desk
from cli.input.arguments import whole
from cli.input.options import option
from cli.render.records import show_records, shows_table
from cli.terminal.output import show, show_json
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from ledger.errors import Refused
from ledger.problems import problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.serve.rehearsal.day import Rehearsed

PLAYERS, ROUNDS, PACE = 300, 2, 20
PLAYERS_MAX, ROUNDS_MAX, PACE_MAX = 2_000, 20, 3_600
NAMED_MAX = 5
COLUMNS = (
    Column("what", flexible=True),
    Column("count", right=True),
    Column("median", right=True, value=lambda each: f"{each.median:.0f} ms"),
    Column("p99", right=True, value=lambda each: f"{each.p99:.0f} ms"),
    Column("longest", right=True, value=lambda each: f"{each.longest:.0f} ms"),
)


@shows_table
def rehearse(
    desk: Desk,
    players: Annotated[str, option("N", f"How many take part: {PLAYERS} unless said.")] = "",
    rounds: Annotated[str, option("N", f"How many rounds: {ROUNDS} unless said.")] = "",
    pace: Annotated[
        str, option("SECONDS", f"How long a round is played at most: {PACE} unless said.")
    ] = "",
    seed: Annotated[str, option("N", "Another day with each: 1 unless said.")] = "",
) -> None:
    """Play a made-up event with programs as players.

    They open their links and pages, report, confirm, contradict, sleep and come back, all over the
    real server, in a folder of its own. Then each act that was answered is looked for in the log;
    one that is missing or there twice is an error. Nothing of the event in hand is touched.

    tourney rehearse
    tourney rehearse --players 800 --rounds 1 --pace 60
    """
    from cli.serve.rehearsal.day import Plan, play_through

    plan = Plan(
        whole("--players", players, 2, PLAYERS_MAX) if players else PLAYERS,
        whole("--rounds", rounds, 1, ROUNDS_MAX) if rounds else ROUNDS,
        whole("--pace", pace, 0, PACE_MAX) if pace else PACE,
        whole("--seed", seed, 0) if seed else 1,
    )
    account = play_through(plan)
    if desk.json:
        show_json(to_builtins(account))
    elif show_records(desk, COLUMNS, account.took):
        show("", *lines_of(account))
    if account.lost:
        text = "of what was answered, {events} in the log not exactly once: {ids}"
        many = f"{how_many(len(account.lost), 'event')} {'is' if len(account.lost) == 1 else 'are'}"
        ids = tuple(account.lost[:NAMED_MAX])
        raise Refused(problem("rehearsal.lost", text, events=many, ids=ids))


def lines_of(account: Rehearsed) -> Iterator[str]:
    """Say what else came of it."""
    done = how_many(account.acts, "event")
    yield f"{done} answered in {account.seconds:.0f} s, {len(account.lost)} lost or doubled"
    yield f"the server was open after {account.opened_ms:.0f} ms; it holds {account.memory_mib} MiB"
    yield "slowest: " + ", ".join(f"{path} {took:.0f} ms" for path, took in account.slowest)
    wrong = [f"{how_many(times, 'time')}: {what}" for what, times in account.wrong.items()]
    yield from (f"wrong, {each}" for each in wrong) if wrong else ["nothing went wrong"]
