import { expect, test } from "vitest";
import { daysLeftSoon } from "./certificate-end.ts";

const NOW = Temporal.Instant.from("2026-03-01T00:00:00Z");

test.each([
  ["Mar  3 12:00:00 2026 GMT", 2],
  ["Mar 21 23:59:59 2026 GMT", 20],
  ["Mar 22 00:00:00 2026 GMT", null],
  ["Feb 27 00:00:00 2026 GMT", 0], // believed without a check
  ["", null],
])("a certificate that is valid to %j: %j days are left", (validTo, days) => {
  expect(daysLeftSoon(validTo, NOW)).toBe(days);
});
