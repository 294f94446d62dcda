// Which units are looked at. Disagreements and Agreement share the choice, so that going from a number to its cases and
// back keeps the place; it lives as long as the study is open. A route may bring its own.
import type { T } from "$ui/backend";
import type { Route } from "$ui/features/session/app.svelte";

/** A draw of so many cases of each cell. */
export interface Sample {
  each: number;
  seed: number;
}

const sets: readonly T.UnitSet[] = ["produced", "produced_incl_evaluator_errors", "all_expected"];
const modalities: readonly T.Modality[] = ["Text", "Image", "Audio", "Video", "Document"];
const cells: readonly T.Cell[] = ["both_correct", "judge_only", "human_only", "both_incorrect"];
const oneOf = <V extends string>(all: readonly V[], value: unknown): V | undefined =>
  all.find((v) => v === value);
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** What only a figure of Agreement leaves out; shown as marks that can be taken off, not as fields. */
export const special = ["first", "prompt", "criterion", "route", "tag", "rubric_version"] as const;

/** The route that shows these units. */
export function routeOf(screen: Route["screen"], filter: T.UnitFilter, cell?: T.Cell): Route {
  const route: Route = { screen, units: true };
  if (filter.folder) route.folder = filter.folder;
  if (filter.set) route.set = filter.set;
  if (filter.human) route.human = filter.human;
  if (filter.modality) route.modality = filter.modality;
  if (filter.model) route.model = filter.model;
  if (typeof filter.collapse === "number") route.collapse = filter.collapse;
  for (const name of special) {
    const value = filter[name];
    if (value) route[name === "prompt" ? "promptKey" : name] = value;
  }
  if (cell) route.cell = cell;
  return route;
}

/** The units that a route asks for; nothing when it asks for none. What it does not understand it leaves out. */
export function unitsOf(route: Route): { filter: T.UnitFilter; cell: T.Cell | undefined } | undefined {
  if (route.units !== true) return undefined;
  const filter: T.UnitFilter = {};
  const folder = text(route.folder);
  if (folder) filter.folder = folder;
  const set = oneOf(sets, route.set);
  if (set) filter.set = set;
  const human = text(route.human);
  if (human) filter.human = human;
  const modality = oneOf(modalities, route.modality);
  if (modality) filter.modality = modality;
  const model = text(route.model);
  if (model) filter.model = model;
  for (const name of special) {
    const value = text(route[name === "prompt" ? "promptKey" : name]);
    if (value) filter[name] = value;
  }
  const { collapse } = route;
  if (typeof collapse === "number" && collapse >= 0.05 && collapse <= 1) filter.collapse = collapse;
  return { filter, cell: oneOf(cells, route.cell) };
}

/** Does the filter leave anything out? The folder does not count: there is always one. */
export const narrowed = (filter: T.UnitFilter): boolean =>
  Boolean(filter.modality ?? filter.model ?? filter.collapse) ||
  special.some((name) => Boolean(filter[name])) ||
  (filter.human ?? "majority") !== "majority" ||
  (filter.set ?? "produced") !== "produced";

class Units {
  filter: T.UnitFilter = $state.raw({});
  cell: T.Cell | undefined = $state.raw();
  sample: Sample | undefined = $state.raw();
  openOnly = $state(false);
  #study = "";

  /** Call when a screen is set up. */
  enter(study: string, route: Route): void {
    if (study !== this.#study) {
      this.#study = study;
      this.filter = {};
      this.cell = undefined;
      this.sample = undefined;
      this.openOnly = false;
    }
    const asked = unitsOf(route);
    if (!asked) return;
    this.filter = asked.filter;
    this.cell = asked.cell;
    this.sample = undefined;
  }

  /** Changes some of it; what becomes `undefined` is taken off. A sample belongs to its units and goes with them. */
  narrow(change: { [K in keyof T.UnitFilter]: T.UnitFilter[K] | undefined }): void {
    const next: Record<string, unknown> = { ...this.filter, ...change };
    for (const [key, value] of Object.entries(next))
      if (value === undefined) Reflect.deleteProperty(next, key);
    this.filter = next;
    this.sample = undefined;
  }

  reset(): void {
    this.filter = this.filter.folder ? { folder: this.filter.folder } : {};
    this.sample = undefined;
  }
}

export const units = new Units();
