import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** One room may not reach into another: screens use features, features use components, never the other way. */
const platform = {
  group: ["@tauri-apps/*"],
  message: "Only ui/backend speaks to the platform.",
};
const closed = (rooms, why) => ({
  group: rooms.flatMap((room) => [`$ui/${room}`, `$ui/${room}/**`, `**/../${room}/**`, `**/../${room}`]),
  message: why,
});
const tier = (files, ...patterns) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns: [platform, ...patterns] }] },
});

export default ts.config(
  { ignores: ["dist", "node_modules", "backend/generated", "public"] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: {
        projectService: true,
        extraFileExtensions: [".svelte"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unnecessary-condition": "off",
      "@typescript-eslint/no-non-null-assertion": "error",
      // `void x` inside an effect says "read this, so that the effect runs again when it changes".
      "@typescript-eslint/no-meaningless-void-operator": "off",
      "no-undef": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // The page's address never changes by links: there is no router library.
      "svelte/no-navigation-without-resolve": "off",
      // The compiler's own types of snippets and props confuse these rules inside components.
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/no-unnecessary-type-assertion": "off",
      "@typescript-eslint/no-redundant-type-constituents": "off",
    },
  },
  {
    files: ["**/*.test.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-deprecated": "off",
    },
  },
  { files: ["**/*.js"], ...ts.configs.disableTypeChecked },
  { files: ["*.js", "*.config.ts"], languageOptions: { globals: { ...globals.node } } },
  { rules: { "no-restricted-imports": ["error", { patterns: [platform] }] } },
  tier(
    ["components/**"],
    closed(["features", "screens", "backend"], "Components know nothing of the study: pass it in."),
  ),
  tier(["features/**"], closed(["screens"], "Features are used by screens, not the other way round.")),
  tier(
    ["design/**", "text/**", "shortcuts/**"],
    closed(["components", "features", "screens", "backend"], "These rooms stand below everything else."),
  ),
  tier(["backend/**"], closed(["components", "features", "screens"], "The backend shows nothing.")),
  {
    files: ["backend/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [closed(["components", "features", "screens"], "The backend shows nothing.")] },
      ],
    },
  },
);
