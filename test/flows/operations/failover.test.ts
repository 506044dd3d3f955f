import { describe, expect, test } from "vitest";
import { drillFailover } from "../../drills/failover.ts";
import { scratchRoot } from "../../support/scratch-root.ts";

// What docs/reliability.md counts, in small: the primary is lost under load, its standby is promoted, two nodes go on.

const OPTIONS = { requests: 60, unheard: 40, root: scratchRoot() };

describe("the primary is lost for ever and its standby promoted", () => {
  test("COMMIT waited for the standby: nothing that was acknowledged is lost, doubled or invented", async () => {
    const result = await drillFailover({ ...OPTIONS, mode: "synchronous", seed: 3 });
    expect(result).toMatchObject({ lost: 0, doubled: 0, invented: 0, isVerified: true, faults: [] });
    expect(result.acknowledged).toBeGreaterThan(2 * OPTIONS.requests);
  });

  test("it did not, and the standby was cut off before: what was acknowledged since is lost, and what is left holds", async () => {
    const result = await drillFailover({ ...OPTIONS, mode: "asynchronous", seed: 4 });
    expect(result).toMatchObject({ doubled: 0, isVerified: true, faults: [] });
    expect(result.lost).toBeGreaterThan(0); // and no more than the standby did not hear of: else there is a fault
  });
});
