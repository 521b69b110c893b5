"""The command line: words in, words out; no rules and no SQL.

entry.py        where the program begins
main.py         from argv to a verb and an exit code
arguments.py    options that stand anywhere in the line
session.py      the store, the tournament and the official in hand; clock and randomness
memory.py       what a directory remembers of them
people.py       players and officials by the words a person types
matches.py      matches by round and table, or by a player at them
reports.py      what a person types of a result, as a command
guide.py        what comes next
synonyms.py     the words that people try first, as verbs
words.py        events in words
structures.py   stages as they are typed and read
views.py        what is shown of players, pairings, standings and brackets
pages.py        plain pages for the wall
slips.py        match slips for the tables
tables.py       columns within the width of the terminal
visible.py      text made safe to show
aftermath.py    what an act has changed besides
undoing.py      the last act taken back, or what to do instead
filekinds.py    a file given to the wrong verb, and the verb that takes it
output.py       all of stdout: data
diagnostics.py  all of stderr: talk
verbs/          one function for each verb, by theme
"""
