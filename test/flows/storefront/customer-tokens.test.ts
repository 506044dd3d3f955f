import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { revokeStorefrontKey } from "../../../src/credentials/revoke-storefront-key.ts";
import { basic } from "../../support/client.ts";
import { bearer, makeKey, rightClaims, type StorefrontKey, signToken } from "../../support/customer-token.ts";
import { refusedWithin } from "../../support/refused-within.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const SUMMARY = "/api/customer/summary";
const API = "/api/storefront";

let service: TestService;
let key: StorefrontKey;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  key = await makeKey(service.deps);
  for (const id of ["7", "8"]) await service.client.put(`${API}/customers/${id}`, { email: `c${id}@example.com` });
  await service.client.post(`${API}/point_allotments`, { customer_id: "7", point_value: 700 });
  await service.client.post(`${API}/point_allotments`, { customer_id: "8", point_value: 80 });
});
afterAll(() => service.stop());

const asked = (authorization: string | null) => service.client.as(authorization).get(SUMMARY);
const codeOf = async (authorization: string | null) => {
  const { status, body } = await asked(authorization);
  return status === 200 ? 200 : `${status} ${body.errors[0].code}`;
};
const withClaims = (more: object) => bearer(key, "7", more);

test("a token reads the points of its customer, and of nobody else", async () => {
  const seven = await asked(bearer(key, "7"));
  expect(seven.status).toBe(200);
  expect(seven.body.data.points).toBe(700);
  expect((await asked(bearer(key, "8"))).body.data.points).toBe(80);
  expect(seven.headers.get("cache-control")).toBe("private, no-store");
  expect(seven.text).not.toContain("example.com");
});

describe("a token is refused", () => {
  const now = Math.floor(Date.now() / 1_000);
  const wrong: readonly [string, object][] = [
    ["another audience", { aud: "pointkeeper" }],
    ["audiences as a list", { aud: ["pointkeeper-storefront"] }],
    ["no audience", { aud: undefined }],
    ["no times", { iat: undefined, exp: undefined }],
    ["no expiry", { exp: undefined }],
    ["a life of more than an hour", { iat: now, exp: now + 3_601 }],
    ["an end before its beginning", { iat: now, exp: now - 10 }],
    ["a beginning in the future", { iat: now + 900, exp: now + 1_800 }],
    ["not valid before a time to come", { nbf: now + 900 }],
    ["times as text", { iat: String(now), exp: String(now + 60) }],
    ["times that are no whole seconds", { iat: now + 0.5, exp: now + 60.5 }],
    ["times without bound", { iat: 1, exp: 1e300 }],
    ["an unknown scope", { scope: "read write" }],
    ["redeeming without reading", { scope: "redeem" }],
    ["scopes as a list", { scope: ["read"] }],
    ["a scope twice", { scope: "read read" }],
  ];
  test.each(wrong)("with %s", async (_name, more) => {
    expect(await codeOf(withClaims(more))).toBe("401 unauthorized");
  });

  test.each([
    ["an e-mail", "c7@example.com"],
    ["a number", 7],
    ["null", null],
    ["a list", ["7"]],
    ["an empty text", ""],
    ["text with space around it", " 7"],
    ["a null character", "7\u0000"],
    ["half a surrogate pair", "7\ud800"],
    ["256 characters", "7".repeat(256)],
    ["nothing", undefined],
  ])("whose customer is %s", async (_name, sub) => {
    expect(await codeOf(bearer(key, sub))).toBe("401 unauthorized");
  });

  test.each([
    ["alg none", { alg: "none" }],
    ["alg HS512", { alg: "HS512" }],
    ["alg RS256", { alg: "RS256" }],
    ["alg in lower case", { alg: "hs256" }],
    ["alg as a list", { alg: ["HS256"] }],
    ["another type", { typ: "at+jwt" }],
    ["crit", { crit: ["b64"], b64: false }],
    ["a key of its own", { jwk: { kty: "oct", k: "AAAA" } }],
    ["the address of a key", { jku: "https://evil.example/keys" }],
    ["an unknown kid", { kid: "sf_0000000000000000" }],
    ["a path as kid", { kid: "../../secret" }],
    ["no kid", { kid: undefined }],
  ])("whose header says %s", async (_name, header) => {
    expect(await codeOf(`Bearer ${signToken(key, rightClaims("7"), { header })}`)).toBe("401 unauthorized");
  });

  test("without a signature, with another one, changed, or cut", async () => {
    const token = signToken(key, rightClaims("7"));
    const [header, , signature] = token.split(".");
    const others = Buffer.from(JSON.stringify(rightClaims("8"))).toString("base64url");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const bad of [
      token.slice(0, -1),
      `${token}A`,
      `${token}.`,
      `${header}.${others}.${signature}`,
      `${header}.${others}.`,
      `${none}.${others}.`,
      signToken({ ...key, secret: `${key.secret}x` }, rightClaims("7")),
      signToken({ ...key, secret: "" }, rightClaims("7")),
      signToken(key, rightClaims("7"), { hash: "sha512" }),
      signToken(key, "text"),
      signToken(key, [rightClaims("7")]),
      signToken(key, null),
      "..",
      "a.b.c",
      "",
    ])
      expect(await codeOf(`Bearer ${bad}`), bad).toBe("401 unauthorized");
  });

  test("when it is too long, in another scheme, or not there", async () => {
    expect(await codeOf(withClaims({ pad: "x".repeat(2_000) }))).toBe("401 unauthorized");
    expect(await codeOf(`Bearer ${"a".repeat(60_000)}`)).toBe("401 unauthorized");
    expect(await codeOf(`Basic ${signToken(key, rightClaims("7"))}`)).toBe("401 unauthorized");
    const missing = await asked(null);
    expect(missing.status).toBe(401);
    expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="pointkeeper-storefront"');
  });

  test("once it is over, with a minute for clocks that differ, and says so", async () => {
    const lately = Math.floor(Date.now() / 1_000); // the tests before may have taken half a minute
    expect(await codeOf(withClaims({ iat: lately - 620, exp: lately - 20 }))).toBe(200);
    expect(await codeOf(withClaims({ iat: lately + 40, exp: lately + 640 }))).toBe(200);
    expect(await codeOf(withClaims({ iat: lately - 700, exp: lately - 100 }))).toBe("401 token_expired");
  });
});

describe("a token and a credential open nothing of each other", () => {
  test("a token opens no other route", async () => {
    const client = service.client.as(bearer(key, "7"));
    for (const path of [`${API}/point_balances/7`, `${API}/tiers`, "/admin/api/credentials", "/sandbox/clock"])
      expect((await client.get(path)).status, path).not.toBe(200);
    const posted = await client.post(`${API}/point_allotments`, { customer_id: "7", point_value: 5 });
    expect(posted.status).toBe(401);
  });

  test("a credential opens no route of customers", async () => {
    expect(await codeOf(basic(service.credential))).toBe("401 unauthorized");
    expect(await codeOf(`Bearer ${service.credential.secret}`)).toBe("401 unauthorized");
    expect(await codeOf(`Bearer ${key.secret}`)).toBe("401 unauthorized");
    const asApi = signToken({ kid: key.kid, secret: service.credential.secret }, rightClaims("7"));
    expect(await codeOf(`Bearer ${asApi}`)).toBe("401 unauthorized");
  });

  test("the key of another name does not verify, though it is known", async () => {
    const other = await makeKey(service.deps, "other");
    expect(await codeOf(bearer(other, "7"))).toBe(200);
    expect(await codeOf(bearer({ kid: key.kid, secret: other.secret }, "7"))).toBe("401 unauthorized");
  });
});

test("a key that only reads signs no token that redeems; a token says it, too", async () => {
  const reading = await makeKey(service.deps, "reading", false);
  const body = { points: 1 };
  const redeem = (authorization: string) =>
    service.client.as(authorization).post("/api/customer/coupons", body, { "idempotency-key": "k" });
  expect((await asked(bearer(reading, "7"))).body.data.redemption).toBeNull();
  expect((await redeem(bearer(reading, "7"))).status).toBe(403);
  expect((await redeem(withClaims({ scope: "read" }))).status).toBe(403);
  expect((await redeem(withClaims({ scope: undefined }))).status).toBe(403);
  expect((await asked(withClaims({ scope: undefined }))).body.data.redemption).toBeNull();
});

test("a revoked key opens nothing within two seconds, and its secret is gone", async () => {
  const revoked = await makeKey(service.deps, "for a while");
  expect(await codeOf(bearer(revoked, "7"))).toBe(200);
  await revokeStorefrontKey(service.deps, "for a while");
  await refusedWithin(2_000, async () => (await codeOf(bearer(revoked, "7"))) === "401 unauthorized");
  const [row] = await service.deps.db.query<{ sealed: Buffer | null }>(
    "select secret_sealed as sealed from storefront_key where kid = $1",
    [revoked.kid],
  );
  expect(row?.sealed).toBeNull();
  await expect(revokeStorefrontKey(service.deps, "for a while")).rejects.toMatchObject({ code: "not_found" });
});

test("the secret is neither stored as it is nor in the audit log", async () => {
  const rows = await service.deps.db.query<{ text: string }>(
    "select to_jsonb(k)::text as text from storefront_key k union all select to_jsonb(a)::text from audit_entry a",
  );
  expect(rows.some(({ text }) => text.includes("storefront_key.created"))).toBe(true);
  for (const { text } of rows) expect(text).not.toContain(key.secret);
});
