-- Which release held a log's lines to the rules; no row where none did: see known_checks.py.
CREATE TABLE IF NOT EXISTS checked_by (tournament VARCHAR NOT NULL, release VARCHAR NOT NULL);
