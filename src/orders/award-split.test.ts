import { expect, test } from "vitest";
import { shipmentKeys } from "./award-split.ts";

test("no two pairs of ids come to the same key, whatever signs they hold", () => {
  expect(shipmentKeys("255858046", "466157049").goodsKey).toBe("fulfillment/255858046/466157049");
  const pairs = [
    ["a/b", "c"],
    ["a", "b/c"],
    ["a%2Fb", "c"],
    ["a", "b%2Fc"],
  ] as const;
  expect(new Set(pairs.map(([fulfillmentId, lineId]) => shipmentKeys(fulfillmentId, lineId).goodsKey)).size).toBe(4);
  expect(new Set(pairs.map(([fulfillmentId, lineId]) => shipmentKeys(fulfillmentId, lineId).taxKey)).size).toBe(4);
});
