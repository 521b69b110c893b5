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

WITH seated AS MATERIALIZED (
    SELECT
        ruleset,
        matches.tournament,
        round,
        extended_minutes,
        CASE WHEN extended_minutes > 0 THEN 1 ELSE 0 END AS longer,
        one.person AS person1,
        other.person AS person2
    FROM matches
    JOIN tournaments USING (tournament)
    JOIN people AS one ON one.tournament = matches.tournament AND one.player = player1
    JOIN people AS other ON other.tournament = matches.tournament AND other.player = player2
    WHERE NOT void
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
    SELECT ruleset, round, 'person' AS kind, person1 AS name, longer FROM seated
    UNION ALL
    SELECT ruleset, round, 'person', person2, longer FROM seated
    UNION ALL
    SELECT ruleset, round, 'event', tournament, longer FROM seated
),
summed AS (
    SELECT ruleset, round, kind, count(*) AS part, sum(longer)::BIGINT AS longer
    FROM groups
    GROUP BY ruleset, round, kind, name
),
-- How far the share moves where the tables of one person or of one event are left out gives its
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
