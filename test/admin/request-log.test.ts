import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoggedRequestRow, LoggedRequestsPage } from "../../src/admin/credentials/schema.ts";
import { createRequestLog } from "../../src/credentials/create-request-log.ts";
import { pruneRequests } from "../../src/credentials/prune-requests.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { basic } from "../support/client.ts";
import { bearer } from "../support/customer-token.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

// What a credential asked for is listed a little later, by the route and never the URL, within bounds.
let service: TestService;
let owner: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  owner = await signIn(service, "owner");
  await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId: "4711" }));
});
afterAll(() => service.stop());

async function page(key: string, query = ""): Promise<LoggedRequestsPage> {
  const answer = await owner.get(`/credentials/${key}/requests${query}`);
  expect(answer.status).toBe(200);
  return answer.body as LoggedRequestsPage; // cast: the answer's schema
}

async function untilListed(key: string, count: number): Promise<LoggedRequestRow[]> {
  let rows: LoggedRequestRow[] = [];
  await waitUntil(async () => {
    rows = (await page(key)).data;
    return rows.length >= count;
  });
  return rows;
}

test("requests are listed by route, status, time and id, those answered below the framework too, and nobody else's", async () => {
  const made = (await owner.post("/credentials", { name: "till", scopes: ["read", "write"] })).body.data;
  const till = service.client.as(basic(made));
  const award = { customer_id: "4711", point_value: 10 };
  const awarded = await till.post("/api/storefront/point_allotments", award, { "x-request-id": "award-1" });
  expect(awarded.status).toBe(200);
  await till.get("/api/storefront/point_balances/4711", { "x-request-id": "tier-1" });
  await till.post("/api/storefront/point_allotments", { customer_id: "4711" }, { "x-request-id": "wrong-1" });
  await till.get("/api/storefront/webhooks", { "x-request-id": "forbidden-1" });
  const rows = await untilListed(made.key, 4);
  const shown = new Map(rows.map(({ request_id, route, status }) => [request_id, `${status} ${route}`]));
  expect(shown.get("award-1")).toBe("200 POST /api/storefront/point_allotments");
  expect(shown.get("wrong-1")).toBe("422 POST /api/storefront/point_allotments");
  expect(shown.get("forbidden-1")).toBe("403 GET /api/storefront/webhooks");
  expect(rows).toHaveLength(4);
  expect(rows.map(({ at }) => at)).toEqual(
    rows
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  for (const { ms } of rows) expect(ms).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain("4711");

  expect((await page(made.key, "?outcome=refused")).data.map(({ status }) => status).toSorted()).toEqual([403, 422]);
  expect((await page(made.key, "?outcome=failed")).data).toEqual([]);
  expect((await page(made.key, "?outcome=done")).data).toHaveLength(2);
  expect((await page(made.key, "?request_id=award-1")).data).toHaveLength(1);
  expect((await page(service.credential.key)).data).toEqual([]);
});

test("only who manages credentials sees it; what is asked for wrongly is refused", async () => {
  const manager = await signIn(service, "manager");
  const path = `/credentials/${service.credential.key}/requests`;
  expect((await manager.get(path)).status).toBe(403);
  expect((await owner.get("/credentials/pk_nobody/requests")).status).toBe(404);
  expect((await owner.get(`${path}?after=x`)).body.errors[0].source.parameter).toBe("after");
  expect((await owner.get(`${path}?outcome=slow`)).status).toBe(422);
});

test("a request of a customer's token is in no log", async () => {
  const key = (await owner.post("/storefront/keys", { name: "shop", can_redeem: false })).body.data;
  const answer = await service.client
    .as(bearer({ kid: key.key_id, secret: key.secret }, "4711"))
    .get("/api/customer/summary");
  expect(answer.status).toBe(200);
  await service.client.get("/api/storefront/tiers", { "x-request-id": "after" });
  const rows = await untilListed(service.credential.key, 1);
  expect(rows).toHaveLength(1);
  const [{ count } = { count: 0n }] = await service.deps.db.query<{ count: bigint }>(
    "select count(*) as count from api_request where route like '%/customer/%'",
  );
  expect(count).toBe(0n);
});

test("beyond its bounds a node counts requests, and lists refused ones all the same", async () => {
  const made = (await owner.post("/credentials", { name: "flood", scopes: ["read"] })).body.data;
  const [{ uid } = { uid: "" }] = await service.deps.db.query<{ uid: string }>(
    "select uid from credential where key = $1",
    [made.key],
  );
  const log = createRequestLog(service.deps);
  const request = { credentialUid: uid, route: "GET /api/storefront/tiers", ms: 1 };
  for (let n = 0; n < 5_000; n++) log.record({ ...request, id: `ok-${n}`, status: 200 });
  log.record({ ...request, id: "refused", status: 422 });
  await log.close();
  const { data, unlisted } = await page(made.key);
  expect(data).toHaveLength(50);
  expect(unlisted).toBe(4_400);
  expect((await page(made.key, "?outcome=refused")).data).toMatchObject([{ request_id: "refused" }]);
  let listed = 0;
  for (let after = ""; ; ) {
    const { data: rows, next } = await page(made.key, `?outcome=done${after}`);
    listed += rows.length;
    if (next === null) break;
    after = `&after=${encodeURIComponent(next)}`;
  }
  expect(listed).toBe(600);
});

test("a line is kept for a day; with 0 hours nothing is written", async () => {
  const old = "update api_request set at = at - interval '25 hours' where request_id = 'award-1'";
  expect(await service.owner.execute(old)).toBe(1);
  expect(await pruneRequests(service.deps)).toBe(1);
  const retention = { ...service.deps.config.retention, requestHours: 0 };
  const off = { ...service.deps, config: { ...service.deps.config, retention } };
  const log = createRequestLog(off);
  const [{ uid } = { uid: "" }] = await service.deps.db.query<{ uid: string }>("select uid from credential limit 1");
  log.record({ credentialUid: uid, route: "GET /x", id: "off", status: 200, ms: 1 });
  await log.close();
  expect(await service.deps.db.query("select from api_request where request_id = 'off'")).toHaveLength(0);
});
