import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../src/app.ts";
import type { App } from "../../src/http/app-type.ts";
import { AUTHORIZATION } from "../support/webhook-deps.ts";
import { openWebhookFlow, type WebhookFlow } from "../support/webhook-flow.ts";

const PATH = "/api/storefront/webhooks";
const URL_A = "http://127.0.0.1:9/hooks/a?x=1";
const ERROR_SHAPE = { status: expect.any(String), title: expect.any(String) };
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let flow: WebhookFlow;
let app: App;

beforeAll(async () => {
  flow = await openWebhookFlow();
  app = buildApp(flow.deps);
});
afterEach(() => flow.clear());
afterAll(async () => {
  await app.close();
  await flow.close();
});

async function call(
  method: "GET" | "POST" | "DELETE",
  body?: object,
  query = "",
  headers: Record<string, string> = {},
) {
  const answer = await app.inject({
    method,
    url: PATH + query,
    headers: { authorization: AUTHORIZATION, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

describe("create", () => {
  test("answers the status and the subscription, with its secret", async () => {
    const created = await call("POST", { topic: "point_allotment/cascade", callback_url: URL_A });
    expect(created).toEqual({
      status: 200,
      body: {
        status: 200,
        data: {
          activated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
          active: true,
          callback_url: URL_A,
          topic: "point_allotment/cascade",
          uid: expect.stringMatching(UUID_V7),
          secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        },
      },
    });
  });

  test("the same topic and URL again answers the one that is there, without its secret", async () => {
    const first = await call("POST", { topic: "point_balance/update", callback_url: URL_A });
    const again = await call("POST", { topic: "point_balance/update", callback_url: URL_A });
    const { secret: _secret, ...shown } = first.body.data;
    expect(again).toEqual({ status: 200, body: { status: 200, data: shown } });
  });

  test("another URL is refused and changes nothing", async () => {
    await call("POST", { topic: "point_balance/update", callback_url: URL_A });
    const other = await call("POST", { topic: "point_balance/update", callback_url: `${URL_A}&y=2` });
    expect(other).toMatchObject({ status: 409, body: { errors: [{ ...ERROR_SHAPE, status: "409" }] } });
    const list = await call("GET");
    expect(list.body.data.map((one: { callback_url: string }) => one.callback_url)).toEqual([URL_A]);
  });

  test("of fifty at once with their own URLs one wins, and the rest are refused", async () => {
    const urls = Array.from({ length: 50 }, (_, n) => `http://127.0.0.1:9/${n}`);
    const answers = await Promise.all(
      urls.map((url) => call("POST", { topic: "point_balance/update", callback_url: url })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect((await call("GET")).body.data).toHaveLength(1);
  });

  test("the trailing letter of the export topic is taken, and not told", async () => {
    const created = await call("POST", { topic: "point_balances/exports", callback_url: URL_A });
    expect(created.body.data.topic).toBe("point_balances/export");
  });

  test("an Idempotency-Key gets the same answer, secret included", async () => {
    const body = { topic: "point_balance/update", callback_url: URL_A };
    const first = await call("POST", body, "", { "idempotency-key": "one" });
    expect(first.body.data.secret).toMatch(/^whsec_/);
    expect(await call("POST", body, "", { "idempotency-key": "one" })).toEqual(first);
  });

  test.each([
    [{ callback_url: URL_A }, "/topic"],
    [{ topic: "point_balance/updates", callback_url: URL_A }, "/topic"],
    [{ topic: 1, callback_url: URL_A }, "/topic"],
    [{ topic: "point_balance/update" }, "/callback_url"],
    [{ topic: "point_balance/update", callback_url: "hooks" }, "/callback_url"],
    [{ topic: "point_balance/update", callback_url: "ftp://shop.example.com/" }, "/callback_url"],
    [{ topic: "point_balance/update", callback_url: "http://me:secret@shop.example.com/" }, "/callback_url"],
    [{ topic: "point_balance/update", callback_url: " http://shop.example.com/" }, "/callback_url"],
  ])("%j is invalid at %s", async (body, pointer) => {
    const refused = await call("POST", body);
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ ...ERROR_SHAPE, source: { pointer } }] } });
    expect((await call("GET")).body.data).toEqual([]);
  });
});

describe("list", () => {
  test("is empty at first, then has each with the shop's uid", async () => {
    expect(await call("GET")).toEqual({ status: 200, body: { data: [] } });
    const a = await call("POST", { topic: "point_balance/update", callback_url: URL_A });
    const b = await call("POST", { topic: "point_allotment/cascade", callback_url: URL_A });
    const { data } = (await call("GET")).body;
    expect(data.map((one: { uid: string }) => one.uid)).toEqual([a.body.data.uid, b.body.data.uid]);
    expect(data[0].shop_uid).toMatch(UUID_V7);
    expect(data[1].shop_uid).toBe(data[0].shop_uid);
    expect(data[0]).not.toHaveProperty("secret");
  });
});

describe("delete", () => {
  test.each([
    [{ topic: "point_balances/export" }, ""],
    [{ topic: "point_balances/exports" }, ""],
    [undefined, "?topic=point_balances/export"],
    [undefined, "?topic=point_balances%2Fexport"],
  ])("topic in %j or %j", async (body, query) => {
    await call("POST", { topic: "point_balances/export", callback_url: URL_A });
    expect(await call("DELETE", body, query)).toEqual({ status: 200, body: { status: 200 } });
    expect((await call("GET")).body.data).toEqual([]);
    expect((await call("POST", { topic: "point_balances/export", callback_url: `${URL_A}&z` })).status).toBe(200);
  });

  test("two topics are invalid, and neither is deleted", async () => {
    await call("POST", { topic: "point_balances/export", callback_url: URL_A });
    await call("POST", { topic: "point_balance/update", callback_url: URL_A });
    const two = await call("DELETE", { topic: "point_balances/export" }, "?topic=point_balance/update");
    expect([two.status, two.body.errors[0].source]).toEqual([422, { pointer: "/topic" }]);
    expect((await call("GET")).body.data).toHaveLength(2);
    const same = await call("DELETE", { topic: "point_balances/export" }, "?topic=point_balances/exports");
    expect(same.status).toBe(200);
  });

  test("a topic without a subscription is not found", async () => {
    const missing = await call("DELETE", { topic: "point_balance/update" });
    expect(missing).toMatchObject({
      status: 404,
      body: {
        errors: [{ status: "404", title: "Webhook subscription was not found", code: "subscription_not_found" }],
      },
    });
  });

  test("without a topic, or of an unknown one, it is invalid", async () => {
    expect((await call("DELETE")).status).toBe(422);
    expect((await call("DELETE", { topic: "orders/paid" })).status).toBe(422);
    expect((await call("DELETE", undefined, "?topic=orders/paid")).status).toBe(422);
  });
});

describe("who may", () => {
  test("nobody without credentials", async () => {
    expect((await call("GET", undefined, "", { authorization: "Basic bm9ib2R5OmtleQ==" })).status).toBe(401);
  });

  test("no credential without the scope", async () => {
    const sha256 = createHash("sha256").update("a secret").digest();
    await flow.deps.db.execute(
      `insert into credential (uid, name, key, secret_sha256, scopes, created_at)
       values ($1, 'reader', 'reader', $2, array['read', 'write'], $3)`,
      [flow.deps.random.uid(), sha256, flow.deps.clock.now()],
    );
    const authorization = `Basic ${Buffer.from("reader:a secret").toString("base64")}`;
    expect((await call("GET", undefined, "", { authorization })).status).toBe(403);
  });
});
