"""`links`: who gets into the served hall, by an address on paper."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import act_as_json, answer, carry_out
from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.find_people import find_person
from cli.input.moments import time_in
from cli.input.options import Output, Reason, flag, option, word
from cli.languages.speaking import marked, tr
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show_json
from cli.terminal.tables import Column, for_program
from cli.wording.page_words import browsers_in_words, link_holder
from ledger.errors import NotFound, Refused
from ledger.facts.office import lets_in
from ledger.problems import phrase
from ledger.tournament.table_records import Link, link_in, link_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cli.render.printed_pages import LinkSlip
    from ledger.tournament.state import Tournament

_PLAIN_HTTP = {"allow": True, "refuse": False}
_NO_PERSON = re.compile(r"[se][1-9][0-9]{0,3}")

Who = Annotated[
    list[str] | None,
    word("[WHO]...", "A name or number; o2: official 2; s3: screen 3; e1: the tournament."),
]
Address = Annotated[
    str,
    option("URL", "The address of the hall, such as http://192.168.1.7:8600.", "--address"),
]


@shows_table
def list_links(
    desk: Desk,
    every: Annotated[bool, flag("--all", "Include ended links.")] = False,
) -> None:
    """List the links, their holders, and the browsers that opened them.

    A link works on at most five browsers, until it is revoked, a new link is issued, or its holder
    is forgotten. It does not work while an official is out of office or a player is removed.

        tourney links
    """
    from ledger.books.links import browsers_in

    tournament = desk.tournament
    opened = list(browsers_in(desk.store().vault_items(desk.book.stream)))
    acts = Counter(link_in(each) for each in tournament.ids if "." not in each)
    links = [
        {
            "link": link.number,
            "of": link.of,
            "name": link_holder(tournament, link.of),
            "since": link.seq,
            "until": link.until or None,
            "acts": acts[link.number],
            "works": lets_in(tournament, link),
            "browsers": [
                {"since": browser.since, "agent": browser.agent}
                for number, browser in opened
                if number == link.number
            ],
        }
        for link in tournament.floor.links.values()
        if every or not link.until
    ]
    empty = tr("no links yet: `links print` issues them")
    if tournament.floor.links:
        empty = tr(
            "no link is valid: `links print` issues new links, `links --all` lists the ended ones"
        )
    show_records(desk, _columns(tournament), links, empty=empty)


def _columns(tournament: Tournament) -> list[Column]:
    def browsers(record: dict[str, list[dict[str, str]]]) -> str:
        return browsers_in_words(
            [(time_in(tournament, each["since"]), each["agent"]) for each in record["browsers"]]
        )

    return [
        Column(marked("link"), right=True),
        for_program("of"),
        Column(marked("for"), flexible=True, key="name"),
        Column(marked("since"), right=True, yields=1),
        Column(marked("until"), right=True, optional=True),
        Column(
            marked("works"),
            optional=True,
            text=lambda link: "" if _is_usual(link) else tr("not now"),
        ),
        Column(marked("acts"), right=True),
        Column(marked("browsers"), flexible=True, wraps=True, value=browsers),
    ]


def _is_usual(link: Mapping[str, object]) -> bool:
    """Return whether the other columns give it away if a link works."""
    return bool(link["works"] or link["until"])


def print_links(
    desk: Desk,
    who: Who = None,
    output: Output = NO_OUTPUT,
    address: Address = "",
    officials: Annotated[
        bool, flag("--officials", "Print the links of officials, not of players.")
    ] = False,
) -> None:
    """Print links with their codes, for badges or slips.

    A person without a link is issued one. A phone's camera opens the code; without a camera, type
    the address, and then the short code into its form. With their links, officials can act as at
    the desk, except for acts that must be signed: give each link only to its official. With the
    link of the tournament, `e1`, people can ask to be registered; `requests` lists them.

        tourney links print -o badges.html
        tourney links print e1 -o poster.html
        tourney links print ann --address http://192.168.1.7:8600
    """
    holders = _holders(desk, who, officials=officials)
    _hand_out(desk, holders, output, address, again=False)


def new(desk: Desk, who: Who = None, output: Output = NO_OUTPUT, address: Address = "") -> None:
    """Issue a new link to a person; their previous link ends at once.

    tourney links new ann
    """
    if not who:
        raise UsageError(
            tr("name the holders of the new links; `links print` issues missing links")
        )
    _hand_out(desk, _holders(desk, who), output, address, again=True)


def revoke(
    desk: Desk,
    who: Annotated[str, word("WHO", "A name or number; o2, s3; or link:7.")],
    reason: Reason = "",
) -> None:
    """Revoke a link, and sign its holder out of every browser.

    tourney links revoke ann --reason "badge lost"
    """
    from ledger.rules.keys import RevokeLink

    link = _link_named(desk.tournament, who)
    carry_out(
        desk,
        RevokeLink(link.number, reason or ""),
        tr("link {number} is revoked", number=link.number),
    )
    _forget_browsers(desk)


def choose_plain_http(
    desk: Desk,
    choice: Annotated[str, word("allow|refuse", "Whether officials may act over plain HTTP.")],
    reason: Reason = "",
) -> None:
    """Choose whether officials may act over plain HTTP.

    Other people in the same network can read plain HTTP. Unless the organizer allows it, officials
    can act only on this computer or over TLS (`serve --tls`); over plain HTTP they can only read.
    Players are not affected.

        tourney links plain-http allow --reason "the desk's phones take no certificate"
        tourney links plain-http refuse
    """
    from ledger.rules.keys import ChoosePlainHttp

    if choice not in _PLAIN_HTTP:
        raise UsageError(tr("type allow or refuse, not {choice}", choice=f"{choice!r}"))
    command = ChoosePlainHttp(_PLAIN_HTTP[choice], reason or "")
    carry_out(desk, command, tr("this was chosen before"))


def _forget_browsers(desk: Desk) -> None:
    """Delete the browsers of links that have ended from the vault."""
    from ledger.books.links import browsers_of_ended

    store, stream = desk.store(), desk.book.stream
    links = desk.book.tournament.floor.links
    if ended := browsers_of_ended(store.vault_items(stream), links):
        store.vault_delete_all(stream, ended)


def _link_named(tournament: Tournament, words: str) -> Link:
    """Find a link by its number, or by whom it lets in; or NotFound."""
    links, number = tournament.floor.links, words.removeprefix("link:")
    if number != words:
        found = links.get(whole("WHO", number, 1, len(links) or 1))
    else:
        found = link_of(links, _holder(tournament, words))
    if found is None:
        raise NotFound(phrase("{words}: there is no valid link; `links` lists them", words=words))
    return found


def _holder(tournament: Tournament, words: str) -> str:
    return words if _NO_PERSON.fullmatch(words) else find_person(tournament, words)


def _holders(desk: Desk, who: list[str] | None, *, officials: bool = False) -> list[str]:
    """Return whom links are for: those named, else every official, or every player in play."""
    tournament = desk.tournament
    if who and officials:
        raise UsageError(tr("--officials means all officials: omit the names"))
    if who:
        return list(dict.fromkeys(_holder(tournament, words) for words in who))
    if officials:
        found = [f"o{number}" for number in range(1, len(tournament.officials))]
    else:
        found = [
            f"p{player.number}" for player in tournament.players[1:] if player.status == "active"
        ]
    found = [of for of in found if of not in tournament.forgotten]
    if not found:
        raise Refused(phrase("there is no person who could have a link: register players first"))
    return found


def _hand_out(
    desk: Desk, holders: Sequence[str], output: OutFile, address: str, *, again: bool
) -> None:
    from cli.machine.keyring import draw_key
    from cli.render.printed_pages import write_slips
    from ledger.books.links import digest_of_link, links_key, secret_of
    from ledger.rules.keys import IssueLinks

    before, key = desk.tournament, links_key(desk.store(), desk.book.stream, draw_key)
    base = _base(address)
    private = base if address else _base_of_officials(base)
    bases = {of: private if of.startswith("o") else base for of in holders}
    links = before.floor.links
    landed = {link.of for link in links.values() if link.command_id == desk.command_id}
    needed = [of for of in holders if again or of in landed or link_of(links, of) is None]
    orders = [(of, digest_of_link(secret_of(key, desk.command_id, of))) for of in needed]
    recorded = desk.act(IssueLinks(tuple(orders))) if orders else []
    slips = _slips(desk, key, bases)
    if desk.json:
        events = act_as_json(desk.command_id, recorded)
        show_json(events | {"links": [slip._asdict() for slip in slips]})
    if again:
        _forget_browsers(desk)
    _warn_of(base, is_given=bool(address), only_officials=all(of[0] == "o" for of in holders))
    if output or not desk.json:
        write_slips(desk, slips, output)
    if recorded:
        answer(desk, recorded)


def _slips(desk: Desk, key: bytes, bases: dict[str, str]) -> list[LinkSlip]:
    """Return what is printed of each link; Refused where its secret is not known here any more."""
    from cli.render.printed_pages import link_slip
    from ledger.books.links import is_of

    tournament, stream = desk.book.tournament, desk.book.stream
    links = [link for of in bases if (link := link_of(tournament.floor.links, of))]
    if lost := [link for link in links if not is_of(key, link)]:
        names = ", ".join(link.of for link in lost)
        raise Refused(
            phrase(
                "the secrets of these links are not in this store: {names}; issue new links with "
                "`links new`",
                names=names,
            )
        )
    return [link_slip(tournament, stream, link, key, bases[link.of]) for link in links]


def _warn_of(base: str, *, is_given: bool, only_officials: bool) -> None:
    """Say that no phone reaches the printed address: it is of this computer only, or unused.

    An address that was typed may be of another computer, so it is not tried. Officials may act at
    this computer.
    """
    from cli.serve.ports.numbers import is_loopback
    from cli.serve.ports.server import answers_at

    if is_loopback(base):
        if not (only_officials and is_given):
            say(
                tr(
                    "phones cannot reach {base}, an address of this computer only: connect it to "
                    "the phones' network and print again, or give --address",
                    base=base,
                )
            )
    elif not is_given and not answers_at(base):
        say(
            tr(
                "no hall answers at {base} yet: run `serve --lan` here before a link is opened",
                base=base,
            )
        )


def _base_of_officials(base: str) -> str:
    """Return the address where officials act: the port over TLS, if it was ever opened here."""
    from cli.machine.keyring import folder
    from cli.serve.ports.certificates import has_own
    from cli.serve.ports.numbers import PORT

    if not has_own(folder()):
        return base
    return f"https://{base.partition('://')[2].rpartition(':')[0]}:{PORT + 1}"


def _base(address: str) -> str:
    """Return the address of the hall without its last slash; UsageError for no address."""
    from cli.serve.ports.numbers import PORT
    from cli.serve.ports.server import EVERYWHERE, addresses, local_name

    if not address:
        return addresses(EVERYWHERE, PORT, local_name())[0].rstrip("/")
    if not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]{1,100}/?", address):
        raise UsageError(
            tr(
                "--address must be like http://192.168.1.7:8600, not {address}",
                address=f"{address!r}",
            )
        )
    return address.rstrip("/")
