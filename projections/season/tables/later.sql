-- Tables that a file of an earlier release lacks: they are made in it when it is written.

-- Which release held a log's lines to the rules; no row where none did: see loading/checking.py.
CREATE TABLE IF NOT EXISTS checked_by (
    tournament VARCHAR NOT NULL,  -- the tournament
    release VARCHAR NOT NULL  -- the release that checked its lines
);
-- Why a log whose lines no head covers was taken all the same; no row for any other log.
CREATE TABLE IF NOT EXISTS unsigned_logs (
    tournament VARCHAR NOT NULL,  -- the tournament
    reason VARCHAR NOT NULL  -- the reason that was typed
);
-- A digest of each tournament's rows, as they were derived here from its log, and one of its rows of
-- people, which a decision of the league changes; no row for a tournament whose rows came otherwise.
CREATE TABLE IF NOT EXISTS row_digests (
    tournament VARCHAR NOT NULL,  -- the tournament
    rows VARCHAR NOT NULL,  -- digest of its rows of all tables but people
    persons VARCHAR NOT NULL  -- digest of its rows of people
);
-- The signed head over all digests.
CREATE TABLE IF NOT EXISTS season_head (
    number INTEGER NOT NULL,  -- how often the season was signed
    note VARCHAR NOT NULL,  -- the signed note
    key VARCHAR NOT NULL  -- its verifier key
);
-- What tells the vault apart whose key made the pseudonyms of public ids; no row: none did.
CREATE TABLE IF NOT EXISTS league_vault (
    digest VARCHAR NOT NULL  -- digest of the vault's key
);
