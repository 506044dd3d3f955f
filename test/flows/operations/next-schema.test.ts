import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../../src/db/migrate.ts";
import { MIGRATIONS_DIR, type Migration, readMigrations } from "../../../src/db/migration-files.ts";
import { EMBEDDED_ROLE } from "../../../src/db/roles/grant-service-role.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { basic, createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder, runCli, spawnService } from "../../support/service-process.ts";

const API = "/api/storefront";
const CUSTOMERS = 8;
/** What docs/upgrade.md allows the next version: all of it at once, on the tables that every request uses. */
const EXPANDED = `
alter table allotment add column channel text;
alter table balance add column rank bigint default 0 not null;
alter table lot add column channel text;
alter table customer add column nickname text, add column seen_at timestamptz;
alter table idempotency add column region text;
alter table balance add constraint balance_rank check (rank >= 0) not valid;
create table campaign (
  uid uuid primary key,
  bucket smallint not null,
  customer_uid uuid not null,
  joined_at timestamptz not null);
create function join_campaign() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger customer_joined after insert on customer
for each row execute function join_campaign();
`;
const INDEXED = `-- outside a transaction
drop index concurrently if exists allotment_channel;
create index concurrently allotment_channel on allotment (channel) where channel is not null;
alter table balance validate constraint balance_rank;
`;

describe("this version on the schema of the next one", () => {
  let service: TestService;
  let dir: string;
  beforeAll(async () => {
    service = await startTestService();
    dir = await mkdtemp(join(tmpdir(), "pointkeeper-next-"));
    await cp(MIGRATIONS_DIR, dir, { recursive: true });
    for (let i = 0; i < CUSTOMERS; i++) await service.client.put(`${API}/customers/c${i}`, {});
  });
  afterAll(async () => {
    await service.stop();
    await rm(dir, { recursive: true });
  });

  test("serves every request while it is migrated and after, and its ledger holds", async () => {
    const { client } = service;
    let isOver = false;
    let given = 0;
    const refused: string[] = [];
    const seen = (what: string, { status, text }: { status: number; text: string }) => {
      if (status >= 300) refused.push(`${what}: ${status} ${text}`);
      return status < 300;
    };
    const lane = async (n: number) => {
      for (let i = 0; !isOver; i++) {
        const id = `c${(n + i) % CUSTOMERS}`;
        const key = { "idempotency-key": `${n}-${i}` };
        const body = { customer_id: id, point_value: 3 };
        if (seen("award", await client.post(`${API}/point_allotments`, body, key))) given += 3;
        seen("customer", await client.put(`${API}/customers/${id}`, { name: `name ${i}` }));
        seen("new customer", await client.put(`${API}/customers/new-${n}-${i}`, {}));
        seen("list", await client.get(`${API}/point_allotments?per_page=20`));
        seen("ready", await client.get("/ready"));
      }
    };
    const lanes = Array.from({ length: 4 }, (_, n) => lane(n));
    const enough = async (count: number) => {
      const until = given + 3 * count;
      await expect.poll(() => given >= until, { timeout: 60_000 }).toBe(true);
    };
    await enough(20);
    await writeFile(join(dir, "9001_next.sql"), EXPANDED);
    await writeFile(join(dir, "9002_next_index.sql"), INDEXED);
    const connection = service.database.ownerConnection;
    expect(await migrate(connection, { dir, serviceRole: EMBEDDED_ROLE, lockTimeoutMs: 1_000 })).toBe(2);
    await enough(40);
    isOver = true;
    await Promise.all(lanes);

    expect(refused).toEqual([]);
    const [row] = await service.deps.db.query<{ points: bigint }>(
      "select sum(ledger_points)::bigint as points from balance",
    );
    expect(row?.points).toBe(BigInt(given));
    expect((await verifyLedger(service.deps.db, () => {}, ORDER_CHECKS)).ok).toBe(true);
  });

  test("awards and customers go on while 0075 has the lists of Growth locked", async () => {
    const { client, owner } = service;
    const statuses = await owner.tx(async (tx) => {
      await tx.execute("lock table growth_moved in access exclusive mode");
      const award = { customer_id: "c0", point_value: 3 };
      return [
        (await client.post(`${API}/point_allotments`, award)).status,
        (await client.put(`${API}/customers/locked`, { name: "a name" })).status,
        (await client.post(`${API}/point_allotments`, { customer_id: "locked", point_value: 3 })).status,
      ];
    });
    expect(statuses).toEqual([200, 201, 200]);
  });

  test("a table that this version does not know gives its role nothing and takes nothing from it", async () => {
    const [row] = await service.owner.query(
      "select has_table_privilege($1, 'allotment', 'select, insert') as own, has_table_privilege($1, 'allotment', 'update, delete') as beyond",
      [EMBEDDED_ROLE.name],
    );
    expect(row).toEqual({ own: true, beyond: false });
  });
});

describe("a release that is taken back", () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await makeFolder();
    await cp(MIGRATIONS_DIR, join(folder.path, "next"), { recursive: true });
  });
  afterAll(async () => {
    await database.drop();
    await folder.remove();
  });

  async function migrateBy(name: string, sql: string): Promise<void> {
    await writeFile(join(folder.path, "next", name), sql);
    await migrate(database.ownerConnection, { dir: join(folder.path, "next"), serviceRole: EMBEDDED_ROLE });
  }

  test("a node of this version starts on a schema that was expanded, and not on one that was contracted", async () => {
    const { host, port, user, database: name } = database.ownerConnection;
    const credential = { key: "pk_before", secret: "secret-of-the-version-before-0123456789abc" };
    const env = {
      DATABASE_URL: `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
      POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
      POINTKEEPER_API_KEY: credential.key,
      POINTKEEPER_API_SECRET: credential.secret,
    };
    await migrateBy("9001_next.sql", EXPANDED);
    const node = await spawnService(env);
    const client = createClient(node.url, basic(credential));
    await client.put(`${API}/customers/c1`, {});
    const { status } = await client.post(`${API}/point_allotments`, { customer_id: "c1", point_value: 3 });
    expect([status, (await node.stop()).code]).toEqual([200, 0]);
    expect(node.stdout()).toContain("migrated by a newer Pointkeeper");
    expect((await runCli(["verify"], env)).code).toBe(0);
    const backup = await runCli(["backup", join(folder.path, "backup")], env);
    expect([backup.code, backup.stderr]).toEqual([1, expect.stringContaining("make the backup with that version")]);

    await migrateBy(
      "9002_contracts_seals.sql",
      "-- contracts: holds without a seal, which no release since 1.2 makes\n",
    );
    await expect(spawnService(env)).rejects.toThrow("9001_next.sql, which this one does not know");
    expect((await runCli(["verify"], env)).code).toBe(5);
  });
});

/** The first migration of which docs/upgrade.md's rule is asked, and the first whose name says that it contracts. */
const FROM = 50;
const NAMED_FROM = 75;
/** What the version before this one would fail by, or wait for. A migration that contracts says so, and what it takes away. */
const CONTRACTS = [
  /\bdrop\s+(?:table|column|view|function)\b/i,
  /\brename\b/i,
  /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i,
  /\bset\s+not\s+null\b/i,
];

describe("the rule of migrations", () => {
  const contracts = (sql: string) => {
    const code = sql.replace(/--.*$/gm, "").replace(/\$\$[\s\S]*?\$\$/g, "''");
    const added = code.match(/\badd\s+column\b[^,;]*/gi) ?? [];
    const isDemanded = added.some((column) => /\bnot\s+null\b/i.test(column) && !/\bdefault\b/i.test(column));
    const isSaid = /^-- contracts: \S/m.test(sql);
    return !isSaid && (isDemanded || CONTRACTS.some((pattern) => pattern.test(code)));
  };

  test("is kept by each from the first on that it is asked of", async () => {
    const broken = (await readMigrations(MIGRATIONS_DIR))
      .filter(({ number, sql }) => number >= FROM && contracts(sql))
      .map(({ name }) => name);
    expect(broken).toEqual([]);
  });

  test("is told by the names of those that contract, by which the version before knows them", async () => {
    const isNamed = (name: string) => /^\d{4}_contracts_/.test(name);
    const wrong = (await readMigrations(MIGRATIONS_DIR))
      .filter(({ number, name, sql }) => number >= NAMED_FROM && /^-- contracts: \S/m.test(sql) !== isNamed(name))
      .map(({ name }) => name);
    expect(wrong).toEqual([]);
  });

  /** What cannot run twice: an index that is not dropped first, where half of one may be there, or anything else that is made. */
  const cannotBegin = ({ steps }: Pick<Migration, "steps">) =>
    (steps ?? []).filter((step, i) => {
      const index = /^create (?:unique )?index concurrently (\w+) on /.exec(step)?.[1];
      const isIndex = index !== undefined && steps?.[i - 1] === `drop index concurrently if exists ${index}`;
      return (
        !isIndex && !/^(?:drop index concurrently if exists \w+|alter table \w+ validate constraint \w+)$/.test(step)
      );
    });

  test("lets one outside a transaction, which a crash leaves half done, begin again", async () => {
    const outside = (await readMigrations(MIGRATIONS_DIR)).filter(({ steps }) => steps !== null);
    expect(outside.length).toBeGreaterThan(0);
    expect(outside.flatMap(cannotBegin)).toEqual([]);
    const steps = [
      "create index concurrently lot_x on lot (x)",
      "alter table lot add constraint y check (x > 0) not valid",
    ];
    expect(cannotBegin({ steps })).toEqual(steps);
  });

  test.for([
    ["alter table lot drop column origin;", false],
    ["drop table lot;", false],
    ["alter table lot rename column origin to source;", false],
    ["alter table lot alter column part type bigint;", false],
    ["alter table lot alter column origin set not null;", false],
    ["alter table lot add column x text not null;", false],
    ["alter table lot add column x text not null default '';", true],
    ["alter table lot add column x bigint default 0 not null;", true],
    ["alter table lot add column x text, add column y text;", true],
    ["create table t (x text not null);", true],
    ["-- contracts: nobody reads it since 1.2\nalter table lot drop column origin;", true],
    ["drop index concurrently if exists lot_x;", true],
    [EXPANDED, true],
  ] as const)("%s", ([sql, isAllowed]) => {
    expect(contracts(sql)).toBe(!isAllowed);
  });
});
