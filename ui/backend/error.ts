// The one error that crosses from the backend: a code that somebody acts on, a message for people, parameters.
import type { Code, Failure } from "./generated/types";

export class BackendError extends Error {
  readonly code: Code | "unreachable";
  readonly details: unknown;

  constructor(code: Code | "unreachable", message: string, details?: unknown) {
    super(message);
    this.name = "BackendError";
    this.code = code;
    this.details = details;
  }
}

const isFailure = (value: unknown): value is Failure =>
  typeof value === "object" && value !== null && "code" in value && "message" in value;

/** Whatever was thrown or returned, as the one error. */
export function asBackendError(thrown: unknown): BackendError {
  if (thrown instanceof BackendError) return thrown;
  if (isFailure(thrown)) return new BackendError(thrown.code, thrown.message, thrown.details);
  return new BackendError("internal", thrown instanceof Error ? thrown.message : String(thrown));
}
