"""Read the prose of the project: docstrings, comments, messages, pages, scripts and questions.

A text counts as a message if a person who uses the program reads it: a string of three words or
more in Python, and every string or comment of the hall's scripts.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tests.house.code import PACKAGES, SOURCES, text_of, tree_of
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ODD = (
    ("write 'is not a X'", r"\b(?:is|are|was|were|be) no (?!longer\b|more\b|such\b)\w"),
    ("write 'there is no X'", r"\bnone (?:is|are|was|has)\b|\bhas none\b|; none \w"),
    ("begin with a noun or a verb", r"(?s)\A(?:Wh(?:at|o|om|ose|ere|ich)|How)\b(?!.*\?\Z)"),
    ("name the thing", r"\b(?:of|to|from|with|by|for|at|on|in|than) (?:what|whom?|whose)\b"),
    ("write 'if' or 'when'", r"(?i)\bwhere (?:it|that|they|there|an?|the|no\w*|one) \w"),
    ("write 'states' or 'lists'", r"\b(?:say|says|said|tell|tells|told) (?:of|wh|that|how|so)"),
    ("write 'is' or 'appears'", r"\bst(?:and|ands|ood)\b(?! still\b| out\b)"),
    ("write 'compared with'", r"(?i)\bheld to\b|\bholds? (?:it|them|an?|the)(?: \w+){0,3} to\b"),
    ("write 'only X'", r"\b(?!left\b|let\b)[\w`]+ alone\b"),
    ("name the role", r"(?i)\b(?:no|some|every)body\b"),
    ("write 'pending' or 'continues'", r"\bto come\b|\bgo(?:es|ing)? on\b|\bwent on\b"),
    ("write 'next to', 'available'", r"\bbesides?\b|\bat hand\b|\bfor good\b|\bas far as\b"),
    ("write 'as is'", r"\bas (?:it|they) (?:stands?|is|are|was|were)\b"),
    ("write 'exists'", r"\b(?:is|are|was|were|be) (?:not )?(?:t?here)\b(?! (?:is|are|no|a)\b)"),
    ("write 'results in'", r"\bc(?:omes?|ame) to\b|\bmade? of\b|\bmakes of\b"),
    ("write a section Raises", r"[;,] (?:or )?(?:Refused|NotFound|Invalid\w*|UsageError)\b"),
    ("write 'except'", r"\b(?:an)?others? than\b|\belse than\b|\bbut for\b|\bnothing but\b"),
    ("write 'its own'", r"\bof (?:its|their|one's|his) own\b"),
    ("write 'must'", r"\b(?:has|have|had) to\b|\b(?:is|are) to (?:be )?\w|\bneeds no\b"),
    ("write ordinary words", r"\b(?:whoever|hence|upon|needless|lacks?|thereby|anew|aside)\b"),
    ("write 'submit', 'undo'", r"\b(?:given|gives?|hand(?:ed|s)?) (?:in|out)\b|\btaken? back\b"),
)
ODD = {instead: re.compile(pattern) for instead, pattern in _ODD}
"""What to write instead, and a pattern of the construction that no reader expects."""

_OF_TOURNAMENT = (
    r"(?:whole|made-up|invented|published|imported|team|individual|regional|real|random) events?",
    r"(?:magic|relaxed|formal|premier|large|largest|most) events?(?! points)",
    r"(?:an?|the|this|no|another) event (?:in hand|in (?:its|a|the) (?:store|folder))",
    r"(?:an?|the|this) event (?:begins?|began|went)",
    r"(?:an?|the|this) event (?:ends?|starts?|runs|plays|goes|may|must|names no|opened|as it)",
    r"(?:an?|the|this) event (?:has (?:no format|none)|was (?:read|imported)|that begins)",
    r"(?:an?|the|this) event is (?:at (?!its)|over|of|called|not finished)",
    r"(?:an?|the|this|another|whose) event (?:that|of|in|which) (?:it became|a store|another)",
    r"(?:in|during|left|leaves?|finish|ends?|opened|about) (?:the|this) event(?! (?:is|that|of))",
    r"before the event(?! (?:is|was|that|of))|(?:with|at|move|continue) an event",
    r"(?:play|days?|date|name|link|format|draws|players?|record|backup) of (?:the|this) event",
    r"(?:official|link|day|date|players?|game|format) of an event",
    r"(?:acts?|leaders?|rounds?|screens?|parts|views?|lines|store|end|middle) of the event",
    r"types? of event|place in the event",
    r"event's (?:own|name|format|log|link|game|zone|day|date|pages?|players?|screens?|lines)",
    r"events (?:of|from) (?:the season|a spreadsheet|single players)|events and persons",
)
OF_TOURNAMENT = re.compile(rf"\b(?:{'|'.join(_OF_TOURNAMENT)})\b", re.IGNORECASE)
"""Phrases of prose in which "event" means the tournament, and not a line of the log."""

_OF_A_LINE = (
    r"events? (?:\{\}|#|[0-9]|N\b|SEQ\b|of \{\})|--event\b|-event\b|event-stream|last-event-id",
    r"(?:\{\}|\d|\b(?:first|last|latest|next|previous|opening|later|single|last N)) events?\b",
    r"\b(?:lost|chosen|new|other|which|no|number of|some of the|list of|that) events?\b",
    r"\b(?:ruling's|contain its|line of an|entered the|learned of the|with the|in one) event\b",
    r"\bis an event\b",
    r"\bevent by event\b|\bround and event\b|\bevent (?:numbers?|types?)\b",
    r"\bthis event (?:on|a second time)\b|\btexts of this event\b|#SEQ: an event\b",
    r"\ban event(?:'s number| has no players| on the record| of the list| claims)\b",
    r"\bdown to its events\b|\bkeys of events\b|\bthe event reveals\b|\bits events\b",
    r"\bevents (?:here|differ|continue|changed|did it|cannot|that can|are added|of a tournament)\b",
    r"\b(?:restored|the chosen|new) events\b|\btime of an event\b|\bevent changed after\b",
    r"\bevent (?:points|outline|document)\b|(?<=\W)/events\b",
    r"\bAS events\b|\bperson, events\b|=event\]|\(\?<=event|\bevents\(|\"event\" : \"events\"",
)
OF_A_LINE = re.compile("|".join(_OF_A_LINE), re.IGNORECASE)
"""Phrases of messages in which "event" is a line of the log, a term of a game, or code."""

VAGUE = frozenset(
    (
        "ahead", "asked", "drawn", "each", "found", "given", "held", "here", "how", "kept", "known",
        "left", "made", "meant", "one", "other", "own", "rest", "said", "seen", "shown", "taken",
        "there", "told", "wanted", "way", "ways", "what", "who", "whole", "whose", "why"
    )
)  # fmt: skip
"""Names that do not tell what a variable holds."""

WORDS_MIN = 3
"""Words from which on a string is a sentence for somebody."""


class Text(NamedTuple):
    """A text of the project, the kind of its place, and where it is."""

    kind: str
    package: str
    place: str
    words: str


def _of_python(path: Path) -> Iterator[tuple[str, int, str]]:
    strings: set[int] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            strings.add(id(node.value))
            yield "prose", node.lineno, str(node.value.value)
        elif isinstance(node, ast.JoinedStr):
            strings.update(id(part) for part in node.values)
            parts = (getattr(part, "value", None) for part in node.values)
            text = "".join(part if isinstance(part, str) else "{}" for part in parts)
            yield "messages", node.lineno, text
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and id(node) not in strings:
            yield "messages", node.lineno, node.value if isinstance(node.value, str) else ""
    for token in tokenize.generate_tokens(io.StringIO(text_of(path)).readline):
        if token.type == tokenize.COMMENT and "noqa" not in token.string:
            yield "prose", token.start[0], token.string.lstrip("# ")


def _of_script(path: Path) -> Iterator[tuple[str, int, str]]:
    quoted = re.compile(r"`[^`]*`|\"[^\"\n]*\"|'[^'\n]*'|//[^\n]*|/\*.*?\*/", re.DOTALL)
    text = path.read_text("utf-8")
    for match in quoted.finditer(text):
        kind = "prose" if match[0].startswith("/") else "messages"
        yield kind, text.count("\n", 0, match.start()) + 1, match[0].strip("`\"'/* ")


def _of_page(path: Path) -> Iterator[tuple[str, int, str]]:
    for number, paragraph in enumerate(path.read_text("utf-8").split("\n\n"), start=1):
        yield "prose", number, paragraph


def _of_question(path: Path) -> Iterator[tuple[str, int, str]]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if "--" in line:
            yield "prose", number, line.partition("--")[2].strip()


@cache
def texts() -> tuple[Text, ...]:
    """Return every text of three words or more, in the order of the files."""
    readers = {".js": _of_script, ".md": _of_page, ".sql": _of_question}
    further = [path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.*"))]
    files = [(path, _of_python) for path in SOURCES]
    files += [(path, readers[path.suffix]) for path in further if path.suffix in readers]
    files += [(path, _of_page) for path in sorted(ROOT.glob("*.md")) if path.stem != "CHANGELOG"]
    found: list[Text] = []
    for path, reader in files:
        name = path.relative_to(ROOT).as_posix()
        package = name.partition("/")[0] if "/" in name else "pages"
        for kind, line, words in reader(path):
            text = re.sub(r"\s+", " ", words).strip()
            if text.count(" ") + 1 >= WORDS_MIN:
                found.append(Text(kind, package, f"{name}:{line}", text))
    return tuple(found)


def odd_constructions() -> Iterator[tuple[Text, str]]:
    """Yield each odd construction: the text that has it, and what to write instead."""
    for text in texts():
        for instead, pattern in ODD.items():
            for _ in pattern.finditer(text.words):
                yield text, instead


def is_tournament_called_event(words: str, *, is_message: bool) -> bool:
    """Return whether "event" may mean the tournament; a message may only have `OF_A_LINE`."""
    if OF_TOURNAMENT.search(words):
        return True
    words_left = OF_A_LINE.sub("", re.sub(r"\$?\{[^{}]*\}", "{}", words))
    return is_message and bool(re.search(r"\bevents?\b", words_left, re.IGNORECASE))


def entries() -> Iterator[Text]:
    """Yield the texts of clauses and of kinds of findings, which are in TOML files."""
    files = [*(ROOT / "ledger" / "rulesets" / "clause_texts").glob("*.toml")]
    files.append(ROOT / "projections" / "audit" / "kinds.toml")
    for path in files:
        for line in re.finditer(r'^(?:title|asks|meaning) = "(.+)"$', text_of(path), re.MULTILINE):
            name = path.relative_to(ROOT).as_posix()
            place = f"{name}:{text_of(path).count(chr(10), 0, line.start()) + 1}"
            yield Text("messages", name.partition("/")[0], place, line[1])


def vague_names() -> Counter[str]:
    """Count the variables and parameters of each package that have a vague name."""
    counts: Counter[str] = Counter()
    for path in SOURCES:
        package = path.relative_to(ROOT).parts[0]
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                counts[package] += node.id in VAGUE
            elif isinstance(node, ast.arg):
                counts[package] += node.arg in VAGUE
    return counts
