import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { listScheduled } from "../../src/backup/choose-backup.ts";
import type { Db } from "../../src/db/pool.ts";
import { type Finished, makeFolder, runCli, spawnService } from "../support/service-process.ts";
import { waitUntil } from "../support/wait-until.ts";
import { withDatabase } from "../support/with-database.ts";
import type { Journal } from "../torture/journal.ts";
import { startBalancer } from "./lines.ts";
import { BASE_ENV, type DrillResult } from "./nodes.ts";
import { type Fared, startTraffic, type Traffic } from "./traffic.ts";

export interface BackupOptions {
  /** Requests that are acknowledged before, while and after. */
  readonly requests: number;
  readonly seed: number;
  readonly root?: string;
}

const LEDGER = `select n.note as mark, a.uid
from allotment a
left join allotment_note n using (bucket, customer_uid, version)`;
const LOG_SECONDS = 1;
/** The worker looks every 5 s what is to be archived, and takes a while to do it. */
const NOT_ARCHIVED_MS = (LOG_SECONDS + 5 + 10) * 1_000;
const START_MS = 120_000;

interface Store {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly traffic: Traffic;
  /** SIGKILL; its database ends too. */
  kill(): Promise<void>;
  /** A service with other settings takes the place of the one that was killed. */
  replace(env: Record<string, string>): Promise<void>;
}

/** A store with an embedded database under load, at an address that stays, until `work` is done. */
async function withLoad<T>(
  { seed, root }: BackupOptions,
  settings: (folder: string) => Record<string, string>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const folder = await makeFolder(root);
  const env = { ...BASE_ENV, POINTKEEPER_DATA_DIR: join(folder.path, "data"), ...settings(folder.path) };
  let service = await spawnService(env);
  const balancer = await startBalancer([service.url]);
  const traffic = await startTraffic(balancer.url, folder.path, seed);
  try {
    return await work({
      ...{ folder: folder.path, env, traffic },
      async kill() {
        service.child.kill("SIGKILL");
        await service.ended;
        await waitUntil(() => !existsSync(join(env.POINTKEEPER_DATA_DIR, "pg", "postmaster.pid")));
      },
      async replace(other) {
        service = await spawnService(other);
        balancer.replace(0, service.url);
      },
    });
  } finally {
    await traffic.end();
    await traffic.close();
    await balancer.close();
    service.child.kill("SIGINT");
    await service.ended;
    await folder.remove();
  }
}

/** The allotments of requests that were acknowledged, and the marks of all that were sent, by now. */
function soFar(journal: Journal) {
  const calls = [...journal.calls()];
  return {
    acknowledged: calls.flatMap(([, { outcome }]) => (outcome.kind === "acknowledged" ? [outcome.uid] : [])),
    sent: new Set(calls.map(([mark]) => mark)),
  };
}

/** What a store's ledger has: allotments by uid, and how often each mark stands in it. */
async function readLedger(env: Record<string, string>) {
  const rows = await withDatabase(env, (db: Db) => db.query<{ mark: string | null; uid: string }>(LEDGER));
  const marks = new Map<string, number>();
  for (const { mark } of rows) if (mark !== null) marks.set(mark, (marks.get(mark) ?? 0) + 1);
  return { uids: new Set(rows.map(({ uid }) => uid)), marks };
}

async function did(command: Promise<Finished>): Promise<Finished> {
  const finished = await command;
  if (finished.code !== 0) throw new Error(`${finished.stderr}${finished.stdout}`);
  return finished;
}

/** What was restored, beside what was acknowledged until some moment, and sent until a later one. */
async function compare(
  env: Record<string, string>,
  acknowledged: readonly string[],
  sent: ReadonlySet<string>,
): Promise<Pick<DrillResult, "lost" | "doubled" | "invented" | "isVerified"> & { readonly found: string[] }> {
  const { uids, marks } = await readLedger(env);
  const lost = acknowledged.filter((uid) => !uids.has(uid));
  const doubled = [...marks].filter(([, count]) => count > 1);
  const invented = [...marks.keys()].filter((mark) => /^t\d/.test(mark) && !sent.has(mark));
  const verified = await runCli(["verify"], env);
  return {
    lost: lost.length,
    doubled: doubled.length,
    invented: invented.length,
    isVerified: verified.code === 0,
    found: [
      ...doubled.map(([mark]) => `twice: ${mark}`),
      ...invented.map((mark) => `never sent by then: ${mark}`),
      ...(verified.code === 0 ? [] : [`verify: ${verified.stdout}${verified.stderr}`]),
    ],
  };
}

const since = (before: Fared, after: Fared): Fared => ({
  acknowledged: after.acknowledged - before.acknowledged,
  errors: after.errors - before.errors,
  unanswered: after.unanswered - before.unanswered,
  gapMs: after.gapMs,
});

/** A backup of a service under load, restored into another folder: it has all that was acknowledged before it began. */
export async function drillBackup(kind: "logical" | "physical", options: BackupOptions): Promise<DrillResult> {
  return withLoad(
    options,
    () => ({}),
    async ({ folder, env, traffic }) => {
      await traffic.more(options.requests);
      const before = soFar(traffic.journal);
      const counted = traffic.fared();
      const place = join(folder, "backup");
      const beganMs = performance.now();
      await did(runCli(["backup", ...(kind === "physical" ? ["--physical"] : []), place], env));
      const tookMs = performance.now() - beganMs;
      const after = soFar(traffic.journal);
      const fared = since(counted, traffic.fared());
      await traffic.more(options.requests);
      await traffic.end();
      const restored = { ...BASE_ENV, POINTKEEPER_DATA_DIR: join(folder, "restored") };
      await did(runCli(["restore", place], restored));
      const { found, ...compared } = await compare(restored, before.acknowledged, after.sent);
      const { errors, unanswered } = traffic.fared();
      return {
        drill: `${kind} backup under load, restored elsewhere`,
        ...fared,
        ...compared,
        note: `took ${(tookMs / 1_000).toFixed(1)} s; ${before.acknowledged.length} had been acknowledged before`,
        faults: [
          ...(compared.lost > 0 ? [`lost: ${compared.lost}`] : []),
          ...found,
          ...(errors + unanswered > 0 ? [`${errors + unanswered} requests were not served`] : []),
        ],
      };
    },
  );
}

/**
 * A store that archives its log is killed under load and its folder wiped. Restored to the end of the archived log it takes the place of
 * the first; a copy is restored to a moment before.
 */
export async function drillRestore(options: BackupOptions): Promise<DrillResult[]> {
  const settings = (folder: string) => ({
    POINTKEEPER_BACKUP_DIR: join(folder, "backups"),
    POINTKEEPER_BACKUP_LOG: "1",
    POINTKEEPER_BACKUP_LOG_SECONDS: String(LOG_SECONDS),
  });
  return withLoad(options, settings, async (store) => {
    const { folder, env, traffic } = store;
    await waitUntil(async () => (await listScheduled(join(folder, "backups"))).length > 0, START_MS);
    await traffic.more(options.requests);
    const atMoment = soFar(traffic.journal).acknowledged;
    await delay(1);
    const moment = Temporal.Now.instant();
    await delay(1);
    const sentByMoment = soFar(traffic.journal).sent;
    await traffic.more(options.requests);
    await delay(NOT_ARCHIVED_MS);
    await traffic.more(1);
    const killedMs = performance.now();
    await store.kill();
    await rm(env["POINTKEEPER_DATA_DIR"] ?? "", { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    const newMachine = (name: string) => ({ ...BASE_ENV, POINTKEEPER_DATA_DIR: join(folder, name) });
    const restore = (name: string, ...to: string[]) =>
      did(runCli(["restore", join(folder, "backups"), ...to], newMachine(name)));
    await restore("to-end");
    const { uids } = await readLedger(newMachine("to-end"));
    await store.replace(newMachine("to-end"));
    await traffic.more(options.requests);
    await traffic.end();
    const lostMs = [...traffic.acknowledgedAtMs].flatMap(([uid, atMs]) =>
      atMs < killedMs && !uids.has(uid) ? [killedMs - atMs] : [],
    );
    const toEnd = await heldBeside(traffic, newMachine("to-end"), Math.max(0, ...lostMs));
    const beganMs = performance.now();
    await restore("to-moment", "--to", moment.toString());
    const tookS = ((performance.now() - beganMs) / 1_000).toFixed(1);
    const { found, ...compared } = await compare(newMachine("to-moment"), atMoment, sentByMoment);
    const lost = compared.lost > 0 ? [`lost: ${compared.lost}`] : [];
    const counts = { acknowledged: atMoment.length, errors: null, unanswered: null, gapMs: null };
    const note = `took ${tookS} s; what was acknowledged after the moment is not in it, as asked`;
    return [toEnd, { drill: "restore to a moment", ...counts, ...compared, note, faults: [...lost, ...found] }];
  });
}

/** The restored store after some more load; `oldestMs`: how long before the end the first of what is lost was acknowledged. */
async function heldBeside(traffic: Traffic, env: Record<string, string>, oldestMs: number): Promise<DrillResult> {
  const command = (...args: string[]) => runCli(args, env);
  const findings = await withDatabase(env, (db) => traffic.audit({ db, command }, true));
  return {
    drill: "killed and wiped, restored to the end of the archived log",
    ...traffic.fared(),
    lost: findings.lost,
    doubled: findings.doubled,
    invented: findings.phantom,
    isVerified: findings.unverified === 0,
    note: `lost: of the last ${(oldestMs / 1_000).toFixed(1)} s (\`POINTKEEPER_BACKUP_LOG_SECONDS=${LOG_SECONDS}\`)`,
    faults: [
      ...(oldestMs > NOT_ARCHIVED_MS ? [`lost: what was acknowledged ${oldestMs} ms before the end`] : []),
      ...(findings.doubled > 0 ? [`doubled: ${findings.doubled}`] : []),
      ...(findings.unverified > 0 ? ["verify found something"] : []),
    ],
  };
}
