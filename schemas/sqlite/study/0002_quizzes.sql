-- The guidelines quiz as newcomers open it: questions, and practice with its answers. What is right of the quiz itself lies in
-- audit.sqlite, under the same version.
CREATE TABLE quizzes (
    version INTEGER NOT NULL CHECK (version >= 1) PRIMARY KEY,
    body    TEXT NOT NULL CHECK (json_valid(body))
) STRICT, WITHOUT ROWID;
