"""Pages of the hall: pure functions from a visit to HTML.

frame.py     the page around a part, and the visit
player.py    pages of a player, and registration by the link of the tournament
table.py     the player's table, and how a result is reported
entry.py     pages of the owner, where a tournament is made and opened
clauses.py   the clauses
organizer/   pages of the desk and of judges
showing.py   content of each screen
screens.py   routes of screens
"""
