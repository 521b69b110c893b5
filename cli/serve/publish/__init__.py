"""What everybody may see, as files for any web host: pages, the log, its tiles and its head.

files.py     which files there are, by the event's choice of names
pages.py     the pages; links between them are relative
folder.py    a folder that changes as a whole, and that nothing else is written into
watching.py  written again after each act, until it is ended
"""
