// WebKit cannot iterate a ReadableStream with `for await`; pdf.js does, on the page and in its worker.
interface Iterable<R> {
  getReader(): ReadableStreamDefaultReader<R>;
}
const proto = ReadableStream.prototype as { [Symbol.asyncIterator]?: unknown };

if (!proto[Symbol.asyncIterator]) {
  proto[Symbol.asyncIterator] = async function* <R>(this: Iterable<R>): AsyncGenerator<R, void> {
    const reader = this.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      // An iteration that is left early ends the stream, as the standard says.
      await reader.cancel().catch(() => undefined);
      reader.releaseLock();
    }
  };
}
export {};
