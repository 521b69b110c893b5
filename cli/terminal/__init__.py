"""Write answers, talk and refusals to a terminal or a pipe, all of them safe to show."""
