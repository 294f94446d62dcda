/** Undo and redo of what one does in the editor; typing in one line is one step until there is a pause. */
export interface Trail<S> {
  past: readonly { state: S; kind: string; at_ms: number }[];
  future: readonly S[];
}

export const PAUSE_MS = 1200;
const KEPT = 200;

export const emptyTrail = <S>(): Trail<S> => ({ past: [], future: [] });

/** Remembers `before`, the state that a step of this kind left; kinds that start with `type` run together. */
export function step<S>(trail: Trail<S>, before: S, kind: string, now_ms: number): Trail<S> {
  const last = trail.past.at(-1);
  const runsOn =
    last !== undefined && kind.startsWith("type") && last.kind === kind && now_ms - last.at_ms < PAUSE_MS;
  const past = runsOn
    ? [...trail.past.slice(0, -1), { ...last, at_ms: now_ms }]
    : [...trail.past, { state: before, kind, at_ms: now_ms }].slice(-KEPT);
  return { past, future: [] };
}

/** The state before the last step, or nothing. */
export function undo<S>(trail: Trail<S>, now: S): { trail: Trail<S>; state: S } | null {
  const last = trail.past.at(-1);
  return last
    ? { trail: { past: trail.past.slice(0, -1), future: [...trail.future, now] }, state: last.state }
    : null;
}

/** The state that was undone last, or nothing. */
export function redo<S>(trail: Trail<S>, now: S): { trail: Trail<S>; state: S } | null {
  const state = trail.future.at(-1);
  return state === undefined
    ? null
    : {
        trail: {
          past: [...trail.past, { state: now, kind: "redo", at_ms: 0 }],
          future: trail.future.slice(0, -1),
        },
        state,
      };
}
