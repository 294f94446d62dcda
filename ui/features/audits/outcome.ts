// What an audit comes to.
import type { T } from "$ui/backend";

/** Was everything looked through? Then the rate is known, and needs no bound. */
export const isWhole = (outcome: T.AuditOutcome): boolean =>
  outcome.items > 0 && outcome.audited >= outcome.items && outcome.items >= outcome.finished;
