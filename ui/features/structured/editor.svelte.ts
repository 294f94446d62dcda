// A structured rubric on screen: where the cursor is, the checklist it compiles to, and every act as a step that undo
// takes back. The text and its draft are the authoring session's; nothing here can name a response.
import { asBackendError, type BackendError, call, type T } from "$ui/backend";
import type { AuthoringSession } from "$ui/features/authoring/session.svelte";
import { fixOf, type Fix } from "./fixes";
import { byLine, comesFrom, placeOf, sources } from "./marks";
import * as outline from "./outline";
import type { Spot } from "./outline";

const COMPILE_MS = 120;

export class StructuredEditor {
  /** The line with the cursor. */
  spot: Spot | null = $state.raw(null);
  /** Counts calls for the focus; the line of `spot` answers each once. */
  asked = $state(0);
  #answered = 0;
  /** The check that was chosen in the checklist; it marks the lines it comes from. */
  chosen: string | null = $state.raw(null);
  /** The line whose other names are being typed. */
  namesOf: string | null = $state.raw(null);
  /** What the rubric compiles to now. */
  compiled: T.CompiledRubric | null = $state.raw(null);
  /** The last that compiled: shown, as such, while an error is in the way. */
  good: T.CompiledRubric | null = $state.raw(null);
  error: BackendError | null = $state.raw(null);
  dragged: Spot | null = null;
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #typed = "";

  constructor(readonly session: AuthoringSession) {}

  get rubric(): T.StructuredRubric {
    const prompt = this.session.item?.prompt;
    return (
      this.session.rubric.structured ?? {
        meta_rubric: {
          schema: "metarubric/1",
          id: prompt?.key ?? "",
          question: prompt?.text ?? "",
          items: [],
        },
      }
    );
  }
  get items(): readonly T.MetaRubricItem[] {
    return this.rubric.meta_rubric.items;
  }
  get patches(): readonly T.ChecklistPatch[] {
    return this.rubric.patches ?? [];
  }
  get snippets(): readonly T.EvidenceSnippet[] {
    return this.rubric.snippets ?? [];
  }
  get checks(): readonly T.CompiledCheck[] {
    return (this.compiled?.compiles ? this.compiled : this.good)?.checks ?? [];
  }
  get isStale(): boolean {
    return this.compiled?.compiles === false && this.good !== null;
  }
  get errors(): number {
    return this.compiled?.diagnostics.filter((d) => d.severity === "error").length ?? 0;
  }
  get warnings(): number {
    return this.compiled?.diagnostics.filter((d) => d.severity === "warning").length ?? 0;
  }

  /** Another prompt is on screen: nothing of the last one stays. */
  reset(): void {
    this.spot = null;
    this.chosen = null;
    this.namesOf = null;
    this.compiled = null;
    this.good = null;
    this.#typed = "";
    this.#turn += 1;
  }

  /** Changes the rubric; `step` makes it one that undo takes back by itself. */
  change(part: Partial<T.StructuredRubric>, step = true): void {
    if (step) this.#typed = "";
    this.session.change({ form: "structured", structured: { ...this.rubric, ...part } }, step);
  }
  /** Changes the items and, when `spot` is given, puts the cursor there. */
  put(items: readonly T.MetaRubricItem[], spot?: Spot | null, step = true): void {
    this.change({ meta_rubric: { ...this.rubric.meta_rubric, items: [...items] } }, step);
    if (spot !== undefined) this.go(spot);
  }
  apply(changed: outline.Changed): void {
    this.put(changed.items, changed.spot);
  }
  /** What is typed in one line is one step. */
  type(spot: Spot, text: string): void {
    this.#edit(outline.spotKey(spot), outline.withText(this.items, spot, text));
  }
  /** What is typed in a field of a line (`name`) is one step. */
  typeField(name: string, items: readonly T.MetaRubricItem[]): void {
    this.#edit(name, items);
  }
  #edit(name: string, items: readonly T.MetaRubricItem[]): void {
    const step = this.#typed !== name;
    this.put(items, undefined, step);
    this.#typed = name;
  }
  go(spot: Spot | null): void {
    this.spot = spot;
    this.chosen = null;
    if (spot) this.asked += 1;
  }
  /** Is the focus still to be taken? True once for each call. */
  takeFocus(): boolean {
    const waits = this.asked > this.#answered;
    this.#answered = this.asked;
    return waits;
  }
  /** The line, or a field of it, took the focus by itself. */
  arrived(spot: Spot): void {
    if (outline.sameSpot(this.spot, spot)) return;
    this.spot = spot;
    this.chosen = null;
  }
  /** The cursor, if its line is still there. */
  get here(): Spot | null {
    return this.spot && outline.has(this.items, this.spot) ? this.spot : null;
  }

  /** Compiles soon, the latest rubric first; the first of a prompt at once. */
  compileSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#compile(), this.compiled ? COMPILE_MS : 0);
  }
  async #compile(): Promise<void> {
    const mine = ++this.#turn;
    try {
      const compiled = await call("compile_rubric", { rubric: this.rubric });
      if (mine !== this.#turn) return;
      this.compiled = compiled;
      this.error = null;
      if (compiled.compiles) this.good = compiled;
    } catch (thrown) {
      if (mine !== this.#turn) return;
      this.error = asBackendError(thrown);
    }
  }

  /** Diagnostics by the line that they are shown at. */
  readonly #findings = $derived(byLine(this.compiled?.diagnostics ?? [], this.items));
  /** Diagnostics that are shown at a line. */
  findingsAt(spot: Spot): readonly T.RubricDiagnostic[] {
    return this.#findings.get(outline.spotKey(spot)) ?? [];
  }
  get aboutTheWhole(): T.RubricDiagnostic[] {
    return (this.compiled?.diagnostics ?? []).filter((found) => placeOf(found, this.items) === null);
  }
  /** Is the check one of those that the cursor's line makes, or the one that was chosen? */
  isLit(check: T.Check): boolean {
    if (this.chosen !== null) return check.id === this.chosen;
    const here = this.here;
    return here !== null && comesFrom(check, this.items, here);
  }
  /** The lines that the chosen check comes from. */
  readonly lit = $derived.by((): readonly string[] => {
    const chosen = this.checks.find((one) => one.check.id === this.chosen);
    return chosen ? sources(chosen.check, this.items).map(outline.spotKey) : [];
  });
  /** Puts the cursor on the first line that a check comes from; false for one that was added by hand. */
  goToSource(check: T.Check): boolean {
    const first = sources(check, this.items)[0];
    if (first) this.go(first);
    return first !== undefined;
  }

  /** The next line with a diagnostic, errors before the rest, round the end; false when there is none. */
  goToProblem(errorsOnly = false): boolean {
    const all = outline.spots(this.items);
    const bad = all.filter((spot) => this.findingsAt(spot).some((f) => f.severity === "error"));
    const some = errorsOnly || bad.length > 0 ? bad : all.filter((spot) => this.findingsAt(spot).length > 0);
    const here = this.here;
    const from = here ? all.findIndex((spot) => outline.sameSpot(spot, here)) : -1;
    const order = [...all.slice(from + 1), ...all.slice(0, from + 1)];
    const next = order.find((spot) => some.some((one) => outline.sameSpot(one, spot)));
    if (next) this.go(next);
    return next !== undefined;
  }
  /** The first diagnostic with a fix, at the cursor's line, else at its item. */
  fixHere(): Fix | undefined {
    const here = this.here;
    if (!here) return undefined;
    const found = this.compiled?.diagnostics ?? [];
    const own = found.filter((one) => outline.sameSpot(placeOf(one, this.items), here));
    const item = found.filter((one) => placeOf(one, this.items)?.item === here.item);
    for (const one of [...own, ...item]) {
      const fix = fixOf(one, this.items);
      if (fix) return fix;
    }
    return undefined;
  }
  async mend(fix: Fix): Promise<boolean> {
    const head = this.items[fix.item];
    if (fix.conversion) return this.convert(fix.item, fix.conversion);
    const here = this.here;
    if (fix.items)
      this.put(
        fix.items,
        here && outline.has(fix.items, here)
          ? here
          : head
            ? { item: fix.item, field: outline.headField(head), at: 0 }
            : null,
      );
    return true;
  }
  /** Converts an item; false when that would drop elements. */
  async convert(at: number, how: T.Conversion): Promise<boolean> {
    const item = this.items[at];
    if (!item) return false;
    const { items } = await call("convert_item", { item, how });
    if (!items) return false;
    this.apply(outline.replaced(this.items, at, items));
    return true;
  }
}
