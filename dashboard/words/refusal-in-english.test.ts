import { expect, test } from "vitest";
import { refusalInEnglish } from "./refusal-in-english.ts";

test.each([
  ["expected an integer from 10 to 100000", "Expected a whole number from 10 to 100,000"],
  ["expected an integer other than 0", "Expected a whole number other than 0"],
  ["somebody has this e-mail address already", "Somebody has this e-mail address already"],
  [
    "Idempotency-Key was used with another request",
    "The first attempt arrived, with what was entered then. Close the form and look at the result",
  ],
  [
    "expected somebody whose access was not made, reset or changed in the last 7 days by whoever asked, or by the same person",
    "In the last 7 days you or the requester invited or enabled the other, reset their access or second factor, or raised their role, or one person did so for both, directly or through others",
  ],
  ["expected a time before end_datetime", "Expected a time before the end"],
  ["order 100000 is not known", "Order 100000 is not known"],
])("%s", (text, shown) => {
  expect(refusalInEnglish(text)).toBe(shown);
});

test("one day is said in the singular", () => {
  const text = "expected somebody whose access was not made, reset or changed in the last 1 days by whoever asked";
  expect(refusalInEnglish(text)).toMatch(/^In the last 1 day you or/);
});
