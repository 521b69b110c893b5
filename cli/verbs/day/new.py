"""`new`, `tournaments`, `use`: opening a book and taking one in hand."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import structs

from cli import outside
from cli.desk.acts import act_as_json
from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole
from cli.input.file_names import NO_INPUT, NO_OUTPUT, InFile, OutFile
from cli.input.given_files import own_format, ruleset_text, tier_named
from cli.input.options import flag, option, word
from cli.machine.keyring import draw_key, log_signer, proving
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show, show_json
from cli.terminal.tables import Column
from cli.terminal.visible import short_id
from cli.wording.phrases import game_in_words

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.rules.opening import OpenTournament


class TrustOptions(NamedTuple):
    """What is decided about keys and names before the first event."""

    witness: Annotated[
        str, option("VKEY", "Who cosigns the start's head: nothing is drawn before that.")
    ] = ""
    draws: Annotated[
        str,
        option(
            "here", "The key of the draws stays on this machine: no other desk draws.", "--draw-key"
        ),
    ] = ""
    open_names: Annotated[
        bool,
        flag(
            "--open-names",
            "Names and free texts unsealed: for good, nobody can ask to be forgotten.",
        ),
    ] = False
    passphrase: Annotated[
        bool,
        flag(
            "--passphrase", "Log's key, and that of the draws, are sealed; asked for where needed."
        ),
    ] = False
    appeals: Annotated[
        str, option("DAYS", "Days after the end on which `forget` keeps texts on others.")
    ] = "0"
    public_names: Annotated[
        str,
        option("WHAT", "What public pages show of names: full, short or number. Default: short."),
    ] = "short"
    backup_to: Annotated[
        OutFile, option("FOLDER", "Where a copy goes after each round; it holds secrets.")
    ] = NO_OUTPUT


class EventOptions(NamedTuple):
    """When, where and by whom it is held."""

    date: Annotated[str, option("YYYY-MM-DD", "Default: today.")] = ""
    time_zone: Annotated[str, option("ZONE", "As Europe/Berlin; default: this machine's.")] = ""
    tier: Annotated[str, option("TIER", "relaxed, formal or premier.")] = "relaxed"
    organizer: Annotated[str, option("NAME", "Default: your user name on this machine.")] = ""


TODAY = EventOptions()
DEFAULT = TrustOptions()


def new(
    desk: Desk,
    name: Annotated[str, word("NAME", "What the tournament is called.")],
    ruleset: Annotated[
        InFile, option("KEY|FILE", "Required: the game; `tourney ruleset list` shows the keys.")
    ] = NO_INPUT,
    event: EventOptions = TODAY,
    format: Annotated[  # noqa: A002 - the option's name
        InFile, option("KEY|FILE", "What lists may hold; `tourney format list`.")
    ] = NO_INPUT,
    lists: Annotated[bool, flag("--lists", "Everyone hands in a list before the start.")] = False,
    trust: TrustOptions = DEFAULT,
) -> None:
    """Open a tournament and take it in hand.

    You are its organizer.

    Post the commitment: it proves later that nobody chose the draws.

        tourney new "Kotei Berlin" --ruleset l5r --organizer "Kim Larsen"
        tourney new "Kotei Berlin" --ruleset l5r --draw-key here --passphrase
    """
    from cli.input import moments
    from cli.machine.draw_keys import commitment_for_new
    from cli.wording.page_words import shown_named
    from ledger.facts.shared import APPEALS_MAX
    from ledger.rules.opening import OpenTournament

    if trust.draws not in {"", "here"}:
        text = "--draw-key is here, or left out: the store's vault"
        raise UsageError(f"{text}, not {trust.draws!r}")
    lists_hold = own_format(desk.files.named(format)) if format else None
    zone = moments.checked_zone(event.time_zone)
    command = OpenTournament(
        tournament=stream_of(desk.command_id),
        name=name,
        date=moments.checked_date(event.date) if event.date else moments.today(zone),
        time_zone=zone,
        ruleset=ruleset_text(desk.files.named(ruleset)),
        organizer=event.organizer or moments.user_name(),
        tier=tier_named(event.tier),
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
    desk.store(create=True)  # before a key is made that no log would have
    with proving():
        command = with_log_key(command, sealed=trust.passphrase)
    if trust.draws:
        there = (desk.store(), command.tournament)
        commitment = commitment_for_new(*there, sealed=trust.passphrase)
        command = structs.replace(command, commitment=commitment)
    _open(desk, command)


def _hold_copies(desk: Desk, name: str, folder: OutFile) -> None:
    """Refuse what is no name before anything is made, and remember where copies go."""
    if not name.strip():
        raise UsageError("a tournament needs a name")
    if folder:
        _refuse_no_folder(desk, folder)
        desk.copies_to = desk.files.absolute(folder)


def _refuse_no_folder(desk: Desk, folder: OutFile) -> None:
    if not desk.files.is_folder(folder):
        raise UsageError(f"--backup-to takes a folder that is there, and {folder} is not")


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
        phrase = new_passphrase("the log's key") if sealed else ""
        keep_key(path, signer(origin_of(command.tournament), draw_key()), phrase)
    made = log_signer(command.tournament)
    return structs.replace(command, log_key=base64_of(made.key.public)) if made else command


def stream_of(command_id: str) -> str:
    """Return the tournament's id: the same command makes the same one, not a second."""
    return hashlib.sha256(f"tourney new {command_id}".encode()).hexdigest()[:32]


def _answer(desk: Desk, recorded: list[Recorded], *, already: bool) -> None:
    tournament = desk.book.tournament
    opening = tournament.opening
    assert opening is not None  # noqa: S101 - its first event has just been written
    opened = "opened already" if already else "opened"
    organizer = tournament.names["o1"]
    say(f"{opened}: {opening.name}, {game_in_words(opening)}, organizer {organizer}")
    if desk.json:
        value: dict[str, object] = {
            "tournament": opening.tournament,
            "commitment": opening.commitment,
            "draw_key_at": _draw_key_at(desk),
        }
        show_json(value | act_as_json(desk.command_id, recorded))
    else:
        show(f"tournament  {opening.tournament}", f"commitment  {opening.commitment}")
    say('next: register players, as `register "Ann Lee"` or `register --file FILE`')


def _draw_key_at(desk: Desk) -> str | None:
    """Name the machine that the draws are made on, where it is not any desk of the store."""
    from ledger.books.vault import machine_of_draws

    book = desk.book
    return machine_of_draws(book.tournament, book.store.vault_items(book.stream)) or None


@shows_table
def tournaments(desk: Desk) -> None:
    """List the tournaments in the store; * is in hand.

    Of one whose lines were changed behind tourney's back, or taken unsigned, it says so.
    """
    from cli.desk.in_hand import changes, listed_tournaments
    from cli.machine.caveats import caveat_of_stored

    store = desk.store()
    known = listed_tournaments(store)
    for change in changes(store):
        say(f"warning: {change}")
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
        say("no tournament yet: `tourney new` opens one")


def use(
    desk: Desk,
    tournament: Annotated[
        str, word("ID|NAME", "A part of either; none: say what is in hand.")
    ] = "",
    backup_to: Annotated[
        OutFile | None, option("FOLDER", "Where a copy goes after each round; '' ends it.")
    ] = None,
) -> None:
    """Take a tournament in hand, and the official at this desk.

    With --as, who is at the desk from now on. With --backup-to a backup is written there after
    each round, as long as this folder has the tournament in hand; it holds secrets.

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
        f"in hand: {name} ({short_id(book.stream)}), {official_name} (o{official or 1}) at the desk"
    )
