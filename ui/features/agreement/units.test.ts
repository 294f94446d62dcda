// A number opens the items behind it: the filter has to survive the way through a route.
import { describe, expect, it } from "vitest";
import { narrowed, routeOf, units, unitsOf } from "./units.svelte";

describe("units in a route", () => {
  it("come out as they went in", () => {
    const filter = {
      folder: "demo",
      set: "all_expected" as const,
      human: "ben",
      modality: "Image" as const,
      model: "model-a",
      collapse: 0.75,
      first: "ana",
      prompt: "p1",
      criterion: "Image: Shows a bridge.",
      route: "native",
      tag: "inputs Text",
      rubric_version: "version 1",
    };
    expect(unitsOf(routeOf("disagreements", filter, "judge_only")), "nothing is lost on the way").toEqual({
      filter,
      cell: "judge_only",
    });
  });
  it("are not asked for by a plain route", () => {
    expect(unitsOf({ screen: "disagreements" }), "the remembered choice stays").toBeUndefined();
  });
  it("leave out what the contract does not know", () => {
    expect(
      unitsOf({ screen: "agreement", units: true, modality: "Smell", set: "best", cell: "x", collapse: 7 }),
      "an unknown name never reaches the backend",
    ).toEqual({ filter: {}, cell: undefined });
  });
});

describe("the remembered choice", () => {
  it("drops the sample when the units change, since a draw belongs to its units", () => {
    units.enter("one", { screen: "disagreements" });
    units.sample = { each: 20, seed: 7 };
    units.narrow({ modality: "Audio" });
    expect(units.sample, "a new draw is needed").toBeUndefined();
    expect(units.filter, "the rest stays").toEqual({ modality: "Audio" });
    units.narrow({ modality: undefined });
    expect(units.filter, "taken off, not sent as nothing").toEqual({});
  });
  it("does not follow into another study", () => {
    units.enter("one", { screen: "disagreements" });
    units.narrow({ folder: "demo", human: "ben" });
    units.enter("two", { screen: "disagreements" });
    expect(units.filter, "folders and people are another study's").toEqual({});
  });
  it("keeps the folder on reset", () => {
    units.narrow({ folder: "demo", human: "ben", collapse: 0.5 });
    units.reset();
    expect(units.filter, "there is always a folder").toEqual({ folder: "demo" });
    expect(narrowed(units.filter), "a folder alone narrows nothing").toBe(false);
    expect(narrowed({ collapse: 0.5 }), "a threshold does").toBe(true);
  });
});
