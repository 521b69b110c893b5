-- What the fold alone can say, from its files of rows: standings with their exact tiebreakers, cuts.
INSERT INTO standings
SELECT
    tournament, round, stage, player, place, points, wins, losses, draws, byes, left_event,
    tiebreakers
FROM read_json(
    $standings,
    format = 'newline_delimited',
    columns = {
        log: 'INTEGER',
        round: 'INTEGER',
        stage: 'INTEGER',
        player: 'INTEGER',
        place: 'INTEGER',
        points: 'INTEGER',
        wins: 'INTEGER',
        losses: 'INTEGER',
        draws: 'INTEGER',
        byes: 'INTEGER',
        left_event: 'BOOLEAN',
        tiebreakers: 'MAP(VARCHAR, STRUCT(exact VARCHAR, value DOUBLE))'
    }
)
JOIN logs USING (log);
