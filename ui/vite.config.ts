import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { pdfResources } from "./components/document/pdf-resources.vite";

const host = process.env.ASSIZE_HOST ?? "http://127.0.0.1:8017";

// Nothing is inlined: the page runs under `script-src 'self'`, and small assets as `data:` would need a wider policy.
export default defineConfig({
  base: "./",
  plugins: [svelte(), pdfResources()],
  worker: { format: "es" },
  resolve: {
    alias: { $ui: fileURLToPath(new URL(".", import.meta.url)) },
    // Vitest would otherwise take Svelte's server build.
    ...(process.env.VITEST ? { conditions: ["browser"] } : {}),
  },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: ["es2022", "safari17"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: "127.0.0.1",
    port: 1420,
    strictPort: true,
    proxy: { "/api": host, "/blob": host, "/media": host },
  },
  test: { include: ["**/*.test.ts"], exclude: ["node_modules", "dist"], environment: "node" },
});
