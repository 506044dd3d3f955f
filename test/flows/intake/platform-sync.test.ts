import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { advanceSettledMark } from "../../../src/ledger/settled-mark/advance-settled-mark.ts";
import { syncPlatform } from "../../../src/platform-sync/shopify/sync-platform.ts";
import { readPlatformSettings } from "../../../src/platforms/index.ts";
import { NO_PLATFORM, type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";
import { waitUntil } from "../../support/wait-until.ts";

const SHOP = "gid://shopify/Shop/1";
const TIERS = {
  tiers: {
    rules: [
      { name: "Bronze", currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
      { name: "Silver", currency_spent_requirement: 50_000, point_value: 2, currency_value: 100 },
    ],
  },
};

let flow: PlatformFlow;
beforeEach(async () => {
  flow = await startPlatformFlow({ program: TIERS });
  await syncPlatform(flow.deps);
});
afterEach(async () => {
  expect(flow.platform.faults).toEqual([]);
  await flow.stop();
});

const ownerOf = (customer: string) => `gid://shopify/Customer/${customer}`;

function metafieldsOf(owner: string) {
  const text = flow.platform.metafields.get(owner);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Until everything that was posted is settled. */
async function settleAll(): Promise<void> {
  const read = `select not exists (select from allotment a, ledger_mark m where a.allotted_at > m.settled_at) as "isSettled"`;
  await waitUntil(async () => {
    await advanceSettledMark(flow.deps);
    return (await flow.deps.db.query<{ isSettled: boolean }>(read))[0]?.isSettled === true;
  });
}

async function send(): Promise<void> {
  await settleAll();
  for (const table of ["platform_trigger", "platform_customer", "platform_feed"]) {
    await flow.deps.db.execute(`update ${table} set lease_until = '-infinity'`);
  }
  await syncPlatform(flow.deps);
}

function place(customer: string, tier: string) {
  return flow.client.post(`/api/storefront/point_balances/${customer}/tiers`, { tier });
}

describe("metafields", () => {
  test("of a customer say what themes read", async () => {
    const customer = await flow.shopper();
    await send();
    const uid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const money = (raw_amount: number) => ({ amount: String(raw_amount), currency: "JPY", raw_amount });
    const deadline = "2026-03-31T15:00:00.000000Z"; // the 1st in Tokyo
    expect(metafieldsOf(ownerOf(customer))).toEqual({
      balance: 1_000,
      currency_value: 100,
      expiration_date: "2027-03-01T15:00:00.000000Z",
      include_tax: true,
      percentage: 1,
      point_value: 1,
      tier: "Bronze",
      tier_maintenance_data: {
        advancement_data: {
          ...money(50_000),
          deadline,
          spent_requirement: money(50_000),
          tier_name: "Silver",
          tier_uid: uid,
          tiers: [
            { ...money(0), name: "Bronze", ratio: 0.01, spent_requirement: money(0), uid },
            { ...money(50_000), name: "Silver", ratio: 0.02, spent_requirement: money(50_000), uid },
          ],
        },
        maintenance_data: { ...money(0), deadline, spent_requirement: money(0) },
      },
      tier_name: "Bronze",
      tier_uid: uid,
    });
    await place(customer, "Silver");
    await send();
    expect(metafieldsOf(ownerOf(customer))).toMatchObject({
      tier: "Silver",
      percentage: 2,
      tier_maintenance_data: { advancement_data: { amount: "0", spent_requirement: money(0), tier_name: null } },
    });
  });

  test("of the shop say the rates that hold, a campaign's while it runs, and customers' follow", async () => {
    const customer = await flow.shopper();
    await send();
    expect(metafieldsOf(SHOP)).toMatchObject({ live: true, point_value: 1, currency_value: 100, percentage: 1 });
    const names = Object.values(metafieldsOf(SHOP).point_rules).map((rule) => Object(rule));
    expect(names).toMatchObject([
      { name: "Bronze", percentage: 1, currency_spent_requirement: 0, free_shipping: false },
      { name: "Silver", percentage: 2, currency_spent_requirement: 50_000 },
    ]);
    const campaign = {
      starts_at: "2026-03-05T00:00:00Z",
      ends_at: "2026-03-06T00:00:00Z",
      point_value: 5,
      currency_value: 100,
    };
    await flow.program({ campaigns: [{ name: "Spring", ...campaign }] });
    const rates: [number, number][] = [];
    for (const now of ["2026-03-04T00:00:00Z", "2026-03-05T00:00:00Z", "2026-03-06T00:00:00Z"]) {
      flow.clock.set(now);
      await send();
      await send();
      rates.push([metafieldsOf(SHOP).percentage, metafieldsOf(ownerOf(customer)).percentage]);
    }
    expect(rates).toEqual([
      [1, 1],
      [5, 5],
      [1, 1],
    ]);
  });

  test("are set once for many changes, 25 customers at a time, and not again when nothing changed", async () => {
    const customers = await Promise.all(Array.from({ length: 30 }, () => flow.shopper()));
    for (let n = 0; n < 5; n++) await flow.give(customers[0] ?? "", 10);
    await send();
    const sets = () => flow.platform.calls.filter((call) => call === "metafieldsSet").length;
    expect(metafieldsOf(ownerOf(customers[0] ?? "")).balance).toBe(1_050);
    expect([flow.platform.metafields.size, sets()]).toEqual([31, 3]); // the shop's, then 25 and 5
    await send();
    expect(sets()).toBe(3);
  });

  test("of a customer whose points were held have them again once the hold is over, though nothing is posted", async () => {
    const customer = await flow.shopper();
    await send();
    const hold = { customer_id: customer, point_value: 300, ttl_seconds: 600 };
    expect((await flow.client.post("/api/storefront/reservations", hold)).status).toBe(200);
    await flow.give(customer, 10);
    await send();
    expect(metafieldsOf(ownerOf(customer)).balance).toBe(710);
    await send();
    flow.clock.advance({ seconds: 600 });
    await send();
    expect(metafieldsOf(ownerOf(customer)).balance).toBe(1_010);
  });

  test("of somebody the platform does not have hold up nobody else", async () => {
    const [gone, here] = [await flow.shopper(), await flow.shopper()];
    flow.platform.unknownOwners.add(ownerOf(gone));
    await send();
    expect([metafieldsOf(ownerOf(gone)), metafieldsOf(ownerOf(here)).balance]).toEqual([undefined, 1_000]);
  });

  test("come late, but they come, when the platform was away or throttled", async () => {
    const customer = await flow.shopper();
    flow.platform.fate = () => "lost before";
    await send();
    flow.platform.fate = () => "500";
    await send();
    let count = 0;
    flow.platform.fate = () => (count++ % 2 === 0 ? "throttled" : "done");
    await send();
    expect(metafieldsOf(ownerOf(customer)).balance).toBe(1_000);
  });

  test("sync everybody once when a token is first set, and nothing without one", async () => {
    await flow.client.put("/api/storefront/customers/walk-in", {});
    const customer = await flow.shopper();
    const without = {
      ...flow.deps,
      config: { ...flow.deps.config, platforms: { ...readPlatformSettings({}), shopify: NO_PLATFORM } },
    };
    await settleAll();
    await syncPlatform(without);
    expect(flow.platform.metafields.has(ownerOf(customer))).toBe(false);
    await place(customer, "Silver");
    await send();
    expect([...flow.platform.metafields.keys()].sort()).toEqual([ownerOf(customer), SHOP]);
    expect(flow.platform.triggers).toEqual([]); // of what happened before
  });
});

describe("workflows", () => {
  test("receive each change of points once, also by two nodes", async () => {
    const customer = await flow.shopper();
    await flow.give(customer, -300);
    await settleAll();
    await Promise.all([syncPlatform(flow.deps), syncPlatform(flow.deps)]);
    await send();
    const points = flow.platform.triggers.filter(({ handle }) => handle === "point-balance-updated");
    const bySize = points.map(({ payload }) => payload).sort((a, b) => Number(b["balance"]) - Number(a["balance"]));
    expect(bySize).toEqual([
      // in any order: the nodes work in parallel
      expect.objectContaining({
        customer_id: Number(customer),
        "point value": 1_000,
        balance: 1_000,
        "point type": "api",
      }),
      {
        customer_id: Number(customer),
        "point value": -300,
        "point type": "api",
        "reward type": "",
        "reference id": "",
        tier: "Bronze",
        "expires at": "2027-03-01T15:00:00.000000Z",
        balance: 700,
      },
    ]);
  });

  test("receive a change of tier with both tiers", async () => {
    const customer = await flow.shopper();
    await place(customer, "Silver");
    await send();
    const [changed, ...others] = flow.platform.triggers.filter(({ handle }) => handle === "tier-changed");
    expect(others).toEqual([]);
    expect(changed?.payload).toMatchObject({
      customer_id: Number(customer),
      "previous tier": "Bronze",
      "previous requirement": 0,
      "current tier": "Silver",
      "current requirement": 50_000,
    });
  });

  test("hear of it again when the answer was lost, and never of what is a day old", async () => {
    await flow.shopper();
    flow.platform.fate = (operation) => (operation === "flowTriggerReceive" ? "lost after" : "done");
    await send();
    flow.platform.fate = () => "done";
    await send();
    expect(flow.platform.triggers).toHaveLength(2);
    await flow.shopper();
    flow.clock.advance({ hours: 25 });
    await send();
    expect(flow.platform.triggers).toHaveLength(2);
  });
});
