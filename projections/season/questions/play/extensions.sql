-- title = "Extensions"
-- answers = "How many tables were given more time, in which round, and how much."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["round", "count", "the round"],
--     ["tables", "count", "tables of two"],
--     ["extended", "count", "of them, given more time"],
--     ["share", "share", "extended, of the tables"],
--     ["low", "share", "lower end of its 95 % interval by person and tournament; empty below five"],
--     ["high", "share", "upper end of it"],
--     ["minutes", "minutes", "given in sum"],
--     ["mean", "minutes", "mean given to a table that was extended"],
-- ]
-- [plot]
-- kind = "intervals"
-- y = "round"
-- value = "share"
-- low = "low"
-- high = "high"
-- facet = "ruleset"
-- counts = ["tables"]

WITH held AS MATERIALIZED (
    SELECT tournament, ruleset, 8192 * row_number() OVER () AS base FROM tournaments
),
numbered AS MATERIALIZED (
    SELECT person, row_number() OVER () AS number FROM (SELECT DISTINCT person FROM people)
),
who AS MATERIALIZED (
    SELECT base + player AS seat, number
    FROM people
    JOIN held USING (tournament)
    JOIN numbered USING (person)
),
placed AS (
    SELECT
        ruleset,
        round,
        base,
        base + player1 AS seat1,
        base + player2 AS seat2,
        extended_minutes,
        CASE WHEN extended_minutes > 0 THEN 1 ELSE 0 END AS longer
    FROM matches
    JOIN held USING (tournament)
    WHERE NOT void AND player1 IS NOT NULL AND player2 IS NOT NULL
),
seated AS MATERIALIZED (
    SELECT
        ruleset,
        round,
        base,
        one.number AS person1,
        other.number AS person2,
        extended_minutes,
        longer
    FROM placed
    JOIN who AS one ON one.seat = seat1
    JOIN who AS other ON other.seat = seat2
),
counted AS MATERIALIZED (
    SELECT
        ruleset,
        round,
        count(*) AS tables,
        sum(longer)::BIGINT AS extended,
        extended / tables AS share,
        tables * share * (1 - share) AS single,
        sum(extended_minutes)::BIGINT AS minutes
    FROM seated
    GROUP BY ruleset, round
),
groups AS (
    SELECT ruleset, round, 'person' AS kind, person1 AS number, longer FROM seated
    UNION ALL
    SELECT ruleset, round, 'person', person2, longer FROM seated
    UNION ALL
    SELECT ruleset, round, 'event', base, longer FROM seated
),
summed AS (
    SELECT ruleset, round, kind, count(*) AS part, sum(longer)::BIGINT AS longer
    FROM groups
    GROUP BY ruleset, round, kind, number
),
-- How far the share moves where the tables of one person or of one day are left out gives its
-- standard error; a table by itself counts once.
moved AS (
    SELECT
        ruleset,
        round,
        kind,
        count(*) AS many,
        sum(part)::BIGINT ** 2 / sum(part ** 2) AS as_many,
        sum(in_billionths(((longer - share * part) / nullif(1 - part / tables, 0)) ** 2)) / 1e9
            AS squares
    FROM summed
    JOIN counted USING (ruleset, round)
    GROUP BY ruleset, round, kind
),
sure AS (
    SELECT
        ruleset,
        round,
        least(persons.many, events.many) AS fewest,
        least(persons.as_many, events.as_many) AS as_sure,
        sqrt(
            greatest(persons.squares - single, single) + greatest(events.squares - single, 0)
        ) / tables AS spread
    FROM counted
    JOIN (SELECT * FROM moved WHERE kind = 'person') AS persons USING (ruleset, round)
    JOIN (SELECT * FROM moved WHERE kind = 'event') AS events USING (ruleset, round)
)
SELECT
    ruleset,
    round,
    tables,
    extended,
    share,
    CASE WHEN fewest >= 5 THEN share_low(share, spread, as_sure) END AS low,
    CASE WHEN fewest >= 5 THEN share_high(share, spread, as_sure) END AS high,
    minutes,
    minutes / nullif(extended, 0) AS mean
FROM counted
JOIN sure USING (ruleset, round)
ORDER BY ruleset, round
