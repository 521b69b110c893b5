"""Audits of a log: how the day was run, what was corrected, and what departs from the usual.

findings.py   all kinds of findings, and the findings of one event
report.py     one pass over the log, which joins all findings
slips.py      how many paper slips are enough, and how far they were compared with the log
evidence.py   the documents that a judge gives to an appeal
"""
