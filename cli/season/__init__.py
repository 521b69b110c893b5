"""The season at the command line.

options.py       options that its verbs share
league.py        the league's vault: whom words mean, and names beside pseudonyms
answers.py, pictures.py   answers as tables, CSV, JSON and pictures
restatements.py  what a correction moves in it
confinement.py   a limit of memory and time for a question
"""
