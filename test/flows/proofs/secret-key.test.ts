import { existsSync } from "node:fs";
import { cp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSecretBox } from "../../../src/credentials/secret-box.ts";
import type { Db } from "../../../src/db/pool.ts";
import { basic, createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { type Finished, makeFolder, runCli, spawnPointkeeper, spawnService } from "../../support/service-process.ts";
import { withDatabase } from "../../support/with-database.ts";

const CREDENTIAL = { key: "pk_secrets", secret: "secret-of-the-store-0123456789abcdef012345" };
const TOPIC = "point_allotment/cascade";
const PERSON = "op@store.example";
const ANSWER_KEY = { "idempotency-key": "made-once" };

let receiver: TestReceiver;
let folder: Awaited<ReturnType<typeof makeFolder>>;
/** A store with one of everything that is sealed, stopped. */
let pristine: string;
let subscriptionSecret: string;
let dataDir: string;
let env: Record<string, string>;
let copies = 0;

const settings = (dir: string) => ({ POINTKEEPER_DATA_DIR: dir, POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1" });
const subscribe = (url: string, credential: { key: string; secret: string }) =>
  createClient(url, basic(credential)).post(
    "/api/storefront/webhooks",
    { topic: TOPIC, callback_url: receiver.url },
    ANSWER_KEY,
  );

beforeAll(async () => {
  receiver = await startReceiver();
  folder = await makeFolder();
  pristine = join(folder.path, "pristine");
  const first = {
    ...settings(pristine),
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  };
  const service = await spawnService(first);
  subscriptionSecret = (await subscribe(service.url, CREDENTIAL)).body.data.secret;
  const client = createClient(service.url, basic(CREDENTIAL));
  await client.put("/api/storefront/customers/c1", {});
  await client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value: 7 });
  const made = await runCli(["users", "create", "--email", PERSON, "--role", "owner"], first);
  expect(made).toMatchObject({ code: 0 });
  expect(await runCli(["storefront", "create-key", "--name", "webshop"], first)).toMatchObject({ code: 0 });
  await withDatabase(first, (db) => enrol(db, keyText(pristine)));
  await service.stop();
});
afterAll(async () => {
  await receiver.close();
  await folder.remove();
});
beforeEach(async () => {
  copies++;
  dataDir = join(folder.path, `copy-${copies}`);
  await cp(pristine, dataDir, { recursive: true });
  env = settings(dataDir);
});

const keyPath = (dir = dataDir) => join(dir, "secret.key");
const keyText = async (dir = dataDir) => (await readFile(keyPath(dir), "utf8")).trim();

async function enrol(db: Db, key: Promise<string>): Promise<void> {
  const sealed = createSecretBox(await key).seal("JBSWY3DPEHPK3PXP");
  await db.execute("update staff set totp_sealed = $1, totp_draft_sealed = $1", [sealed]);
}

/** Every column that holds something sealed, each value as one row. */
const SEALED = `
select 'api_secret_key.sealed' as place, sealed from api_secret_key
union all select 'secret of ' || topic, secret_sealed from subscription
union all select 'next secret of ' || topic, next_secret_sealed from subscription
union all select 'staff.totp_sealed', totp_sealed from staff
union all select 'staff.totp_draft_sealed', totp_draft_sealed from staff
union all select 'storefront key ' || name, secret_sealed from storefront_key
union all select 'setup_code.sealed', sealed from setup_code
union all select 'ledger_key.material_sealed', material_sealed from ledger_key where retired_at is null
union all select 'answer', decode(substr(body, 8), 'base64') from idempotency where starts_with(body, 'sealed:')`;

async function openedBy(key: string, of = env): Promise<Record<string, string>> {
  const rows = await withDatabase(of, (db) => db.query<{ place: string; sealed: Buffer | null }>(SEALED));
  const box = createSecretBox(key);
  return Object.fromEntries(rows.flatMap(({ place, sealed }) => (sealed === null ? [] : [[place, box.open(sealed)]])));
}

test("the rows that are sealed are those that this file and secrets.ts know", async () => {
  const columns = await withDatabase(env, (db) =>
    db.query(`
      select table_name || '.' || column_name as place
      from information_schema.columns
      where table_schema = current_schema() and column_name like '%sealed%'
      order by 1`),
  );
  expect(columns.map((row) => row["place"])).toEqual([
    "alert_setting.webhook_sealed",
    "api_secret_key.sealed",
    "ledger_key.material_sealed",
    "mail.content_sealed",
    "message_pace.link_key_sealed",
    "setup_code.sealed",
    "staff.totp_draft_sealed",
    "staff.totp_sealed",
    "storefront_key.secret_sealed",
    "subscription.next_secret_sealed",
    "subscription.secret_sealed",
  ]);
});

describe("a lost secret.key", () => {
  test("the start is refused and writes no other; what needs no secret works", async () => {
    await rm(keyPath());
    const { code, stderr } = await spawnPointkeeper(["start"], { ...env, PORT: "0" }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The key file \S+secret\.key is missing, .*pointkeeper secrets reset/);
    expect(existsSync(keyPath())).toBe(false);
    expect((await runCli(["verify"], env)).code).toBe(0);
    expect((await runCli(["secrets", "rotate"], env)).code).toBe(1);
    expect(existsSync(keyPath())).toBe(false);
  });

  test("secrets reset says what is lost and does nothing; with --confirm the store starts with new ones, its ledger whole", async () => {
    await rm(keyPath());
    const shown = await runCli(["secrets", "reset"], env);
    expect(shown.code).toBe(1);
    for (const what of ["API secret key", TOPIC, PERSON, "storefront key webshop", "1 stored responses", "--confirm"])
      expect(shown.stdout).toContain(what);
    expect(existsSync(keyPath())).toBe(false);

    const done = await runCli(["secrets", "reset", "--confirm"], env);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect((await stat(keyPath())).mode & 0o777).toBe(0o600);
    const made = new RegExp(`subscription ${TOPIC} {2}secret {2}(whsec_\\S+)`).exec(done.stdout)?.[1];
    const secret = /^secret {2}(\S+)$/m.exec(done.stdout)?.[1] ?? "";
    expect(await openedBy(await keyText())).toEqual({
      "api_secret_key.sealed": secret,
      "ledger_key.material_sealed": expect.stringMatching(/^pointkeeper ledger key 1\|[^|]+\|linking\|/),
      [`secret of ${TOPIC}`]: made,
    });
    expect(made).not.toBe(subscriptionSecret);

    const service = await spawnService(env);
    const balance = async (credential: { key: string; secret: string }) =>
      createClient(service.url, basic(credential)).get("/api/storefront/point_balance/c1");
    expect((await balance(CREDENTIAL)).status).toBe(401);
    expect((await balance({ ...CREDENTIAL, secret })).body.data.point_balance).toBe(7);
    await service.stop();
    expect((await runCli(["secrets", "reset", "--confirm"], env)).stdout).toMatch(/^Nothing is lost/);
    expect((await runCli(["verify"], env)).code).toBe(0);
  });

  test("a running service's folder is not reset", async () => {
    const service = await spawnService(env);
    await rm(keyPath());
    const { code, stderr } = await runCli(["secrets", "reset", "--confirm"], env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^A service is running on this data folder/)]);
    await service.stop();
  });
});

describe("secrets rotate of a key file", () => {
  test("seals everything by a new key and takes the old one away; the secrets stay", async () => {
    const old = await keyText();
    const before = await openedBy(old);
    expect(Object.keys(before)).toHaveLength(7);
    const done = await runCli(["secrets", "rotate"], env);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toMatch(/^6 stored secrets are encrypted with the new key/); // a person's two are of one row
    expect(await keyText()).not.toContain(old);
    expect((await stat(keyPath())).mode & 0o777).toBe(0o600);
    expect(await openedBy(await keyText())).toEqual(before);
  });

  test("that was killed half-way goes on with the same new key; a start in between knows both", async () => {
    const old = await keyText();
    const before = await openedBy(old);
    const next = "n".repeat(43);
    await writeFile(keyPath(), `${next}\n${old}\n`);
    await withDatabase(env, (db) =>
      db.execute("update api_secret_key set sealed = $1", [createSecretBox(next).seal(CREDENTIAL.secret)]),
    );
    const service = await spawnService(env);
    expect((await subscribe(service.url, CREDENTIAL)).body.data.secret).toBe(subscriptionSecret);
    await service.stop();
    expect((await runCli(["secrets", "rotate"], env)).stdout).toMatch(/^5 stored secrets/);
    expect(await keyText()).toBe(next);
    expect(await openedBy(next)).toEqual(before);
  });

  test("beside a running service: it follows, and the old key stays until it has settled", async () => {
    const old = await keyText();
    const service = await spawnService(env);
    const first: Finished = await runCli(["secrets", "rotate"], env);
    expect(first.stdout).toContain("run this again in a minute");
    const [next = "", ...rest] = (await keyText()).split("\n");
    expect(rest).toEqual([old]);
    expect((await subscribe(service.url, CREDENTIAL)).body.data.secret).toBe(subscriptionSecret);
    const client = createClient(service.url, basic(CREDENTIAL));
    const other = { topic: "point_balance/update", callback_url: receiver.url };
    const made = await client.post("/api/storefront/webhooks", other, { "idempotency-key": "another" });
    expect(made.status).toBe(200);
    await service.stop();
    await runCli(["secrets", "rotate"], env);
    expect(await keyText()).toBe(next);
    expect((await openedBy(next))["secret of point_balance/update"]).toBe(made.body.data.secret);
  });
});

describe("secrets rotate with POINTKEEPER_SECRET_KEY, of several nodes", () => {
  let database: TestDatabase;
  const OLD = "the old key of an external database";
  const NEW = "the new key of an external database";
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test("both keys open meanwhile, on a node that has not the new one first too; then the old one opens nothing", async () => {
    const { host, port, user, database: name } = database.connection;
    const node = (current: string, other?: string): Record<string, string> => ({
      DATABASE_URL: `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
      POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
      POINTKEEPER_API_KEY: CREDENTIAL.key,
      POINTKEEPER_API_SECRET: CREDENTIAL.secret,
      POINTKEEPER_SECRET_KEY: current,
      ...(other === undefined ? {} : { POINTKEEPER_SECRET_KEY_PREVIOUS: other }),
    });
    const before = await spawnService(node(OLD, NEW));
    const made = await subscribe(before.url, CREDENTIAL);
    expect((await runCli(["secrets", "rotate"], node(NEW))).code).toBe(1);
    const after = await spawnService(node(NEW, OLD));
    const refused = await runCli(["secrets", "rotate"], node(OLD));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("POINTKEEPER_SECRET_KEY_PREVIOUS")]);
    expect(await runCli(["secrets", "rotate"], node(NEW, OLD))).toMatchObject({ code: 0, stderr: "" });
    for (const service of [before, after]) {
      expect((await subscribe(service.url, CREDENTIAL)).body).toEqual(made.body);
      await service.stop();
    }
    expect((await openedBy(NEW, node(NEW)))[`secret of ${TOPIC}`]).toBe(made.body.data.secret);
    const stale = await spawnPointkeeper(["start"], { ...node(OLD), PORT: "0" }).ended;
    expect(stale.code).toBe(1);
    expect(stale.stderr).toMatch(/^The secret key does not open the secrets stored in the database/);
  });
});
