import { cp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readScheduled } from "../../../src/backup/choose-backup.ts";
import { listArchivedLog, logDirOf } from "../../../src/backup/log-archive.ts";
import type { Db } from "../../../src/db/pool.ts";
import { basic, type Client, createClient } from "../../support/client.ts";
import { makeFolder, runCli, type ServiceProcess, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { withDatabase } from "../../support/with-database.ts";

const CREDENTIAL = { key: "pk_upgrade", secret: "secret-of-the-upgrade-0123456789abcdef0123" };

// What migrations from 0083 on did, undone: this version serves such a store too, as the one before it did.
const LATER = 83;
const BEFORE_LATER = [
  "drop index tier_change_feed",
  "alter table liability_sum drop column unpriced",
  "alter table liability_book drop column unpriced_zone, drop column unpriced_at, drop column unpriced_uid",
  "alter table liability_deferral drop column is_apart",
  "drop table default_view",
  "alter table reservation drop column moved_at",
  "drop index receipt_unread",
  "alter table order_posting drop column price_minor, drop column credited_at",
  "drop index figure_customer_points",
  "alter table figure_customer drop column class_points",
  "drop table sign_in_refusal",
  "drop index audit_entry_actor_kind, audit_entry_subject_kind, attempt_receiver, acknowledgement_receiver",
  "alter table customer drop column name_reading",
  `alter table figure_customer drop column summed_version, drop column points_earned, drop column points_adjusted,
    drop column points_spent, drop column points_returned, drop column points_refunded, drop column points_expired`,
  "alter table figure_standing drop column walk_from, drop column summed_at",
  `delete from migration where number >= ${LATER}`,
];

let folder: Awaited<ReturnType<typeof makeFolder>>;
let env: Record<string, string>;
let service: ServiceProcess | undefined;
const place = (name: string) => join(folder.path, name);

beforeAll(async () => {
  folder = await makeFolder();
  env = {
    POINTKEEPER_DATA_DIR: place("data"),
    POINTKEEPER_BACKUP_DIR: place("backups"),
    POINTKEEPER_BACKUP_LOG: "1",
    POINTKEEPER_BACKUP_LOG_SECONDS: "1",
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    LOG_LEVEL: "error",
  };
});
afterAll(async () => {
  await service?.stop();
  await folder.remove();
});

function withStore<T>(settings: Record<string, string>, work: (db: Db) => Promise<T>): Promise<T> {
  return withDatabase(settings, work, { isOwner: true, as: "migration" });
}

async function award(client: Client, points: number): Promise<void> {
  const body = { customer_id: "c1", point_value: points };
  expect((await client.post("/api/storefront/point_allotments", body)).status).toBe(200);
}

async function newestMigration(): Promise<number | undefined> {
  const [row] = await withStore(env, (db) => db.query<{ n: number }>("select max(number) as n from migration"));
  return row?.n;
}

/** A moment between two awards. */
async function moment(): Promise<string> {
  await delay(50);
  const at = Temporal.Now.instant().toString();
  await delay(50);
  return at;
}

/** Restores on a machine with nothing but the secret key and the backups; returns the balance and the schema. */
async function restored(name: string, from: string, ...more: readonly string[]) {
  const settings = { POINTKEEPER_DATA_DIR: place(name), LOG_LEVEL: "error" };
  await cp(join(place("data"), "secret.key"), join(place(name), "secret.key"));
  const restore = await runCli(["restore", from, ...more], settings);
  expect(restore, restore.stderr).toMatchObject({ code: 0 });
  const verified = await runCli(["verify"], settings);
  expect(verified, verified.stderr).toMatchObject({ code: 0, stderr: "" });
  const [row] = await withStore(settings, (db) =>
    db.query<{ points: bigint; schema: number }>(
      "select (select ledger_points from balance) as points, (select max(number) from migration) as schema",
    ),
  );
  return [Number(row?.points), row?.schema];
}

test("backups of the version before, and a log across the upgrade, are restored, migrated and hold", {
  timeout: 480_000,
}, async () => {
  service = await spawnService(env);
  const schema = await newestMigration();
  let client = createClient(service.url, basic(CREDENTIAL));
  await client.put("/api/storefront/customers/c1", {});
  await award(client, 1);
  await waitUntil(async () => (await readScheduled(place("backups"))).complete.length === 1);
  for (const statement of BEFORE_LATER) await withStore(env, (db) => db.execute(statement));
  await award(client, 10);
  const before = await moment();
  await award(client, 100);
  await service.stop();
  service = await spawnService(env); // the upgrade
  client = createClient(service.url, basic(CREDENTIAL));
  await award(client, 1_000);
  const after = await moment();
  await award(client, 10_000);
  const [base] = (await readScheduled(place("backups"))).complete;
  const [segment] = await withStore(env, (db) =>
    db.query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name"),
  );
  const logDir = logDirOf(place("backups"), base?.manifest.base?.systemId ?? "");
  await waitUntil(async () => (await listArchivedLog(logDir)).some(({ name }) => name === segment?.name));

  expect(await restored("before", place("backups"), "--to", before)).toEqual([11, schema]);
  expect(await restored("after", place("backups"), "--to", after)).toEqual([1_111, schema]);
  const checked = await runCli(["backup", "verify", place("backups"), "--to", before], env);
  expect(checked, checked.stderr).toMatchObject({ code: 0 });
});
