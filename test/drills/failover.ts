import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { type Db, openPool } from "../../src/db/pool.ts";
import { makeFolder, runCli } from "../support/service-process.ts";
import { followPrimary, makeReplicatedFolders, type PlainServer, plainServer } from "../support/standby.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { Findings } from "../torture/audit.ts";
import { type Line, openLine, startBalancer } from "./lines.ts";
import { BASE_ENV, type DrillResult, startNodes } from "./nodes.ts";
import { type Fared, startTraffic } from "./traffic.ts";

export interface FailoverOptions {
  /** `synchronous`: COMMIT waits for the standby. `asynchronous`: it does not, and the standby has been cut off for a while before. */
  readonly mode: "synchronous" | "asynchronous";
  /** Requests that are acknowledged before the primary is lost, and after. */
  readonly requests: number;
  /** Requests that are acknowledged, in the asynchronous mode, while the standby hears nothing, before the primary is lost. */
  readonly unheard: number;
  readonly seed: number;
  readonly root?: string;
}

const STREAMING = "select state, sync_state from pg_stat_replication";
/** Acknowledged just before the cut, and not sent to the standby yet. */
const IN_FLIGHT = 50;
const STANDBY_SETTING = "synchronous_standby_names = '*'\n";

interface Pair {
  readonly primary: PlainServer;
  readonly standby: PlainServer;
  /** The address that the nodes know. */
  readonly address: Line;
  /** By which the standby hears of the primary. */
  readonly replication: Line;
  stop(): Promise<void>;
}

const socketOf = ({ connection: { host, port } }: PlainServer) => `${host}/.s.PGSQL.${port}`;

async function startPair(folder: string, isSynchronous: boolean): Promise<Pair> {
  const { primaryDir, standbyDir } = await makeReplicatedFolders(folder);
  if (isSynchronous) await appendFile(join(primaryDir, "pg", "postgresql.auto.conf"), STANDBY_SETTING);
  const primary = plainServer(primaryDir);
  const standby = plainServer(standbyDir);
  const replication = await openLine(socketOf(primary), join(folder, ".s.PGSQL.5433"));
  await followPrimary(standbyDir, `host=${folder} port=5433`);
  await primary.start();
  await standby.start();
  await waitUntil(async () => {
    const [row] = await primary.run(STREAMING);
    return row?.["state"] === "streaming" && (row["sync_state"] === "sync") === isSynchronous;
  });
  const address = await openLine(socketOf(primary));
  return {
    primary,
    standby,
    address,
    replication,
    async stop() {
      await address.close();
      await replication.close();
      await standby.stop();
      await primary.start(); // alone, so that it removes the memory that it shared
      await primary.stop();
    },
  };
}

/**
 * Two nodes behind a balancer, under load, over a primary that is lost: its standby is promoted, and the address of the
 * database leads there. What was acknowledged is held beside the ledger of the new primary.
 */
export async function drillFailover(options: FailoverOptions): Promise<DrillResult> {
  const isSynchronous = options.mode === "synchronous";
  const folder = await makeFolder(options.root);
  const pair = await startPair(folder.path, isSynchronous);
  const { user, database } = pair.primary.connection;
  const env = {
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${pair.address.port}/${database}`,
    POINTKEEPER_DATABASE_WAIT_SECONDS: "60",
  };
  const nodes = await startNodes(folder.path, 2, env);
  const balancer = await startBalancer(nodes.urls);
  const traffic = await startTraffic(balancer.url, folder.path, options.seed);
  let db: Db | undefined;
  try {
    await traffic.more(options.requests);
    const atCut = traffic.fared().acknowledged;
    if (!isSynchronous) {
      pair.replication.leadTo(null);
      await traffic.more(options.unheard);
    }
    await losePrimary(pair);
    const unheard = traffic.fared().acknowledged - atCut;
    const lostMs = performance.now();
    await pair.standby.run("select pg_promote(true, 30)");
    pair.address.leadTo(socketOf(pair.standby));
    const promotedMs = performance.now() - lostMs;
    await traffic.more(options.requests);
    await traffic.end();
    db = openPool({ connection: pair.standby.connection, connectionsMax: 3 });
    const command = (...args: string[]) => runCli(args, { ...BASE_ENV, ...env });
    const findings = await traffic.audit({ db, command }, true);
    return resultOf(options, { findings, fared: traffic.fared(), promotedMs, unheard });
  } finally {
    await traffic.close();
    await balancer.close();
    await nodes.end();
    await db?.close();
    await pair.stop();
    await folder.remove();
  }
}

/** The machine of the primary is gone: its processes and its address, and the standby hears nothing of it any more. */
async function losePrimary({ primary, address, replication }: Pair): Promise<void> {
  const killed = primary.kill();
  address.leadTo(null);
  await killed;
  replication.leadTo(null);
}

function resultOf(
  { mode }: Pick<FailoverOptions, "mode">,
  {
    findings,
    fared,
    promotedMs,
    unheard,
  }: {
    readonly findings: Findings;
    readonly fared: Fared;
    readonly promotedMs: number;
    /** Acknowledged after the standby was cut off. */
    readonly unheard: number;
  },
): DrillResult {
  const isSynchronous = mode === "synchronous";
  const promoted = `promoted after ${(promotedMs / 1_000).toFixed(1)} s`;
  const lostMax = isSynchronous ? 0 : unheard + IN_FLIGHT;
  return {
    drill: isSynchronous
      ? "failover to a standby, `synchronous_standby_names` set"
      : "failover to an asynchronous standby that had been cut off",
    ...fared,
    lost: findings.lost,
    doubled: findings.doubled,
    invented: findings.phantom,
    isVerified: findings.unverified === 0,
    note: isSynchronous ? promoted : `${promoted}; ${unheard} were acknowledged that it did not hear of`,
    faults: [
      ...(findings.lost > lostMax ? [`${findings.lost} lost, of ${unheard} that the standby did not hear of`] : []),
      ...(isSynchronous ? findings.details : []),
      ...(findings.doubled > 0 ? [`doubled: ${findings.doubled}`] : []),
      ...(findings.unverified > 0 ? ["verify found something"] : []),
    ],
  };
}
