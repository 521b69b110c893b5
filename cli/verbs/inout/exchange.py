"""`import`, `export`, `replay`: the record as a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import desk_of
from cli.desk.answers import once
from cli.desk.guide import next_step
from cli.desk.session import Desk
from cli.heads.signing import signed_head
from cli.heads.trust import trust_in
from cli.input import options  # noqa: TC001 - typer resolves them
from cli.input.arguments import UsageError
from cli.input.file_kinds import refuse_other_kinds
from cli.keys.keyring import draw_key
from cli.terminal.counting import how_many
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_lines
from cli.verbs.view.views import print_bracket, print_standings
from cli.wording.head_words import head_as_json, head_in_words
from ledger.errors import NotFound, Refused
from ledger.files import landed
from ledger.tournament.state import Tournament

if TYPE_CHECKING:
    from cli.heads.checkpoint_file import StoredCheckpoint
    from ledger.books.book import Book
    from ledger.exchange import Details, Imported, ParsedFile


def import_log(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Lines of `export`, NRTM/Cobra JSON, or CSV.")
    ],
    as_new: Annotated[
        bool, typer.Option("--as-new", help="A changed file of a known event as another one.")
    ] = False,
    ruleset: Annotated[
        str, typer.Option(metavar="KEY|FILE", help="The game, for a CSV file of rounds.")
    ] = "",
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What a CSV's event is called; default: the file.")
    ] = "",
    date: options.HeldOn = "",
    adjusted: Annotated[
        bool,
        typer.Option(
            "--adjusted", help="NRTM/Cobra: take points that no match gives as a judge's."
        ),
    ] = False,
    policy: options.Policy = "",
) -> None:
    """Take a file into the store, and in hand.

    A log's signed head and hashes beside the file have to fit its lines.

    The same file again changes nothing; a longer log of the same tournament adds its rest. A CSV
    file has a row for each table of each round, and needs the name of its game:

        tourney import league.csv --ruleset xwing2 --name "Spring League" --date 2026-03-14
    """
    from ledger.books.vault import Secrets
    from ledger.exchange import read_file
    from projections.standings.table import ranking

    desk = desk_of(context)
    refuse_other_kinds(file, "import")
    details = _details(file, ruleset, name, date)
    if adjusted and details is not None:
        raise UsageError("--adjusted is for the points of NRTM/Cobra JSON")
    read = partial(
        read_file,
        Path(file),
        ranking=ranking,
        secrets=Secrets(draw_key(), draw_key()),
        details=details,
        adjusted=adjusted,
        trust=trust_in(policy, "import"),
    )
    once(desk, lambda: _import(desk, read(), as_new=as_new))


def _import(desk: Desk, parsed: ParsedFile, *, as_new: bool) -> None:
    from ledger.books.vault import SHUFFLE_KEY, at_name
    from ledger.exchange import UNDATED

    imported = _take(desk, parsed, as_new=as_new)
    if parsed.details is not None and imported.added and not parsed.details.date:
        say(f"no --date: the event is dated {UNDATED}")
    if imported.added:
        landed.note_place(desk.store().where)
    desk.options = desk.options._replace(tournament=imported.tournament)
    desk.take_in_hand(imported.tournament)
    if desk.json:
        show_json({"tournament": imported.tournament, "events": imported.events})
    else:
        show(imported.tournament)
    tournament = desk.book.tournament
    name = tournament.opening.name if tournament.opening else ""
    added = f"{imported.added} of {how_many(imported.events, 'event')} added"
    say(f"in hand: {name}; {added}: {imported.note}")
    if parsed.log is not None:
        say(head_in_words(parsed.log.vouched, len(parsed.log.entries)))
    here = desk.store().vault_items(desk.book.stream).keys()
    if not tournament.finished and not here & {SHUFFLE_KEY, at_name(SHUFFLE_KEY)}:
        say(
            "the event still runs and this store has no key for its draws: `backup` and `restore` "
            "move an event; where the store that has it is lost for good, `key draws` goes on here"
        )
    say(next_step(tournament))


def _take(desk: Desk, parsed: ParsedFile, *, as_new: bool) -> Imported:
    """Take what a file tells into the store; where two histories meet, say which one is signed."""
    from cli.heads.checkpoint_file import CheckpointFile
    from cli.heads.last_heads import known
    from ledger.exchange import DifferentLines, take

    if parsed.log is not None and not as_new:  # before a store is made that nobody could look into
        opening = parsed.log.tournament.opening
        known(opening.tournament if opening else "").hold([line for _, line in parsed.entries])
    try:
        return take(desk.store(create=True), parsed, as_new=as_new)
    except DifferentLines as error:
        kept, log = CheckpointFile(error.stream).read(), parsed.log
        of_file = head_in_words(log.vouched, len(log.entries)) if log is not None else ""
        of_store = "no head of it was signed here"
        if kept is not None:
            of_store = f"its head of {how_many(kept.size, 'event')} was signed here"
        raise Refused(
            f"{error}. Of the file: {of_file}. Of the store: {of_store}. To go on with the file's, "
            "import it into another store (--store)"
        ) from None


def _details(file: str, ruleset: str, name: str, date: str) -> Details | None:
    """What a CSV file of rounds does not tell; none for files that tell it themselves."""
    from cli.input.game_files import ruleset_text
    from cli.input.places import checked_date
    from ledger.exchange import Details

    if not ruleset:
        if name or date or Path(file).suffix.lower() == ".csv":
            raise UsageError("a CSV file of rounds needs --ruleset; other files take no details")
        return None
    if Path(file).suffix.lower() in {".json", ".jsonl"}:
        raise UsageError(f"{file} tells its ruleset itself: --ruleset is for a CSV file of rounds")
    return Details(ruleset_text(ruleset), name, checked_date(date) if date else "")


def export_log(
    context: typer.Context,
    output: options.Output = "",
    without_names: Annotated[
        bool, typer.Option("--without-names", help="Numbers alone: the names stay sealed.")
    ] = False,
    tiles: Annotated[
        str,
        typer.Option("--tiles", metavar="FOLDER", help="As files for a static host: C2SP's tiles."),
    ] = "",
    reader: options.Reader = "",
    event: options.ShownEvents = None,
    texts: options.ShownTexts = "",
) -> None:
    """Write the lines of the log, unchanged, and the keys of the names.

    Before `finish` the lines hold no secret of the draws, and battle cards and the hidden parts of
    lists are sealed in them. Names are sealed, and a last line opens them to who
    reads the file. Reasons, notes and rulings stay sealed.

    Tiles are the lines and their tree as any reader of tlog-tiles checks them, without the keys of
    names. Another time into the same folder adds what is new.

    With --for the file holds no lines, but the keys of chosen events: who has the private key of
    READER reads these texts beside an export, each checked against its line, and no others.

        tourney export --for league.txt --event 41 --event 57 -o rulings.for-league
    """
    from cli.verbs.proof.disclosing import disclose
    from ledger.exchange import export, export_file

    desk = desk_of(context)
    if reader or event or texts:
        if tiles or without_names:
            raise UsageError("--for takes neither --tiles nor --without-names")
        disclose(desk, reader, event or [], texts, output)
        return
    book = desk.book
    if tiles and (output or without_names):
        raise UsageError("--tiles takes neither -o nor --without-names: tiles never hold names")
    _hold_secrets(book, names=not (tiles or without_names))
    if tiles:
        _export_tiles(desk, Path(tiles))
        return
    try:
        if not output:
            show_lines(line[:-1] for line in export(book, names=not without_names))
            return
        _refuse_places(Path(output))
        head = _head(desk)
        size = export_file(book, Path(output), names=not without_names)
    except NotFound as error:
        raise NotFound(f"{error}: export --without-names") from None
    if desk.json:
        show_json({"file": output, "events": len(book.lines), "bytes": size})
    say(f"{output}: {how_many(len(book.lines), 'event')}, {size:,} bytes")
    _export_head(book.lines, head, Path(output))


def _hold_secrets(book: Book, *, names: bool) -> None:
    """Refuse to export from a vault with a damaged secret; without names it is only said.

    What is not there is said: the file is whole without it, and the day cannot go on without it.

    Refused says which secrets are damaged.
    """
    from cli.heads.integrity import damaged_in_words, missing_in_words, vault_of
    from cli.keys.missing_secrets import WAY_BACK

    found = vault_of(book)
    if missing := missing_in_words(found):
        say(f"{book.store.vault_where}: {missing}; {WAY_BACK}")
    if problem := damaged_in_words(found):
        damage = f"{book.store.vault_where}: {problem}"
        if names:
            raise Refused(f"{damage}; {WAY_BACK}; `export --without-names` writes the lines alone")
        say(damage)


def _refuse_places(path: Path) -> None:
    """Refuse any of the three files before the first one is written."""
    from ledger.files.access import refuse_to_replace
    from ledger.files.kinds import LOG
    from ledger.proof.hashes import CHECKPOINT, HASHES, beside

    refuse_to_replace(path, LOG)
    refuse_to_replace(beside(path, CHECKPOINT))
    refuse_to_replace(beside(path, HASHES))


def _head(desk: Desk) -> StoredCheckpoint | None:
    """The head of all lines: signed now, or kept where another machine signs."""
    kept = desk.heads.sign(whole=True) or desk.heads.kept()
    return kept if kept is not None and kept.size == len(desk.book.lines) else None


def _export_head(lines: list[bytes], kept: StoredCheckpoint | None, path: Path) -> None:
    """Write the signed head and the hashes of the lines beside an export."""
    from cli.keys.keyring import key_is_away
    from ledger.files.access import write_whole
    from ledger.proof.formats import leaf_hash
    from ledger.proof.hashes import CHECKPOINT, HASHES, beside

    if kept is None:
        say(f"no signed head goes with it: {key_is_away()}")
        beside(path, CHECKPOINT).unlink(missing_ok=True)
        beside(path, HASHES).unlink(missing_ok=True)
        return
    write_whole(beside(path, CHECKPOINT), [kept.note.encode()])
    write_whole(beside(path, HASHES), map(leaf_hash, lines))
    say(f"beside it its signed head, {path.name}{CHECKPOINT}, and {path.name}{HASHES}")


def _export_tiles(desk: Desk, folder: Path) -> None:
    """Write the files of a static host; the head last, so that it never runs ahead of its tiles."""
    from ledger.files.access import refuse_to_replace, write_whole
    from ledger.files.durable import make_folder
    from ledger.proof.evidence.prover import Prover
    from ledger.proof.evidence.tiles import tiles

    kept = signed_head(desk)
    lines = desk.book.lines[: kept.size]
    for name, data in tiles(Prover(lines), lines, kept.note.encode()):
        path = folder / name
        refuse_to_replace(path)
        try:
            make_folder(path.parent)
        except OSError as error:
            raise Refused(f"{path.parent} cannot be made: {error.strerror}") from None
        write_whole(path, [data])
    if desk.json:
        show_json({"folder": str(folder), "events": len(lines)})
    say(f"{folder}: {how_many(len(lines), 'event')} as tiles, and their signed head")


def replay_log(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Lines that `export` wrote.")],
    policy: options.Policy = "",
) -> None:
    """Check a log without a store: standings, bracket, signature.

    Its signed head and hashes beside the file have to fit its lines; `verify` checks more.
    """
    from cli.heads.seen_files import hold_file
    from cli.input.matches import has_standings
    from ledger.exchange import replay
    from projections.standings.table import ranking
    from projections.verification.closing_table import in_short, of_replay

    desk = desk_of(context)
    refuse_other_kinds(file, "replay")
    replayed = replay(Path(file), ranking, trust=trust_in(policy, "replay"))
    tournament, vouched = replayed.tournament, replayed.vouched
    count = len(replayed.entries)
    is_accepted = vouched is not None and vouched.is_pinned
    hold_file(
        file, replayed.stream, [line for _, line in replayed.entries], is_accepted=is_accepted
    )
    if desk.json:
        show_json(_replayed(tournament, count) | {"head": head_as_json(replayed.vouched)})
        return
    opening = tournament.opening
    if opening is not None:
        show(f"{opening.name}, {opening.date}, {opening.ruleset.key}", "")
    if has_standings(tournament):
        print_standings(desk, tournament)
    if _has_bracket(tournament):
        show("")
        print_bracket(desk, tournament)
    signed = head_in_words(replayed.vouched, count)
    show("", f"consistent with itself: {how_many(count, 'event')}; {signed}")
    for key in tournament.draw_keys[1:]:
        say(f"what was drawn before line {key.seq} can never be shown again: its key was lost")
    for key in tournament.hidden_keys[1:]:
        say(f"what was sealed before line {key.seq} can never be opened: its key was lost")
    if opening is not None and opening.imported is not None:
        say("its rounds were drawn elsewhere: UNCHECKED")
    if tournament.importing:
        say("its import never ended: facts of a foreign file are held to few rules")
    say(in_short(of_replay(replayed)))


def _has_bracket(tournament: Tournament) -> bool:
    return any(
        not stage.is_swiss and (stage.rounds or stage.cut_seq) for stage in tournament.stages
    )


def _replayed(tournament: Tournament, count: int) -> dict[str, object]:
    """What `standings --json` and `bracket --json` give; null for what the event has not."""
    from cli.input.matches import has_standings
    from projections.standings import bracket
    from projections.standings import table as standings
    from projections.standings.final import everyone

    opening = tournament.opening
    table = everyone(tournament) if has_standings(tournament) else None
    shown = bracket.bracket(tournament) if _has_bracket(tournament) else None
    return {
        "tournament": opening.tournament if opening else "",
        "events": count,
        "standings": standings.as_json(table, tournament.names) if table else None,
        "bracket": bracket.as_json(shown, tournament.names) if shown else None,
    }
