/** Active time, with a clock of our own. */
import { expect, it } from "vitest";
import { activeClock } from "./active";

function clockAt(start = 0) {
  let t = start;
  return { now: () => t, to: (ms: number) => void (t = ms) };
}

it("counts the time between signs of life", () => {
  const c = clockAt(1000);
  const active = activeClock(c.now);
  c.to(4000);
  active.sign();
  c.to(9000);
  expect(active.total(), "1 s to 9 s without a long gap").toBe(8000);
});

it("a long gap counts up to the idle limit", () => {
  const c = clockAt();
  const active = activeClock(c.now, 0, 60_000);
  c.to(600_000);
  active.sign();
  expect(active.total(), "ten minutes away are one minute").toBe(60_000);
});

it("time in a hidden window does not count", () => {
  const c = clockAt();
  const active = activeClock(c.now);
  c.to(2000);
  active.pause();
  c.to(50_000);
  active.resume();
  c.to(51_000);
  expect(active.total(), "2 s before, 1 s after").toBe(3000);
});

it("goes on from what a draft held", () => {
  const c = clockAt();
  const active = activeClock(c.now, 7000);
  c.to(500);
  expect(active.total()).toBe(7500);
});

it("a clock set back takes nothing away", () => {
  const c = clockAt(10_000);
  const active = activeClock(c.now, 100);
  c.to(0);
  active.sign();
  expect(active.total(), "negative gaps are nothing").toBe(100);
});

it("what is not active is idle, and a hidden window is neither", () => {
  const c = clockAt();
  const active = activeClock(c.now, 0, 60_000, 500);
  c.to(90_000);
  expect([active.total(), active.idle()], "60 s of 90 s are active; asking counts nothing twice").toEqual([
    60_000, 30_500,
  ]);
  active.sign();
  active.pause();
  c.to(500_000);
  active.resume();
  c.to(501_000);
  expect([active.total(), active.idle()]).toEqual([61_000, 30_500]);
});
