import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  NEUTRAL,
  NOTE_MAX,
  newReceipt,
  noteText,
  platformHeaders,
  type ReceiptSource,
  receiptKey,
  translateReceipt,
} from "./receipt.ts";

const SOURCE: ReceiptSource = {
  adapter: NEUTRAL,
  topic: "CustomerUpserted",
  deliveryKey: "1",
  headers: {},
  body: Buffer.from('{"type":"CustomerUpserted","payload":{"customer_id":"7"}}'),
  receivedAt: Temporal.Instant.from("2026-03-01T00:00:00Z"),
};

describe("the key of a delivery", () => {
  test("is the same for the same delivery, whenever it comes", () => {
    const later = { ...SOURCE, receivedAt: Temporal.Instant.from("2026-03-02T00:00:00Z") };
    expect(receiptKey(later)).toEqual(receiptKey(SOURCE));
  });

  test.each([
    ["adapter", { adapter: "shopify" }],
    ["topic", { topic: "OrderPaid" }],
    ["delivery key", { deliveryKey: "2" }],
    ["body", { body: Buffer.from("{}") }],
  ])("is another for another %s", (_, other) => {
    expect(receiptKey({ ...SOURCE, ...other })).not.toEqual(receiptKey(SOURCE));
  });

  test("never mixes its parts up", () => {
    const part = fc.string({ maxLength: 3 });
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (a, b) => {
        const keys = [a, b].map(([topic, deliveryKey, body]) =>
          receiptKey({ ...SOURCE, topic, deliveryKey, body: Buffer.from(body) }).toString("hex"),
        );
        expect(keys[0] === keys[1]).toBe(a.join("\n") === b.join("\n") && a.every((text, i) => text === b[i]));
      }),
    );
  });
});

describe("where a translation puts a receipt", () => {
  test("what it is about is its last event", () => {
    expect(newReceipt(SOURCE, "uid", translateReceipt(SOURCE, "JPY"))).toMatchObject({
      state: "new",
      subject: "customer/7",
    });
  });

  test("nothing of concern is done, a fault is for the quarantine", () => {
    expect(newReceipt(SOURCE, "uid", { ok: true, events: [] })).toMatchObject({ state: "done", subject: "" });
    expect(newReceipt(SOURCE, "uid", { ok: false, fault: "why" })).toMatchObject({ state: "quarantined", note: "why" });
  });

  test("a platform that is not known any more is a fault", () => {
    expect(translateReceipt({ ...SOURCE, adapter: "gone" }, "JPY")).toMatchObject({ ok: false });
  });
});

test("only the platform's own headers are kept", () => {
  const headers = new Map([
    ["x-shopify-topic", "orders/create"],
    ["shopify-webhook-id", "1"],
    ["authorization", "Basic secret"],
    ["cookie", "session=1"],
  ]);
  expect(platformHeaders({ platform: "shopify" }, headers)).toEqual({
    "x-shopify-topic": "orders/create",
    "shopify-webhook-id": "1",
  });
});

test.each(["", "a", "\0\ud800"])("a note is text that the database takes, %j before it", (start) => {
  const note = noteText(start + "\u{1F375}".repeat(NOTE_MAX));
  expect([note.length, note.includes("\0"), note.isWellFormed()]).toEqual([NOTE_MAX, false, true]);
});
