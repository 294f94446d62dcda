// What the nth part of a bar is filled with; the patterns stand in Fills.svelte.
const FILLS = 4;

export const fillOf = (id: string, at: number): string => `url(#${id}-${at % FILLS})`;
