import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPool } from "../../../src/db/pool.ts";
import { basic, createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { runCli, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

const CREDENTIAL = { key: "k", secret: "s".repeat(43) };
let database: TestDatabase;
let receiver: TestReceiver;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  const { host, port, user, database: name } = database.connection;
  env = {
    DATABASE_URL: `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
  };
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

const lines = async (...args: string[]) => (await runCli(args, env)).stdout.trim().split("\n");

describe("an operator's commands beside a running service", () => {
  test("what came in and is not processed is counted, with its age, the rate and the time left", async () => {
    const shown = await lines("intake");
    expect(shown).toEqual([
      "new 0",
      "waiting 0",
      "failed 0",
      "quarantined 0",
      "rate 0 a minute over the last 5 minutes",
      "left 0 s",
    ]);
  });

  test("failed deliveries are listed and sent again; secrets rotate; stuck receipts are listed and reprocessed", async () => {
    const service = await spawnService(env);
    const client = createClient(service.url, basic(CREDENTIAL));
    receiver.answer = () => 500;
    await client.put("/api/storefront/customers/c1", {});
    await client.post("/api/storefront/webhooks", { topic: "point_allotment/cascade", callback_url: receiver.url });
    await client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value: 7 });
    await waitUntil(async () => receiver.arrivals.length > 0);
    expect(await lines("webhooks", "failed")).toEqual(["No delivery has failed."]);
    const db = openPool({ connection: database.connection });
    await waitUntil(
      async () => (await db.execute("update delivery set state = 'failed', attempts = 21 where attempts > 0")) > 0,
    );
    await db.close();
    const [failed = ""] = await lines("webhooks", "failed");
    expect(failed).toMatch(/^[0-9a-f-]{36} {2}point_allotment\/cascade {2}\S+Z {2}500$/);
    receiver.answer = () => 200;
    const before = receiver.arrivals.length;
    expect(await lines("webhooks", "replay", "all")).toEqual(["1 delivery will be sent again."]);
    await waitUntil(async () => receiver.arrivals.length > before);

    const [secret] = await lines("webhooks", "rotate-secret", "point_allotment/cascade");
    expect(secret).toMatch(/^secret {2}whsec_/);
    expect((await runCli(["webhooks", "confirm-secret", "point_allotment/cascade"], env)).code).toBe(0);

    const refund = {
      type: "OrderFulfilled",
      payload: { order_id: "none", fulfillment: { fulfillment_id: "1", lines: [] } },
    };
    await client.post("/intake/events", refund, { prefer: "wait=10" });
    const [stuck = ""] = await lines("intake", "stuck");
    expect(stuck).toContain("waiting");
    expect(stuck).toContain("order/none");
    const again = await runCli(["intake", "reprocess", stuck.slice(0, 36)], env);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    await service.stop();
  });

  test.each([
    [["webhooks"], "Expected a subcommand", 2],
    [["webhooks", "replay", "x"], "Expected a uid", 2],
    [["webhooks", "rotate-secret", "none"], "Name a topic", 2],
    [["intake", "reprocess"], "Missing required argument 'uid'", 2],
    [["intake", "reprocess", "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716"], "No received event has the uid 019ca8e7", 4],
    [["webhooks", "replay", "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716"], "No failed delivery has the uid 019ca8e7", 4],
    [["export", "allotments", "-", "--from", "2026-13-01"], "--from 2026-13-01: expected an ISO 8601 date", 2],
  ])("%j says what is wrong and ends with the exit code of it", async (args, says, exitCode) => {
    const { code, stderr } = await runCli(args, env);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(says);
  });
});

test("credentials set-scopes closes the store's own secret to the API while it goes on signing, and opens it again", async () => {
  const service = await spawnService(env);
  const client = createClient(service.url, basic(CREDENTIAL));
  const tiers = async () => (await client.get("/api/storefront/tiers")).status;
  expect(await tiers()).toBe(200);
  expect(await lines("credentials", "set-scopes", "store", "none")).toEqual([
    "store: none. Its secret still signs deliveries.",
  ]);
  await waitUntil(async () => (await tiers()) === 403);
  expect(await lines("credentials", "list")).toContainEqual(expect.stringMatching(/^store +k +none +the store's own/));
  expect(await lines("credentials", "set-scopes", "store", "read,webhooks")).toEqual(["store: read, webhooks."]);
  await waitUntil(async () => (await tiers()) === 200);
  const wrong = await runCli(["credentials", "set-scopes", "store", "king"], env);
  expect([wrong.code === 0, wrong.stderr]).toEqual([false, expect.stringContaining("Scopes are read, write")]);
  expect((await runCli(["credentials", "set-scopes", "store"], env)).code).not.toBe(0);
  await service.stop();
  const again = await spawnService(env);
  expect((await createClient(again.url, basic(CREDENTIAL)).post("/api/storefront/point_allotments", {})).status).toBe(
    403,
  );
  await again.stop();
});
