import fc from "fast-check";
import { expect, test } from "vitest";
import { isBirthday, isEmail } from "./profile-texts.ts";

test("every day of a calendar is a birthday, with its year and without", () => {
  const day = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const text = date.toISOString().slice(0, 10);
      expect(isBirthday(text)).toBe(true);
      expect(isBirthday(`--${text.slice(5)}`)).toBe(true);
    }),
  );
});

test.each(["2023-02-29", "1988-04-31", "1988-13-01", "1988-00-10", "--02-30", "-04-12", "1988/04/12", "88-04-12", ""])(
  "%j is no birthday",
  (text) => expect(isBirthday(text)).toBe(false),
);

test("29 February is a birthday of a leap year and of an unknown one", () => {
  expect([isBirthday("2024-02-29"), isBirthday("--02-29")]).toEqual([true, true]);
});

test("an e-mail address has one @ between something and something, without spaces", () => {
  expect(["a@b", "Hanako.Y+x@example.co.jp"].filter(isEmail)).toHaveLength(2);
  expect(["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\n", `${"a".repeat(65)}@b`].filter(isEmail)).toEqual([]);
});
