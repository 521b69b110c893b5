"""Pages of the hall: pure functions from a visit to HTML.

frame.py     the page around a part, and the visit
player.py    pages of a player, and registration by the link of the tournament
table.py     the player's table, and how a result is reported
lines.py     lines of officials' pages: forms that make them, and their effect
waiting.py   open requests to officials
desk.py, judge.py      the desk's page, the judge's page, and the page of a match
staff.py     routes of officials' pages
showing.py   content of each screen
screens.py   routes of screens
"""
