import { expect, test } from "vitest";
import { undoneUntil } from "./csv-import.ts";

test("another app's file can be undone as long as each of its imports, which are finished before it", () => {
  const [startedAt, finishedAt] = ["2026-03-01T00:00:00Z", "2026-03-01T06:00:00Z"].map(Temporal.Instant.from);
  const of = (kind: "move" | "points") =>
    String(undoneUntil({ kind, startedAt: startedAt ?? null, finishedAt: finishedAt ?? null }));
  expect([of("move"), of("points")]).toEqual(["2026-05-30T00:00:00Z", "2026-05-30T06:00:00Z"]);
});
