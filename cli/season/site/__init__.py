"""A season for its readers: static pages for any web host, by pseudonym, names by consent alone.

season_site.py   every page, and the files beside them
frame.py         what each page has around it; long tables in several pages
readable.py      what pages are made of: labels, who agreed to be named, links
event_pages.py   the entry page, and each event with its places and its root
numbers.py       metagame and match-ups, without groups that are too small
person_pages.py  persons, standings by points, ratings, those who agreed to be named
best.py          records
season_list.py   events and persons for who searches, as a script
find.js          finds a text in a page's tables and in that list; pages need it for nothing else
"""
