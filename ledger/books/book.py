"""Books: one tournament's log bound to its store, to be read and to be written in.

A book folds each line once. An act is decided and checked on all lines, those that other desks have
written meanwhile among them, or it is decided again: the store appends it behind these lines alone.
So nothing lands that was decided on an old state, and two desks never write the same place.

What decides and checks is imported by the first act: a book that is only read does without it.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import structs

from ledger import ENGINE
from ledger.books.forgetting import covered
from ledger.books.links import browsers_of_ended
from ledger.books.open_log import OpenLog
from ledger.books.vault import HIDDEN, SHUFFLE
from ledger.errors import LedgerError, NoDrawKey, NotFound, Refused, StoreUnavailable
from ledger.facts.people import PersonForgotten
from ledger.facts.shared import HeadRecorded, SlipAuditBegun
from ledger.files import landed
from ledger.lines.line import decode, encode
from ledger.lines.sealing import Seals, key_name, texts
from ledger.problems import Phrase, marked, phrase, problem
from ledger.proof.formats import Tree, unbase64

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.books.open_log import Moment
    from ledger.books.vault import SecretKind
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command, Context
    from ledger.rules.opening import OpenTournament
    from ledger.rules.signing import Sign
    from ledger.store import Store
    from ledger.store.base import Entry, Unread
    from ledger.tournament.state import CommittedKey, Tournament

    DrawKey: TypeAlias = Callable[[], bytes]

    Ranking = Callable[[Tournament], list[int]]

    Answer: TypeAlias = list[Recorded] | LedgerError
    Clock: TypeAlias = Callable[[], str]


class SealedLog(OpenLog):
    """An open log, and its keys in the vault."""

    def __init__(self, store: Store, stream: str, draw_key: DrawKey | None = None) -> None:
        super().__init__(store, stream)
        self._draw_key = draw_key
        self._sealing = Seals(stream)
        self._fresh: dict[str, bytes] = {}
        self._is_vault_read = False
        self._secrets: dict[CommittedKey, bytes] = {}
        self._given: dict[str, bytes] = {}

    def destroy_forgotten(self) -> int:
        """Destroy every key that covers a forgotten person; return how many keys.

        The browsers of links that have ended are deleted, too.
        """
        names = covered(map(decode, self.lines), self.tournament)
        secrets = self.store.vault_items(self.stream)
        there = sorted(names & secrets.keys())
        browsers = browsers_of_ended(secrets, self.tournament.floor.links)
        if there or browsers:
            self.store.vault_delete_all(self.stream, [*there, *browsers])
        self._open_again()
        return len(there)

    def _keep_fresh(self) -> None:
        """Put the keys of what is sealed into the vault before the lines are in the store.

        A key without its line does no harm, and the same command finds it there again.
        """
        if self._fresh:
            self.store.vault_put_all(self.stream, self._fresh)
            self.seals.keys = {**self.seals.keys, **self._fresh}

    def _sealed(self, recorded: Recorded) -> Recorded:
        """Return the event as its line will have it; keys that the vault has not are drawn."""
        if not (self.tournament.is_sealed and texts(recorded.event)):
            return recorded
        encode(recorded)  # what cannot be written cannot be sealed
        missing = self._missing(recorded)
        if missing and not self._is_vault_read:
            self.seals.keys = self.store.vault_items(self.stream)
            self._is_vault_read = True
            missing = self._missing(recorded)
        self._fresh |= {name: self._drawn() for name in missing}
        name = key_name(recorded)
        self._sealing.keys = {name: self._fresh.get(name) or self.seals.keys[name]}
        return self._sealing.seal(recorded)

    def _missing(self, recorded: Recorded) -> list[str]:
        return [name for name in self.seals.missing([recorded]) if name not in self._fresh]

    def _drawn(self) -> bytes:
        assert self._draw_key is not None  # noqa: S101 - who writes in a sealed log has one
        return self._draw_key()

    def give(self, secret: bytes) -> None:
        """Hand in a key that is no item of the vault."""
        self._given[sha256(secret).hexdigest()] = secret

    def _secret(self, kind: SecretKind, tournament: Tournament) -> tuple[bytes, Phrase | str, str]:
        """Read the key in use, held to its commitment; or say why it is missing, and who has it."""
        committed = kind.committed(tournament)
        if not committed:
            return self.store.vault_items(self.stream).get(kind.first, b""), "", ""
        used = committed[-1]
        if given := self._given.get(used.commitment) or kind.revealed(self.tournament, used):
            return given, "", ""
        if used not in self._secrets:
            secrets = self.store.vault_items(self.stream)
            problem = kind.problem(used, secrets)
            if problem:
                return b"", problem, kind.machine(used, secrets)
            self._secrets[used] = secrets[kind.name_of(used)]
        return self._secrets[used], "", ""

    def another_secret(self, kind: SecretKind, command_id: str) -> str:
        """Draw a key in place of a lost one, into the vault; returns its commitment; or Refused."""
        name = f"{kind.first}:{command_id}"
        secret = self.store.vault_get(self.stream, name)
        if secret is None:
            used = kind.committed(self.tournament)
            if used and not kind.problem(used[-1], self.store.vault_items(self.stream)):
                raise Refused(
                    phrase(
                        "the {key} key that line {line} commits to is in this store: "
                        "there is nothing to replace",
                        key=phrase(kind.word),
                        line=used[-1].seq,
                    )
                )
            secret = self._drawn()
            self.store.vault_put(self.stream, name, secret)
        return sha256(secret).hexdigest()

    def _as_written(self, seq: int) -> Recorded:
        """Return the event as its line has it, with its texts as they are sealed."""
        return decode(self.lines[seq - 1], lambda recorded: recorded)


class Sent(NamedTuple):
    """A command as it reached a desk: who enters it, under which id, and when.

    `at` is a time as a line holds it, or the clock that gives it. A clock is read when the act is
    decided behind the last line of the store, so that desks on one machine, which have one clock,
    write times in the order of their lines.
    """

    command: Command
    by: str
    command_id: str
    at: str | Clock


class Book(SealedLog):
    """A log that is read and written in, kept up to date with the store."""

    def __init__(
        self, store: Store, stream: str, ranking: Ranking, draw_key: DrawKey | None = None
    ) -> None:
        """`draw_key` draws 32 random bytes; only who writes in a log with sealed names needs it."""
        super().__init__(store, stream, draw_key)
        self._ranking = ranking
        self._tree = Tree()
        self.sign: Sign | None = None
        """What signs the acts that need it, once somebody has unlocked their key."""

        self.sign_head: Callable[[bytes], bytes] | None = None
        """What signs the head of the start, where the log's key is at this desk."""

        self.guard: Callable[[Sequence[Recorded]], None] | None = None
        """What refuses to write these events behind the book's lines, inside the write lock."""

    def act(self, command: Command, *, by: str, command_id: str, at: str | Clock) -> list[Recorded]:
        """Carry a command out; an empty list says that its wish was fulfilled already.

        Sent again with the same `command_id` it changes nothing and returns its first events. `at`
        is the desk's clock, or a time as a line holds it: see `Sent`.

        Raises:
            Refused: a rule or the state forbids it, or the id belongs to another command.
            StoreUnavailable: the store gives no answer; the same command with the same id may be
                repeated.
        """
        (answer,) = self.act_all([Sent(command, by, command_id, at)])
        if isinstance(answer, LedgerError):
            raise answer
        return answer

    def act_all(self, acts: Sequence[Sent]) -> list[Answer]:
        """Carry acts out one after the other, for one lock and one wait for the disk.

        Each is answered as by `act`: with its events, or with why it is refused, which hinders no
        other. StoreUnavailable where the store gives no answer, to all of them.
        """
        answers: list[Answer] = []
        known = settled = len(self.lines)

        def decide(unread: Unread) -> list[Entry]:
            nonlocal settled
            self._take_back(settled)
            answers.clear()
            self._advance(unread)
            settled = len(self.lines)
            self._dirty = True
            self._fresh, self._is_vault_read = {}, False
            tree = self._tree_to_sign(unread.tree)
            answers.extend(self._answered(sent, tree) for sent in acts)
            self._keep_fresh()
            done = (each for answer in answers if isinstance(answer, list) for each in answer)
            added = {each.seq: each.name for each in done if each.seq > settled}
            return [(name, self.lines[seq - 1]) for seq, name in added.items()]

        try:
            self.store.transact(self.stream, known, decide)
        except BaseException:
            self._take_back(settled)
            raise
        self._dirty = False
        for sent, answer in zip(acts, answers, strict=True):
            if answer and isinstance(answer, list):
                landed.note_act(sent.command_id)
        return answers

    def _take_back(self, settled: int) -> None:
        """Leave the lines that are in the store; the state is folded again before it is used."""
        del self.lines[settled:]
        self._tree = self._tree if self._tree.size <= settled else Tree()

    def _answered(self, sent: Sent, tree: Tree) -> Answer:
        """Decide and check one act; its lines stand in the book, not yet in the store."""
        from ledger.books.admission import admit  # noqa: PLC0415 - see the module

        command, by, command_id, at = sent
        seq, before = self.tournament.seq, tree.copy()
        try:
            if command_id in self.tournament.ids:
                return self._done_before(command, command_id, by)
            context = structs.replace(self.context(), tree=tree)
            now = at if isinstance(at, str) else at()
            done = admit(command, self.tournament, context, by=by, command_id=command_id, at=now)
            if self.guard is not None:
                self.guard(done)
        except StoreUnavailable:
            raise
        except LedgerError as error:
            tree.size, tree.frontier = before.size, before.frontier
            if self.tournament.seq > seq:
                self.seals.keys = {**self.seals.keys, **self._fresh}
                self.tournament = self.at(seq)
            return error
        self.lines.extend(context.added)
        return done

    def preview(self, command: Command, *, by: str, at: str) -> list[Recorded]:
        """Return what a command would come to now, with nothing written; Refused as act."""
        return self.look_ahead(command, by=by, at=at)[0]

    def look_ahead(
        self, command: Command, *, by: str, at: str
    ) -> tuple[list[Recorded], Tournament]:
        """Return what a command would come to now, and the state behind it; as preview."""
        from ledger.books.admission import admit  # noqa: PLC0415 - see the module

        copy = self.at(len(self.lines))
        self._is_vault_read = False
        context = structs.replace(self.context(), tree=self.tree_at(len(self.lines)))
        return admit(command, copy, context, by=by, command_id="preview", at=at), copy

    def tree_at(self, size: int) -> Tree:
        """Return the tree of the first lines of the book, of its own to grow."""
        if size < self._tree.size:
            return Tree().add_lines(self.lines[:size])
        self._tree.add_lines(self.lines[self._tree.size : size])
        return self._tree.copy()

    def _tree_to_sign(self, stored: Tree) -> Tree:
        """Return the stored tree, which is held to the lines by who signs; or StoreUnavailable."""
        if self.sign is None or self.tree_at(len(self.lines)).frontier == stored.frontier:
            return stored.copy()
        raise self._damaged(phrase("the lines are different from those that were written"))

    def context(self, tournament: Tournament | None = None) -> Context:
        """What decisions are made with, of a tournament of the past with the keys of then."""
        from ledger.rules.command import Context  # noqa: PLC0415 - see the module

        state = tournament or self.tournament
        shuffle_key, lacks, machine = self._secret(SHUFFLE, state)
        hidden_key, lacks_hidden, _ = self._secret(HIDDEN, state)
        return Context(
            self._ranking,
            shuffle_key,
            ENGINE,
            hidden_key,
            sign=self.sign,
            sign_head=self.sign_head,
            seal=self._sealed,
            lacks=lacks,
            machine=machine,
            lacks_hidden=lacks_hidden,
        )

    def _done_before(self, command: Command, command_id: str, by: str) -> list[Recorded]:
        """What the id stands for, if it is this very command.

        Deciding is a pure function, so the command is decided once more at its first place: only
        the same command gives the same events there.
        """
        from ledger.books.admission import admit  # noqa: PLC0415 - see the module
        from ledger.rules.people import ForgetPerson  # noqa: PLC0415 - see the module
        from ledger.rules.signing import signed_before  # noqa: PLC0415 - see the module

        first = self.tournament.ids[command_id]
        before = [each for each in self.recorded(first - 1) if each.command_id == command_id]
        match command, before[0].event:
            case ForgetPerson(of=asked), PersonForgotten(of=of) if asked == of:
                return before  # the names that showed who else this was are gone
        past = self.at(first - 1)
        last = before[-1].seq
        stored = {seq: self._as_written(seq) for seq in range(first, last + 1)}
        context = structs.replace(
            self.context(past),
            sign=signed_before(before),
            sign_head=_head_signed_before(before),
            seal=lambda recorded: stored.get(recorded.seq, recorded),
            tree=self.tree_at(first - 1),
        )
        try:
            unseen, at = structs.replace(command, seen=None), before[0].at
            again = admit(unseen, past, context, by=by, command_id=command_id, at=at)
        except LedgerError as error:
            again = []
            if isinstance(error, NoDrawKey) and past.draw_keys == self.tournament.draw_keys:
                raise  # a file may have it
            if past.draw_keys != self.tournament.draw_keys and not self.context(past).shuffle_key:
                text = marked(
                    "the id {id} was already used at event {event}, and whether for this "
                    "command cannot be verified: the key of those draws is lost"
                )
                raise Refused(problem("id.unclear", text, id=command_id, event=first)) from None
        if again != before:
            text = marked(
                "the id {id} was already used for another command ({type}, event "
                "{event}): use a new id"
            )
            kind = before[0].type
            raise Refused(problem("id.used", text, id=command_id, type=kind, event=first))
        return before


def _head_signed_before(before: Sequence[Recorded]) -> Callable[[bytes], bytes] | None:
    """Return what gives a head the signature that it has on record, if any."""
    for each in before:
        if isinstance(each.event, HeadRecorded | SlipAuditBegun) and each.event.signature:
            signature = unbase64(each.event.signature)
            return lambda _: signature
    return None


def open_book(
    store: Store,
    stream: str,
    ranking: Ranking,
    draw_key: DrawKey | None = None,
    moment: Moment | None = None,
) -> Book:
    """Open a tournament's book, to look at a moment no further than there; or NotFound."""
    book = Book(store, stream, ranking, draw_key)
    if moment is None:
        book.refresh()
    elif store.size(stream):
        book.go_to(moment)
    if not book.lines:
        text = marked("the store at {store} has no tournament {tournament}")
        raise NotFound(phrase(text, store=str(store.where), tournament=stream))
    return book


def new_book(
    store: Store,
    command: OpenTournament,
    draw_key: DrawKey,
    ranking: Ranking,
    *,
    command_id: str,
    at: str | Clock,
) -> tuple[Book, list[Recorded]]:
    """Open a new tournament, organized by its author; returns its book and first events.

    The secret keys are kept first: should the opening fail, keys without a tournament do no harm.
    """
    kept = store.vault_items(command.tournament)
    kinds = (HIDDEN,) if command.commitment else (SHUFFLE, HIDDEN)
    missing = [kind.first for kind in kinds if kind.first not in kept]
    if missing:
        store.vault_put_all(command.tournament, {name: draw_key() for name in missing})
    book = Book(store, command.tournament, ranking, draw_key)
    return book, book.act(command, by="o1", command_id=command_id, at=at)
