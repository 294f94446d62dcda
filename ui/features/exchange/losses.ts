// What an import would lose: rubrics of other systems hold things that have no place here.
import type { T } from "$ui/backend";

/** Does a remark on a file say what is lost? */
export const isLoss = (note: T.LineNote): boolean => note.why.startsWith("lost: ");

export const losesAnything = (summary: T.ImportSummary | null | undefined): boolean =>
  summary?.files.some((file) => file.warnings.some(isLoss)) ?? false;
