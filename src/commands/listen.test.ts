import { describe, expect, test } from "vitest";
import { bearerToken, signatureKey, tokenKey, webhookHeaders } from "../webhooks/delivery/sign-delivery.ts";
import { verifyDelivery } from "./listen.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const API = "api secret of the store, 0123456789";
const body = '{"point_value":7}';

/** The headers of a delivery that the service signed `ageS` seconds ago. */
function signed(ageS = 0): Record<string, string> {
  const at = Temporal.Now.instant().subtract({ seconds: ageS });
  const delivery = { uid: "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716", topic: "point_balance/update", body, at } as const;
  const token = bearerToken(tokenKey(API), "https://points.example.com", delivery);
  return { authorization: `Bearer ${token}`, ...webhookHeaders([signatureKey(SECRET)], delivery) };
}

describe("pointkeeper webhooks listen verifies", () => {
  test("both signatures of a delivery, whichever of its secrets signed", async () => {
    const found = await verifyDelivery(signed(), body, { signing: [OTHER, SECRET], api: ["another", API] });
    expect(found).toEqual({ signature: "valid", token: "valid", topic: "point_balance/update" });
  });

  test.each([
    ["another body", signed(), `${body} `, SECRET, API, "invalid", "invalid"],
    ["another subscription's secret", signed(), body, OTHER, API, "invalid", "valid"],
    ["another API secret key", signed(), body, SECRET, "another", "valid", "invalid"],
    ["a delivery of ten minutes ago", signed(600), body, SECRET, API, "invalid", "invalid"],
    ["no signature at all", {}, body, SECRET, API, "missing", "missing"],
  ] as const)("%s", async (_what, headers, text, secret, api, signature, token) => {
    expect(await verifyDelivery(headers, text, { signing: [secret], api: [api] })).toMatchObject({ signature, token });
  });

  test("nothing that it has no secret for", async () => {
    expect(await verifyDelivery(signed(), body, { signing: [], api: [] })).toEqual({
      signature: "not checked",
      token: "not checked",
      topic: null,
    });
  });
});
