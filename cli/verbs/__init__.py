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
        "new": Verb("day.opening", "new", THE_DAY),
        "tournaments": Verb("day.opening", "tournaments", THE_DAY, acts=False),
        "use": Verb("day.opening", "use", THE_DAY, acts=False),
        "official": Verb("day.officials", "official", THE_DAY),
        "register": Verb("day.registration", "register", THE_DAY),
        "rename": Verb("day.names", "rename", THE_DAY),
        "unregister": Verb("day.names", "unregister", THE_DAY),
        "forget": Verb("day.forgetting", "forget", THE_DAY),
        "list": Verb("day.registration", "list_players", THE_DAY, acts=False),
        "lists": Verb("day.lists", "lists", THE_DAY),
        "start": Verb("day.start", "start", THE_DAY),
        "pair": Verb("day.pairing", "pair", THE_DAY),
        "unpair": Verb("day.pairing", "unpair", THE_DAY),
        "swap": Verb("day.pairing", "swap", THE_DAY),
        "repair": Verb("day.repair", "repair", THE_DAY),
        "pairings": Verb("day.rounds", "pairings", THE_DAY, acts=False),
        "post": Verb("day.rounds", "post", THE_DAY),
        "round": Verb("day.rounds", "play_round", THE_DAY),
        "report": Verb("day.results", "report", THE_DAY),
        "concede": Verb("day.results", "concede", THE_DAY),
        "correct": Verb("day.results", "correct", THE_DAY),
        "undo": Verb("day.results", "undo", THE_DAY),
        "drop": Verb("day.leaving", "drop", THE_DAY),
        "rejoin": Verb("day.leaving", "rejoin", THE_DAY),
        "disqualify": Verb("day.leaving", "disqualify", THE_DAY),
        "cut": Verb("day.elimination", "cut", THE_DAY),
        "finish": Verb("day.elimination", "finish", THE_DAY),
        "scenario": Verb("table.setups", "scenario", THE_TABLE),
        "draft": Verb("table.setups", "draft", THE_TABLE),
        "first": Verb("table.choices", "first", THE_TABLE),
        "side": Verb("table.choices", "side", THE_TABLE),
        "battle": Verb("table.choices", "battle", THE_TABLE),
        "terrain": Verb("table.inspections", "terrain", THE_TABLE),
        "armies": Verb("table.inspections", "armies", THE_TABLE),
        "firstfive": Verb("table.inspections", "firstfive", THE_TABLE),
        "component": Verb("table.components", "component", THE_TABLE),
        "prize": Verb("table.components", "prize", THE_TABLE),
        "confirm": Verb("table.disputes", "confirm", THE_TABLE),
        "dispute": Verb("table.disputes", "dispute", THE_TABLE),
        "disputes": Verb("table.disputes", "disputes", THE_TABLE, acts=False),
        "match": Verb("table.disputes", "show_match", THE_TABLE, acts=False),
        "rule": Verb("table.floor", "rule", THE_TABLE),
        "appeal": Verb("table.disputes", "appeal", THE_TABLE),
        "review": Verb("table.disputes", "review", THE_TABLE),
        "conduct": Verb("table.floor", "conduct", THE_TABLE),
        "recommend": Verb("table.floor", "recommend", THE_TABLE),
        "penalty": Verb("table.floor", "penalty", THE_TABLE),
        "note": Verb("table.notes", "note", THE_TABLE),
        "standings": Verb("view.views", "show_standings", THE_VIEW, acts=False),
        "bracket": Verb("view.views", "show_bracket", THE_VIEW, acts=False),
        "log": Verb("view.views", "show_log", THE_VIEW, acts=False),
        "explain": Verb("view.explaining", "explain", THE_VIEW, acts=False),
        "diff": Verb("view.explaining", "diff", THE_VIEW, acts=False),
        "whatif": Verb("view.whatif", "whatif", THE_VIEW, acts=False),
        "audit": Verb("view.audit", "audit", THE_VIEW, acts=False),
        "checkpoint": Verb("proof.heads", "checkpoint", THE_PROOF),
        "verify": Verb("proof.verify", "verify", THE_PROOF, acts=False),
        "receipt": Verb("proof.heads", "receipt", THE_PROOF, acts=False),
        "witness": Verb("proof.witness", "witness", THE_PROOF, acts=False),
        "compare": Verb("proof.heads", "compare", THE_PROOF, acts=False),
        "key": Verb("proof.keys", "key", THE_PROOF),
        "season": Verb("season.season", "season", THE_SEASON, acts=False),
        "stats": Verb("season.stats", "stats", THE_SEASON, acts=False),
        "rating": Verb("season.rating", "rating", THE_SEASON, acts=False),
        "query": Verb("season.query", "query", THE_SEASON, acts=False),
        "import": Verb("inout.exchange", "import_log", IN_AND_OUT),
        "export": Verb("inout.exchange", "export_log", IN_AND_OUT, acts=False),
        "replay": Verb("inout.exchange", "replay_log", IN_AND_OUT, acts=False),
        "backup": Verb("inout.backups", "backup", IN_AND_OUT, acts=False),
        "restore": Verb("inout.backups", "restore", IN_AND_OUT),
        "ruleset": Verb("inout.rulesets", "ruleset", IN_AND_OUT, acts=False),
        "format": Verb("inout.formats", "format_verb", IN_AND_OUT, acts=False),
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
