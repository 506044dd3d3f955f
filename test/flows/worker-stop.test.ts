import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type ObjectServer, startObjectServer } from "../support/object-server.ts";
import { spawnService } from "../support/service-process.ts";
import { waitUntil } from "../support/wait-until.ts";

// A stop while both a request and a job are in progress.

const CREDENTIAL = { key: "pk_flow", secret: "secret-of-the-flow-0123456789abcdef012345" };
let database: TestDatabase;
let bucket: ObjectServer;

beforeAll(async () => {
  [database, bucket] = await Promise.all([createTestDatabase(), startObjectServer()]);
});
afterAll(async () => {
  await Promise.all([database?.drop(), bucket?.close()]);
});

function urlOf({ connection: { host, port, user, database: name } }: TestDatabase): string {
  return `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

test("the worker stops while requests are still in progress, and they are answered", async () => {
  bucket.fault = ({ method }) => (method === "PUT" ? "silent" : undefined);
  const service = await spawnService({
    ...bucket.env,
    DATABASE_URL: urlOf(database),
    POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    POINTKEEPER_BACKUP_DIR: "s3://of-the-tests/silent",
  });
  await waitUntil(() => bucket.requests.some(({ method }) => method === "PUT"));
  const sent = httpRequest(`${service.url}/api/storefront/customers/c`, {
    method: "PUT",
    auth: `${CREDENTIAL.key}:${CREDENTIAL.secret}`,
    headers: { "content-type": "application/json", expect: "100-continue" },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sent.on("response", (response) => resolve(response.resume().statusCode));
    sent.on("error", reject);
  });
  const accepted = new Promise((resolve) => sent.on("continue", resolve));
  sent.flushHeaders();
  await accepted;
  service.child.kill("SIGTERM");
  const ends = "select from job_run where job = 'back up' and outcome = 'stopped'";
  await waitUntil(async () => (await database.owner.query(ends)).length === 1);
  sent.end("{}");
  expect(await answered).toBe(201);
  expect((await service.ended).code).toBe(0);
});
