"""Files read and written with care, and what kind a file is."""
