"""What is asked of the set, the same by the program that made it and by the program of today.

An answer is an exit code with the JSON value on stdout, or the SHA-256 of its bytes. Words for
people are left out, and so is what a clock says: both may change.
"""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.errors import LedgerError
from ledger.exchange.log_files import replay
from projections.standings.table import as_json, everyone, ranking

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament
    from tests.support.cli_desk import Desk

PHRASE = "kelp and salt"
"""The passphrase of every key and backup of the set."""


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive into a folder; Python 3.11 has the filter from its release 3.11.4 on."""
    with tarfile.open(archive) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        tar.extractall(folder)  # noqa: S202 - the archive is our own


WORDS = frozenset(
    {"said", "sentence", "title", "agent", "command", "answers", "assumed", "where", "why"}
)
LATER = frozenset({"later_rules"})
"""What rules that came later ask of newer logs."""

BOUNDS = frozenset({"low", "high"})
MENDED: dict[str, frozenset[str]] = {
    "stats attendance": frozenset({"newcomers"}),  # those first seen as the record starts are none
    "stats byes": BOUNDS,  # by person and tournament; by game they held too little
    "stats cut-conversion": BOUNDS | {"field", "of_cut"},  # by person; shares of those with a group
    "stats extensions": BOUNDS,  # by person and tournament
    "stats faction-trend": BOUNDS | {"field"},  # shares of those with a group
    "stats factions": frozenset({"field"}),  # shares of those with a group
    "stats first-and-side": BOUNDS,  # by person
    "stats pairing-quality": BOUNDS,  # of unequal events fewer count
    "stats schedule-luck": frozenset({"luck", "total"}),  # a person is not among their own peers
    "rating": BOUNDS | {"place"},  # elo has no interval; the others are ranked by the lower end
}
"""Members of rows whose numbers were wrong: an answer of today has them, with others in them."""

MOMENTS = frozenset({"minutes", "minutes_left", "seconds_left", "ends"})
TYPED_CODE = "code"
"""Of a link: sheets may be printed with a longer one."""

OF_EVENT = (
    "tournaments", "list --all", "official", "pairings", "standings", "disputes --all", "rule",
    "penalty", "note", "call", "requests", "lists", "key list", "match 1/1", "explain #1 points",
    "explain pairing 1/1", "diff round:1 now", "audit", "checkpoint", "verify --policy policy",
)  # fmt: skip
"""Asked with --json of each event that was played here."""

ASKED: dict[str, tuple[str, ...]] = {
    "hall": (
        *(f"{each} --json" for each in OF_EVENT if not each.startswith("diff")),
        "export", "export --without-names",
        "replay hall.jsonl --json", "verify hall.jsonl --policy policy --json",
        "links list --all --json", "sign --json", "whatif --sweep --json",
        "links print --address http://127.0.0.1:8600 --json",
        "links print o1 o2 s1 e1 --address http://127.0.0.1:8600 --json",
    ),
    "finished": (
        *(f"{each} --json" for each in OF_EVENT),
        "export", "export --without-names", "export --form rounds",
        "lists show #1 --json", "standings --final --json", "bracket --json",
        "audit --slips --json",
        "standings --round 1 --json", "standings --posted --json", "prize --json",
        "replay whole.jsonl --json", "replay bare.jsonl --json", "replay early.jsonl --json",
        "replay whole.jsonl --policy policy --json",
        "verify whole.jsonl --policy policy --json", "verify bare.jsonl --policy policy --json",
        "verify early.jsonl --policy policy --json",
        "verify cosigned.jsonl --policy witnessed-policy --json",
        "verify whole.jsonl --policy policy --disclosed texts.for-league --json",
        "verify whole.jsonl --policy policy --head table-1.tlog-proof --json",
        "verify table-1.tlog-proof --policy policy", "verify line-9.tlog-proof --policy policy",
        "compare early.jsonl whole.jsonl --policy policy", "witness list --json",
        "season add tourney.db --json", "season list --json",
    ),
    "forgotten": (
        *(f"{each} --json" for each in OF_EVENT if "policy" not in each),
        "verify --json", "export", "export --without-names", "replay forgotten.jsonl --json",
        "verify forgotten.jsonl --json",
    ),
    "skirmish": (
        "pairings --json", "standings --json", "scenario --json", "verify --json", "export",
        "checkpoint --json", "audit --json",
    ),
    "foreign": (
        "tournaments --json", "export -t Spring", "replay spring.jsonl --json",
        "import fortress.json --json", "import melee.json --json", "import open.trf --json",
        "import spring.h9 --ruleset swiss --json", "import gotha.xml --ruleset swiss --json",
        "import cobra.json --json", "import aesops.json --json",
        "import magic.csv --ruleset mtg --date 2026-03-14 --whole --json",
        "import league.csv --into Spring --json", "reproduce fortress.json --json",
        "reproduce melee.json --json", "reproduce open.trf --json",
    ),
    "season": (
        "season list --json", "season standings --scheme points.toml --json",
        "season standings --scheme points.toml --agreed agreed.txt --json",
        "season people --json", "season people acts --json", "stats list --json",
        "rating elo --ruleset l5r --json",
        "season list --in derived --json",
    ),
}  # fmt: skip
"""What is asked in each folder, in this order; `~` is a space in a word."""

ANSWERED_AS = {"replay early.jsonl --json": "verify early.jsonl --policy policy --json"}
"""A question whose answer is that of another one since.

`replay` makes the check of `verify`, which always refused an export that is shorter than a head of
its log next to it.
"""

STATS = (
    "attendance", "byes", "corrections", "cut-conversion", "disputes", "extensions",
    "faction-matchups", "faction-trend", "factions", "first-and-side", "head-to-head", "officials",
    "outcomes", "pairing-quality", "retention", "round-length", "rulings", "schedule-luck",
    "upsets",
)  # fmt: skip
"""The season's named questions, asked of the file, and in the test of the folder."""

SLOWER: dict[str, tuple[str, ...]] = {
    "season": (
        "rating glicko2 --ruleset l5r --json", "rating bayes --ruleset ashes --json",
        "season standings --in derived --scheme points.toml --json",
        "rating elo --ruleset l5r --in derived --json",
        "query SELECT~ruleset,count(*)~FROM~tournaments~GROUP~BY~ALL~ORDER~BY~ALL --json",
        "season people name Ann~Leverkusen 23e966ccfdb9347644df71db09fb31e7 --id named-ann --json",
        "season add logs --json", "season add archive --json",
        "season site site --scheme points.toml --agreed agreed.txt",
        *(f"stats {name} --json" for name in STATS),
    ),
}  # fmt: skip
"""What is asked there after that, as it takes seconds."""

ACTS: dict[str, tuple[str, ...]] = {
    "hall": (
        "report 2 @2", "rule 1/1 it~is~theirs --result @1 --only --as pat", "correct --ruling 1/1",
        "penalty #1 warning --for-what slow --as mara", "links new #2 --address http://127.0.0.1",
        "requests approve %", "report 3 @3", "lists submit #1 list.txt", "forget #6", "pair",
        "post pairings", "sign now 1", "checkpoint",
    ),
    "finished": ("disqualify #6 --reason marked~cards", "note the~hall~closed", "forget #5"),
    "forgotten": ("pair", "report 1 @1", "forget #2", "checkpoint"),
    "skirmish": (
        "report 1 2-1 --ended rounds --fact score=300:100",
        "report 2 1-0 --ended rounds --fact score=300:100", "finish",
    ),
    "foreign": ("import third.csv --into Spring", "finish"),
}  # fmt: skip
"""What is done next in each folder, on a copy; each has to work.

`@2` is who sits first at table 2, `%` the request that waits.
"""

Answers = dict[str, Any]


@cache
def answers() -> dict[str, Answers]:
    """What the program of that commit answered."""
    path = Path(__file__).with_name("answers.json")
    found: dict[str, Answers] = json.loads(path.read_text("utf-8"))
    return found


def questions_of(scene: str) -> tuple[str, ...]:
    """Everything that is asked in a folder, in this order."""
    return (*ASKED[scene], *SLOWER.get(scene, ()))


def asked(desk: Desk, question: str) -> Answers:
    """What a line comes to."""
    words = [word.replace("~", " ") for word in question.split()]
    answer = desk.type(*words)
    if "--json" in words:
        return {"code": answer.code, "json": lasting(json_of(answer.out))}
    is_bytes = words[0] == "export"
    return {"code": answer.code, **(digest(without_event(answer.out).encode()) if is_bytes else {})}


def without_event(text: str) -> str:
    """Leave the rows out that a sheet has about its event since: all others are as they were."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("event,"))


def done_next(desk: Desk, act: str) -> None:
    """Do what comes next; it must succeed."""
    words = []
    for word in act.split():
        if word == "%":
            words.append(str(desk.done("requests", "--json").json[0]["request"]))
        elif word[0] == "@":
            words.append(f"#{desk.seats(int(word[1:]))[0]}")
        else:
            words.append(word.replace("~", " "))
    desk.done(*words)


def json_of(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """The value on stdout, or those of its lines."""
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


def digest(data: bytes) -> Answers:
    """Bytes by what nobody can make others for."""
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def lasting(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A JSON value without words for people, and without what depends on when it is asked."""
    if isinstance(value, list):
        return [lasting(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "problems" in value:
        return {"problems": [each["code"] for each in value["problems"]]}
    left_out = WORDS | MOMENTS | LATER
    if "address" in value:
        left_out |= {TYPED_CODE}
    if "links" in value:
        left_out |= {"id"}  # of the act that gave them out, drawn by chance
    kept = {name: lasting(each) for name, each in value.items() if name not in left_out}
    if isinstance(kept.get("address"), str):  # it names the tournament since then
        kept["address"] = re.sub(r"/e/[0-9a-f]{8}/", "/", kept["address"])
    if "unchecked" in kept:
        kept["unchecked"] = kept["unchecked"] is not None
    return kept


def lasting_rows(question: str, answer: Answers) -> Answers:
    """An answer without the members that were wrong and were mended, in an order without them."""
    gone = [members for words, members in MENDED.items() if question.startswith(words)]
    if not gone:
        return answer
    assert isinstance(answer["json"], list), (question, str(answer)[:600])
    rows = [
        {name: value for name, value in row.items() if name not in gone[0]}
        for row in answer["json"]
        if "field" not in gone[0] or row["faction"]  # without one no group is counted since
    ]
    return {**answer, "json": sorted(rows, key=lambda row: row.get("person", ""))}


def covers(now: Any, kept: Any, place: str = "") -> list[str]:  # noqa: ANN401 - as above
    """Name each place at which an answer is another than the one that is kept.

    A member that the kept answer does not have is no difference: a value may gain such.
    """
    if isinstance(kept, dict) and isinstance(now, dict):
        return [
            text
            for name, value in kept.items()
            if name not in WORDS
            for text in (
                covers(now[name], value, f"{place}.{name}")
                if name in now
                else [f"{place}.{name} is gone"]
            )
        ]
    if isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        pairs = enumerate(zip(now, kept, strict=True))
        return [text for n, pair in pairs for text in covers(*pair, f"{place}[{n}]")]
    if isinstance(kept, float) and isinstance(now, float):
        return [] if abs(now - kept) <= 1e-9 * max(1, abs(kept)) else [f"{place}: {kept} is {now}"]
    return [] if now == kept and type(now) is type(kept) else [f"{place}: {kept!r} is {now!r}"]


def log_answers(path: Path) -> Answers:
    """What a log adds up to by itself, or the line that it fails at, with the kind of reason."""
    file = digest(path.read_bytes())
    try:
        found = replay(path, ranking)
    except LedgerError as error:
        about = [str(value) for each in error.problems for value in each.about.values()]
        lines = [each.split()[1] for each in about if each.startswith("line ")]
        lines += [str(each.about["line"]) for each in error.problems if "line" in each.about]
        return {
            "file": file,
            "refused": type(error).__name__,
            "codes": [each.code for each in error.problems],
            "line": lines[0] if lines else "",
        }
    tournament = found.tournament
    written = b"".join(line + b"\n" for line in found.lines)
    rows = json.dumps(lasting(as_json(everyone(tournament), tournament.names)), sort_keys=True)
    return {
        "file": file,
        "lines": digest(written),
        "root": found.tree.root().hex(),
        "standings": digest(rows.encode()),
        "state": state_of(tournament),
    }


def state_of(tournament: Tournament) -> dict[str, str]:
    """A digest of each part of the folded state; what is empty counts as what is not there."""
    value = msgspec.to_builtins(tournament, str_keys=True, order="deterministic")
    del value["rules"]  # made of the ruleset's text, which the opening has
    for later in ("reported_at", "corrections"):  # kept in the state since then
        value["floor"].pop(later)
    return {
        name: hashlib.sha256(json.dumps(bare(each), sort_keys=True).encode()).hexdigest()[:32]
        for name, each in sorted(value.items())
        if bare(each)
    }


def bare(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """A value without members that are empty."""
    if isinstance(value, dict):
        return {name: held for name, each in value.items() if (held := bare(each))}
    if isinstance(value, list):
        return [bare(each) for each in value]
    return value


def files_of(folder: Path) -> dict[str, Any]:
    """The games and formats that ship, by their edition and their bytes."""
    found = {}
    for path in sorted(folder.glob("*/games/*.toml")):
        edition = tomllib.loads(path.read_text("utf-8"))["edition"]
        found[str(path.relative_to(folder))] = {"edition": edition, **digest(path.read_bytes())}
    return found
