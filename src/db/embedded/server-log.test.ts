import { expect, test } from "vitest";
import { endOfLog, isDiskFull } from "./server-log.ts";

const WAITS = "2026-11-28 08:57:36.011 UTC [26741] FATAL:  the database system is not yet accepting connections";
const FULL =
  '2026-11-28 08:57:36.033 UTC [26725] FATAL:  could not write to file "pg_wal/xlogtemp.26725": No space left on device';
const DOWN = "2026-11-28 08:57:36.077 UTC [26719] LOG:  database system is shut down";

test("what is shown of a server's log is not hidden by those who waited for it, and is short", () => {
  const waits = Array.from({ length: 100 }, () => WAITS);
  expect(endOfLog([...waits, FULL, ...waits, DOWN, ""].join("\n"))).toBe(`${FULL}\n${DOWN}`);
  expect(endOfLog("x".repeat(10_000))).toHaveLength(2_000);
  expect([FULL, DOWN].map(isDiskFull)).toEqual([true, false]);
});
