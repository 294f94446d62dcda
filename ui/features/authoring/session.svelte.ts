// One author at work: the prompt on screen, the rubric as it is typed, its lints, its draft, and the way to the next.
// The draft is on disk 300 ms after the last key and before another prompt shows; lints follow the text, latest first.
import { asBackendError, type BackendError, call, type T } from "$ui/backend";
import { drafts, type SavedState } from "$ui/features/judging/drafts";
import * as edit from "./criteria";

const whole = (from: Partial<T.RubricDraft>): Required<T.RubricDraft> => ({
  criteria: from.criteria ?? [],
  dismissals: from.dismissals ?? [],
  gold_flags: from.gold_flags ?? [],
  form: from.form ?? "flat",
  structured: from.structured ?? null,
  sign_offs: from.sign_offs ?? [],
  contradictions: from.contradictions ?? [],
  rehearsal: from.rehearsal ?? [],
});
const LINT_MS = 250;
const KEPT = 200;

export class AuthoringSession {
  item: T.AuthorItem | null = $state.raw(null);
  progress: T.Progress = $state.raw({ done: 0, total: 0 });
  rubric: Required<T.RubricDraft> = $state.raw(whole({}));
  /** What each criterion is for, as far as it was linted. */
  parts: readonly (T.Part | null)[] = $state.raw([]);
  /** The criteria in their canonical order, where it is another one. */
  ordered: T.Criterion[] | null = $state.raw(null);
  /** Lints that are kept quiet, with the reason. */
  kept: readonly T.KeptLint[] = $state.raw([]);
  findings: T.LintFinding[] = $state.raw([]);
  loading = $state(true);
  busy = $state(false);
  saved: SavedState = $state("saved");
  error: BackendError | undefined = $state.raw();
  /** Which criterion has the cursor; -1 for none. */
  at = $state(-1);
  /** The error that stood in the way of handing in. */
  refused = $state("");
  #turn = 0;
  #lintTurn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #before: Required<T.RubricDraft>[] = $state.raw([]);
  #undone: Required<T.RubricDraft>[] = $state.raw([]);
  #drafts = drafts<T.RubricDraft>(
    async (task, draft) => {
      await call("save_rubric_draft", { task, draft });
    },
    (state, error) => {
      this.saved = state;
      if (error) this.error = asBackendError(error);
    },
  );

  /** Shows a task; none = the first that is not handed in. */
  async open(task: string | null): Promise<void> {
    const mine = ++this.#turn;
    this.loading = true;
    try {
      await this.#drafts.flush();
      const reply = await call("author_item", { task });
      if (mine !== this.#turn) return;
      this.progress = reply.progress;
      this.item = reply.item ?? null;
      const from = this.item?.draft ?? this.item?.rubric;
      this.rubric = whole(from ?? {});
      this.findings = this.item?.findings ?? [];
      this.parts = [];
      this.ordered = null;
      this.kept = [];
      this.error = undefined;
      this.refused = "";
      this.at = -1;
      this.#before = [];
      this.#undone = [];
      void this.#lint();
    } catch (thrown) {
      if (mine === this.#turn) this.error = asBackendError(thrown);
    } finally {
      if (mine === this.#turn) this.loading = false;
    }
  }

  leave(): Promise<void> {
    return this.#drafts.flush();
  }

  /** Changes the rubric; `step` makes it one that undo takes back by itself. */
  change(rubric: Partial<T.RubricDraft>, step = true): void {
    if (!this.item) return;
    if (step) this.#before = [...this.#before.slice(1 - KEPT), this.rubric];
    // Whatever is done anew, typed too, leaves nothing to do again.
    this.#undone = [];
    this.#put(rubric);
  }
  #put(rubric: Partial<T.RubricDraft>): void {
    const task = this.item?.task;
    if (!task) return;
    this.rubric = { ...this.rubric, ...rubric };
    this.refused = "";
    this.#drafts.put(task, this.rubric);
    if (this.rubric.form === "flat") this.#lintSoon();
  }
  criteria(criteria: T.Criterion[], at?: number, step = true): void {
    this.change({ criteria }, step);
    if (at !== undefined) this.at = at;
  }
  type(at: number, text: string): void {
    this.criteria(edit.withText(this.rubric.criteria, at, text), undefined, false);
  }
  /** Takes back the last change of structure or fix. */
  back(): boolean {
    const last = this.#before.at(-1);
    if (!last) return false;
    this.#before = this.#before.slice(0, -1);
    this.#undone = [...this.#undone, this.rubric];
    this.#put(last);
    return true;
  }
  /** Does again what was taken back last. */
  again(): boolean {
    const next = this.#undone.at(-1);
    if (!next) return false;
    this.#undone = this.#undone.slice(0, -1);
    this.#before = [...this.#before, this.rubric];
    this.#put(next);
    return true;
  }
  get undoable(): boolean {
    return this.#before.length > 0;
  }

  /** What the findings are about; another rubric than the one on screen while a lint is on its way. */
  #linted: Required<T.RubricDraft> | undefined;

  /** Waits until the findings are about the rubric as it is. */
  async current(): Promise<void> {
    if (this.#linted === this.rubric) return;
    clearTimeout(this.#timer);
    await this.#lint();
  }
  /** The same finding on the rubric as it is; nothing when it does not hold any more. */
  async latest(finding: T.LintFinding): Promise<T.LintFinding | undefined> {
    await this.current();
    return this.findings.find((f) => f.rule === finding.rule && f.text_sha256 === finding.text_sha256);
  }

  #lintSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#lint(), LINT_MS);
  }
  async #lint(): Promise<void> {
    const task = this.item?.task;
    if (!task) return;
    const mine = ++this.#lintTurn;
    const rubric = this.rubric;
    try {
      const reply = await call("lint_rubric", { task, rubric });
      if (mine !== this.#lintTurn || task !== this.item?.task) return;
      this.#linted = rubric;
      this.findings = reply.findings;
      this.parts = reply.parts;
      this.ordered = reply.ordered ?? null;
      this.kept = reply.kept;
    } catch (thrown) {
      this.error = asBackendError(thrown);
    }
  }

  /** Keeps a criterion as it is in spite of a lint, for a reason that is stored with its text. */
  dismiss(finding: T.LintFinding, reason: string): void {
    const { rule, text_sha256 } = finding;
    this.change({ dismissals: [...this.rubric.dismissals, { rule, text_sha256, reason }] });
  }

  /** Lets a dismissed lint speak again. */
  speak(kept: T.KeptLint): void {
    const { rule, text_sha256 } = kept.dismissal;
    this.change({
      dismissals: this.rubric.dismissals.filter((d) => d.rule !== rule || d.text_sha256 !== text_sha256),
    });
  }

  /** Answers a question of the sign-off list (from 1), or takes the answer back. */
  sign(question: number, done: boolean): void {
    const others = this.rubric.sign_offs.filter((n) => n !== question);
    this.change({ sign_offs: done ? [...others, question].sort((a, b) => a - b) : others });
  }

  /** Saves a revision; hands it in if `submit`. Answers whether it is done. */
  async save(submit: boolean): Promise<boolean> {
    const item = this.item;
    if (!item || this.busy) return false;
    this.busy = true;
    try {
      await this.#drafts.flush();
      const { value } = await call("save_rubric", { task: item.task, rubric: this.rubric, submit });
      this.progress = value.progress;
      this.refused = "";
      await this.open(submit ? (value.next_open ?? null) : item.task);
      return true;
    } catch (thrown) {
      const error = asBackendError(thrown);
      const details = error.details as { criterion?: number | null } | null | undefined;
      if (error.code === "lint_errors") {
        this.refused = error.message;
        if (typeof details?.criterion === "number") this.at = details.criterion;
      } else this.error = error;
      return false;
    } finally {
      this.busy = false;
    }
  }
}
