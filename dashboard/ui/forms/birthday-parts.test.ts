import fc from "fast-check";
import { expect, test } from "vitest";
import { isBirthday } from "../../../src/customers/profile/profile-texts.ts";
import { birthdayParts, birthdayText } from "./birthday-parts.ts";

test.each([
  [null, { year: "", month: "", day: "" }],
  ["1990-04-12", { year: "1990", month: "4", day: "12" }],
  ["--02-29", { year: "", month: "2", day: "29" }],
])("%s is shown in parts and read back", (birthday, parts) => {
  expect(birthdayParts(birthday)).toEqual(parts);
  expect(birthdayText(parts)).toBe(birthday);
});

test("a year may be typed with full-width digits", () => {
  expect(birthdayText({ year: "１９９０", month: "4", day: "12" })).toBe("1990-04-12");
});

test("what is incomplete is no birthday, but not empty either: the service refuses it", () => {
  const part = (values: readonly string[]) => fc.constantFrom("", ...values);
  fc.assert(
    fc.property(part(["1990", "90", "199x"]), part(["2", "11"]), part(["3", "30"]), (year, month, day) => {
      const text = birthdayText({ year, month, day });
      fc.pre(text !== null);
      const isWhole = month !== "" && day !== "" && (year === "" || year === "1990");
      if (!isWhole) expect(isBirthday(text)).toBe(false);
    }),
  );
});
