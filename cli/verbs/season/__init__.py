"""The verbs of the season: its file, its questions and its ratings."""

from __future__ import annotations

from cli.languages.speaking import marked
from cli.outside import NETWORK, NOTHING, PROCESSES, TERMINAL
from cli.verbs.catalogue import reads

VERBS = {
    "season": reads(
        "events", marked("List the tournaments of the season."), "list_tournaments"
    ).touching(NOTHING),
    "season add": reads("taking", marked("Add logs to the season.")).touching(PROCESSES),
    "season rebuild": reads(
        "taking", marked("Rebuild the season's file, from logs only.")
    ).touching(PROCESSES),
    "season derive": reads(
        "taking", marked("Add logs to a season kept as a folder of Parquet files.")
    ).touching(NETWORK | PROCESSES),
    "season remove": reads("removing", marked("Take a tournament out of the season.")).touching(
        NOTHING
    ),
    "season archive": reads(
        "events", marked("Write the finished tournaments to a folder, as Parquet files.")
    ).touching(NOTHING),
    "season export": reads(
        "events", marked("Write the season's tables as flat files for other tools.")
    ).touching(NOTHING),
    "season site": reads("site", marked("Write the season as static web pages.")).touching(NOTHING),
    "season standings": reads(
        "by_points", marked("Show the season's standings by a points scheme.")
    ).touching(NOTHING),
    "season restate": reads(
        "by_points",
        marked("Show what corrected logs would change, and write nothing."),
        "restatement",
    ).touching(PROCESSES),
    "season people": reads(
        "people", marked("List the person behind each pseudonym."), "list_persons"
    ).touching(NOTHING),
    "season people acts": reads(
        "people", marked("List the league's decisions about persons."), "list_acts"
    ).touching(NOTHING),
    "season people name": reads(
        "people", marked("Give a pseudonym a name, or draw a pseudonym for a name."), "name_person"
    ).touching(NOTHING),
    "season people rename": reads(
        "people", marked("Change a person's name; every result stays theirs."), "rename_person"
    ).touching(NOTHING),
    "season people merge": reads(
        "people", marked("Decide that two pseudonyms are one person.")
    ).touching(NOTHING),
    "season people split": reads(
        "people", marked("Undo a merge; with -t, separate only one tournament.")
    ).touching(NOTHING),
    "season people undo": reads("people", marked("Undo one of the league's decisions.")).touching(
        NOTHING
    ),
    "season people match": reads(
        "matching", marked("List entrants who are probably one person, or join them.")
    ).touching(NOTHING),
    "season people review": reads(
        "matching",
        marked("Decide the proposals one by one: accept, not the same, undo."),
    ).touching(TERMINAL),
    "season people import": reads(
        "members",
        marked("Import members from a sheet: names, numbers, public ids."),
        "take_members",
    ).touching(NOTHING),
    "season people suggest": reads(
        "members", marked("Suggest names from logs, for persons who agreed."), "suggest_names"
    ).touching(NOTHING),
    "season people backup": reads("members", marked("Copy the league's vault.")).touching(NOTHING),
    "season people forget": reads(
        "people", marked("Forget the person behind a pseudonym; every number stays.")
    ).touching(NOTHING),
    "stats": reads("stats", marked("Answer a named question about the season.")).touching(
        NETWORK | PROCESSES
    ),
    "stats show": reads(
        "stats", marked("Show a question's columns and its SQL."), "show_question"
    ).touching(NOTHING),
    "rating": reads("rating", marked("Rate all players by their games in the season.")).touching(
        NOTHING
    ),
    "query": reads("query", marked("Query the season's tables in SQL, read-only.")).touching(
        PROCESSES | TERMINAL
    ),
    "query tables": reads(
        "query", marked("List the season's tables and their columns."), "list_tables"
    ).touching(NOTHING),
}
