-- Tables that a file of an earlier release lacks: they are made in it when it is written.
-- Which release held a log's lines to the rules; no row where none did: see loading/checking.py.
CREATE TABLE IF NOT EXISTS checked_by (tournament VARCHAR NOT NULL, release VARCHAR NOT NULL);
-- Why a log whose lines no head covers was taken all the same; no row for any other log.
CREATE TABLE IF NOT EXISTS unsigned_logs (tournament VARCHAR NOT NULL, reason VARCHAR NOT NULL);
-- A digest of each tournament's rows, as they were derived here from its log, and one of its rows of
-- people, which a decision of the league changes; no row for a tournament whose rows came otherwise.
CREATE TABLE IF NOT EXISTS row_digests (
    tournament VARCHAR NOT NULL,
    rows VARCHAR NOT NULL,
    persons VARCHAR NOT NULL
);
-- The signed head over all digests: how often the season was signed, the note, its verifier key.
CREATE TABLE IF NOT EXISTS season_head (
    number INTEGER NOT NULL,
    note VARCHAR NOT NULL,
    key VARCHAR NOT NULL
);
-- What tells the vault apart whose key made the pseudonyms of public ids; no row: none did.
CREATE TABLE IF NOT EXISTS league_vault (digest VARCHAR NOT NULL);
