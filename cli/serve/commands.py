"""Commands that may be sent, and drafts: acts without a signature that they need.

All commands may be sent except those that need a key or a file of the desk's machine. The server
has no official's key, so a draft is kept until the official whose act it is signs it. A draft is
an item of the vault, `draft:<id>`, and not an event: it is not a fact yet, nothing unsigned counts
in the name of an official with a key, and a rejected draft has to be deleted. SQLite and
PostgreSQL both have a vault, and every desk of the store sees the drafts.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Union

import msgspec
from msgspec import Struct

from cli.languages.speaking import marked, tr
from cli.wording.event_words import in_words
from ledger.books.forgetting import persons_of
from ledger.books.vault import DRAFT
from ledger.errors import LedgerError, Refused, Unsigned
from ledger.exchange.merging.kept import EnterAgain
from ledger.lines.recorded import Recorded
from ledger.problems import Act, Official, Problem, problem, remedy
from ledger.rules import (
    clock,
    components,
    disputes,
    elimination,
    games_left,
    keys,
    lists,
    office,
    opening,
    pairing,
    people,
    results,
    rounds,
    setups,
    undo,
)
from ledger.rules.command import Command
from ledger.rules.pairing import RepairRound

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from ledger.books.book import Book, Sent
    from ledger.exchange.merging.kept import NewAct
    from ledger.facts.base import Event
    from ledger.rules.command import Context
    from ledger.store import Store
    from ledger.tournament.state import Tournament


class UndoLast(Command, frozen=True, tag="Undo"):
    """Take the last own act back, where nothing depends on it."""

    reason: str = "undone"

    def decide(self, tournament: Tournament, context: Context, by: str) -> Iterator[Event]:
        """See `Undo`."""
        yield from undo.Undo(self.reason).decide(tournament, context, by)


RESULTS = (results.Report, games_left.LeaveTable, results.Concede, results.Correct)
DISPUTES = (
    disputes.ConfirmResult,
    disputes.DisputeResult,
    disputes.WithdrawDispute,
    disputes.Appeal,
    disputes.WithdrawAppeal,
    disputes.WithdrawRuling,
    disputes.CarryOut,
)
ROUNDS = (
    pairing.PairRound,
    RepairRound,
    rounds.UnpairRound,
    rounds.SwapSeats,
    rounds.SeatPlayers,
    rounds.StartRound,
    rounds.CloseRound,
    rounds.OpenCheckIn,
    rounds.CheckIn,
    rounds.CloseCheckIn,
)
CLOCK = (
    clock.AnnounceExtraTime,
    clock.ExtendTable,
    clock.CallTime,
    clock.ExtendRound,
    clock.PauseRound,
    clock.ResumeRound,
    clock.ModeratePace,
)
PEOPLE = (
    people.RegisterPlayers,
    people.AmendPlayer,
    people.RenamePerson,
    people.WithdrawRegistration,
    people.DropPlayer,
    people.RejoinPlayer,
    people.DisqualifyPlayer,
)
LINKS = (keys.RevokeLink,)
OPENING = (
    opening.AppointOfficial,
    opening.ChangeStructure,
    opening.ChoosePublicNames,
    opening.AskRegistration,
    opening.ApproveRegistration,
    opening.ApproveRegistrations,
    opening.RefuseRegistration,
    opening.RefuseRegistrations,
)
ELIMINATION = (
    elimination.MakeCut,
    elimination.TakeBackCut,
    elimination.AnswerReplacement,
    elimination.ForfeitPlace,
    elimination.FinishTournament,
)
OFFICE = (
    office.LinkOfficial,
    office.StandDown,
    office.Resume,
    office.HandOver,
    office.Rule,
    office.NoteConduct,
    office.TakeNote,
    office.RecommendDisqualification,
    office.Penalize,
    office.CallJudge,
    office.AnswerCall,
)
LISTS = (
    lists.SubmitList,
    lists.CheckList,
    lists.CheckLists,
    lists.DrawDeckChecks,
    lists.GiveExclusive,
    lists.CorrectList,
)
SETUPS = (
    setups.DrawScenario,
    setups.DrawDraftGroups,
    setups.DrawChooser,
    setups.ChooseFirstPlayer,
    setups.TakeSide,
    setups.BuildBattle,
    setups.AnnounceTerrain,
    setups.CountTerrain,
    setups.OrderVerification,
    setups.ReviewFirstFive,
)
COMPONENTS = (
    components.MissComponent,
    components.FindComponent,
    components.GiveUpComponent,
    components.DamageComponent,
    components.MakeProxy,
    components.DecideComponent,
    components.ShareComponents,
    components.InspectComponents,
    components.OfferPrize,
    components.AwardPrize,
)
SENT: tuple[type[Command], ...] = (
    *RESULTS,
    *DISPUTES,
    *ROUNDS,
    *CLOCK,
    *PEOPLE,
    *OPENING,
    *ELIMINATION,
    *OFFICE,
    *LISTS,
    *SETUPS,
    *COMPONENTS,
    *LINKS,
    UndoLast,
)
"""What a page or a program may send, by theme."""

if TYPE_CHECKING:
    AnyCommand = Any
else:
    AnyCommand = Union[SENT]  # noqa: UP007 - the members are only known here
    """One of them, as msgspec reads it: `type` says which."""


DRAFTS_MAX = 200
"""How many may wait: more are no officials' any more."""

_DECODER: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Union[(*SENT, EnterAgain)])
"""Reads what waits: what was sent, and acts of another desk, which no page may send."""


class Draft(Struct, frozen=True):
    """An act that waits for a signature: as it was sent, when, and what has to be signed."""

    id: str
    by: str
    at: str
    kind: str
    sent: msgspec.Raw

    @property
    def command(self) -> Command:
        """What was sent."""
        return _DECODER.decode(self.sent)


class AwaitsSignature(LedgerError):  # noqa: N818 - named for what happened to the act
    """An act that was kept, and lands when it is signed."""


def keep(store: Store, stream: str, sent: Sent, unsigned: Unsigned) -> AwaitsSignature:
    """Keep an act as a draft; returns what its sender hears, or raises why it cannot wait."""
    holders = tuple(Official(each) for each, _ in unsigned.held if each)
    written = msgspec.json.encode(sent.command)
    try:
        _DECODER.decode(written)
    except msgspec.DecodeError:
        raise unsigned from None
    if not holders:
        raise unsigned
    there = store.vault_items(stream)
    name = f"{DRAFT}{sent.command_id}"
    if name not in there and sum(each.startswith(DRAFT) for each in there) >= DRAFTS_MAX:
        raise Refused(_too_many())
    now = sent.at if isinstance(sent.at, str) else sent.at()
    draft = Draft(sent.command_id, sent.by, now, unsigned.kind, msgspec.Raw(written))
    store.vault_put(stream, name, msgspec.json.encode(draft))
    text = marked(
        "{act} is waiting for the signature of {holders}: it counts once they have signed it"
    )
    about = problem(
        "draft.waits", text, remedy=remedy("sign"), act=Act(unsigned.kind), holders=holders
    )
    return AwaitsSignature(about)


def drafts_of(acts: Iterable[NewAct], secrets: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return acts of another desk as items of the vault: they wait for their signers.

    Raises:
        Refused: too many acts would wait.
    """
    made = {
        f"{DRAFT}{act.command_id}": msgspec.json.encode(
            Draft(act.command_id, act.by, act.at, act.kind, _written(act.command))
        )
        for act in acts
    }
    if made and len({*made, *(each for each in secrets if each.startswith(DRAFT))}) > DRAFTS_MAX:
        raise Refused(_too_many())
    return made


def _written(command: Command) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(command))


def _too_many() -> Problem:
    text = marked("{count} acts are already waiting for a signature: sign them, or drop them")
    return problem("draft.too_many", text, remedy=remedy("sign"), count=DRAFTS_MAX)


def waiting_in(secrets: Mapping[str, bytes], tournament: Tournament) -> list[Draft]:
    """Return the drafts that have not landed, the oldest first."""
    found = (each for each in _drafts_in(secrets) if each.id not in tournament.ids)
    return sorted(found, key=lambda each: (each.at, each.id))


def _drafts_in(secrets: Mapping[str, bytes]) -> list[Draft]:
    return [
        msgspec.json.decode(value, type=Draft)
        for name, value in secrets.items()
        if name.startswith(DRAFT)
    ]


def draft_in_words(book: Book, draft: Draft) -> str:
    """Say what a draft would record first; why it would be refused, where it would be."""
    try:
        event = next(draft.command.decide(book.tournament, book.context(), draft.by), None)
    except LedgerError as error:
        return f"{draft.kind}: {error}"
    return in_words(event, book.tournament) if event else tr("so already")


def drop(store: Store, stream: str, draft: Draft) -> None:
    """Throw a draft away, or forget it once it has landed."""
    store.vault_delete(stream, f"{DRAFT}{draft.id}")


def drop_about(book: Book, persons: Collection[str]) -> int:
    """Throw away what waits by or about somebody, as `p7` and `o2`; returns how many.

    It was never on record, so nobody may rely on it, and it holds words in the clear.
    """
    there = _drafts_in(book.store.vault_items(book.stream))
    theirs = [each for each in there if not _about(book, each).isdisjoint(persons)]
    if theirs:
        book.store.vault_delete_all(book.stream, [f"{DRAFT}{each.id}" for each in theirs])
    return len(theirs)


def _about(book: Book, draft: Draft) -> set[str]:
    """Name whom a draft is about: as its first event would be, or what was sent is itself."""
    tournament = book.tournament
    said: list[Any] = [draft.command]
    with suppress(LedgerError):
        said += islice(draft.command.decide(tournament, book.context(), draft.by), 1)
    return {
        person
        for each in said
        for person in persons_of(Recorded(0, draft.id, draft.at, draft.by, each), tournament)
    }
