-- inbox/PERSON.sqlite: the tasks handed to one person, in their order. Written by the lead alone. It holds no
-- time, and a gold job looks like any other.

CREATE TABLE me (
    one      INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    study    BLOB NOT NULL CHECK (length(study) = 16),
    person   TEXT NOT NULL,
    display  TEXT NOT NULL,
    roles    TEXT NOT NULL CHECK (json_valid(roles)),
    revision INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- `subject`: a response id (judge), a prompt id (author), `<prompt id>/<author>` (review). `cause`: the statement
-- that made the task. `note`: JSON for the person, such as what was sent back and why; empty when there is none.
CREATE TABLE tasks (
    id              BLOB NOT NULL CHECK (length(id) = 16) PRIMARY KEY,
    kind            TEXT NOT NULL,
    subject         TEXT NOT NULL,
    subject_version INTEGER NOT NULL CHECK (subject_version >= 0),
    position        INTEGER NOT NULL CHECK (position >= 1),
    cause           BLOB NOT NULL CHECK (length(cause) = 16),
    note            TEXT NOT NULL DEFAULT '',
    UNIQUE (kind, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX tasks_by_subject ON tasks (subject);
