"""What two desks' logs come to, decided act by act from scratch: the truth that a merge is held to.

It is written from what the merge is for, not from its code. Our log stands; behind it come their
acts by `seq`. A person is known by the id of the event that entered them, an event by its id, and a
match by its round and its two persons. Every act is decided on a state that is folded anew from the
first line, by the commands and rules of a desk.
"""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.errors import LedgerError
from ledger.fold import fold
from ledger.lines.line import decode, encode
from ledger.lines.recorded import Recorded, record
from ledger.proof.signatures import SIGNED
from ledger.rules import before_signing, check
from ledger.rules.opening import AppointOfficial
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers, RejoinPlayer
from ledger.rules.rounds import CloseRound
from projections.verification import posted_of

if TYPE_CHECKING:
    from ledger.rules.command import Command, Context
    from ledger.tournament.state import Tournament

PLAYERS = {"player", "players", "games", "game", "was", "were", "seeds", "waiting", "passed_over"}
OFFICIALS = {"official", "hands_to"}
EVENTS = {
    "corrects",
    "confirms",
    "disputes",
    "settles",
    "reviews",
    "withdraws",
    "call",
    "asked",
    "recommendation",
}
WHOLE_ROUND = {
    "RoundUnpaired",
    "SeatsSwapped",
    "PlayersSeated",
    "RoundStarted",
    "RoundClosed",
    "RoundReopened",
    "RoundPaused",
    "RoundResumed",
    "TimeCalled",
}


class NotHereError(Exception):
    """What an act of theirs speaks of is not in our log, or is not ours to change."""


class Truth(NamedTuple):
    """The log at the end, and what became of each event of theirs, by its id."""

    lines: list[bytes]
    fates: dict[str, str]


class Told:
    """A log as JSON, with the persons and matches of each moment by what they are."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = list(lines)
        self.said = [json.loads(line) for line in lines]
        self.ids = {each["id"]: each["seq"] for each in self.said}

    def add(self, line: bytes) -> None:
        """Add a line at the end."""
        self.__init__([*self.lines, line])  # type: ignore[misc]

    @property
    def state(self) -> Tournament:
        """What all lines add up to, folded from the first one."""
        return fold(map(decode, self.lines))

    def entered(self, kind: str, number: int) -> str:
        """The id of the event that entered player or official `number`."""
        types = {"p": ("PlayerRegistered", "player"), "o": ("OfficialAppointed", "official")}
        name, member = types[kind]
        for each in self.said:
            if each["type"] == name and each["data"][member] == number:
                found: str = each["id"]
                return found
        raise NotHereError

    def number(self, kind: str, entered: str) -> int:
        """The number of who was entered by an event."""
        if entered not in self.ids:
            raise NotHereError
        data = self.said[self.ids[entered] - 1]["data"]
        found: int = data["player" if kind == "p" else "official"]
        return found


class Deciding:
    """Our log, growing by what of theirs is admissible."""

    def __init__(self, ours: list[bytes], theirs: list[bytes], context: Context) -> None:
        self.ours, self.theirs, self.context = Told(ours), Told(theirs), context
        pairs = zip(ours, theirs, strict=False)
        self.common = 0
        for one, other in pairs:
            if one != other:
                break
            self.common += 1
        self.before = len(ours)
        self.alias: dict[str, str] = {}
        """Their event ids, by that of the same event here."""

        self.fates: dict[str, str] = {}
        self.otherwise: set[int] = set()
        self._waiting: set[int] = set()

    def decided(self) -> Truth:
        """Decide about every act of theirs."""
        rest = self.theirs.said[self.common :]
        for command_id, act in groupby(rest, lambda each: each["id"].partition(".")[0]):
            self._act(command_id, list(act))
        return Truth(self.ours.lines, self.fates)

    # --- one act ---

    def _act(self, command_id: str, act: list[dict[str, Any]]) -> None:
        if command_id in self.ours.ids:
            self._entered_twice(command_id, act)
            return
        before = Told(self.ours.lines), dict(self.alias), set(self.otherwise)
        count = 0
        for each in act:
            fate = self._event(each, act, command_id, count)
            if fate == "draft":
                self.ours, self.alias, self.otherwise = before
                self._wait(act, each)
                return
            self.fates[each["id"]] = fate
            count += fate == "landed"
            if each["type"] == "RoundPaired":
                self._note_pairing(each["data"]["round"], fate)
        is_half = self.ours.state.floor.handover is not None
        if is_half and before[0].state.floor.handover is None:
            self.ours, self.alias, self.otherwise = before
            for each in act:
                landed = self.fates[each["id"]] == "landed"
                self.fates[each["id"]] = "listed" if landed else self.fates[each["id"]]

    def _wait(self, act: list[dict[str, Any]], signed: dict[str, Any]) -> None:
        """Let an act wait, but for what is so already, or names what is not here."""
        self._waiting = {each["seq"] for each in act}
        for each in act:
            known = self.fates.get(each["id"])
            if each["seq"] < signed["seq"] and known in {"same", "listed"}:
                continue
            self.fates[each["id"]] = "draft"
            if seq := self._result_stands(each, self.ours.state):
                self.fates[each["id"]] = self._is_same(each, seq)
                continue
            try:
                self._translated(each)
            except NotHereError:
                self.fates[each["id"]] = "listed"
        self._waiting = set()

    def _note_pairing(self, number: int, fate: str) -> None:
        self.otherwise.discard(number)
        if fate not in {"landed", "same"} and number <= len(self.ours.state.rounds):
            self.otherwise.add(number)

    def _entered_twice(self, command_id: str, act: list[dict[str, Any]]) -> None:
        """One act at both desks where it says the same of the same match; else two."""
        for each in act:
            mine = [
                other
                for other in self.ours.said
                if other["id"].partition(".")[0] == command_id and other["type"] == each["type"]
            ]
            try:
                data = self._translated(each)
                fits = [other for other in mine if self._is_result(data, other)]
            except NotHereError:
                fits = []
            self.fates[each["id"]] = "same" if fits else "listed"
            if fits:
                self.alias[each["id"]] = fits[0]["id"]

    def _is_result(self, data: dict[str, Any], other: dict[str, Any]) -> bool:
        return bool(data == other["data"])

    # --- one event ---

    def _event(  # noqa: PLR0911 - one for each fate
        self, each: dict[str, Any], act: list[dict[str, Any]], command_id: str, count: int
    ) -> str:
        state = self.ours.state
        if (same := self._result_stands(each, state)) or (same := self._same_person(each, act)):
            return self._is_same(each, same)
        try:
            self._refuse_person(each, act)
            data = self._remade(each, self._translated(each), act, state)
            by = self._author(each["by"])
        except (NotHereError, LedgerError):
            return "listed"
        if each["type"] == "PersonRecorded" and state.names.get(data["of"]) == data["name"]:
            return self._is_same(each, self._last("PersonRecorded", data))
        if self._is_ours_to_keep(each, data, state):
            return "listed"
        event_id = f"{command_id}.{count}" if count else command_id
        recorded = self._recorded(each, data, event_id, by)
        needs_signature = self._needs_signature(recorded)
        if needs_signature and not before_signing(state, recorded):
            return "draft"
        if needs_signature or check(state, recorded, self.context.ranking):
            mine = self._entered_here_too(each["type"], data)
            return self._is_same(each, mine) if mine else "listed"
        self.ours.add(encode(recorded))
        self.alias[each["id"]] = event_id
        return "landed"

    def _is_same(self, each: dict[str, Any], seq: int) -> str:
        self.alias[each["id"]] = self.ours.said[seq - 1]["id"]
        return "same"

    def _recorded(
        self, each: dict[str, Any], data: dict[str, Any], event_id: str, by: str
    ) -> Recorded:
        line = {
            "seq": len(self.ours.lines) + 1,
            "id": event_id,
            "type": each["type"],
            "at": each["at"],
            "by": by,
            "data": data,
        }
        return decode(json.dumps(line).encode())

    def _needs_signature(self, recorded: Recorded) -> bool:
        if recorded.type not in SIGNED:
            return False
        registered = [x["data"]["holder"] for x in self.ours.said if x["type"] == "KeyRegistered"]
        answerable = [int(recorded.by.partition("/")[0][1:])] if recorded.by[0] == "o" else []
        ruled = getattr(recorded.event, "official", 0) if recorded.type == "RulingMade" else 0
        return any(each in registered for each in (ruled, *answerable) if each)

    # --- the same at both desks ---

    def _result_stands(self, each: dict[str, Any], state: Tournament) -> int:
        """The event that gives a match here the very result that theirs gives it."""
        if each["type"] not in {"ResultReported", "ResultCorrected"}:
            return 0
        try:
            number, turned = self._match(each, each["data"]["match"])
        except NotHereError:
            return 0
        match = state.matches[number]
        waiting = state.floor.unconfirmed.get(number)
        seq = waiting.seq if waiting else match.result_seq
        result = waiting.result if waiting else match.result
        said = _turned(each["data"]["result"]) if turned else each["data"]["result"]
        as_said = decode(self._line_of_result(number, said)).event.result  # type: ignore[attr-defined]
        return seq if result is not None and result == as_said else 0

    def _line_of_result(self, number: int, result: dict[str, Any]) -> bytes:
        line = {"seq": 1, "id": "x", "type": "ResultReported", "at": "", "by": "o1"}
        return json.dumps({**line, "data": {"match": number, "result": result}}).encode()

    def _names(self, act: list[dict[str, Any]], of: str) -> str:
        named = [x["data"]["name"] for x in act if x["type"] == "PersonRecorded"]
        told = [x["data"]["of"] for x in act if x["type"] == "PersonRecorded"]
        return str(dict(zip(told, named, strict=True)).get(of, ""))

    def _person(self, each: dict[str, Any]) -> str:
        kinds = {"PlayerRegistered": ("p", "player"), "OfficialAppointed": ("o", "official")}
        if each["type"] not in kinds:
            return ""
        letter, member = kinds[each["type"]]
        return f"{letter}{each['data'][member]}"

    def _of_same_name(
        self, each: dict[str, Any], act: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        of = self._person(each)
        name = self._names(act, of).casefold() if of else ""
        if not name:
            return []
        state = self.ours.state
        taken = set(self.alias.values())
        return [
            mine
            for mine in self._standing()
            if mine["type"] == each["type"]
            and mine["id"] not in taken
            and state.names.get(self._person(mine), "").casefold() == name
        ]

    def _same_person(self, each: dict[str, Any], act: list[dict[str, Any]]) -> int:
        members = ("league_id", "faction", "roles")
        for mine in self._of_same_name(each, act):
            pairs = [(mine["data"].get(x), each["data"].get(x)) for x in members]
            if all(not one or not other or one == other for one, other in pairs):
                found: int = mine["seq"]
                return found
        return 0

    def _refuse_person(self, each: dict[str, Any], act: list[dict[str, Any]]) -> None:
        if self._of_same_name(each, act):
            raise NotHereError

    def _last(self, kind: str, data: dict[str, Any]) -> int:
        found: int = next(
            each["seq"]
            for each in reversed(self.ours.said)
            if each["type"] == kind and each["data"] == data
        )
        return found

    def _entered_here_too(self, kind: str, data: dict[str, Any]) -> int:
        """An entry of our desk that is the same, where theirs is refused for it."""
        known = {
            "RoundClosed": ("round",),
            "RoundPaired": ("round", "games"),
            "PlayerDropped": ("player", "reason"),
            "PlayerDisqualified": ("player", "reason", "clause"),
            "Posted": ("what", "round", "sha256"),
            "PlayerRejoined": ("player",),
            "RegistrationAnswered": ("asked", "player"),
            "TournamentFinished": ("shuffle_key", "hidden_key"),
        }
        plain = json.loads(json.dumps(data))
        for mine in reversed(self._standing()):
            members = known.get(kind, {*plain, *mine["data"]})
            if mine["type"] == kind and all(
                mine["data"].get(each) == plain.get(each) for each in members
            ):
                found: int = mine["seq"]
                return found
        return 0

    def _standing(self) -> list[dict[str, Any]]:
        """The entries of our desk that it, or anybody, has not taken back since."""
        gone = {each["data"].get("withdraws") for each in self.ours.said}
        paired = {each.paired_seq for each in self.ours.state.rounds}
        return [
            mine
            for mine in self.ours.said[self.common : self.before]
            if mine["seq"] not in gone and (mine["type"] != "RoundPaired" or mine["seq"] in paired)
        ]

    def _is_ours_to_keep(
        self, each: dict[str, Any], data: dict[str, Any], state: Tournament
    ) -> bool:
        """Whether theirs would take back what our desk entered, or is of tables we do not have."""
        kind = each["type"]
        if kind in WHOLE_ROUND and data["round"] in self.otherwise:
            return True
        target = data.get("withdraws", 0) or (kind == "ResultCorrected" and data["corrects"])
        if kind == "RoundUnpaired" and data["round"] <= len(state.rounds):
            target = state.rounds[data["round"] - 1].paired_seq
        if kind == "RoundReopened":
            target = max(
                (
                    mine["seq"]
                    for mine in self.ours.said[self.common : self.before]
                    if mine["type"] == "RoundClosed" and mine["data"]["round"] == data["round"]
                ),
                default=0,
            )
        return bool(self.common < target <= self.before)

    # --- what theirs names, as it is here ---

    def _translated(self, each: dict[str, Any]) -> dict[str, Any]:
        data = dict(each["data"])
        turned = False
        if data.get("match"):
            data["match"], turned = self._match(each, data["match"])
        for name, value in data.items():
            if name in PLAYERS and not (name == "player" and each["type"] == "PlayerRegistered"):
                data[name] = _walk(value, lambda number: self._number(each, "p", number))
            elif name in OFFICIALS and not (name == "official" and self._is_new(each)):
                data[name] = _walk(value, lambda number: self._number(each, "o", number))
            elif name in EVENTS or (name == "ruling" and each["type"] != "RulingMade"):
                data[name] = self._seq(value)
            elif name in {"result", "claim", "decides"} and turned:
                data[name] = _turned(value)
        if each["type"] == "PersonRecorded":
            data["of"] = self._author(data["of"])
        return data

    def _is_new(self, each: dict[str, Any]) -> bool:
        """Whether an appointment enters an official whom their log had not had before."""
        if each["type"] != "OfficialAppointed":
            return False
        return bool(self.theirs.entered("o", each["data"]["official"]) == each["id"])

    def _seq(self, there: int) -> int:
        if there <= self.common or there in self._waiting:
            return there
        event_id = self.theirs.said[there - 1]["id"]
        here = self.ours.ids.get(self.alias.get(event_id, ""))
        if here is None:
            raise NotHereError
        return int(here)

    def _number(self, each: dict[str, Any], kind: str, there: int) -> int:
        del each
        if not there:
            return 0
        entered = self.theirs.entered(kind, there)
        if self.theirs.ids[entered] > self.common:
            if entered not in self.alias:
                raise NotHereError
            entered = self.alias[entered]
        return self.ours.number(kind, entered)

    def _author(self, by: str) -> str:
        parts = by.split("/")
        return "/".join(f"{x[0]}{self._number({}, x[0], int(x[1:]))}" for x in parts)

    def _match(self, each: dict[str, Any], there: int) -> tuple[int, bool]:
        """The match of the same two persons in the same round, and whether they sit turned."""
        theirs = fold(map(decode, self.theirs.lines[: each["seq"] - 1]))
        match = theirs.matches[there]
        if match.void:
            raise NotHereError
        seats = tuple(self._number(each, "p", x) if x else 0 for x in (match.first, match.second))
        for mine in self.ours.state.matches[1:]:
            if not mine.void and mine.round == match.round:
                if (mine.first, mine.second) == seats:
                    return mine.number, False
                if (mine.second, mine.first) == seats:
                    return mine.number, True
        raise NotHereError

    # --- what follows from the log ---

    def _remade(  # noqa: PLR0911 - one for each kind
        self,
        each: dict[str, Any],
        data: dict[str, Any],
        act: list[dict[str, Any]],
        state: Tournament,
    ) -> dict[str, Any]:
        kind = each["type"]
        if kind == "PlayerRegistered":
            name = self._names(act, self._person(each))
            entry = Entry(f"{name} anew", data.get("faction", ""), data.get("league_id", ""))
            return self._first(RegisterPlayers((entry,)), state, "o1")
        if kind == "OfficialAppointed" and self._is_new(each):
            name = self._names(act, self._person(each))
            order = AppointOfficial(f"{name} anew", tuple(data["roles"]))
            return self._first(order, state, "o1")
        if kind == "PlayerRejoined":
            return self._first(RejoinPlayer(data["player"]), state, "o1") or data
        if kind == "RoundClosed" and self._is_in_play(state, data["round"]):
            return self._first(CloseRound(), state, "o1")
        if kind == "RoundPaired":
            return self._paired(each, data, state)
        if kind == "PlayersSeated" and data["round"] <= len(state.rounds):
            matches = state.rounds[data["round"] - 1].matches
            tables = {(m.first, m.second): m.table for m in matches}
            is_new = not any(data["was"])
            table = len(matches) + 1 if is_new else tables.get(tuple(data["was"]), data["table"])
            return {**data, "table": table}
        if kind == "Posted":
            if posted_of(state, data["what"], data["round"]) != data["sha256"]:
                raise NotHereError
            return {**data, "up_to": len(self.ours.lines)}
        return data

    def _is_in_play(self, state: Tournament, number: int) -> bool:
        return len(state.rounds) == number and state.rounds[-1].status != "closed"

    def _paired(
        self, each: dict[str, Any], data: dict[str, Any], state: Tournament
    ) -> dict[str, Any]:
        """The same draw where it comes out the same, else the games that were played, by hand."""
        is_next = len(state.rounds) == data["round"] - 1
        if not is_next or (state.rounds and state.rounds[-1].status != "closed"):
            return data
        attempt = state.attempts.get(data["round"], 0) + 1
        drawn: dict[str, Any] = {}
        with suppress(LedgerError):
            drawn = self._first(PairRound(), state, "o1")
        theirs = {**data, "attempt": attempt}
        if json.loads(json.dumps(drawn)) == json.loads(json.dumps(theirs)):
            return drawn
        if data["procedure"] != "swiss@1":
            return theirs
        reason = f"drawn at another desk that had other lines (event {each['seq']})"
        by_hand = {"procedure": "by-hand@1", "by_hand": len(data["games"])}
        theirs.pop("passed_over", None)
        return {**theirs, "reason": data.get("reason") or reason, **by_hand}

    def _first(self, command: Command, state: Tournament, by: str) -> dict[str, Any]:
        """The first event that a command comes to here, as a line would have it."""
        event = next(iter(command.decide(state, self.context, by)), None)
        if event is None:
            return {}
        at = "2026-03-14T08:30:00.000Z"
        line = encode(record(1, "x", at, "o1", event))
        found: dict[str, Any] = json.loads(line)["data"]
        return found


def _walk(value: Any, one: Any) -> Any:  # noqa: ANN401 - numbers in any order
    return [_walk(each, one) for each in value] if isinstance(value, list) else one(value)


def _turned(result: dict[str, Any]) -> dict[str, Any]:
    """A result as the other side sees it."""
    pairs = {"outcomes", "points", "adjusted"}
    return {
        name: value[::-1]
        if name in pairs
        else {label: pair[::-1] for label, pair in value.items()}
        if name in {"fields", "facts"}
        else value
        for name, value in result.items()
    }
