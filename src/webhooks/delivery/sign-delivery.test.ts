import { createHash } from "node:crypto";
import { jwtVerify } from "jose";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { bearerToken, signatureKey, tokenKey, webhookHeaders } from "./sign-delivery.ts";

const AT = Temporal.Instant.from("2026-03-01T09:00:00.900Z");
const DELIVERY = { uid: "0197a3c0-0000-7000-8000-000000000001", topic: "point_balance/update", at: AT } as const;
const BODY = '{"name":"Zoë 李","points":1}';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(24, 250).toString("base64")}`;

test("jose reads the token, to its second of expiry and with the right key only", async () => {
  const token = bearerToken(tokenKey("s3cret of the störe"), "https://points.example", { ...DELIVERY, body: BODY });
  const key = new TextEncoder().encode("s3cret of the störe");
  const verify = (currentDate: string, secret = key) =>
    jwtVerify(token, secret, {
      algorithms: ["HS256"],
      issuer: "https://points.example",
      currentDate: new Date(currentDate),
    });
  const { payload, protectedHeader } = await verify("2026-03-01T09:04:59Z");
  expect(protectedHeader).toEqual({ alg: "HS256", typ: "JWT" });
  expect(payload).toEqual({
    topic: "point_balance/update",
    body_sha256: createHash("sha256").update(BODY).digest("hex"),
    iss: "https://points.example",
    iat: 1772355600,
    exp: 1772355900,
    jti: DELIVERY.uid,
  });
  await expect(verify("2026-03-01T09:05:00Z")).rejects.toThrow(/exp/);
  await expect(verify("2026-03-01T09:01:00Z", new TextEncoder().encode("another"))).rejects.toThrow(/signature/);
});

test("standardwebhooks verifies each signature while a secret is rotated, and no other secret's", () => {
  const now = Temporal.Now.instant();
  const headers = webhookHeaders([SECRET, OTHER].map(signatureKey), { ...DELIVERY, at: now, body: BODY });
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  for (const secret of [SECRET, OTHER]) expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  const third = new Webhook(Buffer.alloc(32, 9).toString("base64"));
  expect(() => third.verify(BODY, headers)).toThrow(/signature/);
  expect(() => new Webhook(SECRET).verify(BODY.replace("1", "2"), headers)).toThrow(/signature/);
});

test("a secret without its prefix is the same key", () => {
  const sign = (secret: string) => webhookHeaders([signatureKey(secret)], { ...DELIVERY, body: BODY });
  expect(sign(SECRET.slice("whsec_".length))).toEqual(sign(SECRET));
});
