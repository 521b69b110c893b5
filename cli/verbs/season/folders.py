"""`season derive`: logs into a season that is a folder of Parquet files, by several processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole_or_none
from cli.input.file_names import NO_INPUT, InFile, OutFile
from cli.input.options import (
    Unsigned,
    option,
    word,
)
from cli.machine.trust import asked_of
from cli.season.engines.addresses import DUCKDB, is_spark
from cli.season.league import league_aliases
from cli.season.opening import sealing
from cli.season.options import (
    DEFAULT_VAULT,
    AskedPolicy,
    KeepGoing,
    KnownLogs,
    LeagueFile,
    SignedWins,
)
from cli.terminal.output import Bar
from cli.verbs.season.taking import answer_taken

if TYPE_CHECKING:
    from pathlib import Path

    from projections.season.derived.deriving import Derive
    from projections.season.loading.intake import LogOutcome

PROCESSES_MAX = 256


class DerivingOptions(NamedTuple):
    """On which terms logs are derived, and by how many processes."""

    league: LeagueFile = DEFAULT_VAULT
    keep_going: KeepGoing = False
    policy: AskedPolicy = NO_INPUT
    unsigned: Unsigned = ""
    signed_wins: SignedWins = False
    known: KnownLogs = False
    processes: Annotated[str, option("N", "By as many processes; else two.", "--processes")] = ""
    engine: Annotated[
        str, option("ENGINE", "By tasks of Spark: spark://HOST:PORT.", "--engine")
    ] = DUCKDB


AS_ASKED = DerivingOptions()


def derive(
    desk: Desk,
    folder: Annotated[OutFile, word("FOLDER", "A new one, or one of a season before.")],
    places: Annotated[list[InFile], word("PATH...", "Logs, folders of logs, stores.")],
    options: DerivingOptions = AS_ASKED,
) -> None:
    """Take logs into a season that is a folder of Parquet files.

    As `season add`, for a season that grows beyond one file or one machine: every verb that takes a
    season with --in takes the folder. Its season.json lists the files that count.

    tourney season derive season/ logs/ --processes 8

    tourney season derive /shared/season /shared/logs --engine spark://cluster:7077
    """
    place = desk.files.writing(folder)
    once(desk, lambda: answer_taken(desk, _derive(desk, place, places, options), folder))


def _derive(
    desk: Desk, folder: Path, places: list[InFile], options: DerivingOptions
) -> list[LogOutcome]:
    from cli.season.sources import sources_here
    from projections.season.derived.deriving import Deriving, derive
    from projections.season.derived.manifest import ListedAlias
    from projections.season.loading.checking import PROCESSES
    from projections.season.loading.intake import LoadTerms
    from projections.season.loading.known_checks import KnownChecks

    count = whole_or_none("--processes", options.processes) or PROCESSES
    if count > PROCESSES_MAX:
        raise UsageError(f"--processes is at most {PROCESSES_MAX}, not {count}")
    trust = asked_of(desk.files.named(options.policy), options.unsigned, "season")
    before = KnownChecks(by_head=options.known)
    terms = LoadTerms(options.keep_going, options.signed_wins, trust, before)
    aliases = league_aliases(desk.files.named(options.league))
    listed = None if aliases is None else tuple(ListedAlias(*each) for each in aliases)
    with Bar() as bar, _tasks_of(options.engine) as by:
        how = Deriving(terms, count, by, aliases=listed, sealing=sealing(folder))
        return derive(folder, list(sources_here(list(map(desk.files.named, places)))), bar, how)


@contextmanager
def _tasks_of(engine: str) -> Iterator[Derive | None]:
    """Have what derives chunks elsewhere; None where processes of this machine do."""
    if not is_spark(engine):
        yield None
        return
    from cli.season.engines.spark_cluster import spark_at
    from projections.season.engines.spark_deriving import in_tasks

    with spark_at(engine) as running:
        yield in_tasks(running.session.sparkContext)
