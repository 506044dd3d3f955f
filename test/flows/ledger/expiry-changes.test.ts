import { afterEach, describe, expect, test } from "vitest";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import { changeProgram } from "../../../src/tiers/change-program.ts";
import { type OrderFlow, startOrderFlow } from "../../support/order-flow.ts";

// A change of the program that brings dates forward takes nothing at once: what points were promised by an earlier change stays, too.

let flow: OrderFlow;
afterEach(async () => {
  const faults = await flow.faults();
  await flow.stop();
  expect(faults).toEqual([]);
});

/** A store whose customer c has 100 points since the start. */
async function startStore(now: string, expiration: object): Promise<void> {
  flow = await startOrderFlow({ now, program: { expiration } });
  await flow.customer("c");
  await flow.give("c", 100);
}

async function pointsAt(instant: string): Promise<number> {
  flow.clock.set(instant);
  await expirePoints(flow.deps);
  return flow.balance("c");
}

test.each([
  ["longer", { expiration: { delay_months: 24 } }],
  ["shorter, which leaves days to others", { expiration: { delay_months: 6 } }],
  ["of another time zone", { store: { time_zone: "Pacific/Honolulu" } }],
])(
  "points that are due do not come back with settings that are %s, although no sweep has reached them",
  async (_, document) => {
    await startStore("2025-03-01T00:00:00Z", { delay_months: 12 });
    flow.clock.set("2026-03-01T15:00:00Z");
    expect(await flow.balance("c")).toBe(0);
    await changeProgram(flow.deps, { document, author: "test", isDryRun: false, isNow: false });
    expect(await flow.balance("c")).toBe(0);
    expect(await flow.ledger("c")).toEqual([
      ["api", 100],
      ["expiration", -100],
    ]);
  },
);

describe("the days that a shorter delay leaves", () => {
  test.each([
    ["the days are fewer", { shortening_days: 0 }],
    ["the delay becomes shorter again, with fewer days", { delay_months: 3, shortening_days: 1 }],
  ])("stay as they were promised, although %s before they are over", async (_, change) => {
    await startStore("2025-03-01T00:00:00Z", { delay_months: 24, shortening_days: 30 });
    flow.clock.set("2026-01-05T00:00:00Z");
    await flow.program({ expiration: { delay_months: 6 } });
    flow.clock.set("2026-01-07T00:00:00Z");
    await flow.program({ expiration: change });
    expect(await pointsAt("2026-02-03T23:59:59Z")).toBe(100);
    expect(await pointsAt("2026-02-04T15:00:00Z")).toBe(0);
  });

  test("do not begin again when their number becomes larger later", async () => {
    await startStore("2025-09-01T00:00:00Z", { delay_months: 24, shortening_days: 30 });
    flow.clock.set("2026-01-05T00:00:00Z");
    await flow.program({ expiration: { delay_months: 6 } });
    flow.clock.set("2026-02-20T00:00:00Z");
    await flow.program({ expiration: { shortening_days: 90 } });
    expect(await pointsAt("2026-03-02T00:00:00Z")).toBe(0); // 6 months after 1 September
  });

  test("are given where another time zone brings dates forward", async () => {
    await startStore("2025-12-31T15:30:00Z", { delay_months: 12, sweep: "yearly" }); // 1 January 2026 in Tokyo
    flow.clock.set("2027-06-01T00:00:00Z");
    expect(await flow.balance("c")).toBe(100); // until 2028
    await flow.program({ store: { time_zone: "UTC" } });
    expect(await pointsAt("2027-06-02T00:00:00Z")).toBe(100);
    expect(await pointsAt("2028-01-01T00:00:00Z")).toBe(0);
  });
});
