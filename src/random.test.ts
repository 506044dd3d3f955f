import { expect, test } from "vitest";
import { createRandom } from "./random.ts";

test("uids are UUIDv7 of now and rise strictly, thousands within a millisecond", () => {
  const random = createRandom();
  const before = Date.now();
  const uids = Array.from({ length: 50_000 }, () => random.uid());
  const timeOf = (uid: string | undefined) => Number.parseInt((uid ?? "").replaceAll("-", "").slice(0, 12), 16);
  for (const [i, uid] of uids.entries()) {
    expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    if (i > 0) expect(uid > (uids[i - 1] ?? "")).toBe(true);
  }
  expect(timeOf(uids[0])).toBeGreaterThanOrEqual(before);
  expect(timeOf(uids[0])).toBeLessThanOrEqual(Date.now());
  expect(new Set(uids.map((uid) => uid.slice(-12))).size).toBeGreaterThan(49_990);
});
