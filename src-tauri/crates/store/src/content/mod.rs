//! The content files of a study: prompts, responses, rubrics, and what only auditors and leads may see.
