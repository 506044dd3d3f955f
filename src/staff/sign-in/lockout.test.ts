import fc from "fast-check";
import { expect, test } from "vitest";
import { ADDRESS_RULE, lockS, PERSON_RULE } from "./lockout.ts";

test("free failures lock nothing, then the wait doubles up to its most", () => {
  const waits = [4, 5, 6, 7, 11, 12, 13, 400].map((failures) => lockS(PERSON_RULE, failures));
  expect(waits).toEqual([0, 30, 60, 120, 1_920, 3_600, 3_600, 3_600]);
  expect([19, 20, 21].map((failures) => lockS(ADDRESS_RULE, failures))).toEqual([0, 30, 60]);
});

test("more failures never wait less", () => {
  fc.assert(
    fc.property(fc.nat(2_000), fc.nat(2_000), (a, b) => {
      expect(lockS(PERSON_RULE, Math.max(a, b))).toBeGreaterThanOrEqual(lockS(PERSON_RULE, Math.min(a, b)));
    }),
  );
});
