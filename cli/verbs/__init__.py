"""Every verb: where its function stands, and under which heading help lists it.

A verb's module is imported when the verb is typed, so that no command pays for the others.
"""

from __future__ import annotations

from types import CodeType, FunctionType, MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.abc import InspectLoader


class Verb(NamedTuple):
    """The module and function that answer a verb; `acts`: it may write to a log."""

    module: str
    function: str
    theme: str
    acts: bool = True


THE_DAY = "the day"
THE_TABLE = "the table"
THE_VIEW = "the view"
THE_PROOF = "the proof"
THE_SEASON = "the season"
IN_AND_OUT = "in and out"

VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "new": Verb("opening", "new", THE_DAY),
        "tournaments": Verb("opening", "tournaments", THE_DAY, acts=False),
        "use": Verb("opening", "use", THE_DAY, acts=False),
        "official": Verb("officials", "official", THE_DAY),
        "register": Verb("registration", "register", THE_DAY),
        "rename": Verb("names", "rename", THE_DAY),
        "unregister": Verb("names", "unregister", THE_DAY),
        "forget": Verb("forgetting", "forget", THE_DAY),
        "list": Verb("registration", "list_players", THE_DAY, acts=False),
        "lists": Verb("lists", "lists", THE_DAY),
        "start": Verb("start", "start", THE_DAY),
        "pair": Verb("pairing", "pair", THE_DAY),
        "unpair": Verb("pairing", "unpair", THE_DAY),
        "swap": Verb("pairing", "swap", THE_DAY),
        "repair": Verb("repair", "repair", THE_DAY),
        "pairings": Verb("rounds", "pairings", THE_DAY, acts=False),
        "post": Verb("rounds", "post", THE_DAY),
        "round": Verb("rounds", "play_round", THE_DAY),
        "report": Verb("results", "report", THE_DAY),
        "concede": Verb("results", "concede", THE_DAY),
        "correct": Verb("results", "correct", THE_DAY),
        "undo": Verb("results", "undo", THE_DAY),
        "drop": Verb("leaving", "drop", THE_DAY),
        "rejoin": Verb("leaving", "rejoin", THE_DAY),
        "disqualify": Verb("leaving", "disqualify", THE_DAY),
        "cut": Verb("elimination", "cut", THE_DAY),
        "finish": Verb("elimination", "finish", THE_DAY),
        "scenario": Verb("setups", "scenario", THE_TABLE),
        "draft": Verb("setups", "draft", THE_TABLE),
        "first": Verb("choices", "first", THE_TABLE),
        "side": Verb("choices", "side", THE_TABLE),
        "battle": Verb("choices", "battle", THE_TABLE),
        "terrain": Verb("inspections", "terrain", THE_TABLE),
        "armies": Verb("inspections", "armies", THE_TABLE),
        "firstfive": Verb("inspections", "firstfive", THE_TABLE),
        "component": Verb("components", "component", THE_TABLE),
        "prize": Verb("components", "prize", THE_TABLE),
        "confirm": Verb("disputes", "confirm", THE_TABLE),
        "dispute": Verb("disputes", "dispute", THE_TABLE),
        "disputes": Verb("disputes", "disputes", THE_TABLE, acts=False),
        "match": Verb("disputes", "show_match", THE_TABLE, acts=False),
        "rule": Verb("floor", "rule", THE_TABLE),
        "appeal": Verb("disputes", "appeal", THE_TABLE),
        "review": Verb("disputes", "review", THE_TABLE),
        "conduct": Verb("floor", "conduct", THE_TABLE),
        "recommend": Verb("floor", "recommend", THE_TABLE),
        "penalty": Verb("floor", "penalty", THE_TABLE),
        "note": Verb("notes", "note", THE_TABLE),
        "standings": Verb("views", "show_standings", THE_VIEW, acts=False),
        "bracket": Verb("views", "show_bracket", THE_VIEW, acts=False),
        "log": Verb("views", "show_log", THE_VIEW, acts=False),
        "explain": Verb("explaining", "explain", THE_VIEW, acts=False),
        "diff": Verb("explaining", "diff", THE_VIEW, acts=False),
        "whatif": Verb("whatif", "whatif", THE_VIEW, acts=False),
        "audit": Verb("audit", "audit", THE_VIEW, acts=False),
        "checkpoint": Verb("heads", "checkpoint", THE_PROOF),
        "verify": Verb("verify", "verify", THE_PROOF, acts=False),
        "receipt": Verb("heads", "receipt", THE_PROOF, acts=False),
        "witness": Verb("witness", "witness", THE_PROOF, acts=False),
        "compare": Verb("heads", "compare", THE_PROOF, acts=False),
        "key": Verb("keys", "key", THE_PROOF),
        "season": Verb("season", "season", THE_SEASON, acts=False),
        "stats": Verb("stats", "stats", THE_SEASON, acts=False),
        "rating": Verb("rating", "rating", THE_SEASON, acts=False),
        "query": Verb("query", "query", THE_SEASON, acts=False),
        "import": Verb("exchange", "import_log", IN_AND_OUT),
        "export": Verb("exchange", "export_log", IN_AND_OUT, acts=False),
        "replay": Verb("exchange", "replay_log", IN_AND_OUT, acts=False),
        "backup": Verb("backups", "backup", IN_AND_OUT, acts=False),
        "restore": Verb("backups", "restore", IN_AND_OUT),
        "ruleset": Verb("rulesets", "ruleset", IN_AND_OUT, acts=False),
        "format": Verb("formats", "format_verb", IN_AND_OUT, acts=False),
    }
)


def function_of(verb: Verb) -> Callable[..., None]:
    """Import the function that answers a verb."""
    from importlib import import_module

    function: Callable[..., None] = getattr(
        import_module(f"cli.verbs.{verb.module}"), verb.function
    )
    return function


def summary_of(verb: Verb) -> str:
    """Return the first line of a verb's docstring.

    It is read from the compiled module, which is not imported for it: the overview shows all
    verbs, and importing them takes five times as long as everything else that it does.
    """
    from importlib.util import find_spec

    spec = find_spec(f"cli.verbs.{verb.module}")
    assert spec is not None  # noqa: S101 - a test imports each
    module = cast("InspectLoader", spec.loader).get_code(spec.name)
    assert module is not None  # noqa: S101 - as above
    function = next(
        FunctionType(code, {})
        for code in module.co_consts
        if isinstance(code, CodeType) and code.co_name == verb.function
    )
    return (function.__doc__ or "").partition("\n")[0]
