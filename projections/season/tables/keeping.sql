-- The version of the tables that the file has.
CREATE TABLE season_format (
    version INTEGER NOT NULL  -- its number
);
-- Which pseudonym stands for which person, as the league decided.
CREATE TABLE aliases (
    tournament VARCHAR NOT NULL,  -- where it holds; empty: everywhere
    league_id VARCHAR NOT NULL,  -- the pseudonym that logs have
    person VARCHAR NOT NULL  -- the person whom it stands for
);
-- The hash of every line of a log (RFC 6962, 2.1): what tells a shorter log from another history. A
-- long log has several rows; an archive has none.
CREATE TABLE leaves (
    tournament VARCHAR NOT NULL,  -- the tournament
    piece INTEGER NOT NULL,  -- number of the row, in the order of the lines
    hashes BLOB NOT NULL  -- 32 bytes for each line, one after the other
);
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
