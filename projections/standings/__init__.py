"""Who is where: standings, tiebreakers, the bracket, the finishing order, what is posted."""
