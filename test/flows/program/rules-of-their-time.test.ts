import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { evaluateTiers } from "../../../src/tiers/evaluate-tiers.ts";
import { type DollarStore, FIRST, SECOND, sold, startDollarStore, tagged } from "../../support/dollar-store.ts";

let store: DollarStore;
beforeAll(async () => {
  store = await startDollarStore();
});
afterAll(async () => {
  expect(await store.faults()).toEqual([]);
  await store.stop();
});
beforeEach(() => store.reset());

const told = (...events: object[]) => store.told(...events);
const apply = (document: object, from?: string) => store.apply(document, from);
const review = () => store.review();
const awarded = (...ids: string[]) => store.awarded(...ids);

describe("a tier check that runs late", () => {
  test("orders of its first seconds earn at the tier that it gave, told before it ran, while it ran and after", async () => {
    await apply(FIRST);
    const customers = Array.from({ length: 40 }, (_, n) => `late-${n}`);
    await told(...customers.map((id) => sold(`${id}-big`, id, "2026-03-20T00:00:00Z", 60_000)));
    const first = "2026-04-01T00:00:05Z";
    const orderOf = (id: string) => sold(`${id}-first`, id, first, 10_000);
    await told(...customers.slice(0, 15).map(orderOf));
    await told(sold("late-0-before", "late-0", "2026-03-31T23:59:59Z", 10_000));
    const during = Promise.all(customers.slice(15, 30).map((id) => told(orderOf(id))));
    await evaluateTiers(store.deps, { chunkCustomers: 2 });
    await during;
    await told(...customers.slice(30).map(orderOf));
    await review();
    expect(new Set(await awarded(...customers.map((id) => `${id}-first`)))).toEqual(new Set([1_000]));
    expect(await awarded("late-0-before", "late-0-big")).toEqual([100, 600]);
    expect(await store.deps.db.query("select from order_review")).toEqual([]);
  });
});

describe("a tier that a person changed", () => {
  const place = (id: string, tier: string) => store.client.post(`/api/storefront/point_balances/${id}/tiers`, { tier });

  test("is the one that was given last, also where the clock of the node that gave it was behind", async () => {
    await apply(FIRST);
    await told(tagged("back", "2026-04-02T00:00:00Z", { tags: [] }));
    store.clock.set("2026-04-20T00:00:10Z");
    expect((await place("back", "Gold")).status).toBe(200);
    store.clock.set("2026-04-20T00:00:05Z");
    expect((await place("back", "Basic")).status).toBe(200);
    store.clock.set("2026-04-20T00:01:00Z");
    await told(sold("back-1", "back", "2026-04-20T00:00:40Z", 10_000));
    expect(await awarded("back-1")).toEqual([100]);
  });

  test("counts for the orders of its customer, although a merge comes before they are told", async () => {
    await apply(FIRST);
    await told(
      tagged("kept", "2026-04-02T00:00:00Z", { tags: [] }),
      tagged("gone", "2026-04-02T00:00:00Z", { tags: [] }),
    );
    expect((await place("gone", "Gold")).status).toBe(200);
    store.clock.set("2026-04-20T12:00:00Z");
    await told(sold("gone-1", "gone", "2026-04-20T11:00:00Z", 10_000));
    await told({ type: "CustomerMerged", payload: { kept_id: "kept", removed_id: "gone" } });
    store.clock.set("2026-04-20T18:00:00Z");
    await told(
      sold("gone-2", "gone", "2026-04-20T11:00:01Z", 10_000),
      sold("kept-1", "kept", "2026-04-20T11:00:02Z", 10_000),
      sold("gone-3", "gone", "2026-04-20T13:00:00Z", 10_000),
    );
    expect(await awarded("gone-1", "gone-2", "kept-1", "gone-3")).toEqual([1_000, 1_000, 100, 1_000]);
    await apply(SECOND, "2026-04-20T11:00:01Z");
    await review();
    expect(await awarded("gone-1", "gone-2", "kept-1", "gone-3")).toEqual([1_000, 2_000, 200, 2_000]);
  });
});

describe("a check whose window depends on orders that are still to be recalculated", () => {
  test("waits for them, and is made after", async () => {
    await told(sold("w-1", "w", "2026-03-20T00:00:00Z", 60_000), sold("w-2", "w", "2026-04-02T00:00:00Z", 10_000));
    await apply(FIRST);
    expect(await evaluateTiers(store.deps)).toBe(0);
    expect(await store.deps.db.query("select from designation")).toEqual([]);
    await review();
    expect(await evaluateTiers(store.deps)).toBe(1);
    await review();
    expect(await awarded("w-1", "w-2")).toEqual([600, 1_000]);
  });
});

describe("excluded tags", () => {
  test("count as of the processed time, whichever event comes first; a later tag changes nothing", async () => {
    await apply(FIRST);
    const [before, given, after] = ["2026-04-02T00:00:00Z", "2026-04-02T00:10:00Z", "2026-04-02T00:30:00Z"];
    await told(
      tagged("t1", given, { tags: ["Wholesale "] }),
      sold("t1-a", "t1", after, 10_000),
      sold("t1-b", "t1", before, 10_000),
    );
    await told(
      sold("t2-a", "t2", after, 10_000),
      sold("t2-b", "t2", before, 10_000),
      tagged("t2", given, { tags: ["wholesale"] }),
    );
    await review();
    expect(await awarded("t1-a", "t1-b", "t2-a", "t2-b")).toEqual([0, 100, 0, 100]);
    // an order reported a month later, and again
    await told(sold("t1-c", "t1", "2026-03-15T00:00:00Z", 10_000), sold("t2-b", "t2", before, 10_000));
    await review();
    expect(await awarded("t1-c", "t2-b")).toEqual([100, 100]);
  });

  test("given and taken away by the platform's own events, told in the wrong order", async () => {
    await apply(FIRST);
    const day = (n: number) => `2026-04-0${n}T00:00:00Z`;
    const orders = [1, 3, 5, 7].map((n) => sold(`d-${n}`, "d", day(n), 10_000));
    await told(
      tagged("d", day(6), { tags_removed: ["wholesale"] }),
      ...orders,
      tagged("d", day(2), { tags_added: ["wholesale"] }),
    );
    await review();
    expect(await awarded("d-1", "d-3", "d-5", "d-7")).toEqual([100, 0, 0, 100]);
    const admin = (await store.client.get("/api/storefront/point_balances/d")).body.data;
    expect(admin.point_balance).toBe(200);
  });
});

describe("a program with a start in the past", () => {
  test("orders processed at or after it are recalculated, those before are not; versions stay", async () => {
    await apply(FIRST);
    await told(sold("p-1", "p", "2026-04-04T23:59:59Z", 10_000), sold("p-2", "p", "2026-04-05T00:00:00Z", 10_000));
    await apply(SECOND, "2026-04-05T00:00:00Z");
    await review();
    expect(await awarded("p-1", "p-2")).toEqual([100, 200]);
    await told(sold("p-3", "p", "2026-04-01T00:00:00Z", 10_000), sold("p-4", "p", "2026-04-06T00:00:00Z", 10_000));
    expect(await awarded("p-3", "p-4")).toEqual([100, 200]);
    // the same document again, from an earlier time
    await apply({}, "2026-04-03T00:00:00Z");
    await review();
    expect(await awarded("p-1", "p-2", "p-3")).toEqual([200, 200, 100]);
    const versions = await store.deps.db.query(
      "select version, valid_from::text as start from program_version order by version",
    );
    expect(versions).toEqual([
      { version: 1, start: null },
      { version: 2, start: null },
      { version: 3, start: "2026-04-05 00:00:00+00" },
      { version: 4, start: "2026-04-03 00:00:00+00" },
    ]);
    await expect(apply({}, "2026-04-21T00:00:00Z")).rejects.toMatchObject({
      code: "invalid",
      faults: [{ pointer: "/valid_from" }],
    });
  });

  test("the tier of a moment shows the rules by which orders of that moment earn", async () => {
    await apply(FIRST);
    await told(sold("m-1", "m", "2026-04-04T00:00:00Z", 10_000));
    await apply(SECOND, "2026-04-05T00:00:00Z");
    const ratio = async (at: string) => {
      const { data } = (await store.client.get(`/api/storefront/point_balances/m/tier?as_of=${at}`)).body;
      return data.advancement_data.tiers[0].ratio;
    };
    store.clock.set("2026-04-21T00:00:00Z");
    expect(await ratio("2026-04-20T00:00:00Z")).toBe(0.02);
  });
});
