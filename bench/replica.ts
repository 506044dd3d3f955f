import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import type pg from "pg";
import { startReplicatedDatabase } from "../test/support/standby.ts";
import { cpuOf, type Running, spawnServer } from "./processes.ts";
import { runLoad } from "./run-load.ts";
import { scenariosOf } from "./scenarios.ts";
import { seedCustomers } from "./seed-customers.ts";
import { AUTHORIZATION, say, serviceEnv } from "./with-bench-deps.ts";

/**
 * Measures how much work a replica takes from the primary, and its own cost: the processor time of pages of the store's list, read alternately from
 * the primary and from a streaming standby, and the standby's cost per award for following. Linux only.
 * `node bench/replica.ts [--pages 800] [--rounds 3] [--awards 16000]`
 */
const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "800" },
    rounds: { type: "string", default: "3" },
    awards: { type: "string", default: "16000" },
  },
});
const CUSTOMERS = 10_000;
const READERS = 8;
const WARM_UP = 80;
const TICK_US = 10_000;
const PATHS = ["?per_page=50&direction=desc", "?per_page=250&page=20"];

const servers = await startReplicatedDatabase();
const standbyDir = String(servers.standby.host);
const primaryDir = dirname(String(servers.primary.connection.host));
const running: Running[] = [];
try {
  await seedCustomers(servers.primary.owner, CUSTOMERS);
  const env = serviceEnv(dirname(standbyDir), {
    DATABASE_URL: urlOf(servers.primary.connection),
    POINTKEEPER_SECRET_KEY: "a secret key of the bench, 0123456789",
    POINTKEEPER_DRAIN_SECONDS: "0",
  });
  const plain = await spawnServer(env);
  running.push(plain);
  const replicated = await spawnServer({ ...env, DATABASE_REPLICA_URL: urlOf(servers.standby) });
  running.push(replicated);
  await measureFollowing(plain.url);
  say("| page of the list | read from | answered by the replica | node, us | primary, us | standby, us |");
  say("|---|---|---|---|---|---|");
  for (const path of PATHS) {
    for (let round = 0; round < Number(values.rounds); round++) {
      await measurePages("primary", plain, path);
      await measurePages("replica", replicated, path);
    }
  }
} finally {
  for (const each of running) await each.stop();
  await servers.drop();
}

function urlOf({ user, database, host, port }: pg.ClientConfig): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

/** Measures what awards cost the standby: its processes that receive and replay. */
async function measureFollowing(url: string): Promise<void> {
  const scenario = scenariosOf(CUSTOMERS).find(({ name }) => name === "awards, 128, spread");
  if (scenario === undefined) throw new Error("there is no such scenario");
  const before = await followingUs();
  const { acknowledged } = await runLoad({ url, authorization: AUTHORIZATION }, scenario, Number(values.awards));
  await servers.catchUp();
  const us = ((await followingUs()) - before) / acknowledged;
  say(`following costs the standby ${us.toFixed(1)} us an award\n`);
}

async function followingUs(): Promise<number> {
  const [postmaster = ""] = (await readFile(`${standbyDir}/pg/postmaster.pid`, "utf8")).split("\n");
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8")).trim().split(" ");
  let sum = 0;
  for (const pid of children) {
    const name = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (!/ (?:startup|walreceiver) /.test(name)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    sum += (Number(user) + Number(system)) * TICK_US;
  }
  return sum;
}

async function measurePages(name: string, node: Running, path: string): Promise<void> {
  await readPages(node.url, path, WARM_UP);
  const cpu = async () => {
    const { serviceUs, databaseUs } = await cpuOf(node.child.pid ?? 0, primaryDir);
    return [serviceUs, databaseUs, (await cpuOf(node.child.pid ?? 0, standbyDir)).databaseUs];
  };
  const before = await cpu();
  const pages = Number(values.pages);
  const aged = await readPages(node.url, path, pages);
  const after = await cpu();
  const us = after.map((value, n) => ((value - (before[n] ?? 0)) / pages).toFixed(0));
  say(`| ${path} | ${name} | ${aged} of ${pages} | ${us.join(" | ")} |`);
}

/** Returns how many responses came from the replica. */
async function readPages(url: string, path: string, pages: number): Promise<number> {
  let aged = 0;
  const read = async () => {
    for (let n = 0; n < pages / READERS; n++) {
      const answer = await fetch(`${url}/api/storefront/point_allotments${path}`, {
        headers: { authorization: AUTHORIZATION },
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`a page was answered with ${answer.status}`);
      if (answer.headers.has("age")) aged++;
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  return aged;
}
