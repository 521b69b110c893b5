"""Which keys are registered, revoked and replaced; how a fork is gone on from; who gets a link."""

from __future__ import annotations

from ledger.checks.authority.signing import active, number_of
from ledger.checks.references import needs_reason, no_official, no_player
from ledger.events import keys as events
from ledger.problems import Problems, in_words, problem
from ledger.proof.formats import Invalid, unbase64
from ledger.proof.signatures import check_registration
from ledger.tournament.keyholders import holders_of, registration
from ledger.tournament.state import Tournament


def key_registered(tournament: Tournament, event: events.KeyRegistered) -> Problems:
    if event.holder >= len(tournament.officials):
        yield no_official(event.holder)
        return
    new, holders = registration(event), holders_of(tournament)
    try:
        check_registration(holders, number_of(tournament), new)
    except Invalid as error:
        yield in_words(error.text, "key.registration", *error.officials)


def key_revoked(tournament: Tournament, event: events.KeyRevoked) -> Problems:
    try:
        held = tournament.keys.get(unbase64(event.public))
    except Invalid:
        held = None
    if held is None:
        yield problem("key.unknown", "no such key is registered")
    elif held.until:
        yield problem("key.revoked", "event {event} revoked this key already", event=held.until)
    elif not held.holder and active(tournament, 0) == [held]:
        text = "this is the log's only key: another one has to be registered first"
        yield problem("key.only_one", text)
    yield from needs_reason(event)


def shuffle_key_replaced(
    tournament: Tournament, event: events.ShuffleKeyReplaced | events.HiddenKeyReplaced
) -> Problems:
    known = [*tournament.draw_keys, *tournament.hidden_keys]
    if not known:
        yield problem("key.none_committed", "this log commits to no key: nothing in it is drawn")
    if any(each.commitment == event.commitment for each in known):
        text = "the log committed to this key before: another one replaces it"
        yield problem("key.committed_before", text)
    yield from needs_reason(event)


def fork_accepted(_tournament: Tournament, event: events.ForkAccepted) -> Problems:
    yield from needs_reason(event)


def link_issued(tournament: Tournament, event: events.LinkIssued) -> Problems:
    links, number = tournament.floor.links, int(event.of[1:])
    if event.link != len(links) + 1:
        text = "link {link} where {next} comes next"
        yield problem("link.number", text, link=event.link, next=len(links) + 1)
    elif any(each.digest == event.digest for each in links.values()):
        yield problem("link.secret_twice", "this secret belongs to another link already")
    elif event.of.startswith("p"):
        if number >= len(tournament.players):
            yield no_player(number)
    elif event.of.startswith("o") and number >= len(tournament.officials):
        yield no_official(number)
    if event.of in tournament.forgotten:
        yield problem("link.forgotten", "{of} is forgotten: nobody acts as them", of=event.of)


def link_revoked(tournament: Tournament, event: events.LinkRevoked) -> Problems:
    link = tournament.floor.links.get(event.link)
    if link is None:
        yield problem("link.unknown", "no link {link} was given out", link=event.link)
    elif link.until:
        text = "link {link} ended with event {event}"
        yield problem("link.ended", text, link=event.link, event=link.until)


def plain_http_chosen(tournament: Tournament, event: events.PlainHttpChosen) -> Problems:
    if event.allowed == tournament.plain_http:
        text = "officials act over plain HTTP already"
        if not event.allowed:
            text = "officials act only over loopback or TLS already"
        yield problem("link.plain_so", text)
    if event.allowed:
        yield from needs_reason(event)


def links_guessed(_tournament: Tournament, _event: events.LinksGuessed) -> Problems:
    yield from ()


hidden_key_replaced = shuffle_key_replaced
