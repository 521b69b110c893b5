-- What the season's file keeps beside the tables: which version of them it holds, and which
-- pseudonym stands for which person. `tournament` is empty where an alias holds everywhere.
CREATE TABLE season_format (version INTEGER NOT NULL);
CREATE TABLE aliases (
    tournament VARCHAR NOT NULL,
    league_id VARCHAR NOT NULL,
    person VARCHAR NOT NULL
);
-- The hash of every line of a log (RFC 6962, 2.1), 32 bytes each, one after the other: what tells a
-- shorter log from another history. A long log has several rows, in the order of `piece`; an archive
-- has none.
CREATE TABLE leaves (tournament VARCHAR NOT NULL, piece INTEGER NOT NULL, hashes BLOB NOT NULL);
-- One tiebreaker of a row of standings, as exact text and as a double: `exact` is NULL where the row
-- has none of that code. They are kept as one text: a map takes several times as long to write.
CREATE MACRO as_number(exact) AS {
    'exact': exact,
    'value': split_part(exact, '/', 1)::DOUBLE
        / coalesce(nullif(split_part(exact, '/', 2), '')::DOUBLE, 1)
};
CREATE MACRO tiebreaker(tiebreakers, code) AS as_number(
    nullif(regexp_extract(tiebreakers, '\b' || code || ' (\S+)', 1), '')
);
