import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { type ServiceProcess, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

const CREDENTIAL = { key: "pk_rolling", secret: "secret-of-the-rolling-0123456789abcdef0123" };
const CUSTOMERS = 8;
const POLL_MS = 100;
/** Between a lane's requests: dozens are on their way in each second of a restart, and the machine has time for the restart. */
const PAUSE_MS = 60;

let database: TestDatabase;
let env: Record<string, string>;
let nodes: ServiceProcess[];
let ports: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { host, port, user, database: name } = database.connection;
  env = {
    DATABASE_URL: `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    POINTKEEPER_DRAIN_SECONDS: "4",
    LOG_LEVEL: "error",
  };
  ports = await Promise.all([freePort(), freePort(), freePort()]);
  nodes = await Promise.all(ports.map((one) => spawnService({ ...env, PORT: String(one) })));
});
afterAll(async () => {
  for (const node of nodes ?? []) node.child.kill("SIGKILL");
  await database.drop();
});

/** A load balancer and its clients: nodes whose /ready is 200 get requests, one after the other on each lane. */
function startTraffic(urls: readonly string[]) {
  const isReady = new Map(urls.map((url) => [url, true]));
  const clients = urls.map((url) => ({ url, client: createClient(url, basic(CREDENTIAL)) }));
  const failures: string[] = [];
  let acknowledged = 0;
  let isOver = false;

  async function poll(url: string): Promise<void> {
    while (!isOver) {
      const status = await fetch(`${url}/ready`).then(
        (answer) => answer.body?.cancel().then(() => answer.status),
        () => 0,
      );
      isReady.set(url, status === 200);
      await delay(POLL_MS);
    }
  }

  async function send(lane: number): Promise<void> {
    for (let n = lane; !isOver; n++) {
      const open = clients.filter(({ url }) => isReady.get(url));
      const chosen = open[n % open.length];
      if (chosen === undefined) {
        failures.push("no node was ready");
        await delay(POLL_MS);
        continue;
      }
      const body = { customer_id: `c${n % CUSTOMERS}`, point_value: 1 };
      const outcome = await chosen.client.post("/api/storefront/point_allotments", body).then(
        ({ status }) => (status === 200 ? null : String(status)),
        (error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error),
      );
      if (outcome === null) {
        acknowledged++;
        await delay(PAUSE_MS);
      } else {
        failures.push(outcome);
        await delay(POLL_MS);
      }
    }
  }

  const running = [...urls.map(poll), ...[0, 1, 2, 3, 4, 5].map(send)];
  return {
    acknowledged: () => acknowledged,
    failures,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

describe("a rolling restart of three nodes under load", () => {
  test("refuses no request and loses none", async () => {
    const first = createClient(nodes[0]?.url ?? "", basic(CREDENTIAL));
    for (let n = 0; n < CUSTOMERS; n++) await first.put(`/api/storefront/customers/c${n}`, {});
    const traffic = startTraffic(ports.map((port) => `http://127.0.0.1:${port}`));
    await waitUntil(() => traffic.acknowledged() > 20);
    for (const [index, port] of ports.entries()) {
      const node = nodes[index];
      const ended = await node?.stop();
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      nodes[index] = await spawnService({ ...env, PORT: String(port) });
      const before = traffic.acknowledged();
      await waitUntil(() => traffic.acknowledged() > before + 20);
    }
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    const [row] = await database.db.query<{ count: bigint }>("select count(*) from allotment");
    expect(Number(row?.count)).toBe(traffic.acknowledged());
  });

  test("a node that drains says so, answers, and closes its connections; a second signal ends it at once", async () => {
    const node = await spawnService({ ...env, PORT: "0", POINTKEEPER_DRAIN_SECONDS: "300" });
    const client = createClient(node.url, basic(CREDENTIAL));
    expect((await client.get("/ready")).status).toBe(200);
    node.child.kill("SIGTERM");
    await waitUntil(async () => (await client.get("/ready")).status === 503);
    expect((await client.get("/health")).status).toBe(200);
    const served = await client.get("/api/storefront/point_balance/c1");
    expect([served.status, served.headers.get("connection")]).toEqual([200, "close"]);
    const again = setInterval(() => node.child.kill("SIGTERM"), 100);
    expect((await node.ended).code).toBe(1);
    clearInterval(again);
  });

  test("Ctrl-C does not wait", async () => {
    const node = await spawnService({ ...env, PORT: "0", POINTKEEPER_DRAIN_SECONDS: "300" });
    node.child.kill("SIGINT");
    expect((await node.ended).code).toBe(0);
  });

  test("a worker answers /health and /ready on a port of its own, and nothing else", async () => {
    const port = await freePort();
    const worker = await spawnService({ ...env, POINTKEEPER_HEALTH_PORT: String(port) }, ["--role", "worker"]);
    expect(worker.url).toBe(`http://127.0.0.1:${port}`);
    const client = createClient(worker.url, basic(CREDENTIAL));
    expect((await client.get("/health")).status).toBe(200);
    expect((await client.get("/ready")).status).toBe(200);
    expect((await client.get("/api/storefront/point_balance/c1")).status).toBe(404);
    worker.child.kill("SIGINT");
    expect((await worker.ended).code).toBe(0);
  });
});
