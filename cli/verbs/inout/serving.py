"""The hall: `serve` to browsers, `publish` as files, `rehearse` and `demo` with programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import to_builtins

from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole
from cli.input.file_names import NO_INPUT, NO_OUTPUT, InFile, OutFile
from cli.input.options import flag, option, word
from cli.languages.speaking import marked, tr
from cli.render.records import show_records, show_value, shows_table
from cli.season.options import NO_SEASON, ShownSeason
from cli.serve.ports.numbers import PORT
from cli.terminal.output import finish, say, show, show_json
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from ledger.errors import Refused
from ledger.files import landed
from ledger.problems import problem

if TYPE_CHECKING:
    from pathlib import Path

    from cli.serve.ports.certificates import Certificate, SecurePort
    from cli.serve.rehearsals.rehearsal import Rehearsed
    from cli.serve.views import SeasonSource

PORT_MAX = 65_535


class Secured(NamedTuple):
    """How a hall is served over TLS: on its port, or on a second one for officials."""

    cert: Annotated[InFile, option("FILE", "A certificate, to serve over TLS.", "--cert")] = (
        NO_INPUT
    )
    key: Annotated[InFile, option("FILE", "The key of the certificate.", "--key")] = NO_INPUT
    tls: Annotated[bool, flag("--tls", "Open a second port over TLS, where officials can act.")] = (
        False
    )


NO_TLS = Secured()


def serve(
    desk: Desk,
    port: Annotated[str, option("N", f"Default: {PORT}; 0: any free port.", "--port")] = "",
    lan: Annotated[bool, flag("--lan", "Serve the other computers of this network, too.")] = False,
    secured: Secured = NO_TLS,
    published: Annotated[
        OutFile, option("FOLDER", "Also write files, like `publish --watch`.", "--publish")
    ] = NO_OUTPUT,
    cards: Annotated[
        InFile, option("FILE", "The card file, to check lists sent from phones.")
    ] = NO_INPUT,
    shown: ShownSeason = NO_SEASON,
    no_browser: Annotated[
        bool, flag("--no-browser", "Do not open the browser of this computer.")
    ] = False,
) -> None:
    """Serve the current tournament to browsers, until Ctrl-C.

    On a terminal the browser of this computer opens and signs you in, also in an empty folder.

    With a link of `links print`, players report on their phones, and officials rule and work at the
    desk. Officials act only on this computer or over TLS, unless the organizer allows plain HTTP
    (`links plain-http`). --tls makes a certificate once, and prints its fingerprint.

    tourney serve --lan --tls
    tourney serve --publish public --cards cards.csv
    tourney serve --season season.duckdb --scheme points.toml --agreed agreed.txt
    """
    from cli.desk.list_files import cards_of_event
    from cli.serve.ports import server
    from cli.serve.ports.certificates import certificate
    from cli.serve.ports.numbers import LOOPBACK
    from cli.verbs.day.report import line_reader

    number = whole("--port", port, 0, PORT_MAX) if port else PORT
    _check_tls(secured, number)
    streams = server.served_here(desk)
    if not streams and (published or cards):
        raise UsageError(tr("--publish and --cards are for a tournament: there is none here yet"))
    if streams:
        desk.book.refresh()  # a damaged log is said before a port is taken
    server.refuse_absent()
    host = server.EVERYWHERE if lan else LOOPBACK
    own = certificate(desk.files.named(secured.cert), desk.files.named(secured.key))
    season = _season(desk, shown)
    known = cards_of_event(desk, cards) if cards else None
    with server.listening(host, number) as taken:
        if streams:
            server.open_keys(desk)
        port_taken = taken.getsockname()[1]
        with (
            _named(_name_of(desk) if streams else "", port_taken, lan=lan) as name,
            _also_published(desk, published),
            _secured(host, number, name, is_asked=secured.tls) as secure,
        ):
            show(*_where(host, port_taken, name, own, secure))
            finish()
            opens = sys.stdout.isatty() and not no_browser
            options = server.HallOptions(own, season, known, secure, opens, streams)
            server.serve(desk, taken, line_reader(), options)


def _where(
    host: str, port: int, name: str, cert: Certificate | None, secure: SecurePort | None
) -> list[str]:
    """Return the lines with the addresses of the hall, and the code of the one that it signs."""
    from cli.serve.ports import server

    public = server.addresses(host, port, cert=cert)[0]
    return server.lines_for(server.addresses(host, port, name, cert), secure, public)


def _check_tls(secured: Secured, number: int) -> None:
    """Raise UsageError if --tls does not go with the other options."""
    if secured.tls and (secured.cert or secured.key):
        raise UsageError(tr("--tls makes its own certificate: omit --cert and --key"))
    if secured.tls and number == PORT_MAX:
        raise UsageError(
            tr("--tls also uses the next port: --port must be below {most}", most=PORT_MAX)
        )


@contextmanager
def _secured(host: str, number: int, name: str, *, is_asked: bool) -> Iterator[SecurePort | None]:
    """Take the second port, with the hall's own certificate; nothing unless that is asked for."""
    if not is_asked:
        yield None
        return
    from cli.machine.keyring import folder
    from cli.serve.ports import server
    from cli.serve.ports.certificates import OWN_FILE, SecurePort, own_certificate
    from cli.serve.ports.numbers import LOOPBACK, own_numbers

    hosts = ["localhost", LOOPBACK, *own_numbers(), *([name] if name else [])]
    cert = own_certificate(folder() / OWN_FILE, list(dict.fromkeys(hosts)))
    with server.listening(host, number + 1 if number else 0) as taken:
        port = taken.getsockname()[1]
        found = server.addresses(host, port, name)[0].replace("http://", "https://", 1)
        yield SecurePort(taken, cert, found)


def _season(desk: Desk, shown: ShownSeason) -> SeasonSource | None:
    """Return what gives the views of a season, if one is to be shown; what is wrong is said now."""
    if not shown.season:
        if shown.scheme or shown.agreed:
            raise UsageError(tr("--scheme and --agreed can be used only with --season FILE"))
        return None
    from cli.season.served import ServedSeason, ShownFiles
    from cli.verbs.season.by_points import own_scheme

    named = desk.files.named
    schemes = tuple(own_scheme(desk.files.reading(each)) for each in shown.scheme or ())
    if len({scheme.key for scheme in schemes}) < len(schemes):
        raise UsageError(tr("two points schemes have the same key: change the key of one of them"))
    served = ServedSeason(
        ShownFiles(named(shown.season), named(shown.league), named(shown.agreed), schemes)
    )
    served.check()
    return served


@contextmanager
def _named(title: str, port: int, *, lan: bool) -> Iterator[str]:
    """Answer to a name in `.local`, where others may come in."""
    if not lan:
        yield ""
        return
    from cli.serve.ports.numbers import own_numbers
    from cli.serve.ports.server import announced

    with announced(title, port, own_numbers()) as name:
        yield name


def _name_of(desk: Desk) -> str:
    opening = desk.book.tournament.opening
    return opening.name if opening else ""


@contextmanager
def _also_published(desk: Desk, folder: OutFile) -> Iterator[None]:
    """Write the files for a web host, too, as long as the hall is open."""
    if not folder:
        yield
        return
    from threading import Event, Thread

    from cli.serve.publish import follow, write

    path, ended = desk.files.writing(folder), Event()
    write(desk, path)

    def follow_alone() -> None:
        own = Desk(desk.options, desk.line)
        try:
            follow(own, path, ended, 0)
        finally:
            own.close()

    following = Thread(target=follow_alone, name="publish")
    following.start()
    try:
        yield
    finally:
        ended.set()
        following.join()


def publish(
    desk: Desk,
    folder: Annotated[
        OutFile, word("FOLDER", "A new or empty folder, or one from an earlier `publish`.")
    ],
    watch: Annotated[bool, flag("--watch", "Write again after each act, until Ctrl-C.")] = False,
) -> None:
    """Write the public pages to a folder, for a web host.

    The pages show pairings, standings, bracket and every round; the log with its signed head and
    its tiles is included. All files change together. `names` sets how much of each name is shown;
    only with `names full` are the keys of names included. The folder never contains data that is
    hidden during the tournament, or names of forgotten persons.

    tourney publish public
    tourney publish public --watch
    """
    path, written = desk.files.writing(folder), [0]
    once(desk, lambda: written.append(_write(desk, path)))
    if watch:
        from threading import Event

        from cli.serve.publish import follow

        say(tr("updating after each act until Ctrl-C"))
        try:
            follow(desk, path, Event(), written[-1])
        except KeyboardInterrupt:
            return  # the way out


def _write(desk: Desk, folder: Path) -> int:
    """Write the files, and say so; returns up to which event of the log."""
    from cli.serve.publish import write

    count, size = write(desk, folder), len(desk.book.lines)
    landed.note_place(str(folder))
    show_value(desk, {"folder": str(folder), "files": count, "events": size})
    say(
        tr(
            "{folder}: {counted}, as of event {size}",
            folder=folder,
            counted=how_many(count, "file"),
            size=size,
        )
    )
    return size


PLAYERS, ROUNDS, PACE = 300, 2, 20
PLAYERS_MAX, ROUNDS_MAX, PACE_MAX = 2_000, 20, 3_600
NAMED_MAX = 5
COLUMNS = (
    Column(marked("what"), flexible=True, text=lambda row: tr(row.what)),
    Column(marked("count"), right=True),
    Column(marked("median"), right=True, value=lambda each: f"{each.median:.0f} ms"),
    Column(marked("p99"), right=True, value=lambda each: f"{each.p99:.0f} ms"),
    Column(marked("longest"), right=True, value=lambda each: f"{each.longest:.0f} ms"),
)


def demo(desk: Desk) -> None:
    """Play a day of 12 players by itself, in a temporary folder.

    It shows each typed line, and stops at a dispute, the standings, the reason for a number, a
    check of the log, and the hall. Your own tournaments stay unchanged.

    tourney demo
    """
    from cli.desk.confirm_breaches import is_asked
    from cli.desk.questions import asked
    from cli.serve.rehearsals.demo import play_demo

    if desk.json:
        raise UsageError(tr("demo is for people: omit --json"))
    play_demo(asked if is_asked() else None)
    say(tr("the demo's folder is deleted; begin your own day in an empty folder: `tourney new`"))


@shows_table
def rehearse(
    desk: Desk,
    players: Annotated[str, option("N", f"Number of players; default: {PLAYERS}.")] = "",
    rounds: Annotated[str, option("N", f"Number of rounds; default: {ROUNDS}.")] = "",
    pace: Annotated[str, option("SECONDS", f"Maximum length of a round; default: {PACE}.")] = "",
    seed: Annotated[str, option("N", "Each number makes a different rehearsal; default: 1.")] = "",
) -> None:
    """Rehearse with a made-up tournament whose players are programs.

    The programs open links and pages, report, confirm, contradict, sleep and come back, all through
    the real server, in a separate folder. Then each confirmed act is looked up in the log; an act
    that is missing or recorded twice is an error. The current tournament is not touched.

    tourney rehearse
    tourney rehearse --players 800 --rounds 1 --pace 60
    """
    from cli.serve.rehearsals.rehearsal import Plan, play_through

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
        raise Refused(
            problem(
                "rehearsal.lost",
                "{count} event was confirmed, but not recorded exactly once: {ids}",
                plural="{count} events were confirmed, but not recorded exactly once: {ids}",
                count=len(account.lost),
                ids=tuple(account.lost[:NAMED_MAX]),
            )
        )


def lines_of(account: Rehearsed) -> Iterator[str]:
    """Say what else came of it."""
    done = how_many(account.acts, "event")
    lost = len(account.lost)
    yield tr(
        "{done} confirmed in {seconds} s, {lost} lost or recorded twice",
        done=done,
        seconds=f"{account.seconds:.0f}",
        lost=lost,
    )
    yield tr(
        "the server opened after {milliseconds} ms; it uses {memory} MiB of memory",
        milliseconds=f"{account.opened_ms:.0f}",
        memory=account.memory_mib,
    )
    slowest = ", ".join(f"{path} {took:.0f} ms" for path, took in account.slowest)
    yield tr("slowest: {pages}", pages=slowest)
    for what, times in account.wrong.items():
        yield tr("error, {times}: {what}", times=how_many(times, "time"), what=what)
    if not account.wrong:
        yield tr("no errors")
