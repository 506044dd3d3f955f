import { expect, test } from "vitest";
import { isEntryDue } from "./refusals.ts";

test("the first refusals have an entry each, then an entry comes when their number has doubled", () => {
  const entries: bigint[] = [];
  for (let recorded = 0n, failures = 1n; failures <= 1_000n; failures++) {
    if (!isEntryDue({ failures, recorded })) continue;
    entries.push(failures);
    recorded = failures;
  }
  expect(entries).toEqual([1n, 2n, 3n, 4n, 5n, 10n, 20n, 40n, 80n, 160n, 320n, 640n]);
});
