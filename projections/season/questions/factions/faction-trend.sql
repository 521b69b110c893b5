-- title = "Factions by month"
-- answers = "How much of the field each faction is, month by month, and how it fares."
-- columns = [
--     ["month", "day", "the month, by its first day"],
--     ["ruleset", "text", "the game"],
--     ["faction", "text", "the faction"],
--     ["entrants", "count", "entries with it"],
--     ["field", "share", "of all entries of the game with a faction in the month"],
--     ["low", "share", "lower end of its 95 % interval by person"],
--     ["high", "share", "upper end of it"],
--     ["games", "count", "games that they played against other factions"],
--     ["score", "share", "wins and half of the draws, of those games"],
-- ]
-- minimum = 10
-- [plot]
-- kind = "lines"
-- x = "month"
-- value = "field"
-- color = "faction"
-- facet = "ruleset"
-- low = "low"
-- high = "high"
-- counts = ["entrants"]

WITH held AS MATERIALIZED (
    SELECT
        tournament,
        date_trunc('month', held_on)::DATE AS month,
        ruleset,
        8192 * row_number() OVER () AS base
    FROM tournaments
    WHERE held_on IS NOT NULL
),
slots AS MATERIALIZED (
    SELECT month, ruleset, faction, row_number() OVER ()::INTEGER AS slot
    FROM (
        SELECT DISTINCT month, ruleset, faction
        FROM entrants JOIN held USING (tournament)
        WHERE faction != ''
    )
),
who AS MATERIALIZED (
    SELECT base + player AS seat, slot
    FROM entrants
    JOIN held USING (tournament)
    JOIN slots USING (month, ruleset, faction)
),
met_games AS (
    SELECT base + player1 AS seat1, base + player2 AS seat2, record1, record2
    FROM results
    JOIN held USING (tournament)
    WHERE met
),
entries AS (
    SELECT month, ruleset, faction, person, count(*) AS entries
    FROM entrants
    JOIN held USING (tournament)
    JOIN people USING (tournament, player)
    WHERE status IS DISTINCT FROM 'withdrawn' AND faction != ''
    GROUP BY ALL
),
persons AS (
    SELECT month, ruleset, person, sum(entries)::BIGINT AS all_entries
    FROM entries
    GROUP BY ALL
),
months AS (
    SELECT month, ruleset, count(*) AS persons, sum(all_entries)::BIGINT AS whole
    FROM persons
    GROUP BY ALL
),
-- How far a share moves without one person's entries tells how sure it is: `weight` is what leaving
-- them out adds to that.
weighed AS (
    SELECT
        month,
        ruleset,
        person,
        all_entries,
        coalesce(1 / nullif(1 - all_entries / whole, 0) ** 2, 0) AS weight
    FROM persons
    JOIN months USING (month, ruleset)
),
squares AS (
    SELECT month, ruleset, sum(in_billionths(weight * all_entries ** 2)) / 1e9 AS squares
    FROM weighed
    GROUP BY ALL
),
entered AS (
    SELECT
        month,
        ruleset,
        faction,
        any_value(months.persons) AS persons,
        any_value(whole) AS whole,
        sum(entries)::BIGINT AS entrants,
        entrants / any_value(whole) AS field,
        sum(in_billionths(weight * entries ** 2)) / 1e9
        - 2 * field * sum(in_billionths(weight * entries * all_entries)) / 1e9
        + field ** 2 * any_value(squares) AS moved
    FROM entries
    JOIN weighed USING (month, ruleset, person)
    JOIN squares USING (month, ruleset)
    JOIN months USING (month, ruleset)
    GROUP BY month, ruleset, faction
),
-- That many entries of as many persons would be as sure; of few persons Student's interval is wider.
shares AS (
    SELECT
        *,
        CASE
            WHEN moved < 1e-6 THEN persons
            ELSE
                least(field * (1 - field) * whole ** 2 / moved, whole)
                * (1.959963984540054 / student_95(greatest(persons - 1, 1))) ** 2
        END AS as_many
    FROM entered
),
pairs AS (
    SELECT
        one.slot AS slot1,
        other.slot AS slot2,
        count(*) AS games,
        count(*) FILTER (record1 = 'W') + count(*) FILTER (record1 = 'D') / 2 AS score1,
        count(*) FILTER (record2 = 'W') + count(*) FILTER (record2 = 'D') / 2 AS score2
    FROM met_games
    JOIN who AS one ON one.seat = seat1
    JOIN who AS other ON other.seat = seat2
    -- A difference: by an inequality of its two sides a planner would join them first, all with all.
    WHERE one.slot - other.slot != 0
    GROUP BY one.slot, other.slot
),
played AS (
    SELECT slot, sum(games)::BIGINT AS games, sum(score) AS score
    FROM (
        SELECT slot1 AS slot, games, score1 AS score FROM pairs
        UNION ALL
        SELECT slot2, games, score2 FROM pairs
    )
    GROUP BY slot
)
SELECT
    month,
    ruleset,
    faction,
    entrants,
    field,
    wilson_low(field * as_many, as_many) AS low,
    wilson_high(field * as_many, as_many) AS high,
    coalesce(games, 0) AS games,
    score / games AS score
FROM shares
JOIN slots USING (month, ruleset, faction)
LEFT JOIN played USING (slot)
ORDER BY month, ruleset, faction
