// The door to the backend, and the only room that imports @tauri-apps. `call` is typed by the generated command table;
// writes mark what they made stale by themselves.
import { asBackendError } from "./error";
import { markStale } from "./freshness.svelte";
import type { Commands } from "./generated/commands";
import type { JobView, Stale } from "./generated/types";
import { transport } from "./transport";

export { asBackendError, BackendError } from "./error";
export { freshness } from "./freshness.svelte";
export type * as T from "./generated/types";

export type CommandName = keyof Commands;

const hasStale = (reply: unknown): reply is { stale: Stale[] } =>
  typeof reply === "object" &&
  reply !== null &&
  "stale" in reply &&
  "value" in reply &&
  Array.isArray(reply.stale);

/** Sends a command; throws a BackendError. */
export async function call<K extends CommandName>(
  command: K,
  ...request: Commands[K]["request"] extends Record<string, never> ? [] : [Commands[K]["request"]]
): Promise<Commands[K]["reply"]> {
  try {
    const reply = (await transport.send(command, request[0] ?? {})) as Commands[K]["reply"];
    if (hasStale(reply)) markStale(reply.stale);
    return reply;
  } catch (thrown) {
    throw asBackendError(thrown);
  }
}

/** Where a picture or document is, by its hash. */
export const blobUrl = (sha: string): string => transport.blobUrl(sha);

let mediaBase = "";
/** Where sound and video come from (`AppFacts.media_base`); set once at start. */
export function setMediaBase(base: string): void {
  mediaBase = base.replace(/\/$/, "");
}
/** Where a sound or video is, by its hash: the loopback server with Range. */
export const mediaUrl = (sha: string): string => `${mediaBase}/${sha}`;

export const inWindow = transport.window;
export const onDrop = transport.onDrop.bind(transport);
export const onFile = transport.onFile.bind(transport);

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Follows a job to its end; `seen` gets every standing, the last one included. */
export async function followJob(job: number, seen: (view: JobView) => void): Promise<JobView> {
  for (;;) {
    const view = await call("job", { job });
    seen(view);
    if (view.state !== "running") return view;
    await pause(300);
  }
}

/** Asks from time to time what others have written, until the answer stops it. Begun with a session, before its first
 *  screen reads anything: what is written after the first question is told of. A hidden page does not ask. */
export function watchChanges(): () => void {
  let stopped = false;
  const watch = async (): Promise<void> => {
    let since = "";
    while (!stopped) {
      if (since === "" || document.visibilityState === "visible") {
        try {
          const changes = await call("changes", { since });
          if (stopped) return;
          if (since !== "") markStale(changes.stale);
          since = changes.token;
        } catch {
          // The backend is gone or busy: a call that somebody waits for will say so. The token stays good.
        }
      }
      await pause(2000);
    }
  };
  void watch();
  return () => {
    stopped = true;
  };
}
