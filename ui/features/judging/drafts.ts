/**
 * Drafts go to disk while one types: after 300 ms of quiet, at once when flushed, never two writes at a time.
 *
 * What is shown ("saving", "saved", "not saved") is what the backend has acknowledged, nothing earlier.
 */
export type SavedState = "saved" | "waiting" | "saving" | "failed";

export interface Drafts<D> {
  /** A newer draft of an item. */
  put(item: string, draft: D): void;
  /** Resolves when everything put so far is on disk; rejects with the reason when it is not. */
  flush(): Promise<void>;
  /** Takes back what waits for an item, because it is being submitted, and waits for a write under way; put it again if that fails. */
  hold(item: string): Promise<void>;
  /** Drops what waits for an item, because its judgement was submitted; a write under way is waited for. */
  drop(item: string): Promise<void>;
}

export const QUIET_MS = 300;

export function drafts<D>(
  write: (item: string, draft: D) => Promise<void>,
  onstate: (state: SavedState, error?: unknown) => void,
  quiet_ms = QUIET_MS,
): Drafts<D> {
  const waiting = new Map<string, D>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;

  async function drain(): Promise<void> {
    for (;;) {
      const first = waiting.entries().next();
      if (first.done) break;
      const [item, draft] = first.value;
      waiting.delete(item);
      onstate("saving");
      try {
        await write(item, draft);
      } catch (error) {
        if (!waiting.has(item)) waiting.set(item, draft);
        onstate("failed", error);
        throw error;
      }
    }
    onstate("saved");
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (running) return running.then(() => (waiting.size > 0 ? flush() : undefined));
    if (waiting.size === 0) return Promise.resolve();
    running = drain().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function hold(item: string): Promise<void> {
    waiting.delete(item);
    if (waiting.size === 0) {
      clearTimeout(timer);
      timer = undefined;
    }
    await running?.catch(() => undefined);
    waiting.delete(item);
  }

  return {
    put(item, draft) {
      waiting.set(item, draft);
      onstate("waiting");
      clearTimeout(timer);
      timer = setTimeout(() => {
        // The failure is shown through onstate; the next put or flush tries again.
        flush().catch(() => undefined);
      }, quiet_ms);
    },
    flush,
    hold,
    async drop(item) {
      await hold(item);
      if (waiting.size === 0) onstate("saved");
    },
  };
}
