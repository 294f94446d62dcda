// Every word shown, by room. Judging and the players keep theirs in judging.ts and media.ts.
export { authoring } from "./authoring";
export { common } from "./common";
export { errors, sentence } from "./errors";
export type { Sentence } from "./errors";
export { guidelines } from "./guidelines";
export { history } from "./history";
export { home } from "./home";
export { overview } from "./overview";
export { people } from "./people";
export { results } from "./results";
export * from "./figures";
