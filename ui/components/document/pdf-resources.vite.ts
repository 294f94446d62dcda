// Puts pdf.js's character maps, fonts, decoders and colour profiles beside the page: without them CJK text, the base
// fonts and JPEG 2000 pictures stay blank, and nothing may be fetched from elsewhere.
import { cpSync, createReadStream, existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, normalize, resolve } from "node:path";
import type { Plugin } from "vite";

const folders = ["cmaps", "standard_fonts", "wasm", "iccs"];

export function pdfResources(): Plugin {
  const home = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  let out = "dist";
  return {
    name: "pdf-resources",
    configResolved(config) {
      out = resolve(config.root, config.build.outDir);
    },
    writeBundle() {
      for (const folder of folders) cpSync(join(home, folder), join(out, "pdf", folder), { recursive: true });
    },
    configureServer(server) {
      server.middlewares.use("/pdf", (request, response, next) => {
        const path = normalize(decodeURIComponent((request.url ?? "/").split("?")[0] ?? "/"));
        const file = join(home, path);
        const known = folders.some((folder) => path.startsWith(`/${folder}/`));
        if (!known || !existsSync(file) || !statSync(file).isFile()) {
          next();
          return;
        }
        if (file.endsWith(".wasm")) response.setHeader("Content-Type", "application/wasm");
        createReadStream(file).pipe(response);
      });
    },
  };
}
