import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { confirmApiSecretKey } from "../../src/credentials/confirm-api-secret-key.ts";
import { createAuthenticator } from "../../src/credentials/create-authenticator.ts";
import { createCredential } from "../../src/credentials/create-credential.ts";
import { listCredentials } from "../../src/credentials/list-credentials.ts";
import { recordAuthFailures } from "../../src/credentials/record-auth-failures.ts";
import { revokeCredential } from "../../src/credentials/revoke-credential.ts";
import { rotateApiSecretKey } from "../../src/credentials/rotate-api-secret-key.ts";
import { SCOPES } from "../../src/wire/access.ts";
import { basic } from "../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createProbe } from "../support/probe-routes.ts";
import { refusedWithin } from "../support/refused-within.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";

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
    const detail = expect.stringContaining("Basic base64(key:secret), or Bearer <secret>");
    expect(answer.body).toEqual({ errors: [{ status: "401", title: "Unauthorized", code: "unauthorized", detail }] });
  });

  test("a 401 comes before the body is looked at", async () => {
    const answer = await service.client.as(null).post(PATH, "{no json");
    expect(answer.status).toBe(401);
  });
});

test("headers that are remembered take little memory, however long a sender makes them", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const { authenticate } = createAuthenticator(service.deps);
  const [scheme = "", offer = ""] = basic(service.credential).split(" ");
  await authenticate(basic(service.credential));
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 1; n <= 200; n++) {
    const header = Buffer.from(`${scheme}${" ".repeat(100_000 + n)}${offer}`).toString("latin1");
    expect(await authenticate(header)).toMatchObject({ key: service.credential.key });
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
});

describe("program.md 2: credentials", () => {
  test("each scope opens its own routes only", async () => {
    const reader = await createCredential(service.deps, { name: "reader", scopes: ["read"] });
    const client = service.client.as(basic(reader));
    expect((await client.get(PATH)).status).toBe(200);
    const refused = await client.post(PATH, { point_value: 1 });
    expect(refused.status).toBe(403);
    expect(refused.body.errors[0]).toMatchObject({ status: "403", title: "Forbidden", code: "forbidden" });
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
    await refusedWithin(2_000, async () => (await client.get(PATH)).status === 401);
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
    await refusedWithin(2_000, async () => (await service.client.get(PATH)).status === 401);
    expect((await next.get(PATH)).status).toBe(200);
  });
});

describe("failed authentication", () => {
  const ADDRESS = "203.0.113.7";
  const entriesOf = (database: TestDatabase) =>
    database.db.query<{ address: string; failures: number; after: Record<string, unknown> }>(
      `select address, (after->>'failures')::int as failures, after
       from audit_entry
       where action = 'api.authentication_failed'
       order by id`,
    );

  test("is logged and told in the audit log, summed up by address, without a secret", async () => {
    const database = await createTestDatabase();
    const lines: string[] = [];
    const attacked = await startTestService({
      database,
      worker: false,
      log: (line) => lines.push(line),
      logLevel: "warn",
      config: { proxies: 1 },
    });
    const guess = "guessed-secret-0123456789";
    const knock = (address: string, authorization: string | null) =>
      attacked.client.as(authorization).get("/api/storefront/tiers", { "x-forwarded-for": address });
    for (let i = 0; i < 40; i++) expect((await knock(ADDRESS, `Bearer ${guess}${i}`)).status).toBe(401);
    expect((await knock("203.0.113.8", null)).status).toBe(401);
    expect(
      (await attacked.client.post("/intake/shopify/webhooks", {}, { "x-forwarded-for": "203.0.113.9" })).status,
    ).toBe(401);
    await waitUntil(async () => (await entriesOf(database)).length > 0);
    await attacked.app.close();
    attacked.clock.advance({ hours: 1 });
    await recordAuthFailures(attacked.deps);
    const entries = await entriesOf(database);
    const told = Map.groupBy(entries, ({ address }) => address);
    expect(
      Object.fromEntries([...told].map(([address, of]) => [address, of.reduce((n, one) => n + one.failures, 0)])),
    ).toEqual({
      [ADDRESS]: 40,
      "203.0.113.8": 1,
      "203.0.113.9": 1,
    });
    expect(entries.length).toBeLessThanOrEqual(6);
    const logged = lines.filter((line) => line.includes("authentication failed"));
    expect(logged.length).toBeGreaterThanOrEqual(1);
    expect(logged.length).toBeLessThanOrEqual(2);
    expect(lines.join("") + JSON.stringify(entries)).not.toContain(guess);
    await database.drop();
  });

  test("from any number of addresses makes few entries, and an hour's rest is told when it is over", async () => {
    const database = await createTestDatabase();
    const attacked = await startTestService({ database, worker: false, log: () => {}, config: { proxies: 1 } });
    const { clock, deps } = attacked;
    const knock = (address: string) =>
      attacked.client.as("Bearer nobody").get("/api/storefront/tiers", { "x-forwarded-for": address });
    await Promise.all(Array.from({ length: 300 }, (_, i) => knock(`198.51.${Math.floor(i / 200)}.${(i % 200) + 1}`)));
    await attacked.app.close();
    const [table] = await database.db.query<{ rows: number; failures: number }>(
      "select count(*)::int as rows, sum(failures)::int as failures from api_auth_failure",
    );
    expect(table).toEqual({ rows: 21, failures: 300 });
    clock.advance({ hours: 1 });
    await recordAuthFailures(deps);
    const told = await entriesOf(database);
    expect(told.reduce((sum, { failures }) => sum + failures, 0)).toBe(300);
    expect(told.length).toBeLessThanOrEqual(30);
    expect(told.some(({ address, after }) => address === null && after["addresses"] === "others")).toBe(true);

    await database.db.execute("update api_auth_failure set failures = failures + 7 where address = ''");
    expect(await recordAuthFailures(deps)).toBe(1);
    expect((await entriesOf(database)).at(-1)).toMatchObject({ address: null, failures: 7 });
    expect(await recordAuthFailures(deps)).toBe(0);
    clock.advance({ hours: 24 * 31 });
    await recordAuthFailures(deps);
    expect(await database.db.query("select from api_auth_failure")).toEqual([]);
    await database.drop();
  });

  test("an IPv6 network counts as one address", async () => {
    const database = await createTestDatabase();
    const attacked = await startTestService({ database, worker: false, log: () => {}, config: { proxies: 1 } });
    for (let i = 1; i < 30; i++)
      await attacked.client.as(null).get("/api/storefront/tiers", { "x-forwarded-for": `2001:db8:1:2::${i}` });
    await attacked.app.close();
    const told = await entriesOf(database);
    expect([...new Set(told.map(({ address }) => address))]).toEqual(["2001:db8:1:2::/64"]);
    await database.drop();
  });
});
