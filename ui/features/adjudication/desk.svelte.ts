// The desk: the list of cases, the settlement in the making, settling and taking back. What is on screen reads from here.
import { call, type T } from "$ui/backend";
import { toast } from "$ui/components/toast.svelte";
import { app } from "$ui/features/session/app.svelte";
import { attempt } from "$ui/features/session/attempt";
import { keyOf } from "$ui/shortcuts";
import { common } from "$ui/text";
import { disagreements as words } from "$ui/text/disagreements";
import { Cases } from "./cases.svelte";
import { Drafts } from "./drafts.svelte";
import { blockOf, caseKey, causes, nextOpen, timeNow, type Block, type Draft } from "./settling";

export class Desk {
  readonly cases = new Cases();
  readonly drafts = new Drafts();
  /** What keeps the case from being settled, once it was tried. */
  blocked: Block | undefined = $state();
  saving = $state(false);
  readonly row: T.CaseRow | undefined = $derived(this.cases.row);
  readonly draft: Draft = $derived(this.drafts.of(this.row));
  /** What was settled since the screen was opened: taken back, it is there again to be changed. */
  #past: Record<string, Draft> = {};

  change(to: Partial<Draft>): void {
    if (this.row) this.drafts.change(this.row, to);
  }
  toCause(at: number): void {
    const cause = causes[at];
    if (cause) this.change({ cause });
  }

  choose(place: number): void {
    void this.drafts.flush();
    this.cases.choose(place);
  }
  step(by: number): unknown {
    const { cases } = this;
    if (cases.rows.length === 0) return false;
    void this.drafts.flush();
    const to = cases.place + by;
    if (to >= cases.rows.length - 20) void cases.more();
    return cases.choose(Math.min(cases.rows.length - 1, Math.max(0, to)));
  }
  toOpen(): unknown {
    const at = nextOpen(this.cases.rows, this.cases.place);
    if (at === undefined) {
      toast(words.allSettled);
      return true;
    }
    return this.cases.choose(at);
  }

  /** Settles the case on show and goes to the next open one. Answers what is missing, if anything is, and whether it is done. */
  async settle(): Promise<{ missing?: Block | undefined; done: boolean }> {
    const { row: mine, draft: now, cases, drafts } = this;
    if (!mine || this.saving) return { done: false };
    const missing = blockOf(now);
    if (missing || !now.verdict || !now.cause) {
      this.blocked = missing;
      return { missing, done: false };
    }
    const key = caseKey(mine);
    const { verdict, cause, sendBack } = now;
    const note = now.note.trim();
    this.saving = true;
    const done = await attempt(async () => {
      await drafts.hold(mine);
      const { value } = await call("settle", {
        response: mine.response,
        modality: mine.modality,
        verdict,
        cause,
        note,
        send_rubric_back: sendBack,
      });
      drafts.forget(key);
      this.#past[key] = now;
      const next = nextOpen(cases.rows, cases.place);
      cases.mark(key, {
        statement: value.statement,
        verdict,
        cause,
        note,
        send_rubric_back: sendBack,
        person: app.standing.session?.person ?? "",
        made_at: timeNow(),
      });
      if (cases.chosen === key && next !== undefined) cases.choose(next);
      app.status.saved = "saved";
      const said = words.didSettle(mine.key);
      toast(next === undefined ? `${said} ${words.allSettled}` : said, {
        action: {
          label: common.undo,
          keys: keyOf("disagreements.undo"),
          run: () => void this.undo(value.statement),
        },
      });
    });
    this.saving = false;
    return { done };
  }

  /** Takes back a statement of one's own, or the newest. */
  async undo(statement?: string): Promise<void> {
    const { cases, drafts } = this;
    await attempt(async () => {
      const { value } = await call("undo", statement === undefined ? {} : { statement });
      drafts.forget(value.subject);
      const at = cases.rows.findIndex((row) => caseKey(row) === value.subject);
      const before = this.#past[value.subject];
      const back = cases.rows[at];
      if (before && back) drafts.change(back, before);
      if (at >= 0) cases.choose(at);
      toast(words.undone(value.kind));
    });
  }

  /** Marks the gold list of the case's prompt wrong, or right after all. */
  async markGold(wrong: T.Modality[], reason: string): Promise<boolean> {
    const { row } = this;
    if (!row || this.saving) return false;
    this.saving = true;
    const done = await attempt(async () => {
      const { value } = await call("mark_gold", { response: row.response, wrong, reason });
      toast(wrong.length > 0 ? words.didMarkGold(row.key) : words.didUnmarkGold(row.key), {
        action: { label: common.undo, run: () => void this.undo(value.statement) },
      });
    });
    this.saving = false;
    return done;
  }
}
