import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCOPES } from "../../src/http/credential.ts";
import { confirmApiSecretKey } from "../../src/shop/confirm-api-secret-key.ts";
import { createAuthenticator } from "../../src/shop/create-authenticator.ts";
import { createCredential } from "../../src/shop/create-credential.ts";
import { listCredentials } from "../../src/shop/list-credentials.ts";
import { revokeCredential } from "../../src/shop/revoke-credential.ts";
import { rotateApiSecretKey } from "../../src/shop/rotate-api-secret-key.ts";
import { basic } from "../support/client.ts";
import { createProbe } from "../support/probe-routes.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ worker: false, extraRoutes: createProbe().routes });
});

afterAll(() => service.stop());

const PATH = "/api/storefront/probe";

describe("interface.md 5: the authorization header", () => {
  test("Basic with key and secret opens, in any case of the scheme", async () => {
    expect((await service.client.get(PATH)).status).toBe(200);
    const lower = basic(service.credential).replace("Basic", "basic");
    expect((await service.client.as(lower).get(PATH)).status).toBe(200);
  });

  test("Bearer with the secret alone opens", async () => {
    expect((await service.client.as(`Bearer ${service.credential.secret}`).get(PATH)).status).toBe(200);
  });

  test.each([
    ["no header", null],
    ["a wrong secret", basic({ key: "pk_test", secret: "wrong" })],
    ["a wrong key", basic({ key: "pk_other", secret: "test-secret-of-the-store-0123456789abcdef" })],
    ["the key as Bearer", "Bearer pk_test"],
    ["no colon", `Basic ${Buffer.from("pk_test").toString("base64")}`],
    ["another scheme", "Digest username=pk_test"],
    ["an empty header", ""],
  ])("%s is 401 and names the scheme", async (_name, header) => {
    const answer = await service.client.as(header).get(PATH);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
    expect(answer.body).toEqual({ errors: [{ status: "401", title: "Unauthorized" }] });
  });

  test("a 401 comes before the body is looked at", async () => {
    const answer = await service.client.as(null).post(PATH, "{no json");
    expect(answer.status).toBe(401);
  });
});

describe("program.md 2: credentials", () => {
  test("each scope opens its own routes only", async () => {
    const reader = await createCredential(service.deps, { name: "reader", scopes: ["read"] });
    const client = service.client.as(basic(reader));
    expect((await client.get(PATH)).status).toBe(200);
    const refused = await client.post(PATH, { point_value: 1 });
    expect(refused.status).toBe(403);
    expect(refused.body.errors[0]).toMatchObject({ status: "403", title: "Forbidden" });
  });

  test("two credentials of one name cannot be", async () => {
    await createCredential(service.deps, { name: "twice", scopes: SCOPES });
    await expect(createCredential(service.deps, { name: "twice", scopes: SCOPES })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  test("only a hash of the secret is stored", async () => {
    const made = await createCredential(service.deps, { name: "hashed", scopes: SCOPES });
    expect(Buffer.from(made.secret, "base64url")).toHaveLength(32);
    const rows = await service.deps.db.query<{ row: string }>("select c::text as row from credential c");
    expect(rows.some(({ row }) => row.includes(made.secret))).toBe(false);
  });

  test("a revoked credential opens nothing within two seconds", async () => {
    const made = await createCredential(service.deps, { name: "leaving", scopes: SCOPES });
    const client = service.client.as(basic(made));
    expect((await client.get(PATH)).status).toBe(200);
    await revokeCredential(service.deps, "leaving");
    await expect.poll(async () => (await client.get(PATH)).status, { timeout: 2_000 }).toBe(401);
  });

  test("the last use is written, in one go for all", async () => {
    const used = await createCredential(service.deps, { name: "used", scopes: SCOPES });
    const idle = await createCredential(service.deps, { name: "idle", scopes: SCOPES });
    const authenticator = createAuthenticator(service.deps);
    expect(await authenticator.authenticate(basic(used))).toMatchObject({ name: "used" });
    expect(await authenticator.authenticate(basic({ ...idle, secret: "wrong" }))).toBeNull();
    await authenticator.flushLastUsed();
    const listed = await listCredentials(service.deps);
    const lastUse = (name: string) => listed.find((credential) => credential.name === name)?.lastUsedAt;
    expect(lastUse("used")?.toString()).toBe(service.clock.now().toString());
    expect(lastUse("idle")).toBeNull();
  });

  test("the store's own is not revoked", async () => {
    await expect(revokeCredential(service.deps, "store")).rejects.toMatchObject({ code: "invalid" });
  });

  test("the open paths need none", async () => {
    const open = service.client.as(null);
    for (const path of ["/health", "/ready", "/openapi.json", "/docs"])
      expect((await open.get(path)).status, path).toBe(200);
  });

  test("while the store's secret is rotated both open; afterwards the new one alone", async () => {
    const deps = { ...service.deps, config: { ...service.deps.config, apiSecret: undefined } };
    const { secret } = await rotateApiSecretKey(deps);
    const next = service.client.as(basic({ key: service.credential.key, secret }));
    expect((await next.get(PATH)).status).toBe(200);
    expect((await service.client.get(PATH)).status).toBe(200);
    await confirmApiSecretKey(deps);
    await expect.poll(async () => (await service.client.get(PATH)).status, { timeout: 2_000 }).toBe(401);
    expect((await next.get(PATH)).status).toBe(200);
  });
});
