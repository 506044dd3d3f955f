import { join } from "node:path";
import { startEmbeddedServer } from "../../src/db/embedded/start-embedded-server.ts";
import { openPool } from "../../src/db/pool.ts";
import { makeFolder, runCli } from "../support/service-process.ts";
import { startBalancer } from "./lines.ts";
import { BASE_ENV, startNodes } from "./nodes.ts";
import { installVersion, lastMigration, type OlderVersion } from "./older-version.ts";
import { type Fared, startTraffic, type Traffic } from "./traffic.ts";

export interface UpgradeOptions {
  /** A tag or commit of the older version. */
  readonly from: string;
  /** Requests that are acknowledged in each step. */
  readonly requests: number;
  readonly seed: number;
  readonly root: string;
  readonly print: (line: string) => void;
}

/** What clients were answered while the store was in one state. */
export interface UpgradeStep extends Omit<Fared, "gapMs"> {
  readonly step: string;
  readonly tookMs: number;
}

export interface UpgradeResult {
  readonly older: OlderVersion;
  readonly schema: number;
  readonly steps: readonly UpgradeStep[];
  readonly lost: number;
  readonly doubled: number;
  readonly invented: number;
  readonly gapMs: number;
  readonly isVerified: boolean;
  /** Whether a node of the older version could be started on the migrated database. */
  readonly canGoBack: boolean;
  readonly faults: readonly string[];
}

const DRAIN_SECONDS = 2;

/**
 * An upgrade of a store that keeps serving: two nodes of an older version, the migrations of this one, nodes of both versions beside each
 * other, back to the older one, and this one at last; under load, held beside the journal of what was acknowledged.
 */
export async function drillUpgrade({ from, requests, seed, root, print }: UpgradeOptions): Promise<UpgradeResult> {
  const folder = await makeFolder(root);
  print(`installing ${from}`);
  const older = installVersion(from, folder.path);
  const server = await startEmbeddedServer({ dataDir: join(folder.path, "data") });
  const db = openPool({ connection: server.connection, connectionsMax: 3 });
  const { host, port, user, database } = server.connection;
  const env = {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_DRAIN_SECONDS: String(DRAIN_SECONDS),
  };
  const command = (...args: string[]) => runCli(args, { ...BASE_ENV, ...env });
  const nodes = await startNodes(folder.path, 2, env, older.root);
  const balancer = await startBalancer(nodes.urls);
  const traffic = await startTraffic(balancer.url, folder.path, seed);
  const { step, steps } = meterSteps(traffic, requests, print);
  const replace = async (index: number, of?: string) => balancer.replace(index, await nodes.restart(index, of));
  try {
    await step(`two nodes of ${older.version} (${older.commit})`, async () => {});
    await step("`pointkeeper migrate` of this version", async () => {
      const { code, stderr } = await command("migrate");
      if (code !== 0) throw new Error(`migrate ended with ${code}: ${stderr}`);
    });
    await step("one node of each version", () => replace(0));
    let canGoBack = true;
    await step("back to the older one", async () => {
      canGoBack = await startsAgain(() => replace(0, older.root));
    });
    await step("two nodes of this version", async () => {
      await replace(0);
      await replace(1);
    });
    await traffic.end();
    const findings = await traffic.audit({ db, command }, true);
    const refused = steps.filter(({ errors, unanswered }) => errors + unanswered > 0);
    return {
      older,
      schema: lastMigration(),
      steps,
      lost: findings.lost,
      doubled: findings.doubled,
      invented: findings.phantom,
      gapMs: traffic.fared().gapMs,
      isVerified: findings.unverified === 0,
      canGoBack,
      faults: [
        ...findings.details,
        ...refused.map((of) => `${of.errors + of.unanswered} requests were not served: ${of.step}`),
      ],
    };
  } finally {
    await traffic.close();
    await balancer.close();
    await nodes.end();
    await db.close();
    await server.stop();
    await folder.remove();
  }
}

/** False: the older version refuses the migrated database, and says so. The node that runs serves alone then. */
async function startsAgain(start: () => Promise<void>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    if (/used by a newer Pointkeeper/.test(String(error))) return false;
    throw error;
  }
}

/** Does a step and waits for so many more acknowledgements; notes how clients fared from its begin on. */
function meterSteps(traffic: Traffic, requests: number, print: (line: string) => void) {
  const steps: UpgradeStep[] = [];
  return {
    steps,
    async step(name: string, act: () => Promise<void>): Promise<void> {
      const before = traffic.fared();
      const startedMs = performance.now();
      await act();
      const tookMs = Math.round(performance.now() - startedMs);
      await traffic.more(requests);
      const after = traffic.fared();
      const done = {
        step: name,
        tookMs,
        acknowledged: after.acknowledged - before.acknowledged,
        errors: after.errors - before.errors,
        unanswered: after.unanswered - before.unanswered,
      };
      steps.push(done);
      print(JSON.stringify(done));
    },
  };
}
