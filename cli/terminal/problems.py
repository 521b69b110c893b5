"""A problem as one line for a person and as a value for a program, with names and commands.

`COMMANDS` gives the command that a person types for each remedy.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cli.languages.speaking import ENGLISH, form_for, language, remember, speaking, tr, tr_of
from cli.terminal.visible import isolated, shortened, visible
from ledger.problems import (
    CITED,
    Act,
    Official,
    One,
    Phrase,
    Player,
    Problem,
    Remedy,
    Value,
    worded,
)

if TYPE_CHECKING:
    from ledger.errors import LedgerError

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "act.fact": "--fact {fact}=A:B",
        "amend": "amend PLAYER --faction NAME",
        "amend.number": "amend {player} --attribute NAME=N",
        "appeal": "appeal {ruling}",
        "appeal.withdraw": "appeal withdraw {ruling} --reason WHY",
        "audit.begin": "audit begin",
        "audit.draw": "audit draw WORD",
        "audit.missing": "audit slip {table} --missing",
        "audit.withdraw": "audit slip withdraw {table} --reason WHY",
        "bracket": "bracket",
        "check_in": "check-in PLAYER",
        "check_in.open": "check-in open",
        "compare": "diff FILE FILE --policy POLICY",
        "component.found": "component found {player}",
        "component.gone": "component gone {player}",
        "component.missing": "component missing {player} WHAT",
        "component.missing.longer": (
            "component missing {player} WHAT --minutes {minutes} --reason WHY"
        ),
        "confirm": "confirm [{table}]",
        "correct": "correct [{table}] [--ruling {ruling}]",
        "cut": "cut",
        "cut.accept": "cut accept {player}",
        "cut.decline": "cut decline {player}",
        "cut.forfeit": "cut forfeit",
        "cut.over_dispute": "cut --despite-dispute --reason WHY",
        "cut.withdraw": "cut take-back --reason {reason}",
        "dispute.withdraw": "dispute withdraw {table} --reason WHY",
        "disqualify": "disqualify {player} --reason WHY",
        "draft.draw": "draft draw",
        "drop": "drop {player}",
        "drop.component": "drop {player} --component",
        "explain.bye": "explain bye {round}",
        "export": "export [-t {tournament}] -o FILE",
        "finish": "finish",
        "finish.over_dispute": "finish --despite-dispute --reason WHY",
        "first": "first {table} {player}",
        "firstfive": "firstfive {player}",
        "import.allow": "import FILE --allow {kind}",
        "import.as_new": "import FILE --as-new",
        "import.date": "import FILE --date YYYY-MM-DD",
        "import.elsewhere": "--store PATH import FILE",
        "import.into": "import FILE --into {tournament}",
        "import.new_names": "import FILE --new-names",
        "import.reading": "import FILE --reading {reading}",
        "import.rounds": "import FILE --ruleset GAME --date YYYY-MM-DD",
        "key.draws": "key draws --reason WHY",
        "key.new": "key new OFFICIAL",
        "key.revoke": "key revoke KEY --reason WHY",
        "key.hidden": "key hidden --reason WHY",
        "links.new": "links new WHO",
        "links.plain_http": "links plain-http allow --reason WHY",
        "lists.check": "lists check {player}",
        "lists.correct": "lists correct {player} FILE --reason WHY",
        "lists.give_back": "lists give {player} NAME --take-back",
        "lists.clerical": "lists correct {player} FILE --clerical --reason WHY",
        "lists.submit": "lists submit {player} FILE",
        "new": "new NAME --ruleset GAME",
        "official": "official add NAME --role ROLE",
        "official.hand_over": "official hand-over OFFICIAL",
        "prize.anyway": "prize award PLAYER {prize} --reason WHY",
        "prize.offer": "prize offer 1 {prize}",
        "start.anyway": "start {structure} --reason WHY",
        "pair": "pair",
        "pair.over_dispute": "pair --despite-dispute --reason WHY",
        "pair.rematch": "pair --allow-rematch --reason WHY",
        "pair.unchecked": "pair --unchecked --reason WHY",
        "post": "post pairings",
        "post.standings": "post standings",
        "recommend": "recommend {player} --reason WHY",
        "names": "names WHAT",
        "register": "register NAME",
        "register.namesake": "register {name} --namesake",
        "rejoin": "rejoin {player}",
        "rejoin.anyway": "rejoin {player} --reason WHY",
        "rename": "rename {player} NAME",
        "rename.namesake": "rename {player} {name} --namesake",
        "report": "report [{table}]",
        "report.draw": "report {table} draw --ended {ending}",
        "report.ended": "report TABLE --ended {ending}",
        "report.fact": "report TABLE --fact {fact}=A:B",
        "report.score": "report TABLE 2-1",
        "report.winner": "report TABLE WINNER",
        "repair": "repair-round",
        "restore": "restore FILE",
        "review": "review {table} TEXT --upheld",
        "round.close": "round close",
        "round.extend": "round extend {table} 5 --reason WHY",
        "round.resume": "round resume",
        "round.extra": "round extra 10",
        "round.start": "round start",
        "round.time": "round time",
        "rule": "rule {table} TEXT",
        "rule.result": "rule {table} TEXT --result RESULT",
        "scenario.by_hand": "scenario draw --by-hand --deployment CARD --objective CARD",
        "scenario.draw": "scenario draw",
        "season.add": "season add PATH",
        "season.add.signed": "season add PATH --signed-wins",
        "season.people.name": "season people name NAME [{id}]",
        "season.people.rename": "season people rename {id} NAME",
        "season.derive": "season derive FOLDER PATH",
        "season.rebuild": "season rebuild PATH",
        "seat": "late {player}",
        "seat.bye": "late {players} --bye --reason WHY",
        "seat.rematch": "late {players} --allow-rematch --reason WHY",
        "seat.unchecked": "late PLAYER --unchecked --reason WHY",
        "side": "side {table} {player}",
        "start": "start [{structure}]",
        "start.change": "start custom [--rounds {rounds}] [--cut {cut}]"
        " [--stage {stages}] --reason {reason}",
        "start.change.to": "start {structure} --reason WHY",
        "start.custom": "start custom [--rounds {rounds}] [--cut {cut}] [--stage {stages}]",
        "start.witnessed": "start cosigned FILE",
        "swap": "swap A B --reason WHY",
        "swap.rematch": "swap {one} {other} --allow-rematch --reason WHY",
        "terrain": "terrain count TABLE --covered PERCENT",
        "undo": "undo",
        "undo.one": "undo 1",
        "undo.for": "undo --for {player}",
        "unpair": "unpair",
        "unregister": "unregister PLAYER --reason WHY",
        "verify": "verify FILE",
        "witness.ask": "witness ask -o FILE",
        "sign": "sign",
    }
)
"""Each act's command, or the option to add to the line. A part in brackets is repeated
for each value of its name, or left out."""

_OPTIONAL = re.compile(r" ?\[([^]]*)\]")
_NAMED = re.compile(r"{(\w+)}")
_IN_QUOTES = re.compile(r"(?=.*[ >=])[\w >=.,:-]+")
"""Words that need double quotes."""


def command_of(remedy: Remedy) -> str:
    """Return a remedy as a command to type; unknown values are words in capitals."""
    about = {
        key: [_typed(item) for item in (value if isinstance(value, tuple) else (value,))]
        for key, value in remedy.about.items()
    }

    def optional(part: re.Match[str]) -> str:
        name = _NAMED.findall(part[1])[0]
        return "".join(" " + part[1].replace(f"{{{name}}}", item) for item in about.get(name, ()))

    line = _OPTIONAL.sub(optional, COMMANDS[remedy.act])
    return _NAMED.sub(lambda name: " ".join(about.get(name[1], [name[1].upper()])), line)


def _typed(value: One) -> str:
    if isinstance(value, Player | Official):
        return str(value.number)
    text = str(value)
    return f'"{text}"' if _IN_QUOTES.fullmatch(text) else shlex.quote(text)


NAME_CELLS = 60
"""Cells of a name that a message repeats."""


def lines_of(error: LedgerError, names: Mapping[str, str]) -> list[str]:
    """List an error's lines."""
    return [line_of(problem, names) for problem in error.problems]


def line_of(problem: Problem, names: Mapping[str, str]) -> str:
    """Return a problem's line; `names` has those of players (`p3`) and officials (`o2`)."""
    sentence = sentence_of(problem, names)
    if not problem.remedies:
        return sentence
    commands = tr(" or ").join(f"`{command_of(remedy)}`" for remedy in problem.remedies)
    return tr("{sentence}; use {commands}", sentence=sentence, commands=commands)


def sentence_of(problem: Problem, names: Mapping[str, str]) -> str:
    """Return a problem's sentence, with people by their names."""
    text = _translated(problem.text, problem.about, problem.plural, problem.code)
    about = problem.about if language() == ENGLISH else _of_verifier(problem.about)
    sentence = worded(text, about, "", lambda value: _shown(value, names))
    if problem.clause:
        sentence = f"{sentence} ({problem.clause})"
    remember(sentence, lambda: sentence_of(problem, names))
    return sentence


def _of_verifier(about: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return the values of a problem, with the sentences of the verifier in words."""
    if "named" in about and "before" in about:
        sentence = _of_verifier({"text": f"{about['before']}{OFFICIALS}{about['after']}"})
        before, _, after = str(sentence["text"]).partition(OFFICIALS)
        return {**about, "before": before, "after": after}
    if not any(isinstance(value, str) and " " in value for value in about.values()):
        return about
    from cli.languages.proof_words import proof_in_words

    return {
        key: proof_in_words(value) if isinstance(value, str) else value
        for key, value in about.items()
    }


OFFICIALS = "{officials}"
"""Place of the officials' names in a sentence of the verifier."""


def said(words: Phrase | str, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return words of ours in the language that is spoken, with people by their names."""
    text = _shown(words, names)
    if isinstance(words, Phrase):
        remember(text, lambda: _shown(words, names))
    return text


def reason_of(error: Exception) -> str:
    """Return what is wrong as a part of a sentence, in the language that is spoken."""
    if language() == ENGLISH:
        return str(error)
    if problems := getattr(error, "problems", ()):
        return "; ".join(sentence_of(problem, {}) for problem in problems)
    text = getattr(error, "text", None)
    if isinstance(text, Phrase):
        return said(text)
    from cli.languages.proof_words import proof_in_words

    return proof_in_words(str(error))


_PLACED = re.compile(r"((?:{place\d+}: )*)(.*?)((?:{words\d+})*)", re.DOTALL)
"""Pattern of a problem's text with the parts that `within` and `followed_by` add around it."""


def _translated(text: str, about: Mapping[str, Value], plural: str, code: str = "") -> str:
    """Return the text, or its plural for that number, in the language that is spoken."""
    if cited := CITED.search(text):
        cut = CITED.sub("", plural)
        return _translated(text[: cited.start()], about, cut, code) + cited[0]
    if plural:
        before, middle, behind = _parts(text)
        count = about["count"]
        many = _parts(plural)[1]
        return before + form_for(middle, many, count if isinstance(count, int) else 0) + behind
    if language() == ENGLISH:
        return text
    before, middle, behind = _parts(text)
    return before + tr_of(code, middle) + behind


def _parts(text: str) -> tuple[str, str, str]:
    match = _PLACED.fullmatch(text)
    return (match[1], match[2], match[3]) if match else ("", text, "")


def as_json(problem: Problem, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a problem whole, with its sentence and the commands of its remedies."""
    import msgspec

    value: dict[str, Any] = msgspec.to_builtins(problem)
    del value["plural"]
    value["about"] = {key: _plain(item) for key, item in problem.about.items()}
    for remedy, remedy_json in zip(problem.remedies, value["remedies"], strict=True):
        remedy_json["command"] = command_of(remedy)
    with speaking(ENGLISH):
        return {**value, "sentence": sentence_of(problem, names)}


def _plain(value: Value) -> Any:  # noqa: ANN401 - what JSON has
    """Return a value for a program: words of ours are their English text."""
    import msgspec

    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Phrase) else msgspec.to_builtins(value)


def _shown(value: One, names: Mapping[str, str]) -> str:
    if isinstance(value, Phrase):
        text = _translated(value.text, value.about, value.plural)
        return worded(text, value.about, "", lambda part: _shown(part, names))
    if isinstance(value, Act):
        return act_in_words(value.event)
    if isinstance(value, Player) and f"p{value.number}" in names:
        name = isolated(shortened(visible(names[f"p{value.number}"]), NAME_CELLS))
        return f"{name} (#{value.number})"
    if isinstance(value, Official):
        return isolated(names.get(f"o{value.number}", str(value)))
    return str(value)


def act_in_words(kind: str) -> str:
    """Return the act that an event of a type records, in the language that is spoken."""
    from ledger.facts.base import Meaning
    from ledger.facts.vocabulary import EVENTS

    meanings = {meaning.__name__: meaning for meaning in Meaning.__subclasses__()}
    event_kind = EVENTS.get(kind) or meanings.get(kind)
    return tr(event_kind.recording.act) if event_kind else kind
