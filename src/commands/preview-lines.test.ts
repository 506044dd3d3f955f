import { expect, test } from "vitest";
import { previewLines } from "./preview-lines.ts";

const MOVER = { bucket: 1, customerUid: "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716", from: "Bronze", to: "Gold\nFish" };

test("counts have their noun in the right number, and a name stays on its line", () => {
  const lines = previewLines({
    share: 1,
    tiers: [{ name: "Gold\nFish", present: 0, now: 1, atCheck: 1 }],
    now: { count: 1, first: [{ ...MOVER, spent: 12_000n }] },
    atCheck: { count: 0, first: [] },
    nextCheckAt: Temporal.Instant.from("2026-12-01T00:00:00Z"),
    storefrontIds: new Map([[MOVER.customerUid, "4567890123"]]),
  });
  expect(lines.slice(2)).toEqual([
    "1 customer would move at once:",
    expect.stringMatching(/^ {2}4567890123 {2}Bronze -> Gold.*spent 12000$/),
    "0 customers would be moved by the change at the next check, 2026-12-01T00:00:00Z.",
  ]);
  expect(lines.filter((line) => line.includes("\n"))).toEqual([]);
});
