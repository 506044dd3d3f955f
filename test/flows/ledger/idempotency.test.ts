import { hash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/clock.ts";
import { createCredential } from "../../../src/credentials/create-credential.ts";
import { keyTime, readStored } from "../../../src/http/idempotency/idempotency.ts";
import { pruneIdempotency } from "../../../src/http/idempotency/prune-idempotency.ts";
import { basic } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { CREATE_PROBE_TABLE, createProbe } from "../../support/probe-routes.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const PATH = "/api/storefront/probe";
const probe = createProbe();
let database: TestDatabase;
let service: TestService;
let otherNode: TestService;
let n = 0;
let key: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  const options = {
    worker: false,
    extraRoutes: probe.routes,
    config: { platform: "shopify" },
    database,
    log: () => {},
  };
  service = await startTestService(options);
  otherNode = await startTestService(options);
  await service.owner.execute(CREATE_PROBE_TABLE);
});

beforeEach(() => {
  key = { "idempotency-key": `key-${++n}` };
});

afterAll(async () => {
  await service.stop();
  await otherNode.stop();
  await database.drop();
});

async function rows(): Promise<bigint> {
  const [row] = await service.deps.db.query<{ rows: bigint }>("select count(*) as rows from probe");
  return row?.rows ?? 0n;
}

describe("program.md 2: Idempotency-Key", () => {
  test("the same request gets the stored answer, marked", async () => {
    const first = await service.client.post(PATH, { point_value: 1 }, key);
    const before = await rows();
    const second = await service.client.post(PATH, { point_value: 1 }, key);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null]);
    expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(await rows()).toBe(before);
  });

  test("a key counts with the longest path, too", async () => {
    // 990 ideographs of hashes, which no index compresses
    const digits = Array.from({ length: 62 }, (_, i) => hash("sha256", String(i))).join("");
    const codes = Array.from(
      { length: 990 },
      (_, i) => 0x4e00 + (Number.parseInt(digits.slice(i * 4, i * 4 + 4), 16) % 20_000),
    );
    const path = `/api/storefront/point_balances/${encodeURIComponent(String.fromCodePoint(...codes))}/set_balances`;
    const first = await service.client.post(path, { balance: 1 }, key);
    const again = await service.client.post(path, { balance: 1 }, key);
    const other = await service.client.post(path, { balance: 2 }, key);
    const elsewhere = await service.client.post(path.replace("/set_", "x/set_"), { balance: 2 }, key);
    expect([first.status, again.status, other.status, elsewhere.status]).toEqual([404, 404, 422, 404]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test("an answer with a secret is sent again, and is not to be read in the database", async () => {
    const path = "/api/storefront/webhooks";
    const wanted = { topic: "point_balance/update", callback_url: "http://127.0.0.1:9/" };
    const first = await service.client.post(path, wanted, key);
    const { secret } = first.body.data;
    expect(secret).toMatch(/^whsec_/);
    const stored = await service.deps.db.query<{ body: string }>("select body from idempotency where scope = $1", [
      `POST ${path}`,
    ]);
    expect(stored).toHaveLength(1);
    expect(stored[0]?.body).not.toContain(secret);
    const strict = await startTestService({ worker: false, config: { allowPrivateCallbacks: false }, database });
    for (const { client } of [service, otherNode, strict]) {
      const again = await client.post(path, wanted, key);
      expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
    }
    await strict.stop();
    expect((await service.client.post(path, { ...wanted, callback_url: "http://127.0.0.1:8/" }, key)).status).toBe(422);
    expect((await service.client.post(path, wanted, { "idempotency-key": "other" })).body.data.secret).toBeUndefined();
  });

  test("a replayed refusal takes the shape that the repeated request asks for", async () => {
    const newer = { "x-api-version": "2.0.0" };
    const wanted: [path: string, body: object][] = [
      [PATH, { point_value: -1 }],
      [PATH, { point_value: "5" }],
      ["/api/storefront/point_allotments", { customer_id: "nobody", point_value: 1 }],
      ["/api/storefront/point_balances/nobody/set_balances", { balance: 1 }],
    ];
    for (const [n, [path, body]] of wanted.entries()) {
      for (const [first, second] of [[{}, newer] as const, [newer, {}] as const]) {
        const own = { "idempotency-key": `shape-${n}-${Object.keys(first).length}` };
        const told = await service.client.post(path, body, { ...own, ...first });
        const again = await service.client.post(path, body, { ...own, ...second });
        const fresh = await service.client.post(path, body, second);
        expect([again.status, again.headers.get("idempotent-replayed")], path).toEqual([told.status, "true"]);
        expect(again.body, path).toEqual(fresh.body);
        expect(again.body, path).not.toEqual(told.body);
      }
    }
  });

  test("a refusal that an older version stored as it was sent is sent as it was", async () => {
    const body = '{"errors":[{"status":"404","title":"Customer was not found"}]}';
    const wanted = { point_value: -1 };
    await service.client.post(PATH, wanted, key);
    await service.deps.db.execute("update idempotency set status = 404, body = $2 where key = $1", [
      key["idempotency-key"] ?? "",
      body,
    ]);
    const again = await service.client.post(PATH, wanted, { ...key, "x-api-version": "2.0.0" });
    expect([again.status, again.text]).toEqual([404, body]);
  });

  test("without a key each request is its own", async () => {
    const before = await rows();
    await service.client.post(PATH, { point_value: 1 });
    await service.client.post(PATH, { point_value: 1 });
    expect(await rows()).toBe(before + 2n);
  });

  test("another body, or another query, is 422", async () => {
    await service.client.post(PATH, { point_value: 1 }, key);
    for (const [path, body] of [
      [PATH, { point_value: 2 }],
      [`${PATH}?a=1`, { point_value: 1 }],
    ] as const) {
      const answer = await service.client.post(path, body, key);
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].title).toBe("Idempotency-Key was used with another request");
    }
  });

  test("a key belongs to its credential and path", async () => {
    const other = await createCredential(service.deps, { name: "another", scopes: ["write"] });
    const before = await rows();
    await service.client.post(PATH, { point_value: 1 }, key);
    await service.client.as(basic(other)).post(PATH, { point_value: 1 }, key);
    await service.client.post("/api/shopify/probe", { point_value: 1 }, key);
    expect(await rows()).toBe(before + 3n);
  });

  test("a refusal of the work is stored too, and its effect undone", async () => {
    const before = await rows();
    const first = await service.client.post(PATH, { point_value: -1 }, key);
    const ran = probe.runs();
    const second = await service.client.post(PATH, { point_value: -1 }, key);
    expect([first.status, second.status]).toEqual([400, 400]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(probe.runs()).toBe(ran);
    expect(await rows()).toBe(before);
  });

  test.each(['{"point_value":"x"}', "{"])("a refusal before the work is stored too: %s", async (body) => {
    const first = await service.client.post(PATH, body, key);
    const second = await service.client.post(PATH, body, key);
    expect(second.status).toBe(first.status);
    expect(second.text).toBe(first.text);
    expect([first, second].map((answer) => answer.headers.get("idempotent-replayed"))).toEqual([null, "true"]);
    expect((await service.client.post(PATH, { point_value: 1 }, key)).status).toBe(422);
  });

  test("401, 403, 413, 415 and 500 are not stored", async () => {
    const reader = await createCredential(service.deps, { name: `reader ${n}`, scopes: ["read"] });
    const post = (headers: Record<string, string>, body: unknown = { point_value: 500 }) =>
      service.client.post(PATH, body, { ...key, ...headers });
    expect((await post({ authorization: "Basic x" })).status).toBe(401);
    expect((await post({ authorization: basic(reader) })).status).toBe(403);
    expect((await post({ "content-type": "text/plain" })).status).toBe(415);
    expect((await post({}, { point_value: 1, other: "x".repeat(1_100_000) })).status).toBe(413);
    expect((await post({})).status).toBe(500);
    expect((await post({})).headers.get("idempotent-replayed")).toBeNull();
  });

  test("a key has 1 to 255 characters", async () => {
    const status = async (text: string) =>
      (await service.client.post(PATH, { point_value: 1 }, { "idempotency-key": text })).status;
    expect(await status("")).toBe(422);
    expect(await status("x".repeat(255))).toBe(200);
    expect(await status("x".repeat(256))).toBe(422);
  });

  test("100 at once run once and get one answer", async () => {
    const before = await rows();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => service.client.post(PATH, { point_value: 7 }, key)),
    );
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await rows()).toBe(before + 1n);
  });

  test.each([
    ["in one process", () => service],
    ["on two nodes", () => otherNode],
  ])("the second waits for the first, and is 409 after 10 seconds: %s", async (_name, second) => {
    const held = Promise.withResolvers<void>();
    const ran = probe.runs();
    probe.hold(held.promise);
    const first = service.client.post(PATH, { point_value: 1 }, key);
    await expect.poll(() => probe.runs()).toBe(ran + 1);
    const tooLong = await second().client.post(PATH, { point_value: 1 }, key);
    expect(tooLong.status).toBe(409);
    expect(tooLong.body.errors[0].title).toBe("A request with this Idempotency-Key is still running");
    const patient = second().client.post(PATH, { point_value: 1 }, key);
    held.resolve();
    expect((await patient).text).toBe((await first).text);
    expect(probe.runs()).toBe(ran + 1);
  });

  test("many that wait for one key leave room for others", async () => {
    const held = Promise.withResolvers<void>();
    const ran = probe.runs();
    probe.hold(held.promise);
    const waiting = Array.from({ length: 50 }, () => service.client.post(PATH, { point_value: 1 }, key));
    await expect.poll(() => probe.runs()).toBe(ran + 1);
    probe.hold(Promise.resolve());
    expect((await service.client.post(PATH, { point_value: 1 })).status).toBe(200);
    held.resolve();
    expect(new Set((await Promise.all(waiting)).map((answer) => answer.text)).size).toBe(1);
  });

  test("the machine's clock of a node does not decide how old a key is, the database's does", async () => {
    const { db } = service.deps;
    const wanted = { point_value: 7 };
    const own = { "idempotency-key": "of-the-database" };
    await service.client.post(PATH, wanted, own);
    const [row] = await db.query<{ uid: string; scope: string; fingerprint: Buffer }>(
      "select credential_uid as uid, scope, fingerprint from idempotency where key = $1",
      [own["idempotency-key"]],
    );
    if (row === undefined) throw new Error("expected a stored key");
    const { uid: credentialUid, scope, fingerprint } = row;
    const claim = { credentialUid, scope, key: own["idempotency-key"], fingerprint };
    const isKept = async (age: string) => {
      const at = "update idempotency set created_at = clock_timestamp() - $2::interval where key = $1";
      await service.owner.execute(at, [claim.key, age]);
      return (await readStored(db, [claim], keyTime(systemClock)))[0] !== undefined;
    };
    expect(keyTime(systemClock)).toBeNull();
    expect(await isKept("23:59:00")).toBe(true);
    await pruneIdempotency({ db, clock: systemClock });
    expect(await isKept("23:59:00")).toBe(true);
    expect(await isKept("24:00:01")).toBe(false);
    await pruneIdempotency({ db, clock: systemClock });
    expect(await db.query("select from idempotency where key = $1", [claim.key])).toEqual([]);
  });

  test("after 24 hours the key is free, and its row is pruned", async () => {
    await service.client.post(PATH, { point_value: 1 }, key);
    service.clock.advance({ hours: 23, minutes: 59 });
    expect((await service.client.post(PATH, { point_value: 1 }, key)).headers.get("idempotent-replayed")).toBe("true");
    service.clock.advance({ minutes: 1 });
    const before = await rows();
    expect((await service.client.post(PATH, { point_value: 2 }, key)).status).toBe(200);
    expect(await rows()).toBe(before + 1n);
    service.clock.advance({ hours: 24 });
    expect(await pruneIdempotency(service.deps)).toBeGreaterThan(0);
    expect(await service.deps.db.query("select key from idempotency")).toEqual([]);
  });
});
