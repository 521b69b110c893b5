"""The verbs of the day: opening, players, rounds, results, the cut and the end."""

from __future__ import annotations

from cli.verbs.verb import Verb

VERBS = {
    "new": Verb("opening", "new", "Open a tournament and take it in hand."),
    "tournaments": Verb(
        "opening", "tournaments", "List the tournaments in the store; * is in hand.", writes=False
    ),
    "use": Verb(
        "opening", "use", "Take a tournament in hand, and the official at this desk.", writes=False
    ),
    "official": Verb("officials", "official", "Appoint an official; without a name, list them."),
    "register": Verb(
        "registration", "register", "Register a player, or all players of a CSV file."
    ),
    "rename": Verb("names", "rename", "Correct a name."),
    "unregister": Verb("names", "unregister", "Take a registration back that was a mistake."),
    "forget": Verb(
        "forgetting", "forget", "Forget a person: their name and what was written about them."
    ),
    "list": Verb(
        "registration",
        "list_players",
        "List the players: number, name, faction, and who has left.",
        writes=False,
    ),
    "lists": Verb("lists", "lists", "Hand lists in, check and correct them; see who is missing."),
    "start": Verb("start", "start", "Announce rounds and cut, and begin."),
    "pair": Verb("pairing", "pair", "Pair the next round."),
    "unpair": Verb("pairing", "unpair", "Take the pairing back, while it has no result."),
    "swap": Verb("pairing", "swap", "Let two players of the round in play change places."),
    "repair": Verb("repair", "repair", "Show which tables to stop, and do it on your word."),
    "pairings": Verb(
        "rounds",
        "pairings",
        "Show who meets whom; as pages for a printer if you like.",
        writes=False,
    ),
    "post": Verb("rounds", "post", "Record what was put on the wall, by its SHA-256."),
    "round": Verb("rounds", "play_round", "Show the round and its clock; start, extend, close it."),
    "report": Verb("results", "report", "Report a result, or one after another."),
    "concede": Verb("results", "concede", "Let a player give the open match up: a full win."),
    "correct": Verb("results", "correct", "Replace a result that was wrong."),
    "undo": Verb("results", "undo", "Take your last act back, where nothing depends on it."),
    "drop": Verb("leaving", "drop", "Let a player leave; an open match is conceded."),
    "rejoin": Verb("leaving", "rejoin", "Let a player who dropped return."),
    "disqualify": Verb(
        "leaving", "disqualify", "Remove a player for good; results against them keep counting."
    ),
    "cut": Verb("elimination", "cut", "Make the announced cut; replace a qualifier who left."),
    "finish": Verb("elimination", "finish", "Close play."),
}
