-- cache/SESSION.sqlite: what follows from the journals and the inbox that one session may open. Disposable.

-- How far each journal was read: its last row, and that row's hash.
CREATE TABLE sources (
    journal     TEXT NOT NULL PRIMARY KEY,
    last_seq    INTEGER NOT NULL,
    last_sha256 BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Every statement, as a node: what it retracts or replaces follows from `parents`. `live`: not retracted.
-- `answers`: the task that a submission or review was made for.
CREATE TABLE nodes (
    id      BLOB NOT NULL PRIMARY KEY,
    journal TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    subject TEXT NOT NULL,
    person  TEXT NOT NULL,
    parents TEXT NOT NULL,
    answers BLOB,
    live    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX nodes_by_subject ON nodes (subject);

-- The statements that stand: not retracted, not replaced. `body` is the whole statement as JSON.
CREATE TABLE heads (
    kind    TEXT NOT NULL,
    subject TEXT NOT NULL,
    person  TEXT NOT NULL,
    id      BLOB NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (kind, subject, person, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX heads_by_person ON heads (person, kind, subject);

-- How many subjects have a statement that stands, kept up so that counting costs nothing.
CREATE TABLE tallies (
    kind   TEXT NOT NULL,
    person TEXT NOT NULL,
    n      INTEGER NOT NULL,
    PRIMARY KEY (kind, person)
) STRICT, WITHOUT ROWID;

-- The person's tasks with their state (not in the auditor's index, which serves nobody's tasks).
CREATE TABLE tasks (
    id       BLOB NOT NULL PRIMARY KEY,
    kind     TEXT NOT NULL,
    subject  TEXT NOT NULL,
    version  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    cause    BLOB NOT NULL,
    note     TEXT NOT NULL,
    done     INTEGER NOT NULL CHECK (done IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tasks_in_order ON tasks (kind, position);
CREATE INDEX tasks_by_state ON tasks (kind, done, position);
CREATE INDEX tasks_by_subject ON tasks (subject);

-- Counts of tasks, kept up by the triggers.
CREATE TABLE task_counts (
    kind  TEXT NOT NULL,
    done  INTEGER NOT NULL,
    n     INTEGER NOT NULL,
    PRIMARY KEY (kind, done)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER task_added AFTER INSERT ON tasks BEGIN
    INSERT INTO task_counts (kind, done, n) VALUES (NEW.kind, NEW.done, 1)
    ON CONFLICT (kind, done) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER task_removed AFTER DELETE ON tasks BEGIN
    UPDATE task_counts SET n = n - 1 WHERE kind = OLD.kind AND done = OLD.done;
END;
CREATE TRIGGER task_turned AFTER UPDATE OF done ON tasks WHEN OLD.done <> NEW.done BEGIN
    UPDATE task_counts SET n = n - 1 WHERE kind = OLD.kind AND done = OLD.done;
    INSERT INTO task_counts (kind, done, n) VALUES (NEW.kind, NEW.done, 1)
    ON CONFLICT (kind, done) DO UPDATE SET n = n + 1;
END;

CREATE TABLE inbox_seen (
    one      INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
