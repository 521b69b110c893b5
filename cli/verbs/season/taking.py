"""`season add`, `season rebuild`, `season derive`: logs taken into a season.

A derived season is a folder of Parquet files, which several processes write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from msgspec.structs import replace

from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole_or_none
from cli.input.file_names import NO_INPUT, InFile, OutFile
from cli.input.given_files import refuse_beside_log
from cli.input.options import Unsigned, option, word
from cli.languages.proof_words import check_name, proof_in_words
from cli.languages.speaking import in_figures, marked, tr, tr_of
from cli.machine.trust import asked_of
from cli.render.records import show_value
from cli.season.engines import DUCKDB, is_spark, workers_wait_of
from cli.season.league import (
    note_taken_back,
    read_registrations,
    removed_in,
    roots_of,
    tell_folder_apart,
    vault_beside,
    vault_of_season,
)
from cli.season.opening import key_of, reading, sealing, season_at, signing, writing
from cli.season.options import (
    DEFAULT_VAULT,
    NEW_SEASON,
    ArchetypeFiles,
    AskedPolicy,
    KeepGoing,
    KnownLogs,
    LeagueFile,
    OtherVault,
    SignedWins,
    TakeBack,
    TakenBackBy,
    WorkersWait,
    WrittenSeason,
)
from cli.season.sources import head_as_json, heads_in_words
from cli.terminal.output import Bar, complain, say
from cli.terminal.visible import how_many
from ledger.errors import NotFound, StoreUnavailable
from ledger.files import landed

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from projections.season.grouping.archetypes import Archetypes, NamedLists
    from projections.season.loading.checking import CheckedBefore
    from projections.season.loading.deriving import Derive
    from projections.season.loading.intake import LoadTerms, LogOutcome
    from projections.season.loading.sources import Source
    from projections.season.tables.signed_heads import SignWith

NONE_CHECKED: Mapping[str, CheckedBefore] = MappingProxyType({})

WRITTEN = frozenset({"new", "grown", "signed"})
"""The fates of a log that change a season."""

_FATES = {
    "new": marked("{count} new"),
    "grown": marked("{count} grown"),
    "known": marked("{count} already in the season"),
    "older": marked("{count} older than the season's"),
    "shorter": marked("{count} not compared"),
    "signed": marked("{count} replaced another history"),
    "unsigned": marked("{count} left out in favor of a signed history"),
    "skipped": marked("{count} skipped"),
    "removed": marked("{count} left out, because they were removed"),
}
_COMPARED = frozenset({"new", "grown", "known", "older", "signed"})
"""The fates of a log that was held to its head."""


class OldSeason(NamedTuple):
    """Parts of the previous season that a rebuilt one keeps: checks, key and the vault's digest."""

    known: Mapping[str, CheckedBefore] = NONE_CHECKED
    key: str = ""
    vault: str = ""


NO_SEASON_BEFORE = OldSeason()

Logs = Annotated[list[InFile], word("PATH...", "Logs, folders of logs, stores, Parquet files.")]


class TakingOptions(NamedTuple):
    """Into which season logs are taken, and on which terms."""

    file: WrittenSeason = NEW_SEASON
    league: LeagueFile = DEFAULT_VAULT
    keep_going: KeepGoing = False
    policy: AskedPolicy = NO_INPUT
    unsigned: Unsigned = ""
    signed_wins: SignedWins = False
    known: KnownLogs = False
    archetypes: ArchetypeFiles = None
    other_vault: OtherVault = False
    take_back: TakeBack = ""
    by: TakenBackBy = ""

    def terms(self, desk: Desk) -> LoadTerms:
        """How they are taken; what there is of policies is read."""
        from projections.season.loading.checking import KnownChecks
        from projections.season.loading.intake import LoadTerms

        trust = asked_of(desk.files.named(self.policy), self.unsigned, "season")
        before = KnownChecks(by_head=self.known)
        files = [desk.files.reading(path) for path in self.archetypes or ()]
        named = archetypes_in(files)
        return LoadTerms(self.keep_going, self.signed_wins, trust, before, archetypes=named)


TAKING_AS_ASKED = TakingOptions()


def add(desk: Desk, places: Logs, options: TakingOptions = TAKING_AS_ASKED) -> None:
    """Add logs to the season.

    Each log is checked, and compared with the signed head next to it; if one is wrong, nothing
    changes. With --keep-going a wrong one is named and left out, and the exit code is 1 only if
    all are. Files of a folder that are no logs are left out in any case. Adding the same log again
    changes nothing; a longer log replaces its earlier rows.

    tourney season add logs/ tourney.db
    """
    once(desk, lambda: answer_taken(desk, _take(desk, places, options), options.file))


def rebuild(desk: Desk, places: Logs, options: TakingOptions = TAKING_AS_ASKED) -> None:
    """Rebuild the season's file, from logs only.

    Each log is checked again; with --known only the logs that this release did not check before.

    tourney season rebuild --known logs/
    """
    once(desk, lambda: answer_taken(desk, _rebuild(desk, places, options), options.file))


def _take(desk: Desk, places: list[InFile], options: TakingOptions) -> list[LogOutcome]:
    """Add logs to a season; a new one is there with its first logs or not at all."""
    from projections.season.tables.database import written

    file = desk.files.writing(options.file)
    if not desk.files.exists(options.file):
        return _make(desk, places, options, is_first=True)
    with written(file), writing(file) as connection:
        return _taken(desk, connection, places, options, sign_with=signing(connection))


def _rebuild(desk: Desk, places: list[InFile], options: TakingOptions) -> list[LogOutcome]:
    """Make a season again, whatever the old one is like, and put it in its place."""
    from projections.season.tables.database import refuse_foreign

    file = desk.files.writing(options.file)
    if desk.files.exists(options.file) and not desk.files.is_folder(options.file):
        refuse_foreign(file)
    known = _checked_in_old(file) if options.known else {}
    before = OldSeason(known, key_of(file), vault_of_season(file))
    return _make(desk, places, options, is_first=False, before=before)


def _checked_in_old(file: Path) -> Mapping[str, CheckedBefore]:
    """Return what this release checked into a file, if a key of this machine signed it.

    A file that cannot be read, or that another machine signed, proves nothing.
    """
    from projections.season.loading.checking import checked_in

    try:
        with season_at(file) as season, reading(season) as connection:
            return checked_in(connection) if season.signed == "checked here" else {}
    except (NotFound, StoreUnavailable):
        return {}


def _make(
    desk: Desk,
    places: list[InFile],
    options: TakingOptions,
    *,
    is_first: bool,
    before: OldSeason = NO_SEASON_BEFORE,
) -> list[LogOutcome]:
    """Make a season next to its place, and put it there if any log is in it.

    Refused where what is there is no season, or belongs to a store; StoreUnavailable where it
    cannot be written, or is there meanwhile though this is the first.
    """
    from cli.season.opening import make_season
    from ledger.files.kinds import SEASON

    desk.files.refuse_to_replace(options.file, SEASON)
    return make_season(
        desk.files.writing(options.file),
        lambda connection, sign_with: _taken(
            desk,
            connection,
            places,
            options,
            before.known,
            sign_with=sign_with,
            vault=before.vault,
        ),
        is_first=is_first,
        key=before.key,
    )


def _taken(
    desk: Desk,
    connection: DuckDBPyConnection,
    names: list[InFile],
    options: TakingOptions,
    known: Mapping[str, CheckedBefore] = NONE_CHECKED,
    *,
    sign_with: SignWith,
    vault: str = "",
) -> list[LogOutcome]:
    """Take logs into a season, and tell its persons apart as the league's vault does.

    `vault` is the digest of the vault that the season of before was made with; empty: none.
    """
    from projections.season.league import apply_aliases, vault_of

    places = [desk.files.reading(name) for name in names]
    for place in places:
        refuse_beside_log(place)
    terms = options.terms(desk)
    terms = replace(terms, before=terms.before.beside(known), sign_with=sign_with)
    made_with = vault_of(connection) or vault
    league = desk.files.reading(options.league)
    with vault_beside(league, made_with, other=options.other_vault) as opened:
        terms = replace(terms, removed=removed_in(opened, options.take_back, options.by))
        sources, outcomes = _taken_from(desk, connection, places, options, terms)
        if opened is not None:
            roots = roots_of(connection)
            aliases = read_registrations(opened, sources, outcomes[: len(sources)], roots)
            apply_aliases(connection, aliases, sign_with, opened.key_digest())
            note_taken_back(opened, roots, options.take_back, options.by)
    return outcomes


def _taken_from(
    desk: Desk,
    connection: DuckDBPyConnection,
    places: list[Path],
    options: TakingOptions,
    terms: LoadTerms,
) -> tuple[list[Source], list[LogOutcome]]:
    """Take logs, parts or an archive; return the logs that have lines, and what became of all."""
    from cli.season.opening import is_archive, is_derived
    from cli.season.sources import sources_here
    from projections.season.exports import archives_of, take_back
    from projections.season.grouping.archetypes import named_lists
    from projections.season.loading.adding import add, take_parts
    from projections.season.loading.intake import LogOutcome

    folders = [place for place in places if is_derived(place)]
    archived = [place for place in places if is_archive(place)]
    for chosen, what in ((folders, tr("folders of parts")), (archived, tr("Parquet files"))):
        if chosen and len(chosen) < len(places):
            raise UsageError(tr("add logs and {what} separately, one command for each", what=what))
        if chosen and terms.archetypes:
            raise UsageError(
                tr("{what} have no lists: omit --archetypes, or add the logs", what=what)
            )
        if chosen and terms.trust is not None:
            raise UsageError(
                tr("{what} have no heads: omit --policy and --unsigned, or add the logs", what=what)
            )
    if folders:
        return [], take_parts(connection, folders, terms)
    if archived:
        files = archives_of(archived)
        removed = {stream for stream in terms.removed for file in files if file.name[:32] == stream}
        files = [file for file in files if file.name[:32] not in removed]
        back = take_back(connection, files, terms.sign_with)
        outcomes = [LogOutcome(f"{stream[:8]} of the archive", "new", stream) for stream in back]
        return [], outcomes + [
            LogOutcome(f"{stream[:8]} of the archive", "removed", stream, 0, terms.removed[stream])
            for stream in sorted(removed)
        ]
    with Bar() as bar:
        sources = list(sources_here(list(map(str, places))))
        outcomes = add(connection, sources, desk.files.folder_of(options.file), bar, terms)
    for named in terms.archetypes:
        _say_archetypes(named, named_lists(connection, named))
    return sources, outcomes


def archetypes_in(files: Sequence[Path]) -> tuple[Archetypes, ...]:
    """Read archetype files.

    Raises:
        NotFound: one cannot be read.
        InvalidRuleset: every problem of one, each with the file's name.
        Refused: two fill one attribute of the same lists.
    """
    if not files:
        return ()
    from projections.season.grouping.archetypes import load_archetypes, refuse_two_for_one

    loaded = tuple(map(load_archetypes, files))
    refuse_two_for_one(loaded)
    return loaded


def _say_archetypes(by: Archetypes, named: NamedLists) -> None:
    """Say what a file named, which of its archetypes overlap, and which no list has."""
    from projections.season.grouping.groups import DIGEST_LETTERS

    text = tr(
        "{attribute} by rules {digest}: {lists}, {unnamed} without a fitting archetype, "
        "{closed} not disclosed",
        attribute=by.rules.attribute,
        digest=by.sha256[:DIGEST_LETTERS],
        lists=how_many(named.lists, "list"),
        unnamed=in_figures(named.unnamed),
        closed=in_figures(named.closed),
    )
    say(text)
    for (first, second), count in sorted(named.overlaps.items()):
        lists = how_many(count, "list")
        complain(
            tr(
                "{lists} called {first} would fit {other}, too: the first one counts",
                lists=lists,
                first=repr(first),
                other=repr(second),
            )
        )
    if never := named.never(by):
        complain(tr("no list is called {names}", names=", ".join(map(repr, never))))


def answer_taken(desk: Desk, taken: Sequence[LogOutcome], file: OutFile) -> None:
    """Say what became of each log, and what was checked of them."""
    from ledger.proof.table import VERIFY_READS
    from projections.verification import DERIVED

    fates = [each.fate for each in taken]
    if not WRITTEN.isdisjoint(fates):
        landed.note_place(str(file))
    _say_problems(taken)
    values = [
        {
            "where": each.where,
            "tournament": each.tournament or None,
            "fate": each.fate,
            "head": head_as_json(each.signed),
            "checked_before": each.checked_before,
        }
        for each in taken
    ]
    show_value(desk, values)
    counted = [
        tr(text, count=in_figures(fates.count(fate)))
        for fate, text in _FATES.items()
        if fate in fates
    ]
    none = tr_of("logs", "none")
    say(tr("{logs}: {fates}", logs=how_many(len(taken), "log"), fates=", ".join(counted) or none))
    before = [each.checked_before for each in taken if each.checked_before]
    if before:
        logs = how_many(len(before), "log")
        say(
            tr(
                "checked earlier, so only hashed and applied: {count} events of {logs}",
                count=in_figures(sum(before)),
                logs=logs,
            )
        )
    compared = [each.signed for each in taken if each.signed and each.fate in _COMPARED]
    if heads := heads_in_words(compared):
        say(tr("heads: {heads}", heads=heads))
        say(
            tr(
                "UNCHECKED in every log: {rows}: {how}",
                rows=", ".join(map(check_name, DERIVED)),
                how=proof_in_words(VERIFY_READS),
            )
        )
    if fates and {*fates} <= {"skipped", "removed"}:
        raise typer.Exit(1)


def _say_problems(taken: Sequence[LogOutcome]) -> None:
    for each in taken:
        if each.problem:
            (say if each.fate == "signed" else complain)(each.problem)
        if each.fate == "shorter":
            complain(
                tr(
                    "{where} was left out: the season already has a longer log of this tournament, "
                    "from an archive that has no lines to compare; to compare the two logs, run "
                    "`season rebuild` with both",
                    where=each.where,
                )
            )


PROCESSES_MAX = 256


class DerivingOptions(NamedTuple):
    """On which terms logs are derived, and by how many processes."""

    league: LeagueFile = DEFAULT_VAULT
    keep_going: KeepGoing = False
    policy: AskedPolicy = NO_INPUT
    unsigned: Unsigned = ""
    signed_wins: SignedWins = False
    known: KnownLogs = False
    archetypes: ArchetypeFiles = None
    other_vault: OtherVault = False
    take_back: TakeBack = ""
    by: TakenBackBy = ""
    processes: Annotated[str, option("N", "Number of processes; default: 2.", "--processes")] = ""
    engine: Annotated[str, option("ENGINE", "Use Spark: spark://HOST:PORT.", "--engine")] = DUCKDB
    workers_wait: WorkersWait = ""


DERIVING_AS_ASKED = DerivingOptions()


def derive(
    desk: Desk,
    folder: Annotated[OutFile, word("FOLDER", "A new folder, or one with a season.")],
    places: Annotated[list[InFile], word("PATH...", "Logs, folders of logs, stores.")],
    options: DerivingOptions = DERIVING_AS_ASKED,
) -> None:
    """Add logs to a season kept as a folder of Parquet files.

    Like `season add`, for a season that is too large for one file or one computer: every verb with
    an option --in can read the folder. Its season.json lists the files that count.

    tourney season derive season/ logs/ --processes 8

    tourney season derive /shared/season /shared/logs --engine spark://cluster:7077
    """
    place = desk.files.writing(folder)
    once(desk, lambda: answer_taken(desk, _derive(desk, place, places, options), folder))


def _derive(
    desk: Desk, folder: Path, places: list[InFile], options: DerivingOptions
) -> list[LogOutcome]:
    from cli.season.opening import is_derived
    from cli.season.sources import sources_here
    from projections.season.loading.checking import PROCESSES, KnownChecks
    from projections.season.loading.deriving import Deriving, derive
    from projections.season.loading.intake import LoadTerms
    from projections.season.loading.manifest import read_manifest
    from projections.season.tables.database import FORMAT

    count = whole_or_none("--processes", options.processes) or PROCESSES
    if count > PROCESSES_MAX:
        raise UsageError(
            tr("--processes can be at most {most}, not {count}", most=PROCESSES_MAX, count=count)
        )
    trust = asked_of(desk.files.named(options.policy), options.unsigned, "season")
    before = KnownChecks(by_head=options.known)
    named = archetypes_in([desk.files.reading(path) for path in options.archetypes or ()])
    terms = LoadTerms(options.keep_going, options.signed_wins, trust, before)
    wait = workers_wait_of(options.engine, options.workers_wait)
    league = desk.files.reading(options.league)
    made_with = vault_of_season(folder) if is_derived(folder) else ""
    with vault_beside(league, made_with, other=options.other_vault) as vault:
        with Bar() as bar, _tasks_of(options.engine, wait) as by:
            terms = replace(terms, removed=removed_in(vault, options.take_back, options.by))
            deriving = Deriving(terms, count, by, sealing=sealing(folder))
            sources = list(sources_here(list(map(desk.files.named, places))))
            for source in sources:
                source.archetypes = named
            outcomes = derive(folder, sources, bar, deriving)
        if vault is not None and is_derived(folder):
            roots = {log.tournament: log.root for log in read_manifest(folder, FORMAT).logs()}
            aliases = read_registrations(vault, sources, outcomes, roots)
            tell_folder_apart(folder, vault, aliases)
            note_taken_back(vault, roots, options.take_back, options.by)
    return outcomes


@contextmanager
def _tasks_of(engine: str, wait: int) -> Iterator[Derive | None]:
    """Have what derives chunks elsewhere; None where processes of this machine do."""
    if not is_spark(engine):
        yield None
        return
    from cli.season.spark_cluster import SECONDS_TO_WORKERS, spark_at
    from projections.season.loading.spark_deriving import in_tasks

    with spark_at(engine, wait=wait or SECONDS_TO_WORKERS) as running:
        yield in_tasks(running.session.sparkContext)
