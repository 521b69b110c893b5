-- What a load works with besides the lines; `log` numbers the logs of one load.
CREATE OR REPLACE TEMP TABLE logs (
    log INTEGER,
    tournament VARCHAR,
    size INTEGER,
    root VARCHAR,
    ruleset INTEGER,
    signed_size INTEGER,
    signed_by VARCHAR,
    by_policy BOOLEAN,
    full_win VARCHAR,
    full_points INTEGER
);
CREATE OR REPLACE TEMP TABLE ranked (
    log INTEGER,
    round INTEGER,
    stage INTEGER,
    player INTEGER,
    place INTEGER,
    points INTEGER,
    wins INTEGER,
    losses INTEGER,
    draws INTEGER,
    byes INTEGER,
    left_event BOOLEAN,
    tiebreakers VARCHAR
);
CREATE OR REPLACE TEMP TABLE letters (ruleset INTEGER, outcome VARCHAR, record VARCHAR);
CREATE OR REPLACE TEMP TABLE finishes (
    log INTEGER,
    player INTEGER,
    status VARCHAR,
    byes INTEGER,
    last_stage INTEGER,
    final_place INTEGER
);
CREATE OR REPLACE TEMP TABLE qualified (
    log INTEGER, stage INTEGER, player INTEGER, seed INTEGER, cut_seq INTEGER
);
CREATE OR REPLACE TEMP TABLE unconfirmed (log INTEGER, match INTEGER);
CREATE OR REPLACE TEMP TABLE set_up (
    log INTEGER,
    match INTEGER,
    round INTEGER,
    first_player INTEGER,
    first_chosen_by INTEGER,
    blue INTEGER,
    side_chosen_by INTEGER,
    scenario_objective VARCHAR,
    scenario_deployment VARCHAR,
    scenario_condition VARCHAR
);
