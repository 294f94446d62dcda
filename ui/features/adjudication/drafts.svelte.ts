// Settlements in the making, by case. What was chosen stays while one looks at other cases; the note is kept on disk as it
// is typed, and comes back after a restart.
import { call, type T } from "$ui/backend";
import { drafts } from "$ui/features/judging/drafts";
import { app } from "$ui/features/session/app.svelte";
import { begin, caseKey, type Draft } from "./settling";

type Subject = Pick<T.CaseRow, "response" | "modality" | "settled">;
interface Kept {
  response: string;
  modality: T.Modality;
  note: string;
}

const empty: Draft = { verdict: undefined, cause: undefined, note: "", sendBack: false };

export class Drafts {
  #drafts: Record<string, Draft> = $state.raw({});
  /** By case: a note was typed, the kept note was asked for. Nothing on screen depends on these. */
  #touched: Record<string, true> = {};
  #fetched: Record<string, true> = {};
  #notes = drafts<Kept>(
    async (_, kept) => {
      await call("save_settlement_draft", kept);
    },
    (state) => (app.status.saved = state === "waiting" ? "saving" : state),
  );

  of(subject: Subject | undefined): Draft {
    if (!subject) return empty;
    return this.#drafts[caseKey(subject)] ?? begin(subject.settled, undefined);
  }

  /** Fetches the kept note, once; what was typed in the meantime wins. */
  async open(subject: Subject): Promise<void> {
    const key = caseKey(subject);
    if (this.#fetched[key]) return;
    this.#fetched[key] = true;
    try {
      const kept = await call("settlement_draft", { response: subject.response, modality: subject.modality });
      if (kept.note === null || kept.note === undefined || this.#touched[key]) return;
      this.#put(key, { ...this.of(subject), note: kept.note });
    } catch {
      Reflect.deleteProperty(this.#fetched, key); // asked for again when the case is shown again; a failing study says so elsewhere
    }
  }

  change(subject: Subject, change: Partial<Draft>): void {
    const key = caseKey(subject);
    this.#put(key, { ...this.of(subject), ...change });
    if (change.note === undefined) return;
    this.#touched[key] = true;
    this.#notes.put(key, { response: subject.response, modality: subject.modality, note: change.note });
  }

  /** Writes the note that waits, now. A failure is shown in the top bar. */
  async flush(): Promise<void> {
    await this.#notes.flush().catch(() => undefined);
  }

  /** Stops writing a note, because its case is being settled; a write under way is waited for. */
  async hold(subject: Subject): Promise<void> {
    await this.#notes.drop(caseKey(subject));
  }

  /** Forgets what was in the making: it was settled, or taken back. */
  forget(key: string): void {
    const next = { ...this.#drafts };
    Reflect.deleteProperty(next, key);
    this.#drafts = next;
    Reflect.deleteProperty(this.#touched, key);
    Reflect.deleteProperty(this.#fetched, key);
  }

  #put(key: string, draft: Draft): void {
    this.#drafts = { ...this.#drafts, [key]: draft };
  }
}
