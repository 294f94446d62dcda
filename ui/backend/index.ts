// The door to the backend, and the only room that imports @tauri-apps. `call` is typed by the generated command table;
// writes mark what they made stale by themselves.
import { asBackendError } from "./error";
import { markStale } from "./freshness.svelte";
import type { Commands } from "./generated/commands";
import type { JobView, Stale } from "./generated/types";
import { transport } from "./transport";

export { BackendError } from "./error";
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

/** Asks from time to time, while a study is open, what others have written; the answer stops it. */
export function watchChanges(studyIsOpen: () => boolean): () => void {
  let stopped = false;
  const watch = async (): Promise<void> => {
    let since = "";
    while (!stopped) {
      if (!studyIsOpen()) {
        since = "";
        await pause(1000);
        continue;
      }
      try {
        const changes = await call("changes", { since });
        if (since !== "") markStale(changes.stale);
        since = changes.token;
      } catch {
        since = ""; // the study was closed, or the backend is gone: a call that somebody waits for will say so
      }
      await pause(document.visibilityState === "visible" ? 2000 : 8000);
    }
  };
  void watch();
  return () => {
    stopped = true;
  };
}
