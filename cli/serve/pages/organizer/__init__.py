"""Pages of officials: those of the desk, the judge's, and the routes of both.

lines.py     lines of officials' pages: the forms that make them
answers.py   the effect of a line, and what it did
day_forms.py further forms of the desk's pages
waiting.py   open requests to officials
desk.py      the desk's first page, with the frame of all its pages
steps.py, results.py   the steps of the day with the next act; the rows of the round
players.py, round.py, tables.py, history.py, printing.py, settings.py    the tabs of the desk
palette.py   all lines, and the form of each verb
links.py     links as large codes, and how they are issued
judge.py     the judge's page, and the page of a match
player_card.py   a player's card
staff.py     routes of officials' pages
"""
