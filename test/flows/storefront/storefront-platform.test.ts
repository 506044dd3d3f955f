import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, makeKey, type StorefrontKey } from "../../support/customer-token.ts";
import { type PlatformFlow, startPlatformFlow } from "../../support/platform-flow.ts";

let flow: PlatformFlow;
let key: StorefrontKey;

beforeAll(async () => {
  flow = await startPlatformFlow();
  key = await makeKey(flow.deps);
});
afterAll(() => flow.stop());

const redeem = (customer: string, points: number, idempotencyKey: string) =>
  flow.client
    .as(bearer(key, customer))
    .post("/api/customer/coupons", { points }, { "idempotency-key": idempotencyKey });

test("a page's redemption makes one code at the platform for its customer, however often it is sent", async () => {
  const customer = await flow.shopper();
  const answers = await Promise.all([redeem(customer, 400, "once"), redeem(customer, 400, "once")]);
  answers.push(await redeem(customer, 400, "once"));
  const done = answers.filter(({ status }) => status === 200);
  expect(done.length).toBeGreaterThan(0);
  expect(answers.every(({ status }) => [200, 409, 503].includes(status))).toBe(true);
  const codes = new Set(done.map(({ body }) => body.data.code));
  expect(codes.size).toBe(1);
  const made = [...flow.platform.discounts.values()].filter(({ code }) => codes.has(code));
  expect(made.map(({ input }) => input["context"])).toEqual([
    { customers: { add: [`gid://shopify/Customer/${customer}`] } },
  ]);
  expect([await flow.balance(customer), await flow.held(customer), await flow.pending()]).toEqual([600, 0n, 0]);
});

test("somebody whom the service does not know has no points, and nothing is asked of the platform", async () => {
  const before = flow.platform.calls.length;
  const { status, body } = await redeem("779999999", 1, "nobody");
  expect([status, body.errors[0].code]).toEqual([400, "negative_balance"]);
  expect(flow.platform.calls.length).toBe(before);
});
