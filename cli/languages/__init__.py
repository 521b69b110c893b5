"""The languages of the program: a catalogue each, and the one that is spoken now."""
