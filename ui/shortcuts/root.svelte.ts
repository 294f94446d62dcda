// An effect root for tests, which are plain TypeScript and have no runes.
export const root = (build: () => void): (() => void) => $effect.root(build);
