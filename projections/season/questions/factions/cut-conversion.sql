-- title = "Conversion to the cut"
-- answers = "Which factions reach the first cut, of tournaments that made one."
-- columns = [
--     ["ruleset", "text", "the game"],
--     ["faction", "text", "the faction"],
--     ["entrants", "count", "entries with it in tournaments with a cut"],
--     ["qualified", "count", "of them, in the cut, replacements among them"],
--     ["field", "share", "of all entries with a faction, of the game in such tournaments"],
--     ["of_cut", "share", "of all places in those cuts with a faction"],
--     ["conversion", "share", "qualified, of the entries"],
--     ["low", "share", "lower end of the conversion's 95 % interval (conservative) by person; empty below five"],
--     ["high", "share", "upper end of it"],
-- ]
-- [plot]
-- kind = "intervals"
-- y = "faction"
-- value = "conversion"
-- low = "low"
-- high = "high"
-- between = "with 95 % interval, conservative"
-- facet = "ruleset"
-- counts = ["entrants"]

WITH first_cuts AS (
    SELECT tournament, min(stage) AS stage FROM cuts GROUP BY tournament
),
entered AS MATERIALIZED (
    SELECT
        tournaments.ruleset,
        entrants.faction,
        people.person,
        count(*) AS entries,
        count(cuts.player) AS through
    FROM entrants
    JOIN first_cuts USING (tournament)
    JOIN tournaments USING (tournament)
    JOIN people ON people.tournament = entrants.tournament AND people.player = entrants.player
    LEFT JOIN cuts
        ON cuts.tournament = entrants.tournament
        AND cuts.stage = first_cuts.stage
        AND cuts.player = entrants.player
    WHERE entrants.status IS DISTINCT FROM 'withdrawn' AND entrants.faction != ''
    GROUP BY ALL
),
counted AS (
    SELECT
        ruleset,
        faction,
        count(*) AS persons,
        sum(entries)::BIGINT AS entrants,
        sum(through)::BIGINT AS qualified,
        sum(entries)::BIGINT ** 2 / sum(entries ** 2) AS as_persons,
        qualified / entrants AS conversion
    FROM entered
    GROUP BY ruleset, faction
),
-- How far the conversion moves where one person's entries are left out gives its standard error.
spreads AS (
    SELECT
        ruleset,
        faction,
        sqrt(
            sum(
                in_billionths(
                    ((through - conversion * entries) / nullif(1 - entries / entrants, 0)) ** 2
                )
            ) / 1e9
        ) / any_value(entrants) AS spread
    FROM entered
    JOIN counted USING (ruleset, faction)
    GROUP BY ruleset, faction
)
SELECT
    ruleset,
    faction,
    entrants,
    qualified,
    entrants / sum(entrants) OVER (PARTITION BY ruleset) AS field,
    qualified / nullif(sum(qualified) OVER (PARTITION BY ruleset), 0) AS of_cut,
    conversion,
    CASE WHEN persons >= 5 THEN share_low(conversion, spread, as_persons) END AS low,
    CASE WHEN persons >= 5 THEN share_high(conversion, spread, as_persons) END AS high
FROM counted
JOIN spreads USING (ruleset, faction)
ORDER BY ruleset, faction
