-- The first version of a league's vault: what a file of an earlier release holds.
CREATE TABLE persons (
    league_id TEXT PRIMARY KEY,
    member TEXT UNIQUE,
    name TEXT NOT NULL
) STRICT;
CREATE TABLE acts (
    number INTEGER PRIMARY KEY,
    made_at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('merge', 'split', 'forget')),
    league_id TEXT NOT NULL,
    person TEXT NOT NULL,
    tournament TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE TRIGGER acts_stay BEFORE DELETE ON acts BEGIN SELECT RAISE(ABORT, 'acts stay'); END;
CREATE TRIGGER acts_stand BEFORE UPDATE ON acts BEGIN SELECT RAISE(ABORT, 'acts stand'); END;
