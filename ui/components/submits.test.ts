// @vitest-environment jsdom
// Which key press submits a dialog: Enter where the focus has no other use for it, Ctrl+Enter from anywhere.
import { describe, expect, it } from "vitest";
import { submitsForm } from "./submits";

function press(target: HTMLElement, init: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event); // gives the event its target
  return event;
}
const field = (type: string): HTMLInputElement => Object.assign(document.createElement("input"), { type });

describe("a dialog is submitted", () => {
  it("by Enter on a list, a check box, a radio button", () => {
    expect(submitsForm(press(document.createElement("select"))), "the list does not open").toBe(true);
    for (const type of ["checkbox", "radio"]) expect(submitsForm(press(field(type))), type).toBe(true);
  });
  it("by the page itself from a text field, and never from a button that has the focus", () => {
    expect(submitsForm(press(field("text"))), "implicit submission does it").toBe(false);
    expect(submitsForm(press(document.createElement("button"))), "Cancel cancels").toBe(false);
    expect(submitsForm(press(document.createElement("textarea"))), "a new line").toBe(false);
  });
  it("by Ctrl+Enter from anywhere", () => {
    for (const target of [document.createElement("textarea"), document.createElement("select")])
      expect(submitsForm(press(target, { ctrlKey: true })), target.tagName).toBe(true);
  });
  it("not while a text is composed, nor by what something else has used", () => {
    const area = document.createElement("textarea");
    expect(submitsForm(press(area, { ctrlKey: true, isComposing: true })), "composing").toBe(false);
    const used = press(document.createElement("select"));
    used.preventDefault();
    expect(submitsForm(used), "a list of its own took it").toBe(false);
    expect(submitsForm(press(document.createElement("select"), { key: " " })), "Space opens the list").toBe(
      false,
    );
  });
});
