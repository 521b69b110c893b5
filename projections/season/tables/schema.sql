-- The season's tables. Each column is followed by its meaning and unit; README.md is made from
-- here. A number of a player, round, table or match is the log's own and counts from 1 within its
-- tournament; `seq` is an event's place in the log. A moment is a desk's claim, in UTC.
-- No name, public id, reason, ruling or note of a log is here. The one thing that may tell who a
-- person is are the labels that an organizer chose to keep: `attributes` of `entrants`, without those
-- that hold an id, such as `fide id`.

-- One row for each tournament.
CREATE TABLE tournaments (
    tournament VARCHAR NOT NULL,  -- the tournament's id: 32 hex digits
    size INTEGER NOT NULL,  -- events in its log
    root VARCHAR NOT NULL,  -- SHA-256 tree root over the log's lines (RFC 6962), in hex
    signed_size INTEGER NOT NULL,  -- events that a signed head beside the log covers; 0: there was
        -- none, or the log is from an archive
    signed_by VARCHAR,  -- verifier key of that head; NULL: none, or the log names none to check by
    by_policy BOOLEAN NOT NULL,  -- whether a policy accepted the head; else the log names the key
    name VARCHAR NOT NULL,  -- what the tournament is called
    held_on DATE,  -- local day of the opening; NULL where the log's date is no day
    time_zone VARCHAR NOT NULL,  -- IANA name
    tier VARCHAR NOT NULL,  -- relaxed, formal or premier
    ruleset VARCHAR NOT NULL,  -- key of the game's ruleset
    edition VARCHAR NOT NULL,  -- edition of that ruleset file
    ruleset_sha256 VARCHAR NOT NULL,  -- SHA-256 of the ruleset's text, in hex
    full_win VARCHAR NOT NULL,  -- the ruleset's word for the outcome of a full win
    full_points INTEGER NOT NULL,  -- match points that a full win is worth
    format VARCHAR,  -- key of the format that lists are held to; NULL: none
    structure VARCHAR,  -- basic, advanced or custom; NULL: not announced
    engine VARCHAR NOT NULL,  -- the program that opened the log
    imported_from VARCHAR,  -- kind of the foreign file; NULL: a log of our own
    opened_at TIMESTAMP,  -- when the log was opened
    started_at TIMESTAMP,  -- when play began; NULL: not yet
    finished_at TIMESTAMP,  -- when play was closed; NULL: still open
    finished BOOLEAN NOT NULL,  -- whether play is closed
    entrants INTEGER NOT NULL,  -- players whose registration stands
    rounds INTEGER NOT NULL,  -- rounds paired that were not taken back
    winner INTEGER  -- the player in first place; NULL: not decided
);

-- Who an entrant is across tournaments: one row for each entrant.
CREATE TABLE people (
    tournament VARCHAR NOT NULL,  -- the tournament
    player INTEGER NOT NULL,  -- the player's number in it
    person VARCHAR NOT NULL,  -- pseudonym after the league's acts; without one, tournament/player
    known BOOLEAN NOT NULL  -- whether the league knows the person: by a pseudonym in the log, a public
        -- id that its vault read, or an act; else a guest of one tournament
);

-- One row for each player of a tournament, withdrawn registrations among them.
CREATE TABLE entrants (
    tournament VARCHAR NOT NULL,  -- the tournament
    player INTEGER NOT NULL,  -- number in order of registration
    league_id VARCHAR NOT NULL,  -- the league's pseudonym as the log has it; empty: none, or a public id
    faction VARCHAR NOT NULL,  -- faction, clan or army; empty: none
    attributes MAP(VARCHAR, VARCHAR) NOT NULL,  -- further labels that the organizer kept, without
        -- ids; and of archetype files: archetype, what else fits (also), the file's SHA-256 (rules)
    random_rank BIGINT NOT NULL,  -- breaks exact ties, the lowest first
    registered_seq INTEGER NOT NULL,  -- the event that enrolled the player
    registered_at TIMESTAMP,  -- when
    late BOOLEAN NOT NULL,  -- registered after play had begun
    status VARCHAR,  -- active, cut, dropped, disqualified or withdrawn, at the log's end
    byes INTEGER,  -- byes had, in any stage
    last_stage INTEGER,  -- the last stage played in
    final_place INTEGER  -- 1 is the winner; NULL: not decided, or withdrawn
);

-- Each departure: drops, disqualifications and registrations taken back.
CREATE TABLE departures (
    tournament VARCHAR NOT NULL,  -- the tournament
    seq INTEGER NOT NULL,  -- the event
    player INTEGER NOT NULL,  -- who left
    kind VARCHAR NOT NULL,  -- drop, disqualification or registration
    reason VARCHAR,  -- of a drop: request, no-show, unable, conduct or component
    clause VARCHAR,  -- of a disqualification: the clause's ID
    after_round INTEGER NOT NULL,  -- the latest round paired by then; 0: none
    left_at TIMESTAMP,  -- when
    entered_by VARCHAR NOT NULL,  -- who entered it, as in events
    withdrawn_seq INTEGER,  -- the event that took it back as a mistake; NULL: it stands
    rejoined_seq INTEGER  -- the event by which the player returned; NULL: never
);

-- One row for each announced stage, as last announced.
CREATE TABLE stages (
    tournament VARCHAR NOT NULL,  -- the tournament
    stage INTEGER NOT NULL,  -- number from 1
    kind VARCHAR NOT NULL,  -- swiss, single, double or recorded
    rounds INTEGER NOT NULL,  -- rounds announced; 0: until one player is left
    entry VARCHAR NOT NULL,  -- all, top, points or list
    size INTEGER NOT NULL,  -- how many, or how many points, for top and points
    carries BOOLEAN NOT NULL,  -- whether points of the stages before count on
    rematch VARCHAR NOT NULL  -- where a second meeting is banned: stage or tournament
);

-- One row for each round whose pairing was not taken back.
CREATE TABLE rounds (
    tournament VARCHAR NOT NULL,  -- the tournament
    round INTEGER NOT NULL,  -- number from 1, through all stages
    stage INTEGER NOT NULL,  -- its stage
    attempt INTEGER NOT NULL,  -- which attempt at pairing it this is, from 1
    procedure VARCHAR NOT NULL,  -- what paired it
    paired_seq INTEGER NOT NULL,  -- the event that paired it
    paired_at TIMESTAMP,  -- when
    closed_seq INTEGER,  -- the event that closed it; NULL: open
    matches INTEGER NOT NULL,  -- games, byes among them
    by_hand INTEGER NOT NULL,  -- tables set by the organizer
    swaps INTEGER NOT NULL,  -- seats swapped afterwards
    passed_over INTEGER NOT NULL  -- players who were next for the bye but could not have it
);

-- The clock of each round of `rounds`.
CREATE TABLE clocks (
    tournament VARCHAR NOT NULL,  -- the tournament
    round INTEGER NOT NULL,  -- the round
    started_at TIMESTAMP,  -- when it was started; NULL: never
    minutes INTEGER,  -- its length in minutes; 0: no clock; NULL: not started
    extensions INTEGER NOT NULL,  -- tables given more time and not taken back, counted each time
    extended_minutes INTEGER NOT NULL,  -- minutes given to tables, in sum
    longer_minutes INTEGER NOT NULL,  -- minutes given to the whole round
    pauses INTEGER NOT NULL,  -- how often its clock was stopped
    paused_seconds INTEGER NOT NULL,  -- how long it stood still, in pauses that ended
    called_at TIMESTAMP,  -- when the first call said that time is over; NULL: none
    last_result_at TIMESTAMP,  -- when the last table had its first result
    closed_at TIMESTAMP  -- when the round was closed; NULL: open
);

-- One row for each game of each pairing, those of pairings taken back among them.
CREATE TABLE matches (
    tournament VARCHAR NOT NULL,  -- the tournament
    match INTEGER NOT NULL,  -- the match's number for ever
    round INTEGER NOT NULL,  -- its round
    stage INTEGER NOT NULL,  -- its stage
    table_number INTEGER NOT NULL,  -- table, or game number of an elimination
    player1 INTEGER,  -- who is named first, after swaps; NULL: nobody
    player2 INTEGER,  -- who sits opposite; NULL: nobody
    bye BOOLEAN NOT NULL,  -- whether exactly one sits there
    by_hand BOOLEAN NOT NULL,  -- whether the organizer set the table
    void BOOLEAN NOT NULL,  -- the pairing was taken back
    paired_seq INTEGER NOT NULL,  -- the event that paired it
    extended_minutes INTEGER NOT NULL,  -- minutes given to this table beside the round's
    again BOOLEAN NOT NULL,  -- whether the two had been paired before, by a pairing that stands
    points_before1 INTEGER,  -- the first player's points in the standings of the round before, of
        -- the same stage; NULL: not in them
    place_before1 INTEGER,  -- and place
    points_before2 INTEGER,  -- the second player's
    place_before2 INTEGER  -- and place
);

-- The result that counts, of each match that has one; a report that waits to be confirmed does not.
CREATE TABLE results (
    tournament VARCHAR NOT NULL,  -- the tournament
    match INTEGER NOT NULL,  -- the match
    round INTEGER NOT NULL,  -- its round
    stage INTEGER NOT NULL,  -- its stage
    player1 INTEGER NOT NULL,  -- the first player, as in matches
    player2 INTEGER NOT NULL,  -- the second
    seq INTEGER NOT NULL,  -- the event that gave the result
    outcome1 VARCHAR NOT NULL,  -- the first player's outcome, a word of the ruleset
    outcome2 VARCHAR NOT NULL,  -- the second player's
    record1 VARCHAR NOT NULL,  -- W, L or D: what the first outcome counts as
    record2 VARCHAR NOT NULL,  -- the same of the second
    winner INTEGER,  -- the player with W; NULL: none or both
    points1 INTEGER NOT NULL,  -- match points of the first player
    points2 INTEGER NOT NULL,  -- of the second
    manner VARCHAR NOT NULL,  -- played, time, concession, no-show, departure or declared
    met BOOLEAN NOT NULL,  -- whether it was played, so that it counts as a meeting
    ending VARCHAR NOT NULL,  -- how the game ended, a word of the ruleset; empty: not told
    fields MAP(VARCHAR, BIGINT[]) NOT NULL,  -- numbers for tiebreakers, first and second player's
    facts MAP(VARCHAR, BIGINT[]) NOT NULL,  -- what the table saw, first and second player's
    entered_at TIMESTAMP,  -- when the result that stands was entered
    entered_by VARCHAR NOT NULL,  -- by whom, as in events
    first_at TIMESTAMP,  -- when the match was first reported
    corrections INTEGER NOT NULL,  -- corrections of this match
    withdrawals INTEGER NOT NULL  -- results of this match taken back
);

-- Each correction of a result: what stood and what replaced it.
CREATE TABLE corrections (
    tournament VARCHAR NOT NULL,  -- the tournament
    seq INTEGER NOT NULL,  -- the event
    match INTEGER NOT NULL,  -- the match
    round INTEGER NOT NULL,  -- its round
    corrects INTEGER NOT NULL,  -- the event whose result it replaced
    outcome1_before VARCHAR NOT NULL,  -- the first player's outcome until then
    outcome1 VARCHAR NOT NULL,  -- and from then on
    points1_before INTEGER NOT NULL,  -- match points of the first player until then
    points1 INTEGER NOT NULL,  -- and from then on
    points2_before INTEGER NOT NULL,  -- of the second until then
    points2 INTEGER NOT NULL,  -- and from then on
    after_close BOOLEAN NOT NULL,  -- whether the round had been closed
    after_finish BOOLEAN NOT NULL,  -- whether play had been closed
    entered_at TIMESTAMP,  -- when
    entered_by VARCHAR NOT NULL  -- by whom, as in events
);

-- Swiss standings after each round, as corrected: with everything that the whole log says of the
-- rounds up to it. One row for each player listed.
CREATE TABLE standings (
    tournament VARCHAR NOT NULL,  -- the tournament
    round INTEGER NOT NULL,  -- after this round
    stage INTEGER NOT NULL,  -- the Swiss stage
    player INTEGER NOT NULL,  -- the player
    place INTEGER NOT NULL,  -- rank, 1 is first; no ties
    points INTEGER NOT NULL,  -- points that count in the stage
    wins INTEGER NOT NULL,  -- rounds won
    losses INTEGER NOT NULL,  -- rounds lost
    draws INTEGER NOT NULL,  -- rounds drawn
    byes INTEGER NOT NULL,  -- byes
    left_event BOOLEAN NOT NULL,  -- dropped or disqualified, by the log's end
    tiebreakers VARCHAR NOT NULL  -- published codes in the ruleset's order, each with the exact
        -- fraction: SOS 57/16 ESOS 4; tiebreaker(tiebreakers, 'SOS').value is 3.5625, .exact is 57/16
);

-- One row for each player of a Swiss stage with games that were played there: what they scored, and
-- what their opponents scored in all such games of theirs. An opponent met twice counts twice.
CREATE TABLE schedules (
    tournament VARCHAR NOT NULL,  -- the tournament
    stage INTEGER NOT NULL,  -- the Swiss stage
    player INTEGER NOT NULL,  -- the player
    games INTEGER NOT NULL,  -- games played
    halves INTEGER NOT NULL,  -- half points scored in them: 2 for a win, 1 for a draw
    opponents_games INTEGER NOT NULL,  -- games that the opponents played
    opponents_halves INTEGER NOT NULL  -- half points that they scored in them
);

-- Who went on to a stage by a cut that stands.
CREATE TABLE cuts (
    tournament VARCHAR NOT NULL,  -- the tournament
    stage INTEGER NOT NULL,  -- the stage they went on to
    player INTEGER NOT NULL,  -- who
    seed INTEGER,  -- 1 is the best, after replacements; NULL: left before the first game
    replacement BOOLEAN NOT NULL,  -- asked to replace a qualifier who left
    cut_seq INTEGER NOT NULL  -- the event that made the cut
);

-- Each ruling that was not taken back.
CREATE TABLE rulings (
    tournament VARCHAR NOT NULL,  -- the tournament
    seq INTEGER NOT NULL,  -- the event
    round INTEGER NOT NULL,  -- the latest round paired by then; 0: none
    match INTEGER,  -- the match; NULL: on no single match
    official INTEGER NOT NULL,  -- number of the official who ruled
    plays_as INTEGER,  -- the official's own number among the players; NULL: does not play
    clause VARCHAR NOT NULL,  -- the clause's ID; empty: none named
    raised VARCHAR NOT NULL,  -- who asked: player, spectator or official
    player INTEGER,  -- the player who asked; NULL: not a player
    review_asked BOOLEAN NOT NULL,  -- whether a marshal's review was asked for
    reviews INTEGER,  -- the event of the ruling that this one decides anew; NULL: none
    reviewed_by INTEGER,  -- the event of the ruling that decided this one anew; NULL: none
    ruled_at TIMESTAMP  -- when
);

-- Each penalty, and each conduct noted, that was not taken back.
CREATE TABLE penalties (
    tournament VARCHAR NOT NULL,  -- the tournament
    seq INTEGER NOT NULL,  -- the event
    round INTEGER NOT NULL,  -- the latest round paired by then; 0: none
    match INTEGER,  -- the match; NULL: on no single match
    player INTEGER NOT NULL,  -- who it was given to
    theme VARCHAR NOT NULL,  -- penalty or conduct
    kind VARCHAR NOT NULL,  -- what followed, or for conduct what it was
    clause VARCHAR NOT NULL,  -- the clause's ID; empty: none named
    given_at TIMESTAMP,  -- when
    entered_by VARCHAR NOT NULL  -- by whom, as in events
);

-- Each dispute of a result.
CREATE TABLE disputes (
    tournament VARCHAR NOT NULL,  -- the tournament
    seq INTEGER NOT NULL,  -- the event that opened it
    match INTEGER NOT NULL,  -- the match
    round INTEGER NOT NULL,  -- its round
    kind VARCHAR NOT NULL,  -- the type of the event that opened it
    opened_at TIMESTAMP,  -- when
    entered_by VARCHAR NOT NULL,  -- by whom, as in events
    closed_seq INTEGER  -- the ruling on it, or the event that ended it without one; NULL: none
);

-- What was chosen before a match began, of each match where something was recorded.
CREATE TABLE setups (
    tournament VARCHAR NOT NULL,  -- the tournament
    match INTEGER NOT NULL,  -- the match
    round INTEGER NOT NULL,  -- its round
    first_player INTEGER,  -- who was first player; NULL: not recorded
    first_chosen_by INTEGER,  -- who chose that
    blue INTEGER,  -- who had the blue side; NULL: not recorded
    side_chosen_by INTEGER,  -- who chose that
    scenario_objective VARCHAR,  -- the objective played: the match's, else the round's
    scenario_deployment VARCHAR,  -- the deployment played: the match's, else the round's
    scenario_condition VARCHAR  -- the condition played; NULL: none, or hidden until play is closed
);

-- Each list handed in or corrected. The text stays in the log.
CREATE TABLE lists (
    tournament VARCHAR NOT NULL,  -- the tournament
    seq INTEGER NOT NULL,  -- the event
    player INTEGER NOT NULL,  -- whose list
    corrects INTEGER,  -- the event whose list it replaced; NULL: handed in by the player
    significant BOOLEAN NOT NULL,  -- of a correction: other things are listed
    flagged BOOLEAN NOT NULL,  -- of a correction: to be investigated
    checked_seq INTEGER,  -- the last event that checked this very text; NULL: none
    breaks INTEGER,  -- findings of that check that break the format, as far as written out
    not_checked INTEGER,  -- findings of that check that lacked facts, as far as written out
    entered_at TIMESTAMP,  -- when
    entered_by VARCHAR NOT NULL  -- by whom, as in events
);

-- Every event.
CREATE TABLE events (
    tournament VARCHAR NOT NULL,  -- the tournament
    seq INTEGER NOT NULL,  -- its place in the log, from 1
    type VARCHAR NOT NULL,  -- the event's type
    entered_at TIMESTAMP,  -- the desk's clock; NULL where it named no moment
    entered_by VARCHAR NOT NULL  -- o1 an official, p7 a player, o1/p7 on a player's word
);
