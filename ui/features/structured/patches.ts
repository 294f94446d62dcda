// Edits of the compiled checklist, kept as patches over it: the meta-rubric itself is not touched by them.
import type { T } from "$ui/backend";
import { nextId } from "./outline";

type Patches = readonly T.ChecklistPatch[];

const of = (
  { check, compiled_sha256 }: T.CompiledCheck,
  edit: T.ChecklistEdit,
  author: string,
  reason: string,
): T.ChecklistPatch => ({ check: check.id, edit, on_text_sha256: compiled_sha256 ?? null, author, reason });

const isAdded = (one: T.CompiledCheck): boolean => one.check.provenance.rule === "A1";
const without = (patches: Patches, check: string, kind: T.ChecklistEdit["kind"]): T.ChecklistPatch[] =>
  patches.filter((patch) => patch.check !== check || patch.edit.kind !== kind);

/** Other words for a check; an added one gets them in the patch that added it. */
export function reworded(
  patches: Patches,
  one: T.CompiledCheck,
  text: string,
  author: string,
  reason: string,
): T.ChecklistPatch[] {
  const { check } = one;
  if (isAdded(one))
    return patches.map((patch) =>
      patch.check === check.id && patch.edit.kind === "add"
        ? { ...patch, author, reason, edit: { ...patch.edit, text } }
        : patch,
    );
  const others = without(patches, check.id, "reword");
  if (text.trim() === (one.compiled?.text ?? check.text)) return others;
  return [...others, of(one, { kind: "reword", text }, author, reason)];
}

/** Another tier for a check; its compiled one takes the patch away. */
export function retiered(
  patches: Patches,
  one: T.CompiledCheck,
  tier: T.Tier,
  author: string,
  reason: string,
): T.ChecklistPatch[] {
  const { check } = one;
  if (isAdded(one))
    return patches.map((patch) =>
      patch.check === check.id && patch.edit.kind === "add"
        ? { ...patch, author, reason, edit: { ...patch.edit, tier } }
        : patch,
    );
  const others = without(patches, check.id, "retier");
  if (tier === (one.compiled?.tier ?? check.tier)) return others;
  return [...others, of(one, { kind: "retier", tier }, author, reason)];
}

/** Asks a check no more; an added one is gone with its patch. */
export function suppressed(
  patches: Patches,
  one: T.CompiledCheck,
  author: string,
  reason: string,
): T.ChecklistPatch[] {
  if (isAdded(one)) return patches.filter((patch) => patch.check !== one.check.id);
  return [...patches, of(one, { kind: "suppress" }, author, reason)];
}
/** Asks a suppressed check again. */
export const askedAgain = (patches: Patches, one: T.CompiledCheck): T.ChecklistPatch[] =>
  without(patches, one.check.id, "suppress");

/** A check that no item makes, behind another one (none: at the end). */
export function added(
  patches: Patches,
  after: string | null,
  text: string,
  tier: T.Tier,
  author: string,
  reason: string,
): T.ChecklistPatch[] {
  const check = nextId(
    patches.map((patch) => patch.check),
    "added.",
  );
  return [
    ...patches,
    { check, edit: { kind: "add", text, tier, ...(after ? { after } : {}) }, author, reason },
  ];
}

/** As the compiler made it: without every patch on the check. */
export const restored = (patches: Patches, check: string): T.ChecklistPatch[] =>
  patches.filter((patch) => patch.check !== check);
/** Without the patch at a position. */
export const dropped = (patches: Patches, at: number): T.ChecklistPatch[] =>
  patches.filter((_, place) => place !== at);
