// Where packages go, and what seals them.
import { describe, expect, it } from "vitest";
import { below, fileName, isKey, parentOf, passphrase } from "./paths";

describe("paths of packages", () => {
  it("lie beside the study, with the separator that is used there", () => {
    expect(parentOf("/home/lea/Pilot.assize/"), "a folder").toBe("/home/lea");
    expect(below("/home/lea", "a.assizepack"), "a slash").toBe("/home/lea/a.assizepack");
    expect(parentOf("C:\\Studies\\Pilot.assize"), "the other slash").toBe("C:\\Studies");
    expect(below("C:\\Studies", "a.assizepack"), "stays the other slash").toBe("C:\\Studies\\a.assizepack");
    expect(fileName('a/b: "c"'), "no sign that a file system refuses").toBe("a-b- -c-");
  });
});

describe("what seals", () => {
  it("is a passphrase that can be read out", () => {
    let n = 0;
    expect(
      passphrase(() => n++ % 31),
      "five groups of four",
    ).toBe("abcd-efgh-jkmn-pqrs-tuvw");
    const made = passphrase();
    expect(made, "no sign that looks like another").toMatch(
      /^([a-hj-km-np-z2-9]{4}-){4}[a-hj-km-np-z2-9]{4}$/,
    );
    expect(made, "another one each time").not.toBe(passphrase());
  });
  it("or a key", () => {
    expect(isKey(`age1${"q".repeat(58)}`), "as age writes it").toBe(true);
    expect(isKey("age1short"), "not a part of one").toBe(false);
    expect(isKey(`AGE-SECRET-KEY-1${"Q".repeat(58)}`), "never the secret half").toBe(false);
  });
});
