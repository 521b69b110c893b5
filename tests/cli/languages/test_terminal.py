"""Every verb, its help and its usage errors in a made-up language: no text of ours is English.

The same in every language are values of the kinds in `SAME`, what was typed, the names that the
program's own data files give, and the lines of `SHOW_DATA`.
"""

from __future__ import annotations

import ast
import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from cli.exits import USAGE
from cli.languages.proof_words import lines_of_table, proof_in_words
from cli.languages.speaking import speaking
from cli.verbs import VERBS
from cli.verbs.tree import command_of
from ledger import formats, rulesets
from ledger.proof import table
from ledger.proof.formats import Checkpoint, Key
from ledger.proof.table import CheckTable, Row
from tests.cli.languages.catalogue_texts import texts
from tests.cli.languages.pseudo import STANDS_FOR, Pseudo, speak_pseudo, speaks_pseudo
from tests.support.days.json_day import LIST, JsonDay
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk

WORD = re.compile(r"[A-Za-z][A-Za-z]+")
SAME = re.compile(
    r"\b[0-9]+ (?:min|ms)\b"  # amounts
    r"|`[^`]*`|\"[^\"]*\"|'[^']*'"  # commands, and what was typed
    r"|\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+\b"  # clauses
    r"|\b[A-Z0-9]{4}(?:-[A-Z0-9]{4}){3}\b"  # codes of links
    r"|(?<!\w)--?[a-z][a-z-]*(?:=\S+)?"  # options
    r"|\b[0-9a-f]{7,}\b|\b\w+[0-9]\w*\b|[A-Za-z0-9+/]{20,}=*"  # hashes, IDs, keys, dates
    r"|\S*[./@+][A-Za-z0-9]\S*"  # files, addresses, procedures
    r"|\b(?:[A-Z][a-z]+){2,}\b|\b[A-Z_]{2,}\b|\bPosted\b"  # types of events, words to replace
    r"|: (?:[a-z]{3,} ){5}[a-z]{3,}$"  # the six words of a posting
)
NAMED = re.compile(r"(?:tourney|νεθτ:|κνοςν:) ?((?:[,|]? ?[a-z#][a-z-]*)+)|γιωε [^;,]+")
"""A command or words that can be typed, behind the word of ours that introduces them."""

SHOW_DATA = {
    "lists show": "a list as it was handed in",
    "export": "the log",
    "checkpoint": "a signed head",
    "ruleset show": "the keys of a ruleset",
    "format show": "the keys of a format",
    "format check": "the names of a format's sections",
    "query tables": "the names of columns",
    "season remove": "the names of tables",
    "stats": "the keys of questions",
    "stats show": "the names of columns, and SQL",
}
"""Lines that answer with data, and which: they only need some words of the language."""

TYPED = "Spring this came over Event Court cards made up chance Bo Ray Fox Lin"
"""Words of the day's files and drafts."""

ONLY_DATA = frozenset({"export", "checkpoint", "lists show"})
KEPT = frozenset(["tourney", "UTC", "Etc", "SOS", "ESOS", "season", "forgotten"])
TEXTS_MIN = 1_000
SECONDS_MAX = 5.0
OF_PROOF = sorted((ROOT / "ledger/proof").glob("*.py"))


class TypedDay(JsonDay):
    """The day with every verb; keeps what each line said to a person."""

    def __init__(self, desk: Desk, *, is_json: bool) -> None:
        super().__init__(desk)
        self.is_json = is_json
        self.said: list[tuple[str, str]] = []

    def _typed(self, *words: str) -> str:
        answer = self.desk.type(*words, "--json" if self.is_json else "--yes")
        assert answer.code == 0, (words, answer.err)
        shown = answer.err if self.is_json else f"{answer.out}\n{answer.err}"
        self.said.append((" ".join(words), shown))
        return answer.out


class Listening(Pseudo):
    """The made-up language, and every text that it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        """Translate a text."""
        self.asked.add(message)
        return super().gettext(message)


@pytest.fixture
def listening(desk: Desk) -> Listening:
    """Speak the made-up language in this process."""
    made = Listening()
    speak_pseudo(desk.patch)
    desk.patch.setattr("cli.languages.speaking.catalogue", lambda _: made)
    desk.patch.setenv("LC_ALL", STANDS_FOR)
    return made


def names_of_data() -> Iterator[str]:
    """Yield the names of games, documents and cards that our own data files have."""
    for key in rulesets.names():
        loaded = rulesets.load(key)
        yield loaded.document.text.partition("[")[0]
        yield str(loaded.ruleset.floor)
    for key in formats.names():
        yield formats.load(key).document.text.partition("[")[0]
        yield from (section.name for section in formats.load(key).format.sections)
        yield from (variant.name for variant in formats.load(key).format.variants)


def left_in(shown: str, same: frozenset[str]) -> list[str]:
    """Return the lines that have English words of ours, each with these words."""
    left = []
    for line in shown.splitlines():
        bare = SAME.sub(" ", NAMED.sub(" ", line))
        if words := set(WORD.findall(bare)) - same:
            left.append(f"{sorted(words)}: {line}")
    return left


def shows_data(line: str) -> str:
    """Return the lines of `SHOW_DATA` that a typed line is one of; empty if it is none."""
    known = [each for each in SHOW_DATA if f"{line} ".startswith(f"{each} ")]
    return max(known, key=len, default="")


def unknown_to_german(asked: set[str], same: frozenset[str]) -> list[str]:
    """Return the texts that the German catalogue does not have; data passes as it is."""
    known = {form for text in texts(STANDS_FOR) for form in (text.one, text.many)}
    return [
        text
        for text in sorted(asked - known)
        if set(WORD.findall(SAME.sub(" ", re.sub(r"\{\w+\}|[\ufdd0\ufdd1]", " ", text)))) - same
    ]


@pytest.mark.slow
@pytest.mark.parametrize("is_json", [False, True])
def test_every_verb_speaks_to_a_person(desk: Desk, listening: Listening, is_json: bool) -> None:  # noqa: FBT001 - a parameter
    """Of an answer for a program, what is beside it on stderr."""
    day = TypedDay(desk, is_json=is_json)
    day.play()
    typed = " ".join((LIST, TYPED, *names_of_data()))
    lines = " ".join(line for line, _ in day.said)
    same = KEPT | set(WORD.findall(f"{typed} {lines}"))
    left = {}
    for line, shown in day.said:
        kind = "" if is_json else shows_data(line)
        if kind:
            assert kind in ONLY_DATA or speaks_pseudo(shown), line
        elif found := left_in(shown, same):
            left[line] = found
    assert not left, "\n".join(f"{line}: {found}" for line, found in left.items())
    assert unknown_to_german(listening.asked, same) == []
    assert len(listening.asked) > TEXTS_MIN // 10


def wrong_lines(verb: str) -> Iterator[list[str]]:
    """Yield lines of a verb that lack a word, or have a wrong one or a wrong option."""
    words = verb.split()
    yield [*words, "--no-such"]
    yield [*words, *["w"] * 9]
    for param in command_of(verb).params:
        if param.param_type_name != "option":
            continue
        name = max(param.opts, key=len)
        if getattr(param, "is_flag", False):
            yield [*words, f"{name}=w"]
            continue
        yield [*words, name]
        yield [*words, name, "w", name, "w"]
        yield [*words, name, ""]


STARTS = frozenset({"serve", "demo", "rehearse", "query", "publish"})
"""Verbs that may start something: only what is refused before is typed."""


@pytest.mark.slow
def test_every_usage_error_speaks_to_a_person(desk: Desk, listening: Listening) -> None:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim")
    left: dict[str, list[str]] = {}
    for verb in VERBS:
        lines = list(wrong_lines(verb))
        for line in lines[:1] if verb in STARTS else lines:
            answer = desk.type(*line)
            if answer.code != USAGE:
                continue
            refused = answer.err.splitlines()[-1]
            assert speaks_pseudo(refused), refused
            same = KEPT | set(WORD.findall(f"{verb} Kim Night"))
            if found := left_in(refused, same):
                left[" ".join(line)] = found
    assert left == {}
    assert unknown_to_german(listening.asked, KEPT | {"Kim", "Night"}) == []


@pytest.mark.slow
def test_every_help_speaks_to_a_person(desk: Desk, listening: Listening) -> None:
    for verb in VERBS:
        assert speaks_pseudo(desk.done(*verb.split(), "--help").out), verb
    assert unknown_to_german(listening.asked, KEPT) == []


@contextmanager
def speaking_pseudo(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak the made-up language until the block ends."""
    speak_pseudo(patch)
    with speaking(STANDS_FOR):
        yield


def sentences_of_proof() -> Iterator[str]:
    """Yield what the verifier says, with a number in the place of what varies.

    These are the texts of each `Invalid`, and those of each function of the table of checks.
    """
    for path in OF_PROOF:
        tree = ast.parse(path.read_text("utf-8"))
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Invalid":
                yield from _sentences(call.args[0])


def _sentences(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values
        )


IN_PARTS = frozenset({"the size of a checkpoint, 7, 7", "a signed line was changed7: 7"})
"""Refusals whose varying part has words of its own."""


def test_every_refusal_of_the_verifier_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {text for text in sentences_of_proof() if len(WORD.findall(text)) > 1}
    said -= IN_PARTS
    assert said
    with speaking_pseudo(monkeypatch):
        left = [text for text in said if proof_in_words(text) == text]
    assert left == []


def checks() -> Iterator[CheckTable]:
    """Yield tables of checks that have every sentence of the verifier's own rows."""
    head = Checkpoint("tourney/1", 2, b"1" * 32)
    key = Key("tourney/1", 1, b"1" * 32)
    other = table.Other("7", head)
    renewed = "two officials agreed to it"
    none = table.rows_of_head(None, 3, "there is no 7", [other], [(other, 3)], "7")
    for is_pinned, key_or_none, witnesses, is_strange in (
        (True, key, {"7": 7}, False),
        (True, key, {}, True),
        (False, key, {}, False),
        (False, None, {}, False),
    ):
        vouched = table.Vouched(
            head, key_or_none, is_pinned, witnesses, "7", renewed, is_strange=is_strange
        )
        found = table.rows_of_head(vouched, 3, "", [other], unsigned="7")
        acts = table.row_of_acts(3, 2, 1, pinned=2 if is_pinned else -1)
        yield CheckTable(*found, acts, *_rest(1))
    yield CheckTable(*none, table.row_of_acts(0, 0), *_rest(0))


def _rest(count: int) -> tuple[Row, ...]:
    again = table.drawn_again({1: (2, 7), 2: (3, 8)})
    return (
        Row(unchecked=f"who may do what is not checked here: {table.VERIFY_READS}"),
        Row(unchecked=f"the rules are not checked here: {table.VERIFY_READS}"),
        table.row_of_names(count, 2),
        table.row_of_texts(2, count),
        Row(unchecked=f"draws are not repeated here: {table.VERIFY_READS}", first=again),
        Row(unchecked=f"postings are not derived again here: {table.VERIFY_READS}"),
    )


def test_every_row_of_the_table_of_checks_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list(checks())
    with speaking_pseudo(monkeypatch):
        for each in made:
            assert left_in("\n".join(lines_of_table(each)), frozenset()) == []
    assert list(lines_of_table(made[0])) == made[0].lines()


@pytest.mark.parametrize("text", ["a: b; ", "a; b: ", ": ", "; ", "{reason}: "])
def test_a_text_of_a_stranger_takes_little_time(text: str) -> None:
    """A refusal may contain any text, such as the name of a member that an act does not have."""
    for count in (3, 20, 100, 100_000):
        begun = time.process_time()
        with speaking("de"):
            assert proof_in_words(text * count) == text * count
        assert time.process_time() - begun < SECONDS_MAX


def test_a_sentence_keeps_what_varies(monkeypatch: pytest.MonkeyPatch) -> None:
    with speaking("de"):
        assert proof_in_words("line 12: seq must be 12 here, not 13") == (
            "Zeile 12: seq muss hier 12 sein, nicht 13"
        )
        assert proof_in_words("taken unsigned: no act is signed") == (
            "unsigniert angenommen: no act is signed"
        )
        assert proof_in_words("Ann") == "Ann"
    assert proof_in_words("no act is signed") == "no act is signed"
    with speaking_pseudo(monkeypatch):
        assert not speaks_pseudo(proof_in_words("a text of no verifier"))
