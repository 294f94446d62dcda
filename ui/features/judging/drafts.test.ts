/** When drafts reach the disk, with the clock in the test's hand. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { drafts, type SavedState } from "./drafts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function recorder(write?: (item: string, draft: string) => Promise<void>) {
  const written: string[] = [];
  const states: SavedState[] = [];
  const saver = drafts<string>(
    write ??
      ((item, draft) => {
        written.push(`${item}:${draft}`);
        return Promise.resolve();
      }),
    (state) => states.push(state),
  );
  return { saver, written, states };
}

it("writes the newest draft once, after the quiet time", async () => {
  const { saver, written, states } = recorder();
  saver.put("a", "1");
  await vi.advanceTimersByTimeAsync(299);
  saver.put("a", "12");
  await vi.advanceTimersByTimeAsync(299);
  expect(written, "typing goes on, nothing is quiet yet").toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(written, "one write, of the newest").toEqual(["a:12"]);
  expect(states.at(-1)).toBe("saved");
});

it("flush writes at once and waits for the answer", async () => {
  const { saver, written } = recorder();
  saver.put("a", "1");
  await saver.flush();
  expect(written, "no timer had to run").toEqual(["a:1"]);
});

it("never writes two at a time", async () => {
  let answer: (() => void) | undefined;
  const begun: string[] = [];
  const { saver } = recorder((item, draft) => {
    begun.push(`${item}:${draft}`);
    return new Promise((resolve) => (answer = () => resolve()));
  });
  saver.put("a", "1");
  const first = saver.flush();
  saver.put("a", "2");
  const second = saver.flush();
  expect(begun, "the first is not answered").toEqual(["a:1"]);
  answer?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun, "then the newer one").toEqual(["a:1", "a:2"]);
  answer?.();
  await Promise.all([first, second]);
});

it("a failed write is said, kept, and tried again", async () => {
  let broken = true;
  const written: string[] = [];
  const { saver, states } = recorder((item, draft) => {
    if (broken) return Promise.reject(new Error("disk full"));
    written.push(`${item}:${draft}`);
    return Promise.resolve();
  });
  saver.put("a", "1");
  await expect(saver.flush(), "whoever flushes hears of it").rejects.toThrow("disk full");
  expect(states.at(-1)).toBe("failed");
  broken = false;
  await saver.flush();
  expect(written, "the draft was not lost").toEqual(["a:1"]);
});

it("a submitted item's waiting draft is not written afterwards", async () => {
  const { saver, written } = recorder();
  saver.put("a", "1");
  await saver.drop("a");
  await vi.advanceTimersByTimeAsync(1000);
  expect(written, "the judgement replaced it").toEqual([]);
});

it("an item that is being submitted writes no draft; one whose submission failed does", async () => {
  const { saver, written } = recorder();
  saver.put("a", "1");
  await saver.hold("a");
  await vi.advanceTimersByTimeAsync(1000);
  expect(written, "the submission writes it").toEqual([]);
  saver.put("a", "1");
  await vi.advanceTimersByTimeAsync(300);
  expect(written, "it failed, and the draft is kept").toEqual(["a:1"]);
});
