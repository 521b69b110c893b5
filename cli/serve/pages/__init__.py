"""Pages of the hall: pure functions from a visit to HTML.

frame.py     the page around a part, and the visit
player.py    pages of a player, and registration by the link of the tournament
table.py     the player's table, and how a result is reported
lines.py     lines of officials' pages: forms that make them, and their effect
day_forms.py forms of the desk's pages, and the form of each verb
waiting.py   open requests to officials
desk.py      the desk's first page, with the frame of all its pages
steps.py, results.py   the steps of the day with the next act; the rows of the round
players.py, round.py, tables.py, history.py, printing.py, settings.py    the tabs of the desk
palette.py   all lines, each with its form
links.py     links as large codes, and how they are issued
judge.py     the judge's page, and the page of a match
staff.py     routes of officials' pages
showing.py   content of each screen
screens.py   routes of screens
"""
