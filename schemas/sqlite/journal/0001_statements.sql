-- journals/PERSON.DEVICE.KIND.sqlite: what one person stated on one device, never changed.

CREATE TABLE meta (
    one        INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    study      BLOB NOT NULL CHECK (length(study) = 16),
    person     TEXT NOT NULL,
    device     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    public_key BLOB NOT NULL CHECK (length(public_key) = 32)
) STRICT;

-- `parents` is a JSON list of statement ids. `prev_sha256` is the hash of the row before (of row 1: of the
-- journal's meta row); a row's hash covers every column but `payload` (by its hash) and `signature`.
CREATE TABLE statements (
    seq            INTEGER NOT NULL PRIMARY KEY CHECK (seq >= 1),
    id             BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
    kind           TEXT NOT NULL,
    schema_version INTEGER NOT NULL CHECK (schema_version >= 0),
    subject        TEXT NOT NULL,
    person         TEXT NOT NULL,
    device         TEXT NOT NULL,
    made_at        TEXT NOT NULL,
    parents        TEXT NOT NULL CHECK (json_valid(parents)),
    payload        TEXT NOT NULL,
    payload_sha256 BLOB NOT NULL CHECK (length(payload_sha256) = 32),
    prev_sha256    BLOB NOT NULL CHECK (length(prev_sha256) = 32),
    signature      BLOB NOT NULL CHECK (length(signature) = 64)
) STRICT;
CREATE INDEX statements_by_subject ON statements (subject, seq);

CREATE TRIGGER statements_are_appended BEFORE INSERT ON statements
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM statements)
  OR EXISTS (SELECT 1 FROM statements WHERE id = NEW.id)
BEGIN SELECT raise(ABORT, 'a statement is appended after the last one, once'); END;
CREATE TRIGGER statements_stay BEFORE DELETE ON statements
BEGIN SELECT raise(ABORT, 'a statement is never deleted'); END;
CREATE TRIGGER statements_do_not_change BEFORE UPDATE ON statements
BEGIN SELECT raise(ABORT, 'a statement is never changed'); END;
CREATE TRIGGER meta_stays BEFORE DELETE ON meta
BEGIN SELECT raise(ABORT, 'a journal keeps its name'); END;
CREATE TRIGGER meta_does_not_change BEFORE UPDATE ON meta
BEGIN SELECT raise(ABORT, 'a journal keeps its name'); END;

-- What is being typed: no statement, not signed, overwritten and dropped at will.
CREATE TABLE drafts (
    kind    TEXT NOT NULL,
    subject TEXT NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
