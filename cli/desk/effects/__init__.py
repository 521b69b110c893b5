"""What an act means for the day: said after it, and before it where a page asks.

consequences.py  what an act has changed besides
forecast.py      what a command would do, with nothing written
reading_desk.py  a desk that stops at the act that a line asks for
"""
