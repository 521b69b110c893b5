"""`follow` and `take-over`: a second computer replaces the first one if it is lost."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import act_as_json, answer
from cli.desk.session import Desk
from cli.input.options import flag, option, word
from cli.languages.speaking import tr, tr_many
from cli.render.records import show_value
from cli.terminal.output import say, show_json
from cli.wording.phrases import safe_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from cli.succession.follower import Follower, Standing
    from ledger.errors import LedgerError

AGAIN_SECONDS = 2.0
"""Seconds between two questions to a desk that gave no answer."""


def follow(
    desk: Desk,
    address: Annotated[
        str, word("ADDRESS", "The first time, the link of an organizer; later, the desk's address.")
    ],
    fingerprint: Annotated[
        str, option("SHA256", "The fingerprint that `serve --tls` printed there.")
    ] = "",
    once: Annotated[bool, flag("--once", "Catch up, and end.")] = False,
) -> None:
    """Follow another computer's tournament, to take over if it is lost.

    The other computer registers a key of this one in the log, signed with the log's own key, so
    that phones believe a take-over later. Each line and each signed head is checked before it is
    kept here; the secrets stay sealed until `take-over`. Acts here are refused meanwhile. It goes
    on through lost connections until Ctrl-C, and can be begun again with the address alone.

    tourney follow "https://192.168.1.7:8601/in#SECRET" --fingerprint 3f:9a:…
    tourney follow http://192.168.1.7:8600
    """
    from cli.succession.follower import Follower
    from cli.succession.remote import RemoteDesk

    remote = RemoteDesk(address, fingerprint)
    try:
        stream = str(remote.ask("/api/v1/nonce")["log"])
        follower = Follower(desk.store(create=True), _checked(stream), remote)
        standing = follower.step()
        desk.take_in_hand(stream)
        while once and standing.here < standing.there:
            standing = follower.step()
        if once:
            _give(desk, standing, remote.address)
            return
        _keep_following(follower, standing, remote.address)
    finally:
        remote.close()


def _checked(stream: str) -> str:
    """Check the number of a log that a desk sent, and return it.

    Raises:
        NotFound: this is not the number of a log.
    """
    from ledger.errors import NotFound
    from ledger.problems import problem
    from ledger.store.base import STREAM

    if not STREAM.fullmatch(stream):
        raise NotFound(problem("follow.no_desk", "there is no desk at this address"))
    return stream


def _give(desk: Desk, standing: Standing, address: str) -> None:
    value = {"address": address, "events": standing.here, "secrets": standing.has_secrets}
    show_value(desk, value)
    say(_in_words(standing, address))


def _keep_following(follower: Follower, standing: Standing, address: str) -> None:
    """Follow until Ctrl-C, and report the progress of this computer."""
    from cli.succession.remote import Unreachable

    line = _StandingLine()
    line.tell(_in_words(standing, address))
    with suppress(KeyboardInterrupt), hearing_ctrl_c() as is_ended:
        while not is_ended():
            try:
                line.tell(_in_words(follower.step(), address))
            except Unreachable as error:
                line.tell(tr("{why}; trying again, Ctrl-C ends it", why=_why(error)))
                time.sleep(AGAIN_SECONDS)
    line.close()
    say(tr("not following any more; the same command continues, `tourney take-over` takes over"))


@contextmanager
def hearing_ctrl_c() -> Iterator[Callable[[], bool]]:
    """Yield a test of whether Ctrl-C was pressed since; every Ctrl-C still interrupts.

    The interpreter drops an exception that rises while an object is finalized, and with it this
    Ctrl-C: a loop without an end asks here as well.
    """
    pressed: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        signal.default_int_handler(number, frame)

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


def _why(error: LedgerError) -> str:
    from cli.terminal.problems import lines_of

    return "; ".join(lines_of(error, {}))


class _StandingLine:
    """Line with the progress of this computer, overwritten on a terminal and repeated in a pipe."""

    def __init__(self) -> None:
        self._told = ""

    def tell(self, text: str) -> None:
        """Print a text, unless it is the same as the last text."""
        if text == self._told:
            return
        self._told = text
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        else:
            say(text)

    def close(self) -> None:
        """End the line, so that the next text begins below it."""
        if sys.stderr.isatty():
            sys.stderr.write("\n")
            sys.stderr.flush()


def _in_words(standing: Standing, address: str) -> str:
    name, here, there = safe_text(standing.name), standing.here, standing.there
    secrets = tr("its secrets are here, sealed")
    if not standing.has_secrets:
        secrets = tr("its secrets are not here yet")
    if here < there:
        return tr(
            "{name} at {address}: {here} of {there} events are signed and kept here; {secrets}",
            name=name,
            address=address,
            here=here,
            there=there,
            secrets=secrets,
        )
    return tr_many(
        "{name} at {address}: its {count} event is kept here; {secrets}",
        "{name} at {address}: all {count} events are kept here; {secrets}",
        here,
        name=name,
        address=address,
        secrets=secrets,
    )


def take_over(desk: Desk) -> None:
    """Continue here, in place of the computer that this one followed.

    Only if that computer is permanently gone: what it recorded after its last signed head that came
    here is not in the log any more. One act, signed with the key that was registered by `follow`,
    continues from that head and revokes the key of the other computer. Phones that saw the key
    registered accept it, and bring it to the other computer if that one answers again. Typed once
    more, this line changes nothing, and tells that computer if it can be reached.

    tourney take-over
    """
    from cli.succession.taking_over import take_over as taken_over
    from cli.succession.taking_over import tell_former

    done = taken_over(desk)
    if desk.json:
        show_json(act_as_json(desk.command_id, done.recorded))
    answer(desk, done.recorded)
    say(
        tr(
            "the head of {count} events was the last one known here; what the other computer "
            "recorded after it has to be entered again: compare match slips and phones",
            count=done.size,
        )
    )
    if not done.has_secrets:
        say(
            tr("no secrets were handed over: names stay sealed here, links and draws need new keys")
        )
    _say_where_draws_are(desk)
    if address := tell_former(desk, done.size + 1):
        say(tr("the computer at {address} still answers: it was told, and stops", address=address))
    say(
        tr(
            "continue here with `tourney serve --lan`; phones need the former address, or the code "
            "that it shows: they type it into the page that lost its desk"
        )
    )


def _say_where_draws_are(desk: Desk) -> None:
    """Say which file with the key of the draws is still needed, if another computer has it."""
    from cli.machine.draw_keys import where_it_is

    if place := where_it_is(desk.book):
        say(tr("the key of the draws is elsewhere: copy {place} to this computer", place=place))
