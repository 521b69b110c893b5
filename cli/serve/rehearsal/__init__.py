"""The rehearsal: a made-up event in a folder of its own, the real server, and players as programs.

venue.py        the event, its links and its server, as other programs beside this one
browser.py      what a browser sends and gets, over real HTTP
participants.py players who report, confirm, contradict, sleep and come back; the organizer
figures.py      how long everything took, and what went wrong
day.py          the whole of it, and whether every answered act is in the log
"""
