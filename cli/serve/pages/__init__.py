"""The pages that are more than one part: pure functions from what was asked to HTML.

every.py      all of them, each with its path
frame.py      the page around everything
visit.py      what a page is handed
components.py forms, buttons and fields
player/       a player's own pages
"""
