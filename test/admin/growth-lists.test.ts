import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listMoved } from "../../src/admin/growth/list-moved.ts";
import { listStays } from "../../src/admin/growth/list-stays.ts";
import type { MovesQuery, StaysQuery } from "../../src/admin/growth/schema.ts";
import { listBenefits } from "../../src/admin/results/list-benefits.ts";
import type { ListedBenefitsQuery } from "../../src/admin/results/schema.ts";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { createClient } from "../support/client.ts";
import { aggregateGrowthAll, buildGrowthStory, GROWTH_PROGRAM } from "../support/growth-story.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

// Each figure of the tiers over time, and of coupons and rewards, opens the list of whom it counts.
const NEW = ["n1", "n2", "n3", "n4", "n5"];
let service: TestService;
let viewer: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-01-01T00:00:00Z", program: GROWTH_PROGRAM });
  await buildGrowthStory(service);
  const { client, deps } = service;
  for (const id of NEW) await client.put(`/api/storefront/customers/${id}`, { name: `New ${id}` });
  for (const id of ["dan", ...NEW]) await client.post(`/api/storefront/point_balances/${id}/tiers`, { tier: "Gold" });
  await client.post("/api/storefront/coupons", { customer_id: "cat", point_value: 30 });
  await deps.db.tx((tx) => deleteCustomer(tx, deps, "n5", "test"));
  await aggregateGrowthAll(deps);
  viewer = await signIn(service, "viewer");
});
afterAll(() => service.stop());

describe("who moved", () => {
  test("as many as each figure counts, each with the tiers", async () => {
    const { data } = (await viewer.get("/growth/tiers")).body;
    const lists: Record<string, string[]> = {};
    for (const { month, ...figures } of data)
      for (const direction of ["up", "down"] as const) {
        const { status, body } = await viewer.get(`/growth/moves?month=${month}&direction=${direction}`);
        expect(status).toBe(200);
        expect({ month, direction, customers: body.data.length }).toEqual({
          month,
          direction,
          customers: figures[direction],
        });
        const rows = body.data.map((row: Moved) => `${row.customer.id}: ${row.from} to ${row.to}`);
        if (rows.length > 0) lists[`${month} ${direction}`] = rows.sort();
      }
    expect(lists).toEqual({
      "2026-03 up": ["dan: Regular to Gold", ...NEW.slice(0, 4).map((id) => `${id}: null to Gold`)],
      "2026-02 up": ["cat: null to Gold"],
      "2026-02 down": ["ann: Gold to Regular"],
      "2026-01 up": ["ann: null to Gold"],
    });
  });

  test("one pair of tiers alone", async () => {
    const { pairs } = (await viewer.get("/growth/moves?month=2026-03&direction=up")).body;
    expect(pairs.map(({ from, to, customers }: Pair) => [from, to, customers])).toEqual([
      [null, "Gold", 4],
      ["Regular", "Gold", 1],
    ]);
    for (const { from_uid, to_uid, customers } of pairs) {
      const { body } = await viewer.get(`/growth/moves?month=2026-03&direction=up&from=${from_uid}&to=${to_uid}`);
      expect(body.data).toHaveLength(customers);
      expect(body.pairs).toHaveLength(2);
    }
  });

  test("page by page, each once, in the same order however large a page is", async () => {
    const query: MovesQuery = { month: "2026-03", direction: "up" };
    const whole = (await listMoved(service.deps, query)).rows.map(({ customerId }) => customerId);
    for (const size of [1, 2, 3, 4, 5]) {
      const walked: string[] = [];
      for (let after: string | undefined, n = 0; after !== "" && n < 10; n++) {
        const { rows, next } = await listMoved(service.deps, after === undefined ? query : { ...query, after }, size);
        walked.push(...rows.map(({ customerId }) => customerId));
        after = next ?? "";
      }
      expect(walked).toEqual(whole);
    }
  });

  test.each([
    ["month=2026-13&direction=up", "month"],
    ["month=2026-03&direction=left", "direction"],
    ["month=2026-03&direction=up&from=gold", "from"],
    ["month=2026-03&direction=up&after=x", "after"],
  ])("%s is refused by name", async (query, parameter) => {
    const { status, body } = await viewer.get(`/growth/moves?${query}`);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(parameter);
  });
});

describe("who was in a tier at the end of a month, and who kept one", () => {
  test("as many as each figure counts", async () => {
    const { data, tiers } = (await viewer.get("/growth/tiers")).body;
    const lists: Record<string, string[]> = {};
    for (const { month, customers, kept, kept_by_tier } of data) {
      const namesOf = async (query: string): Promise<string[]> => {
        const { status, body } = await viewer.get(`/growth/stays?month=${month}&${query}`);
        expect(status).toBe(200);
        return body.data
          .map(({ customer, tier, since, now }: Stay) => `${customer.id}: ${tier} ${since}, ${now}`)
          .sort();
      };
      for (const [place, { uid, name }] of tiers.entries()) {
        const names = await namesOf(`figure=members&tier=${uid}`);
        expect({ month, name, customers: names.length }).toEqual({ month, name, customers: customers[place] });
        if (names.length > 0) lists[`${month} ${name}`] = names;
        const stayed = await namesOf(`figure=kept&tier=${uid}`);
        expect({ month, name, kept: stayed.length }).toEqual({ month, name, kept: kept_by_tier[place] });
      }
      const names = await namesOf("figure=kept");
      expect({ month, kept: names.length }).toEqual({ month, kept });
      if (names.length > 0) lists[`${month} kept`] = names;
    }
    expect(lists).toEqual({
      "2026-03 Gold": [
        "cat: Gold 2026-02, Gold",
        "dan: Gold 2026-03, Gold",
        ...NEW.slice(0, 4).map((id) => `${id}: Gold 2026-03, Gold`),
      ],
      "2026-03 Regular": ["ann: Regular 2026-02, Regular", "bob: Regular 2026-01, Regular"],
      "2026-03 kept": ["cat: Gold 2026-02, Gold"],
      "2026-02 Gold": ["cat: Gold 2026-02, Gold"],
      "2026-02 Regular": [
        "ann: Regular 2026-02, Regular",
        "bob: Regular 2026-01, Regular",
        "dan: Regular 2026-02, Gold",
      ],
      "2026-01 Gold": ["ann: Gold 2026-01, Regular"],
      "2026-01 Regular": ["bob: Regular 2026-01, Regular"],
    });
  });

  test("page by page, each once, in the same order however large a page is", async () => {
    const query: StaysQuery = { month: "2026-02", figure: "members" };
    const whole = (await listStays(service.deps, query)).rows.map(({ customerId }) => customerId);
    expect(whole).toHaveLength(4);
    for (const size of [1, 2, 3, 4]) {
      const walked: string[] = [];
      for (let after: string | undefined, n = 0; after !== "" && n < 10; n++) {
        const { rows, next } = await listStays(service.deps, after === undefined ? query : { ...query, after }, size);
        walked.push(...rows.map(({ customerId }) => customerId));
        after = next ?? "";
      }
      expect(walked).toEqual(whole);
    }
  });

  test.each([
    ["month=2026-13&figure=kept", "month"],
    ["month=2026-03&figure=lost", "figure"],
    ["month=2026-03&figure=members&tier=gold", "tier"],
    ["month=2026-03&figure=members&tier=11111111-1111-4111-8111-111111111111", "tier"],
    ["month=2026-03&figure=kept&after=x", "after"],
  ])("%s is refused by name", async (query, parameter) => {
    const { status, body } = await viewer.get(`/growth/stays?${query}`);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(parameter);
  });
});

describe("who had coupons and rewards", () => {
  test("as many as each figure counts", async () => {
    const { data } = (await viewer.get("/results/benefits")).body;
    let seen = 0;
    for (const { kind, months } of data)
      for (const { month, benefits, used, ordered } of months) {
        const count = async (outcome: string) =>
          (await viewer.get(`/results/benefits/list?kind=${kind}&month=${month}${outcome}`)).body.data.length;
        expect([await count(""), await count("&outcome=used"), await count("&outcome=ordered")]).toEqual([
          ...[benefits, used, ordered],
        ]);
        seen += benefits;
      }
    expect(seen).toBeGreaterThan(8);
  });

  test("newest first, with what each led to", async () => {
    const { data } = (await viewer.get("/results/benefits/list?kind=coupon")).body;
    expect(data.map((row: Benefit) => [row.customer.id, row.points, row.is_used, row.has_order])).toEqual([
      ["cat", 30, false, null],
      ["bob", 20, false, false],
      ["bob", 100, false, false],
      ["ann", 10, true, true],
    ]);
    const bare = (await viewer.get("/results/benefits/list?kind=coupon&outcome=used")).body.data;
    expect(bare.map((row: Benefit) => row.customer.id)).toEqual(["ann"]);
  });

  test("page by page, each once", async () => {
    const query: ListedBenefitsQuery = { kind: "coupon" };
    const walked: bigint[] = [];
    for (let after: string | undefined, n = 0; after !== "" && n < 10; n++) {
      const { rows, next } = await listBenefits(service.deps, after === undefined ? query : { ...query, after }, 1);
      walked.push(...rows.map(({ points }) => points));
      after = next ?? "";
    }
    expect(walked).toEqual([30n, 20n, 100n, 10n]);
  });

  test.each([["kind=tea"], ["kind=coupon&month=2026-00"], ["kind=coupon&outcome=lost"], ["kind=coupon&after=x"]])(
    "%s is refused",
    async (query) => {
      expect((await viewer.get(`/results/benefits/list?${query}`)).status).toBe(422);
    },
  );
});

test("all are files for who may take lists, and for nobody else", async () => {
  const get = async (path: string, { cookie }: AdminClient) => {
    const { status, text } = await createClient(`${service.url}/admin/api`, null).get(path, { cookie });
    return { status, lines: text.trimEnd().split("\r\n") };
  };
  const manager = await signIn(service, "manager");
  const [moves, benefits] = ["/growth/moves.csv?month=2026-02&direction=up", "/results/benefits/list.csv?kind=coupon"];
  expect(await get(moves, manager)).toEqual({
    status: 200,
    lines: ["month,customer_id,name,email,from_tier,to_tier", "2026-02,cat,,cat@shop.example,,Gold"],
  });
  const { lines } = await get(benefits, manager);
  expect(lines[0]).toBe("at,customer_id,name,email,points,is_used,ordered_within_30_days");
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toMatch(/^2026-01-12T09:00:00[^,]*,ann,,ann@shop\.example,10,yes,yes$/);
  const stays = "/growth/stays.csv?month=2026-01&figure=members";
  const stayLines = (await get(stays, manager)).lines;
  expect(stayLines[0]).toBe("month,customer_id,name,email,tier,in_tier_since,tier_now");
  expect(stayLines.slice(1).sort()).toEqual([
    "2026-01,ann,,ann@shop.example,Gold,2026-01,Regular",
    "2026-01,bob,,bob@shop.example,Regular,2026-01,Regular",
  ]);
  for (const path of [moves, benefits, stays]) expect((await get(path, viewer)).status).toBe(403);
});

interface Named {
  readonly id: string;
}
interface Moved {
  readonly customer: Named;
  readonly from: string | null;
  readonly to: string;
}
interface Stay {
  readonly customer: Named;
  readonly tier: string;
  readonly since: string;
  readonly now: string;
}
interface Pair extends Omit<Moved, "customer"> {
  readonly customers: number;
  readonly from_uid: string;
  readonly to_uid: string;
}
interface Benefit {
  readonly customer: Named;
  readonly points: number;
  readonly is_used: boolean;
  readonly has_order: boolean | null;
}
