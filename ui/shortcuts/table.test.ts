// The one table of keys: what must hold for every row, now and later.
import { describe, expect, it } from "vitest";
import { canonical, chordLabel, chordOf } from "./chord";
import { table, together, type Shortcut } from "./table";

const rows: readonly Shortcut[] = table;
const meet = (a: string, b: string): boolean =>
  a === b ||
  a === "app" ||
  b === "app" ||
  together.some(([x, y]) => (x === a && y === b) || (x === b && y === a));

/** Pairs of rows that would both answer one chord. */
export function clashes(all: readonly Shortcut[]): string[] {
  const found: string[] = [];
  for (const [i, a] of all.entries())
    for (const b of all.slice(i + 1))
      if (meet(a.scope, b.scope))
        for (const key of a.keys)
          if (b.keys.some((other) => canonical(other) === canonical(key)))
            found.push(`${a.id} and ${b.id}: ${key}`);
  return found;
}

describe("the table of keys", () => {
  it("binds no chord twice where both listen", () => {
    expect(clashes(rows), "each chord does one thing at a time").toEqual([]);
  });
  it("would notice a clash, written in another order or against the app's own keys", () => {
    const bad: Shortcut[] = [
      { id: "a.x", scope: "a", keys: ["Shift+Mod+k"], label: "" },
      { id: "a.y", scope: "a", keys: ["Mod+Shift+K"], label: "" },
      { id: "app.z", scope: "app", keys: ["Mod+Shift+K"], label: "" },
      { id: "b.z", scope: "b", keys: ["Q"], label: "" },
      { id: "a.q", scope: "a", keys: ["Q"], label: "" },
    ];
    expect(clashes(bad), "x-y, x-app, y-app; scopes a and b never listen together").toHaveLength(3);
  });
  it("has unique ids that start with their scope", () => {
    expect(new Set(rows.map((r) => r.id)).size, "an id names one row").toBe(rows.length);
    for (const row of rows) expect(row.id.startsWith(`${row.scope}.`), `${row.id} says its scope`).toBe(true);
  });
  it("never takes a plain character away from someone who types", () => {
    for (const row of rows.filter((r) => r.typing))
      for (const key of row.keys)
        expect(/^(Mod|Alt|Ctrl|Meta)\+|^Escape$|^F\d+$/.test(key), `${row.id}: ${key}`).toBe(true);
  });
  it("writes every chord in its canonical form", () => {
    for (const row of rows) for (const key of row.keys) expect(canonical(key), row.id).toBe(key);
  });
});

describe("chords", () => {
  const press = (key: string, over: Partial<Parameters<typeof chordOf>[0]> = {}) => ({
    key,
    code: "",
    ctrlKey: false,
    altKey: false,
    shiftKey: false,
    metaKey: false,
    ...over,
  });
  it("reads letters by place under a layout without Latin letters", () => {
    expect(chordOf(press("с", { code: "KeyC" }), false), "Cyrillic es lies on C").toBe("C");
    expect(chordOf(press("ל", { code: "KeyK", ctrlKey: true }), false), "Hebrew lamed lies on K").toBe(
      "Mod+K",
    );
  });
  it("does not count Shift for a sign that needs it", () => {
    expect(chordOf(press("?", { shiftKey: true }), false), "the sign says it already").toBe("?");
    expect(chordOf(press("K", { shiftKey: true, ctrlKey: true }), false), "a letter does not").toBe(
      "Mod+Shift+K",
    );
  });
  it("takes the command key for Mod on a Mac, and Ctrl elsewhere", () => {
    expect(chordOf(press("k", { metaKey: true }), true), "⌘K").toBe("Mod+K");
    expect(chordOf(press("k", { metaKey: true }), false), "the Windows key is not Mod").toBe("Meta+K");
    expect(chordLabel("Mod+Enter", true), "shown with the sign of the Mac").toBe("⌘ ↵");
  });
  it("ignores a lone modifier and a dead key", () => {
    expect(chordOf(press("Shift", { shiftKey: true }), false), "nothing was pressed yet").toBe("");
    expect(chordOf(press("Dead"), false), "an accent is being composed").toBe("");
  });
});
