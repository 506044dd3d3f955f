import { expect, test } from "vitest";
import { refund } from "../../../test/support/order-events.ts";
import { isRefundCause, refundKey, shipmentKeys } from "./order-keys.ts";

test("no two lists of ids come to the same key, whatever signs they hold", () => {
  const keys = shipmentKeys("820982911", "255858046", "466157049");
  expect(keys.goodsKey).toBe("fulfillment/820982911/255858046/466157049");
  expect(keys.formerKeys).toEqual(["fulfillment/255858046/466157049", "tax/255858046/466157049"]);
  const ids = [
    ["o", "a/b", "c"],
    ["o", "a", "b/c"],
    ["o", "a%2Fb", "c"],
    ["o", "a", "b%2Fc"],
    ["o/a", "b", "c"],
    ["p", "a/b", "c"],
  ] as const;
  const all = ids.map(([order, fulfillment, line]) => shipmentKeys(order, fulfillment, line));
  expect(new Set(all.flatMap(({ goodsKey, taxKey }) => [goodsKey, taxKey])).size).toBe(2 * ids.length);
});

test("a refund is known by its key with the order, and by that without one", () => {
  const one = refund(1, "r/1", { moved: 1 });
  expect(refundKey("a/b", one)).toBe("refund/a%2Fb/r%2F1");
  expect(["refund/a%2Fb/r%2F1", "refund/r/1"].map((cause) => isRefundCause(cause, "a/b", one))).toEqual([true, true]);
  expect(["refund/a/r%2F1", "refund/r1", "cancel/a/b"].some((cause) => isRefundCause(cause, "a/b", one))).toBe(false);
});
