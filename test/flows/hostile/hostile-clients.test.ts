import { connect, type Socket } from "node:net";
import { Agent, request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Config, readConfig } from "../../../src/config.ts";
import type { RequestLimits } from "../../../src/config-groups.ts";
import { readPlatformSettings } from "../../../src/platforms/index.ts";
import { basic, createClient } from "../../support/client.ts";
import { makeCustomer } from "../../support/customers.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type IntakeService, SECRET, SHOP, startIntakeService } from "../../support/intake.ts";
import { adminClient, CSRF, signIn } from "../../support/staff.ts";
import { waitUntil } from "../../support/wait-until.ts";

let database: TestDatabase;
let service: IntakeService;
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.stop();
});

async function start(limits: Partial<RequestLimits>, proxies = 0, more: Partial<Config> = {}): Promise<void> {
  const config = { limits: { ...readConfig({}).limits, ...limits }, proxies, ...more };
  service = await startIntakeService({ database, config });
}

/** A connection on which so much is sent and nothing more; `isOpen` until the service closes it. */
function hold(text: string): { isOpen: boolean; received: string; socket: Socket } {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  const held = { isOpen: true, received: "", socket };
  socket.on("connect", () => socket.write(text));
  socket.on("data", (data) => {
    held.received += data;
  });
  socket.on("error", () => undefined); // the service may reset it
  socket.on("close", () => {
    held.isOpen = false;
  });
  sockets.push(socket);
  return held;
}

async function waitsForLock(): Promise<boolean> {
  const rows = await service.deps.db.query(
    "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length > 0;
}

const HALF_HEAD = "GET /health HTTP/1.1\r\nhost: a\r\nx-slow: ";
const halfBody = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\nx-pointkeeper-request: dashboard\r\ncontent-type: application/json\r\n` +
  `x-shopify-hmac-sha256: ${Buffer.alloc(32).toString("base64")}\r\n` +
  `content-length: ${bytes + 1_000}\r\n\r\n${"x".repeat(bytes)}`;

const policyOf = (answer: { headers: Headers }) => answer.headers.get("ratelimit-policy");

describe("rates", () => {
  test("an address that asks too often without a credential is told when to come again; probes and credentials are not counted", async () => {
    await start({ addressRate: 3 });
    const stranger = createClient(service.url, null);
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await stranger.get("/admin/api/session"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(answers.map(({ headers }) => headers.get("ratelimit")?.split(";t=")[0])).toEqual(
      ["2", "1", "0", "0", "0"].map((left) => `"address";r=${left}`),
    );
    expect(policyOf(answers[0] ?? expect.fail())).toBe('"address";q=3;w=60');
    expect(Number(answers[4]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answers[4]?.body.errors[0]).toMatchObject({
      status: "429",
      title: "Too many requests",
      code: "too_many_requests",
    });
    for (const path of ["/health", "/ready", "/health", "/ready"]) expect((await stranger.get(path)).status).toBe(200);
    expect((await service.client.get("/api/storefront/webhooks")).status).toBe(200);
  });

  test("wrong secrets: 429 after so many, and the right one is answered all the while", async () => {
    await start({ failureRate: 3 });
    const guess = (n: number) => service.client.as(basic({ key: "pk_test", secret: `guess-${n}` }));
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push(await guess(n).get("/api/storefront/webhooks"));
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
    expect(Number(statuses[4]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(policyOf(statuses[4] ?? expect.fail())).toBe('"failures";q=3;w=60');
    const right = await service.client.get("/api/storefront/webhooks");
    expect([right.status, policyOf(right)]).toEqual([200, null]);
  });

  test("the failures of sign-ins, sessions and deliveries are counted together", async () => {
    await start({ failureRate: 3 });
    const stranger = createClient(service.url, null);
    expect((await stranger.get("/admin/api/home")).status).toBe(401);
    const signIn = await stranger.post("/admin/api/session", { email: "a@store.example", password: "x" }, CSRF);
    expect(signIn.status).toBe(401);
    expect((await service.deliver("orders/create", "{}", { secret: "wrong" })).status).toBe(401);
    expect((await stranger.get("/admin/api/home")).status).toBe(429);
  });

  test("invented sessions of an address with too many failures are not looked up, and a real one is let in by any node", async () => {
    await start({ failureRate: 2 });
    const person = await signIn(service, "viewer");
    await service.stop();
    await start({ failureRate: 2 }); // has not seen the session
    const guess = (n: number) => adminClient(service.url, `pointkeeper_session=${String(n).repeat(43)}`).get("/home");
    const guesses = [await guess(1), await guess(2), await guess(3), await guess(4)];
    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 429, 429]);
    const unseen = await service.deps.db.tx(async (tx) => {
      await tx.execute("lock table staff_session in access exclusive mode"); // a look-up would wait for it
      const answers: number[] = [];
      const guessing = guess(5).then(({ status }) => void answers.push(status));
      await waitUntil(async () => answers.length > 0 || (await waitsForLock()));
      return { answers: [...answers], guessing };
    });
    await unseen.guessing;
    expect(unseen.answers).toEqual([429]);
    expect((await adminClient(service.url, person.cookie).get("/home")).status).toBe(200);
  });

  test("a delivery of an address with too many failures is refused unread, unless it delivered signed ones before", async () => {
    await start({ failureRate: 2 });
    const announced = () =>
      hold("POST /intake/shopify/webhooks HTTP/1.1\r\nhost: a\r\nx-shopify-topic: a\r\ncontent-length: 1000\r\n\r\n");
    for (let i = 0; i < 3; i++) await service.deliver("orders/create", "{}", { secret: "wrong" });
    const refused = announced();
    await waitUntil(() => refused.received !== "");
    expect(refused.received).toMatch(/^HTTP\/1.1 429 /);
    refused.socket.destroy();
    await service.stop();
    await start({ failureRate: 2 });
    expect((await service.deliver("themes/publish", "{}")).status).toBe(200);
    for (let i = 0; i < 4; i++) await service.deliver("orders/create", "{}", { secret: "wrong" });
    expect((await service.deliver("themes/publish", '{"id":2}')).status).toBe(200);
  });

  test("what nobody signed makes no address one that delivers: a ping, a link that ends mails, which is counted too", async () => {
    const { woocommerce } = readPlatformSettings({ WOOCOMMERCE_WEBHOOK_SECRETS: "a secret of the other shop" });
    const platforms = { shopify: { shop: SHOP, secrets: [SECRET], admin: undefined }, woocommerce };
    await start({ failureRate: 2, addressRate: 2 }, 0, { platforms });
    const stranger = createClient(service.url, null);
    const send = (path: string, body: string) =>
      stranger.request("POST", path, { body, headers: { "content-type": "application/x-www-form-urlencoded" } });
    expect((await send("/intake/woocommerce/webhooks", "webhook_id=12")).status).toBe(200);
    const wrong = () => service.deliver("orders/create", "{}", { secret: "wrong" });
    expect([await wrong(), await wrong(), await wrong()].map(({ status }) => status)).toEqual([401, 401, 429]);
    const unread = hold(halfBody("/intake/shopify/webhooks", 100));
    await waitUntil(() => unread.received !== "");
    expect(unread.received).toMatch(/^HTTP\/1.1 429 /);
    const unsubscribe = () => send("/unsubscribe/example", "List-Unsubscribe=One-Click");
    expect([await unsubscribe(), await unsubscribe(), await unsubscribe()].map(({ status }) => status)).toEqual([
      404, 404, 429,
    ]);
  });

  test("a credential's own rate is a setting", async () => {
    await start({ credentialRate: 2 });
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await service.client.get("/api/storefront/webhooks"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(policyOf(answers[0] ?? expect.fail())).toBe('"credential";q=2;w=60');
    expect(Number(answers[2]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("behind a proxy each client is its own address, and an IPv6 network is one", async () => {
    await start({ addressRate: 2 }, 1);
    const from = async (address: string) =>
      (await createClient(service.url, null).get("/admin/api/session", { "x-forwarded-for": address })).status;
    expect([await from("203.0.113.1"), await from("203.0.113.1"), await from("203.0.113.1")]).toEqual([200, 200, 429]);
    expect(await from("203.0.113.2")).toBe(200);
    expect([await from("2001:db8::1"), await from("2001:db8::2"), await from("2001:db8::3")]).toEqual([200, 200, 429]);
    expect(await from("2001:db8:0:1::1")).toBe(200);
  });
});

describe("connections", () => {
  test("silent ones give way to new ones: a probe of the same address is answered", async () => {
    await start({ connectionsPerAddress: 20 });
    const held = Array.from({ length: 60 }, () => hold(HALF_HEAD));
    await waitUntil(() => held.filter(({ isOpen }) => !isOpen).length >= 40);
    expect((await createClient(service.url, null).get("/ready")).status).toBe(200);
    expect(held.filter(({ isOpen }) => isOpen).length).toBeLessThanOrEqual(20);
  });

  test("slow bodies of strangers too, and in all as by address", async () => {
    await start({ connections: 20, connectionsPerAddress: 0 });
    const held = Array.from({ length: 60 }, () => hold(halfBody("/admin/api/session", 100)));
    await waitUntil(() => held.filter(({ isOpen }) => !isOpen).length >= 40);
    expect((await createClient(service.url, null).get("/ready")).status).toBe(200);
  });

  test("a body for a path or method that no route takes is refused unread, and holds no place", async () => {
    await start({ connectionsPerAddress: 20 });
    for (const path of ["/nowhere", "/admin/api/home", "/api/storefront/tiers"]) {
      const held = hold(halfBody(path, 100_000));
      await waitUntil(() => held.received !== "");
      expect(held.received).toMatch(/^HTTP\/1\.1 (404|405|421) /);
    }
    for (let i = 0; i < 40; i++) {
      const held = hold(halfBody("/nowhere", 100_000));
      await waitUntil(() => held.received !== "");
    }
    await waitUntil(() => sockets.filter(({ destroyed }) => !destroyed).length <= 20);
    expect((await createClient(service.url, null).get("/ready")).status).toBe(200);
  });

  test("refused expectations that are sent without waiting count as requests: the rest of the packet is dropped", async () => {
    await start({});
    let refused = 0;
    service.app.server.on("checkExpectation", () => {
      refused++;
    });
    const flood = hold("GET /health HTTP/1.1\r\nhost: a\r\nexpect: x\r\n\r\n".repeat(1_000));
    await waitUntil(() => !flood.isOpen);
    expect(refused).toBeLessThan(200);
  });

  test("one that was answered before outlives silent ones", async () => {
    await start({ connectionsPerAddress: 10 });
    const proven = hold("GET /health HTTP/1.1\r\nhost: a\r\n\r\n");
    await waitUntil(() => proven.received.includes('{"status":"ok"}'));
    const held = Array.from({ length: 40 }, () => hold(HALF_HEAD));
    await waitUntil(() => held.filter(({ isOpen }) => !isOpen).length >= 31);
    expect(proven.isOpen).toBe(true);
    proven.socket.write("GET /ready HTTP/1.1\r\nhost: a\r\n\r\n");
    await waitUntil(() => proven.received.split('{"status":"ok"}').length === 3);
  });

  test("a request that is being answered is not cut", async () => {
    await start({ connectionsPerAddress: 10 });
    const agent = new Agent({ connections: 1 });
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const lock = service.deps.db.tx(async (tx) => {
      await tx.execute("lock table tier_standing, customer, balance in access exclusive mode");
      locked();
      await isFree;
    });
    await isLocked;
    const answer = request(`${service.url}/api/storefront/point_balance/nobody`, {
      headers: { authorization: basic(service.credential) },
      dispatcher: agent,
    });
    await waitUntil(waitsForLock);
    const held = Array.from({ length: 40 }, () => hold(HALF_HEAD));
    await waitUntil(() => held.filter(({ isOpen }) => !isOpen).length >= 31);
    free();
    await lock;
    expect((await answer).statusCode).toBe(404);
    await agent.close();
  });
});

test("a person's data is sent to two clients at once: slow ones leave connections of the database to others", async () => {
  await start({});
  const { storefrontId } = await makeCustomer(service.deps);
  const client = createClient(service.url, basic(service.credential));
  const ask = () => client.get(`/api/storefront/customers/${storefrontId}/data`);
  const held = await service.deps.db.tx(async (tx) => {
    await tx.execute("lock table receipt in access exclusive mode"); // the data of deliveries waits for it
    const all = [ask(), ask(), ask()];
    const refused = await Promise.race(all);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    return { all };
  });
  expect((await Promise.all(held.all)).map(({ status }) => status).sort()).toEqual([200, 200, 503]);
  expect((await ask()).status).toBe(200);
});

describe("bytes of bodies whose senders are not known", () => {
  test("a delivery without a signature, or of another shop, is refused unread", async () => {
    await start({});
    const signature = `x-shopify-hmac-sha256: ${Buffer.alloc(32).toString("base64")}\r\n`;
    const shop = "x-shopify-topic: orders/create\r\nx-shopify-shop-domain: another.myshopify.com\r\n";
    for (const head of ["", `${signature}${shop}`]) {
      const refused = hold(
        `POST /intake/shopify/webhooks HTTP/1.1\r\nhost: a\r\n${head}content-length: 9000000\r\n\r\n`,
      );
      await waitUntil(() => refused.received !== "");
      expect(refused.received).toMatch(/^HTTP\/1.1 401 /);
      expect(refused.received).toMatch(/connection: close/i);
      refused.socket.destroy();
    }
  });

  test("a slow sender makes room for one that is not slow", async () => {
    await start({ unknownBodyBytes: 1_000_000 });
    const slow = [1, 2].map(() => hold(halfBody("/intake/shopify/webhooks", 450_000)));
    await waitUntil(() => slow.every(({ socket }) => socket.bytesWritten > 450_000));
    const note = "x".repeat(700_000);
    await waitUntil(async () => (await service.deliver("themes/update", JSON.stringify({ note }))).status === 200);
    await waitUntil(() => slow.every(({ received }) => received.startsWith("HTTP/1.1 503 ")));
  });
});
