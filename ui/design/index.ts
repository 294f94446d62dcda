// The look of the app: bundled faces, tokens and the base sheet, in the order in which they build on each other.
import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "./tokens.css";
import "./base.css";

export { appearance, setTextSize, setTheme, textSizes, themes } from "./appearance.svelte";
export type { TextSize, Theme } from "./appearance.svelte";
