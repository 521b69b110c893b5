"""The door: links and codes exchanged for a cookie, and who a cookie is.

guard.py      what no request passes, and what every answer carries
keeper.py     who is let in, over which link, on how many browsers
guesses.py    tries that were wrong, counted by address and for all codes together
pace.py       how often something is entered over a link
sign_in.py    the page where a link leads to, and where a code is typed
carried.py    a player's act as a code that the desk scans
agents.py     what a browser calls itself, in two words
"""
