import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readPlatformSettings } from "../../../src/platforms/index.ts";
import { type IntakeService, readRecorded, SECRET, startIntakeService } from "../../support/intake.ts";

const CUSTOMER = JSON.stringify({
  id: 4_567_890_123,
  email: "Hana@Example.com",
  first_name: "Hana",
  last_name: "Sato",
  state: "enabled",
  created_at: "2026-03-01T09:00:00+09:00",
  updated_at: "2026-03-01T09:00:00+09:00",
});

let service: IntakeService;

beforeAll(async () => {
  service = await startIntakeService({
    config: {
      platforms: {
        ...readPlatformSettings({}),
        shopify: { shop: "teashop.myshopify.com", secrets: ["an older secret", SECRET], admin: undefined },
      },
    },
  });
});
afterAll(() => service.stop());
afterEach(async () => {
  await service.drain();
  await service.owner.execute("delete from receipt");
});

describe("what is taken", () => {
  test("a signed delivery is stored, answered at once, and processed afterwards", async () => {
    const answer = await service.deliver("customers/create", CUSTOMER);
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await service.receipts()).toMatchObject([
      { topic: "customers/create", subject: "customer/4567890123", state: "new", note: null },
    ]);
    await service.drain();
    expect(await service.receipts()).toMatchObject([{ state: "done", note: null, attempts: 0 }]);
    const customer = await service.client.get("/api/storefront/customers/hana%40example.com");
    expect(customer.body.data).toMatchObject({ id: "4567890123", name: "Hana Sato", account_enabled: true });
  });

  test("what a later body does not say stays as it was", async () => {
    const id = 4_567_890_124;
    const consent = {
      state: "subscribed",
      opt_in_level: "single_opt_in",
      consent_updated_at: "2026-03-01T09:05:00+09:00",
    };
    const about = { customer_id: id, email_address: "mio@example.com", email_marketing_consent: consent };
    const profile = { ...JSON.parse(CUSTOMER), id, email: "mio@example.com", updated_at: "2026-03-01T09:10:00+09:00" };
    await service.deliver("customers_email_marketing_consent/update", JSON.stringify(about));
    await service.deliver("customers/update", JSON.stringify(profile));
    await service.deliver(
      "customers/update",
      JSON.stringify({ ...profile, updated_at: "2026-03-01T09:00:00+09:00", state: "disabled" }),
    );
    await service.drain();
    const customer = await service.client.get(`/api/storefront/customers/${id}`);
    expect(customer.body.data).toMatchObject({ accepts_marketing: true, account_enabled: true, name: "Hana Sato" });
  });

  test("any of the secrets signs", async () => {
    const signed = ["an older secret", SECRET].map((secret, i) =>
      service.deliver("customers/update", CUSTOMER, { secret, id: `delivery-${i}` }),
    );
    expect((await Promise.all(signed)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("the bytes that were sent are signed, whatever they say", async () => {
    const vectors = readFileSync(new URL("../../fixtures/shopify/hmac-vectors.json", import.meta.url), "utf8");
    const bodies = [...vectors.matchAll(/"body": ("(?:[^"\\]|\\.)*")/g)].map((match) => JSON.parse(match[1] ?? '""'));
    for (const body of bodies) expect((await service.deliver("unknown/topic", body)).status).toBe(200);
    expect(bodies.length).toBeGreaterThan(3);
  });

  test("the newer names of the headers work too", async () => {
    const answer = await service.client.as(null).post("/intake/shopify/webhooks", CUSTOMER, {
      "shopify-topic": "customers/create",
      "shopify-shop-domain": "TeaShop.myshopify.com",
      "shopify-webhook-id": "newer",
      "shopify-hmac-sha256": createHmac("sha256", SECRET).update(CUSTOMER).digest("base64"),
    });
    expect(answer.status).toBe(200);
    expect(await service.receipts()).toMatchObject([{ subject: "customer/4567890123" }]);
  });

  test("one delivery five times at once is stored once", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => service.deliver("customers/create", CUSTOMER)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await service.receipts()).toHaveLength(1);
  });

  test("the same body under another topic, and another body under the same id, are other deliveries", async () => {
    await service.deliver("customers/create", CUSTOMER);
    await service.deliver("customers/update", CUSTOMER);
    await service.deliver("customers/create", CUSTOMER.replace("Sato", "Mori"));
    expect(await service.receipts()).toHaveLength(3);
  });

  test("topics that say nothing to us are kept as done", async () => {
    await service.deliver("themes/publish", "{}");
    expect(await service.receipts()).toMatchObject([
      { state: "done", subject: "", note: expect.stringContaining("nothing") },
    ]);
  });

  test("a signed body that cannot be read is kept in quarantine, not refused", async () => {
    expect((await service.deliver("orders/create", "not json")).status).toBe(200);
    expect((await service.deliver("orders/create", '{"id":1}')).status).toBe(200);
    await service.drain();
    expect(await service.receipts()).toMatchObject([
      { state: "quarantined", note: expect.stringContaining("JSON") },
      { state: "quarantined", note: expect.stringContaining("orders/create") },
    ]);
  });

  test("up to 10 MB, and not more", async () => {
    const note = "x".repeat(9 * 1024 * 1024);
    expect((await service.deliver("themes/update", JSON.stringify({ note }))).status).toBe(200);
    expect((await service.deliver("themes/update", JSON.stringify({ note: note + note }))).status).toBe(413);
    expect(await service.receipts()).toHaveLength(1);
  });
});

describe("what is refused, and not stored", () => {
  test.each([
    ["another secret", { secret: "wrong" }],
    ["another shop", { shop: "other.myshopify.com" }],
    ["no signature", { headers: { "x-shopify-hmac-sha256": "" } }],
    ["a signature that is no base64", { headers: { "x-shopify-hmac-sha256": "=!" } }],
  ])("%s: 401", async (_, words) => {
    const answer = await service.deliver("customers/redact", CUSTOMER, words);
    expect([answer.status, answer.body.errors[0].title]).toEqual([401, "Unauthorized"]);
    expect(await service.receipts()).toEqual([]);
  });

  test("no topic: 422", async () => {
    const answer = await service.deliver("", CUSTOMER);
    expect(answer.status).toBe(422);
    expect(await service.receipts()).toEqual([]);
  });

  test("everything, when the store has no secret", async () => {
    const closed = await startIntakeService({
      config: {
        platforms: { ...readPlatformSettings({}), shopify: { shop: undefined, secrets: [], admin: undefined } },
      },
    });
    expect((await closed.deliver("customers/create", CUSTOMER, { secret: "" })).status).toBe(401);
    expect((await closed.deliver("customers/create", CUSTOMER)).status).toBe(401);
    expect(await closed.receipts()).toEqual([]);
    await closed.stop();
  });
});

describe("every recorded payload", () => {
  /** Bodies whose values are placeholders. */
  const QUARANTINED = [
    "gadget-exemplar-2025-04-orders-fulfilled-types-only.json",
    "gadget-exemplar-2025-04-refunds-create-types-only.json",
  ];

  /** A shipment of an order that no recorded body states. */
  const NEVER_PLACED = "gadget-exemplar-2025-04-fulfillments-create-types-only.json";

  test("is taken, and none fails", async () => {
    const recorded = readRecorded();
    expect(recorded.length).toBeGreaterThan(50);
    for (const { file, topic, body } of recorded) {
      expect([file, (await service.deliver(topic, body, { id: file })).status]).toEqual([file, 200]);
    }
    await service.drain();
    const rows = await service.deps.db.query<{ file: string; state: string; note: string | null }>(
      `select split_part(delivery_key, '/', 1) as file, state, note from receipt order by 1`,
    );
    expect(rows).toHaveLength(recorded.length);
    expect(rows.filter(({ state }) => state === "quarantined").map(({ file }) => file)).toEqual(QUARANTINED);
    expect(rows.filter(({ state }) => state === "new" || state === "failed")).toEqual([]);
    expect(rows.filter(({ state }) => state === "waiting").map(({ file }) => file)).toEqual([NEVER_PLACED]);
  });
});
