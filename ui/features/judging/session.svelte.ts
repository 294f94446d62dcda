/**
 * One judge at work: the item on screen, its cards, its draft, and the way to the next.
 *
 * A judgement is acknowledged by the backend before another item shows; the draft is flushed before the item is left.
 */
import { asBackendError, type BackendError, call, type T } from "$ui/backend";
import { activeClock, type ActiveClock } from "./active";
import { inputAssets, prefetch, responseAssets } from "./assets";
import { drafts, type SavedState } from "./drafts";
import { Exposures } from "./exposures";
import * as flow from "./flow";

/** The cards of an item: a newer draft, else the verdicts in force, else open ones. */
export function cardsOf(item: T.JudgeItem): flow.Card[] {
  return item.response.expected.map((modality) => {
    const drafted = item.draft?.cards.find((card) => card.modality === modality);
    const given = item.judgement?.verdicts.find((verdict) => verdict.modality === modality);
    const from = drafted ?? given;
    const empty = flow.emptyCard(modality, !holds(item.response, modality));
    return from
      ? {
          ...empty,
          verdict: from.verdict ?? null,
          comment: from.comment ?? "",
          flags: { ...empty.flags, ...from.flags },
        }
      : empty;
  });
}

/** Does the response hold this modality? A link counts as returned. */
export function holds(response: T.ResponseView, modality: T.Modality): boolean {
  if (modality === "Text" && response.text.trim() !== "") return true;
  return response.assets.some(
    (asset) => asset.modality === modality && (asset.state !== "skipped" || !!asset.link),
  );
}

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
  /** What was played of the item on screen. */
  readonly exposures = new Exposures();
  #turn = 0;
  /** What was submitted since the screen was opened. */
  // Neither map is shown: nothing on the page reads them.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #submitted = new Map<string, T.JudgementDraft>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #fetched = new Map<string, Promise<T.JudgeItemReply>>();
  #drafts = drafts<T.JudgementDraft>(
    async (task, draft) => {
      await call("save_judgement_draft", { task, draft });
    },
    (state) => (this.saved = state),
  );

  /** Shows a task; without one, the first that is open. */
  async open(task: string | null): Promise<void> {
    const mine = ++this.#turn;
    this.error = undefined;
    this.cards = flow.leaveComment(this.cards);
    try {
      await this.#drafts.flush();
      const ready = task ? this.#fetched.get(task) : undefined;
      if (!ready) this.loading = true;
      const reply = await (ready ?? call("judge_item", { task }));
      this.#fetched.clear();
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
    this.cards = flow.begin(item ? cardsOf(item) : [], item?.comment_rule ?? "never");
    this.clock.pause();
    this.clock = activeClock(() => performance.now(), item?.draft?.active_ms ?? 0);
    if (item?.next_open && item.next_open !== item.task) this.#prefetch(item.next_open);
  }

  #prefetch(task: string): void {
    const asked = call("judge_item", { task });
    this.#fetched.set(task, asked);
    asked.then(
      ({ item }) =>
        item && prefetch([...responseAssets(item.response.assets), ...inputAssets(item.prompt.inputs)]),
      () => this.#fetched.delete(task),
    );
  }

  /** Takes a new state of the cards; what a person said goes to the draft. */
  change(next: flow.Flow): void {
    // The item is on its way out: what comes now would be lost, or would land on the next one.
    if (this.submitting || this.loading) return;
    const said = next.cards !== this.cards.cards;
    this.cards = next;
    if (this.blocked.length > 0) this.blocked = flow.blocks(next);
    this.clock.sign();
    if (said && this.item) this.#drafts.put(this.item.task, this.#draft());
  }

  #draft(): T.JudgementDraft {
    return {
      cards: this.cards.cards.map((card) => ({
        modality: card.modality as T.Modality,
        verdict: card.verdict,
        comment: card.comment,
        flags: { ...card.flags },
      })),
      active_ms: this.clock.total(),
    };
  }

  /** Submits, or goes to what blocks; true when the judgement is on disk. */
  async next(): Promise<boolean> {
    const item = this.item;
    if (!item || this.submitting || this.loading) return false;
    const result = flow.next(this.cards);
    if (!result.ready) {
      this.cards = result.flow;
      this.blocked = result.blocks;
      return false;
    }
    this.submitting = true;
    this.error = undefined;
    this.cards = flow.leaveComment(this.cards);
    try {
      const verdicts: T.ModalityVerdict[] = this.cards.cards.flatMap((card) =>
        card.verdict
          ? [
              {
                modality: card.modality as T.Modality,
                verdict: card.verdict,
                comment: card.comment.trim(),
                flags: { ...card.flags },
              },
            ]
          : [],
      );
      await this.#drafts.flush();
      const { value } = await call("submit_judgement", {
        task: item.task,
        verdicts,
        active_ms: this.clock.total(),
        exposures: this.exposures.list(),
      });
      this.#submitted.set(item.task, this.#draft());
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
    try {
      await this.#drafts.flush();
      const { value } = await call("undo", {});
      this.#fetched.clear();
      await this.open(value.task ?? null);
      const again = this.item;
      const gave = again && this.#submitted.get(again.task);
      if (gave && !again.draft && !again.judgement) {
        // The person's own words come back with the item, as a draft.
        this.cards = flow.begin(cardsOf({ ...again, draft: gave }), again.comment_rule);
        this.#drafts.put(again.task, this.#draft());
      }
      return "judgement";
    } catch (thrown) {
      const error = asBackendError(thrown);
      if (error.code === "nothing_to_undo" || error.code === "not_found") return "nothing";
      this.error = error;
      return "nothing";
    }
  }

  /** The window goes away, or the screen does. */
  async leave(): Promise<void> {
    this.clock.pause();
    await this.#drafts.flush();
  }
}
