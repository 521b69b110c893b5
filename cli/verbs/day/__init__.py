"""The verbs of the day: opening, players, rounds, results, the cut and the end."""

from __future__ import annotations

from cli.verbs.verb import Verb, view

VERBS = {
    "new": Verb("opening", "new", "Open a tournament and take it in hand."),
    "tournaments": view(
        "opening", "tournaments", "List the tournaments in the store; * is in hand."
    ),
    "use": view("opening", "use", "Take a tournament in hand, and the official at this desk."),
    "official": view(
        "officials", "list_officials", "List the officials and what office they hold."
    ),
    "official add": Verb("officials", "add", "Appoint an official, or give one another office."),
    "official plays": Verb(
        "officials", "plays", "Say that an official plays, and which player they are."
    ),
    "official stand-down": Verb(
        "officials", "stand_down", "Let an official be a spectator until they resume."
    ),
    "official resume": Verb(
        "officials", "resume", "Let an official who stood down take the office up again."
    ),
    "register": Verb(
        "registration", "register", "Register a player, or all players of a CSV file."
    ),
    "rename": Verb("names", "rename", "Correct a name."),
    "unregister": Verb("names", "unregister", "Take a registration back that was a mistake."),
    "forget": Verb(
        "forgetting", "forget", "Forget a person: their name and what was written about them."
    ),
    "list": view(
        "registration", "list_players", "List the players: number, name, faction, and who has left."
    ),
    "lists": view("lists", "overview", "Show whose list is handed in and checked."),
    "lists submit": Verb("lists", "submit", "Hand a player's list in, before the start."),
    "lists check": Verb("lists", "check", "Check a list: against the event's format, or by hand."),
    "lists show": view("lists", "show_list", "Show a player's list, as much of it as you may see."),
    "lists correct": Verb("lists", "correct", "Correct a list after the start; a leader does."),
    "start": Verb("start", "start", "Announce rounds and cut, and begin."),
    "start change": Verb(
        "start", "change", "Change the structure that was announced; word and outline stay."
    ),
    "start cosigned": Verb(
        "start", "cosigned", "Record the witness's cosignature; the draws can begin."
    ),
    "pair": Verb("pairing", "pair", "Pair the next round."),
    "unpair": Verb("pairing", "unpair", "Take the pairing back, while it has no result."),
    "swap": Verb("pairing", "swap", "Let two players of the round in play change places."),
    "repair": Verb("repair", "repair", "Show which tables to stop, and do it on your word."),
    "pairings": view(
        "rounds", "pairings", "Show who meets whom; as pages for a printer if you like."
    ),
    "post": Verb("rounds", "post", "Record what was put on the wall, by its SHA-256."),
    "round": view("rounds", "show_round", "Show the round and its clock."),
    "round watch": view(
        "rounds", "watch", "Show round and clock live in the terminal, until Ctrl-C."
    ),
    "round start": Verb("rounds", "start", "Start the round and its clock."),
    "round extend": Verb("rounds", "extend", "Give a table more time."),
    "round time": Verb("rounds", "call_time", "Call time, or say how much is left."),
    "round extra": Verb("rounds", "extra_time", "Make every round but the final longer."),
    "round close": Verb("rounds", "close", "Close the round, whose results are all in."),
    "report": Verb("results", "report", "Report a result, or one after another."),
    "concede": Verb("results", "concede", "Let a player give the open match up: a full win."),
    "correct": Verb("results", "correct", "Replace a result that was wrong."),
    "undo": Verb("results", "undo", "Take your last act back, where nothing depends on it."),
    "drop": Verb("leaving", "drop", "Let a player leave; an open match is conceded."),
    "rejoin": Verb("leaving", "rejoin", "Let a player who dropped return."),
    "disqualify": Verb(
        "leaving", "disqualify", "Remove a player for good; results against them keep counting."
    ),
    "cut": Verb("elimination", "cut", "Make the announced cut."),
    "cut accept": Verb(
        "elimination", "accept", "Let the player who is asked take the free place in the cut."
    ),
    "cut decline": Verb(
        "elimination", "decline", "Record that the player who is asked does not want the place."
    ),
    "cut forfeit": Verb(
        "elimination", "forfeit", "Leave the place in the cut empty: nobody is left to be asked."
    ),
    "cut take-back": Verb(
        "elimination", "take_back", "Take the cut back, until its stage is paired."
    ),
    "finish": Verb("elimination", "finish", "Close play."),
}
