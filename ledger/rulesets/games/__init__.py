"""The rulesets that ship with the program, each a file."""
