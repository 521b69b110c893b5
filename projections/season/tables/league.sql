-- The league's vault: who is behind each pseudonym, what the league decided on them, the key that
-- makes pseudonyms of public ids, and what was read from logs. Names are in no other file.
CREATE TABLE persons (
    league_id TEXT PRIMARY KEY,
    member TEXT UNIQUE,
    name TEXT NOT NULL
) STRICT;
-- Decisions, in order. A guest of a tournament is named TOURNAMENT/PLAYER. `undoes` is the
-- number of an earlier act; 0: none.
CREATE TABLE acts (
    number INTEGER PRIMARY KEY,
    made_at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('merge', 'split', 'forget', 'apart', 'undo')),
    league_id TEXT NOT NULL,
    person TEXT NOT NULL,
    tournament TEXT NOT NULL,
    reason TEXT NOT NULL,
    undoes INTEGER NOT NULL
) STRICT;
CREATE TRIGGER acts_stay BEFORE DELETE ON acts BEGIN SELECT RAISE(ABORT, 'acts stay'); END;
CREATE TRIGGER acts_stand BEFORE UPDATE ON acts BEGIN SELECT RAISE(ABORT, 'acts stand'); END;
-- Confidence and evidence of proposals that became acts; erased when a person of them is forgotten.
CREATE TABLE evidence (
    act INTEGER PRIMARY KEY,
    confidence TEXT NOT NULL,
    evidence TEXT NOT NULL
) STRICT;
-- The secret of this vault, one row: 32 random bytes.
CREATE TABLE vault_key (secret BLOB NOT NULL) STRICT;
-- The logs that were read, each up to how many events.
CREATE TABLE logs_read (tournament TEXT PRIMARY KEY, size INTEGER NOT NULL, root TEXT NOT NULL) STRICT;
-- Every entrant of these logs. `pseudonym` is that of a public id, or empty. A forgotten entrant
-- has no name; the name is not read again.
CREATE TABLE entries (
    tournament TEXT NOT NULL,
    player INTEGER NOT NULL,
    league_id TEXT NOT NULL,
    pseudonym TEXT NOT NULL,
    name TEXT NOT NULL,
    plain TEXT NOT NULL,
    game TEXT NOT NULL,
    region TEXT NOT NULL,
    day TEXT NOT NULL,
    forgotten INTEGER NOT NULL,
    PRIMARY KEY (tournament, player)
) STRICT, WITHOUT ROWID;
-- Their public ids, each as its HMAC-SHA256 in hex, and those of a list of members, whose
-- `tournament` is empty.
CREATE TABLE ids (
    digest TEXT NOT NULL,
    kind TEXT NOT NULL,
    tournament TEXT NOT NULL,
    player INTEGER NOT NULL,
    PRIMARY KEY (digest, kind, tournament, player)
) STRICT, WITHOUT ROWID;
-- The fresh pseudonym of a forgotten id. `mark` is an HMAC of the id's HMAC: neither the id
-- nor the pseudonym before can be found from it.
CREATE TABLE fresh (mark TEXT PRIMARY KEY, person TEXT NOT NULL) STRICT;
-- Tournaments that were taken out of the season, and those that were taken back, in order.
CREATE TABLE removals (
    number INTEGER PRIMARY KEY,
    made_at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('remove', 'take back')),
    tournament TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE TRIGGER removals_stay BEFORE DELETE ON removals BEGIN SELECT RAISE(ABORT, 'acts stay'); END;
CREATE TRIGGER removals_stand BEFORE UPDATE ON removals
BEGIN SELECT RAISE(ABORT, 'acts stand'); END;
