"""The formats that ship with the program, each a file."""
