/**
 * One grader at work: the response on screen, the draft of its grades, what follows from it, and the way to the next.
 *
 * Grades are acknowledged by the backend before another response shows; the draft is flushed before one is left.
 */
import { asBackendError, type BackendError, call, type T } from "$ui/backend";
import { activeClock, type ActiveClock } from "$ui/features/judging/active";
import { drafts, type SavedState } from "$ui/features/judging/drafts";
import { blockOf, emptyDraft, type Block } from "./grading";

export class GradingSession {
  item: T.GradingItem | null = $state.raw(null);
  progress: T.Progress = $state.raw({ done: 0, total: 0 });
  draft: T.GradingDraft = $state.raw(emptyDraft());
  weighed: T.WeighedGrades | undefined = $state.raw();
  /** Which check takes the keys. */
  now = $state(0);
  loading = $state(true);
  submitting = $state(false);
  saved: SavedState = $state("saved");
  error: BackendError | undefined = $state.raw();
  /** Rules that were shown broken and are let stand. */
  letStand: string[] = $state.raw([]);
  clock: ActiveClock = activeClock(() => performance.now());
  #turn = 0;
  #weighing = 0;
  /** What was stated since the screen was opened, the newest last. */
  #stated: string[] = [];
  #drafts = drafts<T.GradingDraft>(
    async (task, draft) => {
      await call("save_grading_draft", { task, draft });
    },
    (state) => (this.saved = state),
  );

  get check(): T.Check | undefined {
    return this.item?.checks[this.now];
  }

  /** Shows a task; without one, the first that is open. */
  async open(task: string | null): Promise<void> {
    const mine = ++this.#turn;
    this.error = undefined;
    try {
      await this.#drafts.flush();
      this.loading = true;
      const reply = await call("grading_item", { task });
      if (mine !== this.#turn) return;
      this.#show(reply.item ?? null, reply.progress);
    } catch (thrown) {
      if (mine === this.#turn) this.error = asBackendError(thrown);
    } finally {
      if (mine === this.#turn) this.loading = false;
    }
  }

  #show(item: T.GradingItem | null, progress: T.Progress): void {
    this.item = item;
    this.progress = progress;
    this.draft = item?.draft ?? emptyDraft();
    this.weighed = undefined;
    this.letStand = [];
    this.now = 0;
    this.clock.pause();
    this.clock = activeClock(() => performance.now(), item?.draft?.active_ms ?? 0);
    if (item && item.checks.length > 0) void this.#weigh();
  }

  /** Takes a new draft, keeps it, and has it weighed. */
  change(next: T.GradingDraft): void {
    if (!this.item || this.submitting || this.loading) return;
    this.clock.sign();
    this.draft = { ...next, active_ms: this.clock.total() };
    this.letStand = [];
    this.#drafts.put(this.item.task, this.draft);
    void this.#weigh();
  }

  async #weigh(): Promise<T.WeighedGrades | undefined> {
    const item = this.item;
    if (!item) return undefined;
    const mine = ++this.#weighing;
    try {
      const weighed = await call("weigh_grades", { task: item.task, draft: this.draft });
      if (mine === this.#weighing && this.item?.task === item.task) this.weighed = weighed;
      return weighed;
    } catch (thrown) {
      this.error = asBackendError(thrown);
      return undefined;
    }
  }

  select(at: number): void {
    const last = (this.item?.checks.length ?? 1) - 1;
    this.now = Math.min(Math.max(0, at), Math.max(0, last));
  }

  /** States the grades, or says what blocks; a broken rule blocks once, so that it is seen. */
  async state(): Promise<Block | "stated" | "failed"> {
    const item = this.item;
    if (!item || this.submitting || this.loading || item.checks.length === 0) return "failed";
    const weighed = await this.#weigh();
    if (!weighed) return "failed";
    const block = blockOf(item.checks, weighed, this.letStand);
    if (block) {
      this.select(block.at);
      if (block.why === "coherence") this.letStand = weighed.incoherences.map((found) => found.rule);
      return block;
    }
    this.submitting = true;
    this.error = undefined;
    try {
      await this.#drafts.flush();
      const draft = { ...this.draft, active_ms: this.clock.total() };
      const { value } = await call("submit_grades", { task: item.task, draft, let_stand: this.letStand });
      this.#stated.push(value.statement);
      await this.#drafts.drop(item.task);
      this.submitting = false;
      if (value.next_open) await this.open(value.next_open);
      else this.#show(null, value.progress);
      return "stated";
    } catch (thrown) {
      this.error = asBackendError(thrown);
      return "failed";
    } finally {
      this.submitting = false;
    }
  }

  /** Takes back the grades on screen, or else the last ones stated here; says whether there were any. */
  async undo(): Promise<boolean> {
    const statement = this.item?.statement ?? this.#stated.at(-1);
    if (!statement) return false;
    this.error = undefined;
    try {
      await this.#drafts.flush();
      const { value } = await call("undo", { statement });
      this.#stated = this.#stated.filter((id) => id !== statement);
      await this.open(value.task ?? null);
      return true;
    } catch (thrown) {
      const error = asBackendError(thrown);
      if (error.code !== "nothing_to_undo" && error.code !== "not_found") this.error = error;
      return false;
    }
  }

  /** The window goes away, or the screen does. */
  async leave(): Promise<void> {
    this.clock.pause();
    await this.#drafts.flush();
  }
}
