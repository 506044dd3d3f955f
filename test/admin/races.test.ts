import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../support/client.ts";
import { makeCustomer } from "../support/customers.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, adminClient, signIn } from "../support/staff.ts";

// The same thing, or two that exclude each other, requested of two nodes at the same moment: one of them is done, and none is an error of the service.

let database: TestDatabase;
let nodes: TestService[];
let owner: AdminClient;
let manager: AdminClient;
let other: AdminClient;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { database, worker: false } as const;
  const first = await startTestService({ ...options, program: { staff: { approval_limit: 1_000 } } });
  nodes = [first, await startTestService(options)];
  owner = await signIn(first, "owner");
  manager = await signIn(first, "manager");
  other = await signIn(first, "manager");
  await makeCustomer(first.deps, { storefrontId: "7" });
});
afterAll(async () => {
  for (const node of nodes ?? []) await node.stop();
  await database?.drop();
});

/** Sends each request three times, to one node and the other in turn, all at once; returns the statuses that came, with how often. */
async function race(
  asked: readonly (readonly [AdminClient, (as: ReturnType<typeof adminClient>) => Promise<Answer>])[],
) {
  const sent = asked.flatMap(([person, send], i) =>
    [0, 1, 2].map((n) => {
      const { url } = nodes[(i + n) % nodes.length] ?? { url: "" };
      return send(adminClient(url, person.cookie, person.password));
    }),
  );
  const counts: Record<string, number> = {};
  for (const { status } of await Promise.all(sent)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test("names and addresses are given to one", async () => {
  const person = (email: string) => ({ email, name: "Hana", role: "viewer" });
  const view = { list: "customers", name: "Mine", filters: {}, is_shared: true };
  const pairs = [
    ["/people", person("hana@store.example"), person("Hana@store.example")],
    ["/credentials", { name: "till", scopes: ["read"] }, { name: "till", scopes: ["write"] }],
    ["/storefront/keys", { name: "shop", can_redeem: true }, { name: "shop", can_redeem: false }],
  ] as const;
  for (const [path, one, two] of pairs)
    expect([path, await race([one, two].map((body) => [owner, (as) => as.post(path, body)]))]).toEqual([
      path,
      { 200: 1, 422: 5 },
    ]);
  expect(await race([manager, other].map((by) => [by, (as) => as.post("/views", view)]))).toEqual({ 200: 1, 422: 5 });
  const segment = (points: number) => ({ name: "Rich", filter: { points_min: points } });
  const made = await race([1, 2].map((points) => [manager, (as) => as.post("/segments", segment(points))]));
  expect(made).toEqual({ 201: 1, 422: 5 });
});

test("a form that is sent twice, and a request that two people decide, count once", async () => {
  const adjustment = { request_uid: randomUUID(), point_value: 10 };
  const twice = await race([[manager, (as) => as.post("/customers/7/adjustments", adjustment)]]);
  expect(twice).toEqual({ 200: 3 });
  for (let round = 0; round < 3; round++) {
    const large = { request_uid: randomUUID(), point_value: 5_000 };
    const uid = (await manager.post("/customers/7/adjustments", large)).body.data.request_uid;
    const decide = (path: string) => (as: ReturnType<typeof adminClient>) => as.post(`/approvals/${uid}/${path}`, {});
    const decided = await race([
      [other, decide("approve")],
      [owner, decide("refuse")],
      [manager, decide("withdraw")],
    ]);
    expect(decided).toEqual({ 200: 3, 409: 6 }); // who decided gets the same answer again
  }
  const [{ points, sum } = { points: -1n, sum: -1n }] = await database.db.query<{ points: bigint; sum: bigint }>(
    `select ledger_points as points,
       (select 10 + count(*) * 5000 from adjustment_request where state = 'approved') as sum
     from balance`,
  );
  expect(points).toBe(sum);
});

test("two owners who disable each other leave one", async () => {
  const second = await signIn(nodes[0] as TestService, "owner"); // cast: there are two
  const disable = (uid: string) => (as: ReturnType<typeof adminClient>) => as.post(`/people/${uid}/disable`);
  const before = await database.db.query("select from staff where role = 'owner' and disabled_at is null");
  expect(before).toHaveLength(2);
  await race([
    [owner, disable(second.uid)],
    [second, disable(owner.uid)],
  ]);
  expect(await database.db.query("select from staff where role = 'owner' and disabled_at is null")).toHaveLength(1);
});
