import { join } from "node:path";
import { startEmbeddedServer } from "../../src/db/embedded/start-embedded-server.ts";
import { openPool } from "../../src/db/pool.ts";
import { makeFolder, runCli } from "../support/service-process.ts";
import { startBalancer } from "./lines.ts";
import { BASE_ENV, type DrillResult, startNodes } from "./nodes.ts";
import { startTraffic } from "./traffic.ts";

export interface RollingOptions {
  /** How often each of the two nodes is restarted. */
  readonly restarts: number;
  /** Requests that are acknowledged before, between and after the restarts. */
  readonly requests: number;
  readonly seed: number;
  readonly root?: string;
}

const NODES = 2;
const DRAIN_SECONDS = 2;

/** Two nodes behind a balancer, under load, restarted one after the other as an upgrade does. */
export async function drillRollingRestart({ restarts, requests, seed, root }: RollingOptions): Promise<DrillResult> {
  const folder = await makeFolder(root);
  const server = await startEmbeddedServer({ dataDir: join(folder.path, "data") });
  const db = openPool({ connection: server.connection, connectionsMax: 3 });
  const { host, port, user, database } = server.connection;
  const env = {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_DRAIN_SECONDS: String(DRAIN_SECONDS),
  };
  const nodes = await startNodes(folder.path, NODES, env);
  const balancer = await startBalancer(nodes.urls);
  const traffic = await startTraffic(balancer.url, folder.path, seed);
  try {
    await traffic.more(requests);
    for (let n = 0; n < restarts * NODES; n++) {
      balancer.replace(n % NODES, await nodes.restart(n % NODES));
      await traffic.more(requests);
    }
    await traffic.end();
    const findings = await traffic.audit({ db, command: (...args) => runCli(args, { ...BASE_ENV, ...env }) }, true);
    const fared = traffic.fared();
    const refused = fared.errors + fared.unanswered;
    return {
      drill: `rolling restart, ${restarts * NODES} restarts of two nodes, \`POINTKEEPER_DRAIN_SECONDS=${DRAIN_SECONDS}\``,
      ...fared,
      lost: findings.lost,
      doubled: findings.doubled,
      invented: findings.phantom,
      isVerified: findings.unverified === 0,
      note: "",
      faults: [...findings.details, ...(refused > 0 ? [`${refused} requests were not served`] : [])],
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
