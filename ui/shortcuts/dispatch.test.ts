// @vitest-environment jsdom
// When keys fire and when they must not: typing, composing, dialogs, buttons.
import { flushSync } from "svelte";
import { afterEach, describe, expect, it } from "vitest";
import { root } from "./root.svelte";
import { dispatch, keys, silenceOthers } from "./dispatch.svelte";

let stop: (() => void)[] = [];
afterEach(() => {
  for (const end of stop) end();
  stop = [];
  document.body.replaceChildren();
});
const set = (build: () => void): (() => void) => {
  const end = root(build);
  flushSync();
  stop.push(end);
  return end;
};

function press(key: string, on: Element = document.body, init: KeyboardEventInit = {}): boolean {
  let answered = false;
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  const listener = (e: Event): void => {
    answered = dispatch(e as KeyboardEvent);
  };
  document.addEventListener("keydown", listener, { once: true });
  on.dispatchEvent(event);
  return answered;
}
const add = <K extends keyof HTMLElementTagNameMap>(tag: K): HTMLElementTagNameMap[K] =>
  document.body.appendChild(document.createElement(tag));

describe("the dispatcher", () => {
  it("answers a registered key, and stops when the component goes", () => {
    let opened = 0;
    const end = set(() => keys("home", { "home.open": () => (opened += 1) }));
    expect(press("o"), "O opens").toBe(true);
    end();
    flushSync();
    expect(press("o"), "the screen is gone").toBe(false);
    expect(opened, "once").toBe(1);
  });
  it("leaves plain letters to a text field, but not chords that say they work there", () => {
    set(() => keys("home", { "home.open": () => true }));
    set(() => keys("app", { "app.palette": () => true }));
    const field = add("textarea");
    expect(press("o", field), "an o is being typed").toBe(false);
    expect(press("k", field, { ctrlKey: true }), "Ctrl+K works everywhere").toBe(true);
  });
  it("does nothing while a text is being composed", () => {
    set(() => keys("authoring", { "authoring.submit": () => true }));
    const field = add("textarea");
    expect(press("Enter", field, { ctrlKey: true, isComposing: true }), "Enter confirms the word").toBe(
      false,
    );
    expect(press("Enter", field, { ctrlKey: true, keyCode: 229 }), "how other input methods say it").toBe(
      false,
    );
    expect(press("Enter", field, { ctrlKey: true }), "afterwards it submits").toBe(true);
  });
  it("is silent below a dialog", () => {
    set(() => keys("home", { "home.open": () => true }));
    const close = set(() => silenceOthers());
    expect(press("o"), "the dialog has the keys").toBe(false);
    close();
    flushSync();
    expect(press("o"), "it is closed").toBe(true);
  });
  it("lets a dialog have keys of its own, and ? through to the app", () => {
    let [asked, zoomed] = [0, 0];
    set(() => keys("app", { "app.keys": () => (asked += 1), "app.theme": () => true }));
    set(() => silenceOthers());
    set(() => keys("image", { "image.in": () => (zoomed += 1) }));
    expect(press("+"), "the dialog's own key").toBe(true);
    expect(press("?", document.body, { shiftKey: true }), "what keys are there is asked anywhere").toBe(true);
    expect(press("l", document.body, { ctrlKey: true, shiftKey: true }), "nothing else gets through").toBe(
      false,
    );
    expect([asked, zoomed], "each once").toEqual([1, 1]);
  });
  it("passes a key on when there was nothing to do", () => {
    set(() => keys("home", { "home.open": () => false }));
    expect(press("o"), "false means: not mine").toBe(false);
  });
});
