"""What somebody asks who is not in the event yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.serve.forms.posted import ActForm
from ledger.errors import Refused
from ledger.problems import problem
from ledger.rules.opening import AskRegistration

if TYPE_CHECKING:
    from cli.serve.forms.posted import Fields
    from cli.serve.visitors import Visitor
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament


def _join(fields: Fields, _state: Tournament, _visitor: Visitor) -> Command:
    """Read `name`, `faction` and `league_id`."""
    faction, league_id = (fields.get(each, "").strip() for each in ("faction", "league_id"))
    return AskRegistration(fields.get("name", ""), faction, league_id)


OWN_MAX = 5
"""Open requests of one browser: a person and who came with them."""

BROWSERS_MAX = 2_000
"""Browsers whose requests are remembered, the latest ones."""


class AskedRequests:
    """The requests that each browser asked, as long as the hall is open.

    A browser that hides who it is counts as another one each time: the log itself bounds how many
    requests are open in all.
    """

    def __init__(self) -> None:
        self._asked: dict[str, dict[str, int]] = {}

    def check(self, state: Tournament, browser: str, command_id: str) -> None:
        """Refuse one more request of a browser that has several open ones."""
        asked = self._asked.get(browser, {})
        if command_id in asked:
            return
        requests = map(state.floor.request, asked.values())
        waiting = sum(request is not None and not request.answered for request in requests)
        if waiting >= OWN_MAX:
            text = "{count} requests from this phone are open: the desk answers them first"
            raise Refused(problem("request.own_too_many", text, count=waiting))

    def note(self, browser: str, command_id: str, seq: int) -> None:
        """Remember a request that is in the log."""
        asked = self._asked.pop(browser, {})
        asked[command_id] = seq
        self._asked[browser] = dict(list(asked.items())[-OWN_MAX * 4 :])
        while len(self._asked) > BROWSERS_MAX:
            del self._asked[next(iter(self._asked))]


FORMS = (ActForm("join", _join, for_newcomers=True),)
