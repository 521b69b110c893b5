"""A season for its readers: static pages for any web host, by pseudonym, with names by consent.

season_site.py     every page, and the files next to them; records and the list for searching
frame.py           the frame of a page, long tables, labels, links and pictures
event_pages.py     the entry page, each tournament with places and root
metagame_pages.py  the metagame and the match-ups
person_pages.py    persons and standings by points
rating_pages.py    ratings above a floor of games, and forecasts scored against results
named_pages.py     a page for each person who agreed to be named
find.js            finds a text in a page's tables and in that list; pages need it for nothing else
"""
