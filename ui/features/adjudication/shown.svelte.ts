// The case on show: fetched when its row is chosen, the next one ahead of time; and the places that people marked in it.
import { untrack } from "svelte";
import { call, freshness, type T } from "$ui/backend";
import { showPlace, type Place } from "$ui/components/pointing/places.svelte";
import { toast } from "$ui/components/toast.svelte";
import { inputAssets, prefetch, responseAssets } from "$ui/features/judging/assets";
import { resource } from "$ui/features/session/resource.svelte";
import { disagreements as words } from "$ui/text/disagreements";
import type { Desk } from "./desk.svelte";
import { caseKey, nextOpen } from "./settling";

export class ShownCase {
  readonly #desk: Desk;
  readonly #loaded: ReturnType<typeof resource<T.CaseView | undefined>>;
  /** The case, once it is the chosen one; the old one stays out of sight until then. */
  readonly view: T.CaseView | undefined = $derived.by(() => {
    const { value } = this.#loaded;
    const { row } = this.#desk;
    return value && row && caseKey(value.row) === caseKey(row) ? value : undefined;
  });
  /** The place of a comment that was gone to last. */
  place: number | undefined = $state();
  /** Is the input shown in the response's place? */
  blink = $state(false);
  readonly #marked = $derived(this.view?.people.flatMap((person) => person.anchors) ?? []);
  #openedAt = "";

  /** Call while a component is set up. `collapse`: the threshold in use. */
  constructor(desk: Desk, collapse: () => number | null | undefined) {
    this.#desk = desk;
    // A string, so that a row that came anew with the same name does not fetch the case again.
    const wanted = $derived.by(() => {
      const { row } = desk;
      const at = collapse();
      return (
        row &&
        JSON.stringify({
          response: row.response,
          modality: row.modality,
          ...(typeof at === "number" ? { collapse: at } : {}),
        })
      );
    });
    this.#loaded = resource(async () => {
      void freshness.disagreements;
      return wanted === undefined
        ? undefined
        : await call("disagreement_case", JSON.parse(wanted) as T.CaseRequest);
    });
    // What comes next is fetched while one thinks: its pictures and documents are there when it is shown.
    const ahead = $derived.by(() => {
      const at = this.view ? nextOpen(desk.cases.rows, desk.cases.place) : undefined;
      const next = at === undefined ? undefined : desk.cases.rows[at];
      return next && JSON.stringify({ response: next.response, modality: next.modality });
    });
    $effect(() => {
      if (ahead === undefined) return;
      call("disagreement_case", JSON.parse(ahead) as T.CaseRequest).then(
        (next) =>
          prefetch([...inputAssets(next.prompt?.inputs ?? []), ...responseAssets(next.response.assets)]),
        () => undefined, // a courtesy; the case says what is wrong when it is shown
      );
    });
    // A case opens at the first place that somebody marked.
    $effect(() => {
      const key = this.view && caseKey(this.view.row);
      if (!key || key === this.#openedAt) return;
      this.#openedAt = key;
      this.place = undefined;
      untrack(() => void this.go(0, true));
    });
  }

  get error() {
    return this.#loaded.error;
  }
  reload(): void {
    this.#loaded.reload();
  }

  /** Shows one of the marked places. */
  async go(to: number, quietly = false): Promise<boolean> {
    const anchor = this.#marked[to];
    if (!anchor) return false;
    this.blink = false;
    this.place = to;
    const found = await showPlace(anchor.asset, anchor.at as Place);
    if (!found && !quietly) toast(words.placeGone);
    return true;
  }
  nextPlace(): unknown {
    if (this.#marked.length > 0) return this.go(((this.place ?? -1) + 1) % this.#marked.length);
    toast(words.noPlaces);
    return true;
  }
}
