"""What a log shows of how the day was run: who did what, what was corrected, what departs.

`finding` names every kind of finding, `findings` reads one event at its place (pairings, results
and keys in files of their own), `report` walks the log once and joins all of it.

`slip_risk` says how many paper slips are enough, `slip_audits` how far they were held to the log;
`evidence` gathers what a judge hands to an appeal.
"""
