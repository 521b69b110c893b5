"""The door: a link or code is proved and gives a cookie; what each browser may do with it.

guard.py      what no request passes, and what every answer carries
channel.py    whether others may hear a request: loopback and TLS are private
keeper.py     who is let in, over which link, on how many browsers
nonces.py     what a proof is made for, once
marks.py      what is posted over an open connection, held to the mark of its browser
guesses.py    wrong tries: for one link if they can be guessed, and bursts for the record
pace.py       how often something is entered over a link
sign_in.py    the page that a link leads to, and where a code is typed
carried.py    a player's act as a code that the desk scans
agents.py     what a browser calls itself, in two words
"""
