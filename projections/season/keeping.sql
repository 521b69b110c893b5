-- What the season's file keeps beside the tables: which version of them it holds, and which
-- pseudonym stands for which person. `tournament` is empty where an alias holds everywhere.
CREATE TABLE season_format (version INTEGER NOT NULL);
CREATE TABLE aliases (
    tournament VARCHAR NOT NULL,
    league_id VARCHAR NOT NULL,
    person VARCHAR NOT NULL
);
