import { describe, expect, test } from "vitest";
import { recorded } from "../../../test/fixtures/shopify/recorded.ts";
import type { NeutralEvent } from "../neutral-events.ts";
import { translate } from "./translate.ts";

function eventsOf(name: string): readonly NeutralEvent[] {
  const { topic, bytes } = recorded(name);
  const translation = translate({
    headers: new Map([["x-shopify-topic", topic]]),
    rawBody: bytes,
    receivedAt: Temporal.Instant.from("2026-05-01T00:00:00Z"),
    currency: "JPY",
  });
  expect(translation).toMatchObject({ ok: true });
  return translation.ok ? translation.events : [];
}

describe("customers", () => {
  test("a body of 2026-04 leaves consent and tags unknown", () => {
    const [event] = eventsOf("shopify-ref-2026-04-customers-update.json");
    expect(event?.payload).toEqual({
      customerId: "706405506930370084",
      email: "bob@biller.com",
      name: "Bob Biller",
      accountEnabled: false,
      createdAt: Temporal.Instant.from("2022-01-01T00:00:00Z"),
    });
    expect(event?.entityVersion?.toString()).toBe("2022-01-01T00:00:00Z");
  });

  test("the consent outweighs the older accepts_marketing", () => {
    expect(eventsOf("goshopify-customers-create.json")[0]?.payload).toMatchObject({
      accountEnabled: true,
      acceptsMarketing: false,
      tags: ["tag1", "tag2"],
    });
    expect(eventsOf("nodeapi-customers-update.json")[0]?.payload).toMatchObject({ acceptsMarketing: false, tags: [] });
  });

  test("consent, tags and compliance", () => {
    expect(eventsOf("shopify-ref-2026-04-customers_email_marketing_consent-update.json")[0]?.payload).toEqual({
      customerId: "706405506930370084",
      acceptsMarketing: false,
    });
    expect(eventsOf("shopify-ref-2026-04-customer-tags_removed.json")[0]).toMatchObject({
      payload: { customerId: "1", tagsRemoved: ["tag1", "tag2"] },
      occurredAt: Temporal.Instant.from("2005-05-05T06:00:00Z"),
    });
    expect(eventsOf("shopify-ref-2026-04-customers-redact.json")[0]?.payload).toEqual({
      customerId: "191167",
      reason: "redacted",
      ordersToRedact: ["299938", "280263", "220458"],
      email: "john@example.com",
    });
    expect(eventsOf("shopify-ref-2026-04-customers-data_request.json")[0]?.payload).toEqual({
      requestId: "9999",
      customerId: "191167",
      orders: ["299938", "280263", "220458"],
    });
  });
});

test("discounts, shop and app", () => {
  expect(eventsOf("shopify-ref-2026-04-discounts-redeemcode_removed.json")[0]?.payload).toEqual({
    discountRef: "gid://shopify/DiscountCodeNode/1",
    code: "code1",
    reason: "code_removed",
  });
  expect(eventsOf("shopify-ref-2026-04-discounts-delete.json")[0]).toMatchObject({
    payload: { discountRef: "gid://shopify/DiscountAutomaticNode/1", code: null, reason: "discount_deleted" },
  });
  expect(eventsOf("shopify-ref-2026-04-shop-redact.json")[0]).toMatchObject({ payload: { shopId: "954889" } });
  expect(eventsOf("shopify-ref-2026-04-app-uninstalled.json")[0]).toMatchObject({ payload: { shopId: "548380009" } });
});
