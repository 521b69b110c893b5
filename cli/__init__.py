"""The command line: words in, words out; no rules and no SQL.

entry.py     the beginning of the program
main.py      from argv to a verb and an exit code
exits.py     every exit code and its meaning
outside.py   the clock, random ids, and the parts of a machine that a verb may touch
overview.py  help
terminal/    lines, tables, talk and progress, safe to show
input/       words that a person types, as numbers
wording/     events, disputes, rulesets and findings in words
desk/        the tournament in hand, and carrying acts out
render/      tables, brackets, trees, pages, slips
season/      the season's options and answers, and the league's vault
verbs/       one function for each verb
"""

import ledger as ledger  # an older Python says so before it reads what it cannot
