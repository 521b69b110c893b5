"""What goes to a terminal and to pipes: answers, talk, refusals; all of it safe to show."""
