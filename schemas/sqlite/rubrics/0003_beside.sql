-- What a file says of a rubric beside its criteria: the meta-rubric that its author can go on with, and what an answer must
-- not say. NULL where it says neither.

ALTER TABLE rubrics ADD COLUMN beside TEXT CHECK (beside IS NULL OR json_valid(beside));
