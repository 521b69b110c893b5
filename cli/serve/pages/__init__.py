"""The pages that are more than one part: pure functions from what was asked to HTML.

every.py       those of their own, each with its path
frame.py       the page around everything
visit.py       what a page is handed
form_fields.py forms, buttons and fields
player/        a player's own pages
join.py        registration by the link of the event
staff/         the desk's and the judge's pages, whose acts are lines as they are typed
screens/       any browser as a numbered screen
"""
