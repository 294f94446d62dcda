// pdf.js with everything it may not do switched off: no eval, no XFA forms, no annotation layer (so no links and no
// actions), no fetching of its own: the bytes come in, and fonts and tables come from beside the page.
import "./stream-iteration";
import * as pdfjs from "pdfjs-dist";
import type { PDFDocumentProxy } from "pdfjs-dist";

const beside = (folder: string): string => new URL(`pdf/${folder}/`, document.baseURI).href;

// Each document has a worker of its own, so that one that hangs hangs alone. Starting one takes longer than opening most
// documents, so after the first there is always one in reserve.
let reserve: Worker | undefined;
const start = (): Worker => new Worker(new URL("./pdf-worker.ts", import.meta.url), { type: "module" });
function takeWorker(): Worker {
  const port = reserve ?? start();
  reserve = undefined;
  setTimeout(() => (reserve ??= start()), 500);
  return port;
}

/** Opens a PDF from its bytes. The answer's `close` frees the worker. */
export async function openPdf(bytes: ArrayBuffer): Promise<{ pdf: PDFDocumentProxy; close: () => void }> {
  const port = takeWorker();
  const worker = pdfjs.PDFWorker.create({ port });
  const task = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    worker,
    cMapUrl: beside("cmaps"),
    cMapPacked: true,
    standardFontDataUrl: beside("standard_fonts"),
    wasmUrl: beside("wasm"),
    iccUrl: beside("iccs"),
    isEvalSupported: false,
    enableXfa: false,
    stopAtErrors: false,
    useSystemFonts: true,
  });
  const close = (): void => {
    task
      .destroy()
      .catch(() => undefined)
      .finally(() => {
        worker.destroy();
        port.terminate();
      });
  };
  try {
    return { pdf: await task.promise, close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}
