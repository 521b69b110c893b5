"""A season for its readers: static pages for any web host, by pseudonym, with names by consent.

season_site.py     every page, and the files next to them; records
frame.py           the season read once; the frame of a page, pages that are too long, pictures
tables.py          tables of a page: cells, further pages, scripts, values for programs
front_page.py      news; the tournaments by year and month
event_pages.py     each tournament: places and why, rounds, bracket, corrections, rulings, its log
event_logs.py      the logs that organizers give to be downloaded
metagame_pages.py  the metagame and the match-ups
person_pages.py    persons and standings by points
rating_pages.py    ratings above a floor of games, and forecasts scored against results
named_pages.py     a page for each person who agreed to be named
finding.py         the index of tournaments and persons, in scripts by first letters
downloads.py       the tables as CSV, JSON and Parquet
meanings.py        what the columns of the downloads mean
data_page.py       the page of the downloads, with a dictionary of all columns
feeds.py           Atom feeds
find.js            finds a text in a page's tables and in the index
tables.js          sorts and filters the tables; pages need both scripts for nothing else
"""
