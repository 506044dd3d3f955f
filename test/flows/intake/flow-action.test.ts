import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { makeCustomer } from "../../support/customers.ts";
import { createTestDatabase } from "../../support/database.ts";
import { type IntakeService, SECRET, SHOP, startIntakeService } from "../../support/intake.ts";

const PATH = "/intake/shopify/flow";

let service: IntakeService;
let runs = 0;
beforeAll(async () => {
  service = await startIntakeService({ now: "2026-03-01T00:00:00Z" });
});
afterAll(async () => {
  const lines: string[] = [];
  await verifyLedger(service.deps.db, (line) => lines.push(line));
  expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
  await service.stop();
});

async function customerWith(points: number, email?: string): Promise<string> {
  const { storefrontId } = await makeCustomer(service.deps, email === undefined ? {} : { email });
  if (points > 0) {
    await service.client.post("/api/storefront/point_allotments", { customer_id: storefrontId, point_value: points });
  }
  return storefrontId;
}

const runBody = (properties: object, more: object = {}) =>
  JSON.stringify({
    shop_id: 5678,
    shopify_domain: SHOP,
    action_run_id: `run-${++runs}`,
    action_definition_id: "adjust-points",
    handle: "adjust-points",
    properties,
    step_reference: "4d2a",
    ...more,
  });

function post(body: string, secret = SECRET) {
  const signature = createHmac("sha256", secret).update(body).digest("base64");
  return service.client.as(null).post(PATH, body, { "x-shopify-hmac-sha256": signature });
}

async function balance(id: string): Promise<number> {
  return (await service.client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance;
}

async function last(id: string) {
  const rows = await service.deps.db.query(
    `select a.type, a.point_value, a.source_key, a.extends, a.origin, a.app_reference, n.note
     from allotment a
     join customer_alias c on c.customer_uid = a.customer_uid
     left join allotment_note n on n.customer_uid = a.customer_uid and n.version = a.version
     where c.storefront_id = $1 order by a.version desc limit 1`,
    [id],
  );
  return rows[0];
}

describe("a run of Flow's action", () => {
  test("gives points and answers them with the balance", async () => {
    const id = await customerWith(320);
    const answer = await post(
      runBody({ customer_id: `gid://shopify/Customer/${id}`, points: 50, note: "Thank you", step_reference: "x" }),
    );
    expect([answer.status, answer.body]).toEqual([200, { return_value: { point_value: 50, point_balance: 370 } }]);
    expect(await last(id)).toEqual({
      type: "flow",
      point_value: 50n,
      source_key: `flow/run-${runs}`,
      extends: false,
      origin: "promotion",
      app_reference: "shopify_integration",
      note: "Thank you",
    });
  });

  test.each([
    ["a number", (id: string) => `{"customer_id": ${id}, "points": 7}`, 7n, false],
    ["text", (id: string) => `{"customer_id": "${id}", "points": "7", "extend_expiration": "true"}`, 7n, true],
    ["a decimal", (id: string) => `{"customer_id": "${id}", "points": "+7.0", "extend_expiration": true}`, 7n, true],
    ["a deduction", (id: string) => `{"customer_id": "${id}", "points": "-7", "extend_expiration": true}`, -7n, false],
    [
      "empty fields",
      (id: string) => `{"customer_id": "${id}", "points": 7, "note": "", "extend_expiration": null}`,
      7n,
      false,
    ],
  ])("takes its values as %s", async (_name, properties, points, isExtending) => {
    const id = await customerWith(10);
    const answer = await post(runBody({}).replace('"properties":{}', `"properties":${properties(id)}`));
    expect([answer.status, answer.text]).toEqual([
      200,
      `{"return_value":{"point_value":${points},"point_balance":${10n + points}}}`,
    ]);
    expect(await last(id)).toMatchObject({ point_value: points, extends: isExtending, note: null });
  });

  test("finds the customer by e-mail where no id is given", async () => {
    const id = await customerWith(0, "flow@example.com");
    expect((await post(runBody({ customer_id: null, email: " Flow@Example.com", points: 3 }))).status).toBe(200);
    expect(await balance(id)).toBe(3);
  });

  test("counts once: 100 equal requests at once are all 200 with one answer", async () => {
    const id = await customerWith(5);
    const body = runBody({ customer_id: id, points: 20 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(body)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 {"return_value":{"point_value":20,"point_balance":25}}']),
    );
    expect(await balance(id)).toBe(25);
  });

  test("is answered the same after other changes, and counts once for ever", async () => {
    const id = await customerWith(0);
    const body = runBody({ customer_id: id, points: 20 });
    const first = await post(body);
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: 1 });
    expect((await post(body)).text).toBe(first.text);
    service.clock.advance({ hours: 25 });
    expect((await post(body)).body).toEqual({ return_value: { point_value: 20, point_balance: 21 } });
    expect(await balance(id)).toBe(21);
  });

  test("told as a neutral event too, it counts once", async () => {
    const id = await customerWith(0);
    const payload = { run_id: `run-${runs + 1}`, customer: { id }, point_value: 20 };
    const event = { type: "FlowAdjustRequested", delivery_key: "n", occurred_at: "2026-03-01T00:00:00Z", payload };
    expect((await post(runBody({ customer_id: id, points: 20 }))).status).toBe(200);
    expect((await service.client.post("/intake/events", event)).status).toBe(202);
    await service.drain();
    expect(await balance(id)).toBe(20);
  });
});

describe("a run that is refused", () => {
  test("with another signature, or none, is 401", async () => {
    const id = await customerWith(0);
    const body = runBody({ customer_id: id, points: 1 });
    expect((await post(body, "another secret")).status).toBe(401);
    expect((await service.client.post(PATH, body)).status).toBe(401);
    const signature = createHmac("sha256", SECRET).update(body).digest("base64");
    const changed = await service.client.post(PATH, `${body} `, { "x-shopify-hmac-sha256": signature });
    expect(changed.status).toBe(401);
    expect(await balance(id)).toBe(0);
  });

  test.each([{ shopify_domain: "other.myshopify.com" }, { shopify_domain: null }])("of %j is 401", async (more) => {
    const id = await customerWith(0);
    expect((await post(runBody({ customer_id: id, points: 1 }, more))).status).toBe(401);
    expect(await balance(id)).toBe(0);
  });

  test("below zero is 400 with the reason, and the same run can succeed later", async () => {
    const id = await customerWith(5);
    const body = runBody({ customer_id: id, points: -6 });
    const refused = await post(body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].title).toBe("Point allotment would result in a negative balance");
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: 1 });
    expect((await post(body)).body).toEqual({ return_value: { point_value: -6, point_balance: 0 } });
  });

  test("for a customer that nobody knows is 404", async () => {
    expect((await post(runBody({ customer_id: "404404", points: 1 }))).status).toBe(404);
    expect((await post(runBody({ email: "nobody@example.com", points: 1 }))).status).toBe(404);
  });

  test.each([
    ["another handle", { customer_id: 1, points: 1 }, { handle: "delete-points" }, "/handle"],
    ["no run", { customer_id: 1, points: 1 }, { action_run_id: null }, "/action_run_id"],
    ["no customer", { points: 1 }, {}, "/properties/customer_id"],
    ["a gid of an order", { customer_id: "gid://shopify/Order/1", points: 1 }, {}, "/properties/customer_id"],
    ["no points", { customer_id: 1 }, {}, "/properties/points"],
    ["points 0", { customer_id: 1, points: "0" }, {}, "/properties/points"],
    ["half a point", { customer_id: 1, points: "0.5" }, {}, "/properties/points"],
    ["too many points", { customer_id: 1, points: "9007199254740992" }, {}, "/properties/points"],
    [
      "a choice that is none",
      { customer_id: 1, points: 1, extend_expiration: "maybe" },
      {},
      "/properties/extend_expiration",
    ],
    ["a long note", { customer_id: 1, points: 1, note: "x".repeat(256) }, {}, "/properties/note"],
    ["no properties", [], {}, "/properties"],
  ])("%s is 422 and named", async (_name, properties, more, pointer) => {
    const answer = await post(runBody(properties, more));
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map(({ source }: { source: object }) => source)).toContainEqual({ pointer });
  });

  test("whose body is no JSON is 400", async () => {
    expect((await post("{")).status).toBe(400);
  });

  test("comes back when the database is away: 503", async () => {
    const database = await createTestDatabase();
    const away = await startIntakeService({ database, log: () => {} });
    await database.drop();
    const body = runBody({ customer_id: "1", points: 1 });
    const signature = createHmac("sha256", SECRET).update(body).digest("base64");
    const answer = await away.client.as(null).post(PATH, body, { "x-shopify-hmac-sha256": signature });
    expect(answer.status).toBe(503);
    await away.stop();
  });
});
