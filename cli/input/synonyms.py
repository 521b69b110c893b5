"""The words that people try first, and the verb that does it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_MEANT = {
    "new": "open create init",
    "tournaments": "events",
    "use": "switch select load",
    "official": "judge staff role",
    "register": "add enter enroll enrol signup player",
    "rename": "name",
    "list": "players roster who",
    "start": "begin structure",
    "pair": "next draw",
    "unpair": "re-pair",
    "repair": "mend",
    "whatif": "what-if try simulate",
    "seat": "late latecomer sit",
    "amend": "faction clan army attribute",
    "swap": "seats move",
    "pairings": "tables matches slips print",
    "round": "clock timer time extend extension",
    "report": "result results score scores win",
    "concede": "resign",
    "correct": "fix edit change",
    "undo": "revert back",
    "rejoin": "return readd undrop",
    "disqualify": "dq ban",
    "dispute": "protest contest challenge object",
    "confirm": "agree accept",
    "match": "story",
    "note": "notes remark comment memo",
    "audit": "integrity breaches",
    "cut": "top playoff playoffs",
    "finish": "finalize",
    "standings": "rank ranks ranking rankings table points",
    "bracket": "tree elimination",
    "log": "history events-log",
    "season": "league championship rebuild",
    "stats": "statistics questions plot",
    "rating": "ratings elo glicko",
    "query": "sql ask duckdb",
    "export": "save write",
    "import": "read",
    "replay": "check",
    "ruleset": "rules rulesets",
}

MEANT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {word: (verb,) for verb, words in _MEANT.items() for word in words.split()}
    | dict.fromkeys(("remove", "delete", "rm"), ("drop", "unregister"))
    | dict.fromkeys(("end", "close", "stop"), ("finish", "round close"))
)
"""What each of them leads to; two where either may be meant."""
