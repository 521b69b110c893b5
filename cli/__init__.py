"""The command line: words in, words out; no rules and no SQL.

entry.py     where the program begins
main.py      from argv to a verb and an exit code
exits.py     every exit code and what it means
overview.py  help
terminal/    lines, tables, talk and progress, safe to show
typed/       what a person types, as numbers
wording/     events, disputes, rulesets and findings in words
desk/        what is in hand, and carrying acts out
shown/       tables, brackets, trees, pages, slips
season/      the season's options and answers, and the league's vault
verbs/       one function for each verb, by theme
"""

import ledger as ledger  # an older Python says so before it reads what it cannot
