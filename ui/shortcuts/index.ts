export { canonical, chordLabel, chordOf, isMac } from "./chord";
export { available, dispatch, keys, listen, run, silenceOthers, takesText } from "./dispatch.svelte";
export { keyOf, shortcut, table } from "./table";
export type { Scope, Shortcut, ShortcutId } from "./table";
