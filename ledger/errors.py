"""What can go wrong, and the exit code that each kind has on the command line.

LedgerError
├── Refused            1   the act is not admissible: a rule, the state or the authority forbids it
│   ├── Unsigned       1   the act has to be signed with an official's key
│   └── NoDrawKey      1   the act draws, and the key of the draws is not at hand
├── InvalidLog         1   a file is no log, or a log breaks its own rules
│   └── OtherWire      1   another release reads it
├── InvalidRuleset     2   a ruleset or format file is wrong
├── NotFound           3   no such player, match, round, official or tournament
└── StoreUnavailable   4   the store gives no answer, or is damaged
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from msgspec import structs

from ledger.problems import (
    Act,
    Official,
    Phrase,
    Problem,
    chained,
    in_words,
    marked,
    phrase,
    problem,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ledger.proof.signatures import Need


class LedgerError(Exception):
    """The base of every error that a user can cause; `problems` holds every reason.

    Its text is one line, fit to be shown. `code` is the code of a problem that is a mere sentence.
    """

    exit_code: ClassVar[int] = 1
    code: ClassVar[str] = "refused"

    def __init__(self, *problems: Problem | Phrase | str) -> None:
        self.problems: tuple[Problem, ...] = tuple(
            problem_or_text
            if isinstance(problem_or_text, Problem)
            else in_words(problem_or_text, self.code)
            for problem_or_text in problems
        )
        super().__init__("; ".join(map(str, self.problems)))

    def cite(self, cited: Callable[[Problem], Problem]) -> None:
        """Let every problem name its clause, as a game has it."""
        self.problems = tuple(map(cited, self.problems))
        self.args = ("; ".join(map(str, self.problems)),)

    @property
    def words(self) -> Phrase:
        """The problems as words within another sentence."""
        return joined(map(words_of, self.problems))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The problems as sentences, with numbers in the place of names."""
        return tuple(map(str, self.problems))


def joined(sentences: Iterable[Phrase | str]) -> Phrase:
    """Return one or more sentences as one."""
    return chained("{first}; {second}", sentences)


def words_of(problem: Problem) -> Phrase:
    """Return a problem as words within another sentence."""
    sentence = Phrase(problem.text, problem.about, problem.plural)
    if not problem.clause:
        return sentence
    return Phrase("{sentence} ({clause})", {"sentence": sentence, "clause": problem.clause})


def recoded(problem: Problem, code: str) -> Problem:
    """Return a problem as one of another act, which its remedies would not settle."""
    return structs.replace(problem, code=code, remedies=())


class Refused(LedgerError):  # noqa: N818 - named for what happened to the act, as the docs do
    """An act that is not admissible."""


class Unsigned(Refused):
    """An act that has to be signed with one of these keys, each with its holder (0: the log)."""

    def __init__(self, kind: str, need: Need) -> None:
        self.kind, self.held = kind, [key[:2] for key in need.held]
        act, held = Act(kind), tuple(dict.fromkeys(key.holder for key in need.held))
        if held:
            text = marked("{act} must be signed with a key of {holders}")
            super().__init__(problem("signature.needed", text, act=act, holders=_named(held)))
        else:
            text = marked(
                "{act} must be signed with a key of {holders}, but all of these keys are "
                "revoked: register a new one"
            )
            holders = _named(need.whose or (0,))
            super().__init__(problem("signature.revoked", text, act=act, holders=holders))


def _named(holders: tuple[int, ...]) -> tuple[Official | Phrase, ...]:
    return tuple(Official(holder) if holder else phrase("the log") for holder in holders)


class NoDrawKey(Refused):
    """An act that draws, or reveals, where the key of the draws is not in the vault; or a file."""


class InvalidLog(LedgerError):  # noqa: N818
    """A file that is no log, or a log that breaks its own rules; the text names the line."""

    code = "log.invalid"


class OtherWire(InvalidLog):
    """A log of a form, or of rules, that another release reads; the text names that release."""


class InvalidRuleset(LedgerError):  # noqa: N818
    """A ruleset or format file that cannot be used."""

    exit_code = 2
    code = "ruleset.invalid"


class NotFound(LedgerError):  # noqa: N818
    """Nothing of that name or number is known; the text lists the nearest candidates."""

    exit_code = 3
    code = "unknown"


class StoreUnavailable(LedgerError):  # noqa: N818
    """The store gives no answer or is damaged: what was sent may or may not have landed."""

    exit_code = 4
    code = "store.unavailable"


class AnothersDatabase(StoreUnavailable):
    """A file of SQLite that is no store: another program's, or the league's."""
