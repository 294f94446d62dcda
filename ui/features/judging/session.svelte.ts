/**
 * One judge at work: the item on screen, its cards, its draft, and the way to the next.
 *
 * A judgement is acknowledged by the backend before another item shows; the draft is flushed before the item is left.
 */
import { asBackendError, type BackendError, call, type T } from "$ui/backend";
import type { Engine, ShownAsset, ViewFailure } from "$ui/components/media/asset";
import type { Range } from "$ui/components/media/ranges";
import { activeClock, type ActiveClock } from "./active";
import { inputAssets, prefetch, responseAssets } from "./assets";
import { cardsOf, draftOf, notesOf, verdictsOf } from "./cards";
import { drafts, type SavedState } from "./drafts";
import { Exposures, type Least } from "./exposures";
import * as flow from "./flow";
import type { Look } from "./watching";

/** While something plays, what was heard goes to the draft no more often than this. */
const HEARD_MS = 5000;

export class JudgingSession {
  item: T.JudgeItem | null = $state.raw(null);
  progress: T.Progress = $state.raw({ done: 0, total: 0 });
  cards: flow.Flow = $state.raw(flow.begin([], "never"));
  loading = $state(true);
  submitting = $state(false);
  saved: SavedState = $state("saved");
  error: BackendError | undefined = $state.raw();
  /** What blocks Next, once it was tried. */
  blocked: flow.Block[] = $state.raw([]);
  clock: ActiveClock = activeClock(() => performance.now());
  /** What was played and seen of the item on screen. */
  readonly exposures = new Exposures();
  /** Moves whenever that changes. */
  perceived = $state(0);
  #assets: (ShownAsset & { modality: string })[] = [];
  #turn = 0;
  #heard = 0;
  #undoing = false;
  // None of these is shown: nothing on the page reads them.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #fetched = new Map<string, Promise<T.JudgeItemReply>>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #judged = new Set<string>();
  #drafts = drafts<T.JudgementDraft>(
    async (task, draft) => {
      await call("save_judgement_draft", { task, draft });
    },
    (state) => (this.saved = state),
  );

  get least(): Least {
    const item = this.item;
    return {
      played: item?.least_played_percent ?? 0,
      pages: item?.least_pages_percent ?? 0,
      text: item?.least_text_percent ?? 0,
      picture: item?.least_picture_seconds ?? 0,
    };
  }
  /** Is less of a modality played or seen than the study asks for? */
  readonly lacking: flow.Lacking = (modality) => {
    void this.perceived;
    const hasText = (this.item?.response.text ?? "").trim() !== "";
    return this.exposures.lacks(this.#assets, modality, this.least, hasText);
  };

  /** Shows a task; without one, the first that is open. */
  async open(task: string | null): Promise<void> {
    const mine = ++this.#turn;
    this.error = undefined;
    this.cards = flow.leaveComment(this.cards);
    try {
      await this.#drafts.flush();
      const ready = task ? this.#fetched.get(task) : undefined;
      if (!ready) this.loading = true;
      let reply = await (ready ?? call("judge_item", { task }));
      // Fetched before something after it was judged: it would lead back there.
      if (ready && reply.item?.ahead.some((ahead) => this.#judged.has(ahead)))
        reply = await call("judge_item", { task });
      if (task) this.#fetched.delete(task);
      if (mine === this.#turn) this.#show(reply);
    } catch (thrown) {
      if (mine !== this.#turn) return;
      this.error = asBackendError(thrown);
    } finally {
      if (mine === this.#turn) this.loading = false;
    }
  }

  #show(reply: T.JudgeItemReply): void {
    const item = reply.item ?? null;
    if (item?.task !== this.item?.task) this.exposures.clear();
    this.item = item;
    this.progress = reply.progress;
    this.blocked = [];
    this.#assets = item ? responseAssets(item.response.assets) : [];
    // What was heard before a verdict was given need not be heard again to change it.
    this.exposures.restore(item?.draft?.exposures ?? item?.judgement?.exposures ?? []);
    this.perceived += 1;
    this.cards = flow.begin(item ? cardsOf(item) : [], item?.comment_rule ?? "never");
    this.clock.pause();
    const { active_ms = 0, idle_ms = 0 } = item?.draft ?? {};
    this.clock = activeClock(() => performance.now(), active_ms, undefined, idle_ms);
    this.#prefetch(item?.ahead ?? []);
  }

  /** The next items, and what they show; what is not among them any more is forgotten. */
  #prefetch(ahead: readonly string[]): void {
    for (const task of this.#fetched.keys()) if (!ahead.includes(task)) this.#fetched.delete(task);
    for (const task of ahead) {
      if (this.#fetched.has(task)) continue;
      const asked = call("judge_item", { task });
      this.#fetched.set(task, asked);
      asked.then(
        ({ item }) =>
          item && prefetch([...responseAssets(item.response.assets), ...inputAssets(item.prompt.inputs)]),
        () => this.#fetched.delete(task),
      );
    }
  }

  /** Takes a new state of the cards; what a person said goes to the draft. */
  change(next: flow.Flow): void {
    // The item is on its way out: what comes now would be lost, or would land on the next one.
    if (this.submitting || this.loading) return;
    const said = next.cards !== this.cards.cards;
    this.cards = next;
    if (this.blocked.length > 0) this.blocked = flow.blocks(next, this.lacking);
    this.clock.sign();
    if (said) this.#keep();
  }

  #keep(): void {
    if (this.item) this.#drafts.put(this.item.task, this.#draft());
  }
  #draft(): T.JudgementDraft {
    return {
      cards: draftOf(this.cards.cards),
      active_ms: this.clock.total(),
      idle_ms: this.clock.idle(),
      exposures: this.exposures.list(),
    };
  }
  /** What was played or seen is kept with what was said, now and then. An item that is judged gets no draft by it. */
  #noted(): void {
    this.perceived += 1;
    this.clock.sign();
    const now = performance.now();
    if (this.item?.judgement || this.submitting || this.loading || now - this.#heard < HEARD_MS) return;
    this.#heard = now;
    this.#keep();
  }
  played(asset: ShownAsset, ranges: readonly Range[], of: number, engine: Engine): void {
    this.exposures.played(asset, ranges, of, engine);
    this.#noted();
  }
  seen(asset: ShownAsset, pages: readonly number[], of: number): void {
    this.exposures.seen(asset, pages, of);
    this.perceived += 1;
  }
  /** What was in view; the cards look again only where a whole second or percent was added. */
  looked(look: Look): void {
    if (!this.item || this.loading || this.submitting) return;
    let more = false;
    for (const { asset, closer } of look.pictures) {
      const before = this.exposures.lookedAt(asset);
      this.exposures.looked(asset, look.ms, closer);
      more ||= Math.floor(before / 1000) < Math.floor(this.exposures.lookedAt(asset) / 1000);
    }
    if (look.text !== null && look.text > this.exposures.readPercent) {
      this.exposures.read(look.text);
      more = true;
    }
    if (more) this.perceived += 1;
  }
  failed(asset: ShownAsset, failure: ViewFailure): void {
    this.exposures.failed(asset, failure);
    this.perceived += 1;
  }

  /** Submits, or goes to what blocks; true when the judgement is on disk. */
  async next(): Promise<boolean> {
    const item = this.item;
    if (!item || this.submitting || this.loading) return false;
    const result = flow.next(this.cards, this.lacking);
    if (!result.ready) {
      this.cards = result.flow;
      this.blocked = result.blocks;
      return false;
    }
    this.submitting = true;
    this.error = undefined;
    this.cards = flow.leaveComment(this.cards);
    try {
      // What is submitted is on disk when that is answered: its draft need not be before.
      await this.#drafts.hold(item.task);
      const { value } = await call("submit_judgement", {
        task: item.task,
        verdicts: verdictsOf(this.cards.cards),
        noted: notesOf(this.cards.cards),
        active_ms: this.clock.total(),
        idle_ms: this.clock.idle(),
        exposures: this.exposures.list(),
        guidelines_version: item.guidelines_version,
        replaces: item.standing,
      });
      this.#judged.add(item.task);
      this.#fetched.delete(item.task);
      await this.#drafts.drop(item.task);
      this.progress = value.progress;
      // What was fetched ahead carries the progress of before.
      const ahead = value.next_open ? this.#fetched.get(value.next_open) : undefined;
      if (ahead && value.next_open)
        this.#fetched.set(
          value.next_open,
          ahead.then((reply) => ({ ...reply, progress: value.progress })),
        );
      this.submitting = false;
      if (value.next_open) await this.open(value.next_open);
      else this.#show({ item: null, progress: value.progress });
      return true;
    } catch (thrown) {
      this.error = asBackendError(thrown);
      if (!this.#judged.has(item.task)) this.#keep();
      return false;
    } finally {
      this.submitting = false;
    }
  }

  /** Takes back the last verdict here, or else the last judgement submitted; says which, or that there was none. */
  async undo(): Promise<"card" | "judgement" | "nothing"> {
    const before = flow.undo(this.cards);
    if (before) {
      this.change(before);
      return "card";
    }
    this.error = undefined;
    this.#undoing = true;
    try {
      await this.#drafts.flush();
      // The person's own words come back with the item, as a draft.
      const { value } = await call("undo", {});
      this.#fetched.clear();
      if (value.task) this.#judged.delete(value.task);
      await this.open(value.task ?? null);
      return "judgement";
    } catch (thrown) {
      const error = asBackendError(thrown);
      if (error.code === "nothing_to_undo" || error.code === "not_found") return "nothing";
      this.error = error;
      return "nothing";
    } finally {
      this.#undoing = false;
    }
  }

  /**
   * Looks whether something came from elsewhere (new work, another window of the same person, other guidelines), and takes it
   * up. What is being typed here is never replaced. Answers what is worth saying.
   */
  async refresh(): Promise<"guidelines" | "elsewhere" | "nothing"> {
    if (this.submitting || this.loading || this.#undoing) return "nothing";
    const mine = this.#turn;
    const was = this.item;
    const reply = await call("judge_item", { task: was?.task ?? null });
    if (mine !== this.#turn || this.submitting) return "nothing";
    this.#fetched.clear();
    const now = reply.item ?? null;
    this.progress = reply.progress;
    if (!was || !now) {
      if (now) this.#show(reply);
      return "nothing";
    }
    const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
    const newGuidelines = now.guidelines_version !== was.guidelines_version;
    const elsewhere = !same(now.standing, was.standing);
    const untouched = same(draftOf(this.cards.cards), draftOf(cardsOf(was)));
    if (elsewhere && untouched) this.#show(reply);
    else {
      this.item = { ...now, draft: was.draft ?? null };
      if (this.cards.rule !== now.comment_rule) this.cards = { ...this.cards, rule: now.comment_rule };
      this.#prefetch(now.ahead);
    }
    return elsewhere ? "elsewhere" : newGuidelines ? "guidelines" : "nothing";
  }

  /** The window goes away, or the screen does. */
  async leave(): Promise<void> {
    this.clock.pause();
    const item = this.item;
    if (item && !item.judgement && this.exposures.isWorked && !this.submitting) this.#keep();
    await this.#drafts.flush();
  }
}
