// pdf.js's worker with the stream polyfill before it: WebKit lacks it in workers too.
import "./stream-iteration";
import "pdfjs-dist/build/pdf.worker.mjs";
