import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listScheduled } from "../../../src/backup/choose-backup.ts";
import { listArchivedLog, logDirOf } from "../../../src/backup/log-archive.ts";
import type { Db } from "../../../src/db/pool.ts";
import { basic, createClient } from "../../support/client.ts";
import { type LoadGenerator, startLoad } from "../../support/load.ts";
import { makeFolder, runCli, type ServiceProcess, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { withDatabase } from "../../support/with-database.ts";

// The drill of docs/backup.md, word for word: load, backup, more load, kill, wipe, restore to a moment, compare with the journal.

const CREDENTIAL = { key: "pk_drill", secret: "secret-of-the-drill-0123456789abcdef012345" };
const LANES = 4;
const customers = Array.from({ length: 6 }, (_, n) => `9100${n}`);

let folder: Awaited<ReturnType<typeof makeFolder>>;
let env: Record<string, string>;
let service: ServiceProcess | undefined;
let load: LoadGenerator | undefined;

const place = (name: string) => join(folder.path, name);

beforeAll(async () => {
  folder = await makeFolder();
  const made = await runCli(["backup", "new-key", place("private.key")], {});
  const recipient = /RECIPIENTS=(age1\w+)/.exec(made.stdout)?.[1] ?? "";
  env = {
    POINTKEEPER_DATA_DIR: place("data"),
    POINTKEEPER_BACKUP_DIR: place("backups"),
    POINTKEEPER_BACKUP_LOG: "1",
    POINTKEEPER_BACKUP_LOG_SECONDS: "1",
    POINTKEEPER_BACKUP_RECIPIENTS: recipient,
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    LOG_LEVEL: "error",
  };
});
afterAll(async () => {
  load?.kill();
  service?.child.kill("SIGKILL");
  await service?.ended;
  await delay(500); // its database ends with it
  await folder.remove();
});

/** Sends awards and debits until so many are acknowledged; returns the journal of the sender. */
async function sendLoad(url: string, journal: string, count: number) {
  load = startLoad({
    url,
    authorization: basic(CREDENTIAL),
    lanes: LANES,
    keyedCustomers: customers.slice(0, 3),
    plainCustomers: customers.slice(3),
    notesPath: place(journal),
    keyPrefix: journal, // else its calls would be those of the generator before
  });
  await load.moreAcknowledged(count);
  await load.end();
  expect(load.notes().filter(({ kind }) => kind === "fault" || kind === "broken")).toEqual([]);
  return load.notes().flatMap((note) => (note.kind === "acknowledged" ? [note] : []));
}

function withStore<T>(settings: Record<string, string>, work: (db: Db) => Promise<T>): Promise<T> {
  return withDatabase(settings, work, { isOwner: true });
}

const LEDGER = `select a.uid,
  c.storefront_id as customer,
  a.point_value::integer as points,
  a.balance_after::integer as balance
from allotment a
join customer c using (bucket, customer_uid)
order by a.uid`;

const journalRows = (notes: Awaited<ReturnType<typeof sendLoad>>) =>
  notes
    .map(({ uid, customer, points, balance }) => ({ uid, customer, points, balance }))
    .sort((a, b) => (a.uid < b.uid ? -1 : 1));

/** A machine with nothing but the secret key, the backups and the private key. */
async function settingsOfNewMachine(name: string): Promise<Record<string, string>> {
  const { POINTKEEPER_BACKUP_DIR: _, POINTKEEPER_BACKUP_LOG: __, POINTKEEPER_BACKUP_LOG_SECONDS: ___, ...rest } = env;
  const dataDir = place(name);
  await cp(place("secret.key"), join(dataDir, "secret.key"));
  return { ...rest, POINTKEEPER_DATA_DIR: dataDir };
}

test("the drill: what was acknowledged is restored to a moment, to the end of the archived log, and from a logical backup", {
  timeout: 480_000,
}, async () => {
  service = await spawnService(env);
  const { url } = service;
  const client = createClient(url, basic(CREDENTIAL));
  for (const id of customers) await client.put(`/api/storefront/customers/${id}`, {});
  await waitUntil(async () => (await listScheduled(place("backups"))).length === 1);
  const [base] = await listScheduled(place("backups"));
  expect(base?.manifest).toMatchObject({ kind: "physical", isEncrypted: true });

  const first = await sendLoad(url, "journal-1", 200);
  const [logical, second] = await Promise.all([
    runCli(["backup", place("logical.tar")], env), // of a service under load
    sendLoad(url, "journal-2", 200),
  ]);
  expect(logical, logical.stderr).toMatchObject({ code: 0 });
  await delay(50);
  const moment = Temporal.Now.instant();
  await delay(50);
  const third = await sendLoad(url, "journal-3", 200);
  const logDir = logDirOf(place("backups"), base?.manifest.base?.systemId ?? "");
  const archivedUntil = await archivedAll(client, logDir);
  await expectLagSaid();
  await cp(join(place("data"), "secret.key"), place("secret.key"));
  service.child.kill("SIGKILL");
  await service.ended;
  await delay(1_000);
  await rm(place("data"), { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });

  const before = journalRows([...first, ...second]);
  const toMoment = await settingsOfNewMachine("to-moment");
  const key = ["--identity", place("private.key")];
  const restored = await runCli(["restore", place("backups"), "--to", moment.toString(), ...key], toMoment);
  expect(restored, restored.stderr).toMatchObject({ code: 0 });
  expect(await withStore(toMoment, (db) => db.query(LEDGER))).toEqual(before);
  expect(await runCli(["verify"], toMoment)).toMatchObject({ code: 0, stderr: "" });

  const toEnd = await settingsOfNewMachine("to-end");
  expect(await runCli(["restore", place("backups"), ...key], toEnd)).toMatchObject({ code: 0 });
  const rows = await withStore(toEnd, (db) => db.query<{ uid: string }>(LEDGER));
  expect(rows).toEqual(expect.arrayContaining(journalRows([...first, ...second, ...third])));
  expect(rows.map(({ uid }) => uid)).toContain(archivedUntil);

  const fromRows = await settingsOfNewMachine("from-rows");
  expect(await runCli(["restore", place("logical.tar"), ...key], fromRows)).toMatchObject({ code: 0 });
  const inBackup = await withStore(fromRows, (db) => db.query<{ uid: string }>(LEDGER));
  const uids = new Set(inBackup.map(({ uid }) => uid));
  expect(first.filter(({ uid }) => !uids.has(uid))).toEqual([]); // acknowledged before the backup began
  expect(before).toEqual(expect.arrayContaining(inBackup)); // and nothing is invented
  expect(await runCli(["verify"], fromRows)).toMatchObject({ code: 0, stderr: "" });

  const later = moment.add({ hours: 24 }).toString();
  const tooLate = await runCli(["backup", "verify", place("backups"), "--to", later, ...key], env);
  expect(tooLate).toMatchObject({ code: 1, stderr: expect.stringContaining("The archived log ends before") });
});

/** How far the archive lies behind is said in the list of backups, by the doctor and in the metrics. */
async function expectLagSaid(): Promise<void> {
  const list = await runCli(["backup", "list"], env);
  expect(list.stdout.trimEnd().split("\n").at(-1)).toMatch(/^20\S+Z {2}log {7}archived up to this time/);
  const doctor = await runCli(["doctor"], env);
  expect(doctor.stdout).toMatch(
    /the log is archived up to (\d+ min )?\d+ s ago, and [\d.]+ MB that were written are not/,
  );
  const metrics = await (await fetch(`${service?.url}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  expect(figure("pointkeeper_backup_log_behind_seconds")).toBeLessThan(300);
  expect(figure("pointkeeper_backup_log_behind_bytes")).toBeGreaterThan(0);
}

/** Sends one more award and waits until the segment of the log that holds it is in the archive. */
async function archivedAll(client: ReturnType<typeof createClient>, logDir: string): Promise<string> {
  const { body } = await client.post("/api/storefront/point_allotments", { customer_id: customers[3], point_value: 1 });
  const [segment] = await withStore(env, (db) =>
    db.query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name"),
  );
  await waitUntil(async () => (await listArchivedLog(logDir)).some(({ name }) => name === segment?.name));
  return body.data.id;
}
