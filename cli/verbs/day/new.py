"""`new`, `tournaments`, `use`: opening a book and taking one in hand."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import structs

from cli import outside
from cli.desk.acts import act_as_json
from cli.desk.confirm_breaches import confirm, is_asked
from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole
from cli.input.file_names import NO_INPUT, NO_OUTPUT, InFile, OutFile
from cli.input.given_files import own_format, ruleset_text, type_and_tier
from cli.input.options import flag, option, word
from cli.languages.speaking import tr
from cli.machine.keyring import draw_key, log_signer, proving
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show, show_json
from cli.terminal.problems import said
from cli.terminal.tables import Column
from cli.terminal.visible import short_id, visible
from cli.wording.phrases import game_in_words

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.rules.opening import OpenTournament


class TrustOptions(NamedTuple):
    """What is decided about keys and names before the first event."""

    witness: Annotated[
        str, option("VKEY", "Key of the witness who must cosign the start before any draw.")
    ] = ""
    draws: Annotated[
        str,
        option(
            "here", "Keep the key of the draws on this computer: only it can draw.", "--draw-key"
        ),
    ] = ""
    open_names: Annotated[
        bool,
        flag(
            "--open-names",
            "Leave names and texts unsealed: no person can ever be forgotten.",
        ),
    ] = False
    passphrase: Annotated[
        bool,
        flag("--passphrase", "Seal the log's key and the key of the draws with a passphrase."),
    ] = False
    appeals: Annotated[
        str,
        option("DAYS", "For how many days after the end `forget` keeps texts also about others."),
    ] = "0"
    public_names: Annotated[
        str,
        option("WHAT", "Names on public pages: full, short or number. Default: short."),
    ] = "short"
    backup_to: Annotated[
        OutFile, option("FOLDER", "Back up to this folder after each round; it contains secrets.")
    ] = NO_OUTPUT


class EventOptions(NamedTuple):
    """When, where and by whom it is held."""

    date: Annotated[str, option("YYYY-MM-DD", "Default: today.")] = ""
    time_zone: Annotated[
        str, option("ZONE", "For example Europe/Berlin; default: this computer's.")
    ] = ""
    tier: Annotated[
        str,
        option(
            "TIER", "One of relaxed, formal and premier. Default: that of the type, else relaxed."
        ),
    ] = ""
    type: Annotated[
        str, option("TYPE", "Type of tournament, if the ruleset has types: store, regional, ...")
    ] = ""
    organizer: Annotated[str, option("NAME", "Default: your user name on this computer.")] = ""


TODAY = EventOptions()
DEFAULT = TrustOptions()


def new(
    desk: Desk,
    name: Annotated[str, word("NAME", "The name of the tournament.")],
    ruleset: Annotated[
        InFile, option("KEY|FILE", "Required: a game of `tourney ruleset`, or a file.")
    ] = NO_INPUT,
    event: EventOptions = TODAY,
    format: Annotated[  # noqa: A002 - the option's name
        InFile, option("KEY|FILE", "A list format of `tourney format`, or a file.")
    ] = NO_INPUT,
    lists: Annotated[
        bool, flag("--lists", "Every player must submit a list before the start.")
    ] = False,
    trust: TrustOptions = DEFAULT,
) -> None:
    """Open a tournament and make it the current one.

    You become its organizer. Post the commitment: it later proves that no person chose the draws.

        tourney new "Kotei Berlin" --ruleset l5r --organizer "Kim Larsen"
        tourney new "Kotei Berlin" --ruleset l5r --draw-key here --passphrase
    """
    from cli.input import moments
    from cli.machine.draw_keys import commitment_for_new
    from cli.wording.page_words import shown_named
    from ledger.facts.shared import APPEALS_MAX
    from ledger.rules.opening import OpenTournament

    _refuse_other_place(trust.draws)
    lists_hold = own_format(desk.files.named(format)) if format else None
    zone = moments.checked_zone(event.time_zone)
    rules = ruleset_text(desk.files.named(ruleset))
    event_type, tier = type_and_tier(rules, event.type, event.tier)
    command = OpenTournament(
        tournament=stream_of(desk.command_id),
        name=name,
        date=moments.checked_date(event.date) if event.date else moments.today(zone),
        time_zone=zone,
        ruleset=rules,
        organizer=event.organizer or moments.user_name(),
        tier=tier,
        event_type=event_type,
        format=lists_hold.document.text if lists_hold else "",
        variant=lists_hold.variant if lists_hold else "",
        lists_required=lists,
        names="open" if trust.open_names else "sealed",
        witness=trust.witness,
        public_names=shown_named(trust.public_names),
        appeals=whole("--appeals", trust.appeals, 0, APPEALS_MAX),
    )
    _hold_copies(desk, name, trust.backup_to)
    desk.repeat_with += [] if event.date else ["--date", command.date]
    _ask_about_namesake(desk, command)
    desk.store(create=True)  # before a key is made that no log would have
    with proving():
        command = with_log_key(command, sealed=trust.passphrase)
    if trust.draws:
        made = commitment_for_new(desk.store(), command.tournament, sealed=trust.passphrase)
        command = structs.replace(command, commitment=made)
    _open(desk, command)


def _refuse_other_place(draws: str) -> None:
    if draws not in {"", "here"}:
        raise UsageError(
            tr(
                "--draw-key can only be `here`; without it, the store's vault keeps the key; "
                "{typed} is not allowed",
                typed=repr(draws),
            )
        )


def _hold_copies(desk: Desk, name: str, folder: OutFile) -> None:
    """Refuse what is no name before anything is made, and remember where copies go."""
    if not name.strip():
        raise UsageError(tr("a tournament needs a name"))
    if folder:
        _refuse_no_folder(desk, folder)
        desk.copies_to = desk.files.absolute(folder)


def _ask_about_namesake(desk: Desk, command: OpenTournament) -> None:
    """Say that the store has a tournament of this name, and ask for a yes.

    Raises:
        Refused: the person at the terminal does not want another one.
    """
    from cli.desk.in_hand import listed_tournaments
    from ledger.facts.people import name_key

    if not desk.has_store():
        return
    for listed in listed_tournaments(desk.store()):
        if listed.stream == command.tournament or name_key(listed.name) != name_key(command.name):
            continue
        where = f"{visible(listed.name)} ({short_id(listed.stream)}, {listed.date})"
        say(
            tr(
                "there is already {listed}: `use {tournament}` returns to it",
                listed=where,
                tournament=short_id(listed.stream),
            )
        )
        confirm(desk, tr("open another tournament of this name?"))
        return


def _refuse_no_folder(desk: Desk, folder: OutFile) -> None:
    if not desk.files.is_folder(folder):
        raise UsageError(
            tr("--backup-to: there is no folder {folder}; create it first", folder=folder)
        )


def _open(desk: Desk, command: OpenTournament) -> None:
    from cli.machine.last_heads import Known
    from ledger.books.book import new_book
    from projections.standings.table import ranking

    store = desk.store(create=True)
    size = store.size(command.tournament)
    desk.book, recorded = new_book(
        store, command, draw_key, ranking, command_id=desk.command_id, at=outside.now
    )
    desk.take_in_hand(command.tournament)
    desk.heads.look(Known(desk.book.stream, desk.heads.kept(), {}))
    desk.heads.begin_act()  # its first head: from now on one that is gone is missed
    _answer(desk, recorded, already=size > 0)


def with_log_key(command: OpenTournament, *, sealed: bool = False) -> OpenTournament:
    """Make the log's own key on this machine, or take the one made before for this command."""
    from cli.machine.keyring import LOG, is_kept, keep_key, key_path, new_passphrase
    from ledger.proof.notes import base64_of, signer
    from ledger.proof.signatures import origin_of

    path = key_path(LOG, command.tournament)
    if not is_kept(path):
        phrase = new_passphrase(tr("the log's key")) if sealed else ""
        keep_key(path, signer(origin_of(command.tournament), draw_key()), phrase)
    made = log_signer(command.tournament)
    return structs.replace(command, log_key=base64_of(made.key.public)) if made else command


def stream_of(command_id: str) -> str:
    """Return the tournament's id: the same command makes the same one, not a second."""
    return hashlib.sha256(f"tourney new {command_id}".encode()).hexdigest()[:32]


def _answer(desk: Desk, recorded: list[Recorded], *, already: bool) -> None:
    from ledger.facts.opening import unusual_tier_for_type

    tournament = desk.book.tournament
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - its first event has just been written
    tournament_in_words = tr(
        "{name}, {game}, organizer {organizer}",
        name=opening.name,
        game=game_in_words(opening),
        organizer=tournament.names["o1"],
    )
    say(
        tr("opened already: {tournament}", tournament=tournament_in_words)
        if already
        else tr("opened: {tournament}", tournament=tournament_in_words)
    )
    if desk.json:
        value: dict[str, object] = {
            "tournament": opening.tournament,
            "commitment": opening.commitment,
            "draw_key_at": _draw_key_at(desk),
        }
        show_json(value | act_as_json(desk.command_id, recorded))
    else:
        show(
            tr("tournament  {id}", id=opening.tournament),
            tr("commitment  {hash}", hash=opening.commitment),
        )
    if note := unusual_tier_for_type(tournament.ruleset, opening.event_type, opening.tier):
        say(tr("note: {note}", note=said(note)))
    say(tr('next: register players with `register "Ann Lee"` or `register --file FILE`'))
    if is_asked():
        say(tr("Tab completes verbs, names and tables after `tourney --install-completion`"))


def _draw_key_at(desk: Desk) -> str | None:
    """Name the machine that the draws are made on, where it is not any desk of the store."""
    from ledger.books.vault import machine_of_draws

    book = desk.book
    return machine_of_draws(book.tournament, book.store.vault_items(book.stream)) or None


@shows_table
def tournaments(desk: Desk) -> None:
    """List the tournaments in the store; * marks the current one.

    Warns of tournaments whose lines were changed by another program, or imported unsigned.
    """
    from cli.desk.in_hand import changes, listed_tournaments
    from cli.machine.caveats import caveat_of_stored

    store = desk.store()
    known = listed_tournaments(store)
    for change in changes(store):
        say(tr("warning: {change}", change=change))
    for each in known:
        for sentence in caveat_of_stored(store, each.stream):
            say(f"{each.name}: {sentence}")
    in_hand = desk.memory.tournament
    columns = (
        Column("", key="in_hand", text=lambda each: "*" if each["in_hand"] else ""),
        Column("id", key="tournament", text=lambda each: short_id(each["tournament"])),
        Column("name", flexible=True),
        Column("date", yields=3),
        Column("ruleset", yields=2),
        Column("format", yields=2, optional=True, text=lambda each: each["format"] or ""),
        Column("events", right=True, yields=1),
    )
    records = [
        {
            "tournament": each.stream,
            "name": each.name,
            "date": each.date,
            "ruleset": each.ruleset,
            "format": each.format or None,
            "events": store.size(each.stream),
            "in_hand": each.stream == in_hand,
        }
        for each in known
    ]
    if not show_records(desk, columns, records):
        return
    if not known:
        say(tr("there is no tournament yet: `tourney new` opens one"))


def use(
    desk: Desk,
    tournament: Annotated[
        str, word("ID|NAME", "A part of the id or name; without it, show the current one.")
    ] = "",
    backup_to: Annotated[
        OutFile | None, option("FOLDER", "Back up to this folder after each round; '' stops that.")
    ] = None,
) -> None:
    """Select the current tournament, and the official at this desk.

    --as sets the official at the desk from now on. With --backup-to a backup is written to that
    folder after each round while this tournament is selected; it contains secrets.

    tourney use kotei --as "Pat Jones"
    tourney use --backup-to /media/stick
    """
    from cli.desk.in_hand import find_named
    from cli.input.find_people import find_official

    if tournament:
        stream = find_named(desk.store(), tournament)
        desk.options = desk.options._replace(tournament=stream)
    book = desk.book
    official = desk.memory.official if book.stream == desk.memory.tournament else 1
    if desk.options.acting:
        official = find_official(book.tournament, desk.options.acting)
    if backup_to:
        _refuse_no_folder(desk, backup_to)
    desk.copies_to = None if backup_to is None else desk.files.absolute(backup_to)
    desk.take_in_hand(book.stream, official or 1)
    opening = book.tournament.opening
    name = opening.name if opening else ""
    official_name = book.tournament.names.get(f"o{official or 1}", "")
    if desk.json:
        show_json({"tournament": book.stream, "official": official or 1})
    say(
        tr(
            "current: {name} ({tournament}), {official} (o{number}) at the desk",
            name=name,
            tournament=short_id(book.stream),
            official=official_name,
            number=official or 1,
        )
    )
