import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { basic, createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { refusedWithin } from "../../support/refused-within.ts";
import { makeFolder, runCli, type ServiceProcess, spawnService } from "../../support/service-process.ts";
import { adminClient, cookieOf, STAFF_PASSWORD } from "../../support/staff.ts";
import { waitUntil } from "../../support/wait-until.ts";

const STORE = { key: "pk_nodes", secret: "secret-of-the-nodes-0123456789abcdef01234567" };
const OWNER = { email: "owner@store.example", name: "Owner", password: STAFF_PASSWORD };
/** Within it every node follows a change of the credentials (program.md 2). */
const REVOKED_MS = 2_000;
const LIST = "/api/storefront/point_allotments";

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let env: Record<string, string>;
let nodes: ServiceProcess[] = [];
let one: string;
let other: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await makeFolder();
  const { host, port, user, database: name } = database.connection;
  env = {
    DATABASE_URL: `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_DATA_DIR: folder.path,
    POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
    POINTKEEPER_API_KEY: STORE.key,
    POINTKEEPER_API_SECRET: STORE.secret,
    LOG_LEVEL: "error",
  };
  const health = { ...env, POINTKEEPER_HEALTH_PORT: String(await freePort()) };
  nodes = await Promise.all([
    spawnService(env, ["--role", "api"]),
    spawnService(env, ["--role", "api"]),
    spawnService(health, ["--role", "worker"]),
  ]);
  [one = "", other = ""] = nodes.map(({ url }) => url);
});
afterAll(async () => {
  const ended = await Promise.all(nodes.map((node) => node.stop()));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(nodes.map(() => [0, ""]));
  await folder?.remove();
  await database?.drop();
});

/** A client of a node, as the store or with another credential. */
const at = (url: string, credential: { key: string; secret: string } = STORE) => createClient(url, basic(credential));

test("a key that is retried on another node, or on both at once, counts once and has one answer", async () => {
  await at(one).put("/api/storefront/customers/ann", {});
  for (const isTogether of [false, true]) {
    const headers = { "idempotency-key": randomUUID() };
    const send = (url: string) => at(url).post(LIST, { customer_id: "ann", point_value: 7 }, headers);
    const before = (await at(one).get("/api/storefront/point_balance/ann")).body.data.point_balance;
    const answers = isTogether
      ? await Promise.all([one, other, one, other].map(send))
      : [await send(one), await send(other)];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const after = (await at(other).get("/api/storefront/point_balance/ann")).body.data.point_balance;
    expect(after - before).toBe(7);
  }
});

test("both nodes post to one customer at once and lose nothing", async () => {
  await at(one).put("/api/storefront/customers/hot", {});
  const sent = Array.from({ length: 200 }, (_, n) =>
    at(n % 2 === 0 ? one : other).post(LIST, { customer_id: "hot", point_value: 3 }),
  );
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]));
  const balances = await Promise.all([one, other].map((url) => at(url).get("/api/storefront/point_balance/hot")));
  expect(balances.map(({ body }) => body.data.point_balance)).toEqual([600, 600]);
});

test("a session, a mistake at the sign-in and a credential hold on every node", async () => {
  const code = /setup code {2}(\S+)/.exec(nodes[0]?.stdout() ?? "")?.[1];
  const made = await adminClient(one, null).post("/setup", { ...OWNER, setup_code: code });
  expect(made.status).toBe(200);
  const cookie = await cookieOf(one, { email: OWNER.email, password: OWNER.password });
  const [here, there] = [adminClient(one, cookie, OWNER.password), adminClient(other, cookie, OWNER.password)];
  expect((await there.get("/home")).status).toBe(200);

  const credential = (await here.post("/credentials", { name: "till", scopes: ["read"] })).body.data;
  for (const url of [one, other]) expect((await at(url, credential).get("/api/storefront/tiers")).status).toBe(200);
  expect((await here.delete(`/credentials/${credential.key}`)).status).toBe(200);
  await refusedWithin(
    REVOKED_MS,
    async () => (await at(other, credential).get("/api/storefront/tiers")).status === 401,
  );

  expect((await here.delete("/session")).status).toBe(200);
  expect((await there.get("/home")).status).toBe(401);
  const wrong = { email: OWNER.email, password: "a wrong password of a stranger" };
  const tries: number[] = [];
  for (let n = 0; n < 6; n++)
    tries.push((await adminClient(n % 2 === 0 ? one : other, null).post("/session", wrong)).status);
  expect(tries).toEqual([401, 401, 401, 401, 401, 429]);
});

test("a program that is applied counts on every node at once", async () => {
  const file = join(folder.path, "program.json");
  for (const name of ["Silver", "Gold"]) {
    for (const url of [one, other]) expect((await at(url).get("/api/storefront/tiers")).status).toBe(200);
    const rules = [
      { name: "Member", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
      { name, currency_spent_requirement: 1_000, point_value: 2, currency_value: 100 },
    ];
    await writeFile(file, JSON.stringify({ tiers: { rules } }));
    expect(await runCli(["program", "apply", file], env)).toMatchObject({ code: 0, stderr: "" });
    for (const url of [one, other]) expect((await at(url).get("/api/storefront/tiers")).text).toContain(name);
  }
});

test("what a node accepts, the worker does", async () => {
  const period = { start_datetime: "2020-01-01", end_datetime: "2099-01-01" };
  const asked = await at(one).post("/api/storefront/point_balances/export", period);
  expect(asked.status).toBe(202);
  const path = `/api/storefront/point_balances/export/${asked.body.data.uid}`;
  await waitUntil(async () => (await at(other).get(path)).body.data.status === "ready");
  const last = (await at(one).get(`${LIST}?direction=desc&per_page=1`)).body.data[0].uid;
  await waitUntil(async () => {
    const { body } = await at(other).get(`${LIST}?per_page=250`);
    const next = await at(other).get(`${LIST}?cursor=${body.meta.next_cursor}`);
    return [...body.data, ...next.body.data].at(-1)?.uid === last;
  });
});
