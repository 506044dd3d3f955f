import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { startEmbeddedServer } from "../../../src/db/embedded/start-embedded-server.ts";
import { makeFolder, makeUsedData, runCli, spawnPointkeeper } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

// The command without a service, and the database that it starts, killed again and again: each member once, to the point.

const MEMBERS = 1_800;
/** How far the import is when it is killed, in each of its parts. The next process waits a minute, until the lease is over. */
const KILLED_WHEN = {
  customer: "select count(*) >= 600 as holds from customer where email like '%@kill.example'",
  allotment: "select count(*) >= 300 as holds from allotment where type = 'csv'",
};
/**
 * Until it is killed in a table, the statements that write into that (a dozen, and four) come one after the other and take a second each: a busy machine
 * would see too late how far the import is.
 */
const SLOW_DOWN = [
  "create table killed (within text primary key)",
  `create function slow_down() returns trigger language plpgsql security definer set search_path = public as $$
  begin
    perform pg_advisory_xact_lock(1);
    if not exists (select from killed where within = tg_table_name) then perform pg_sleep(1); end if;
    return null;
  end
  $$`,
  ...Object.keys(KILLED_WHEN).map(
    (table) => `create trigger slow_down after insert on ${table} for each statement execute function slow_down()`,
  ),
];
const PATIENCE_MS = 240_000;
const LOOK_EVERY_MS = 20;
const pointsOf = (i: number) => (i * 37) % 500;

test("killed in the middle and called again, the command brings in each member once, and undoes all of them", {
  timeout: 600_000,
}, async () => {
  const folder = await makeFolder();
  const env = {
    POINTKEEPER_DATA_DIR: join(folder.path, "data"),
    POINTKEEPER_API_KEY: "pk_kill",
    POINTKEEPER_API_SECRET: "secret-of-the-killed-move-0123456789abcdef0",
  };
  const used = await makeUsedData(env);
  await used.copyTo(env.POINTKEEPER_DATA_DIR);
  await slowDown(env.POINTKEEPER_DATA_DIR);
  const path = join(folder.path, "members.csv");
  const members = Array.from({ length: MEMBERS }, (_, i) => i);
  const rows = members.map((i) => `${i},m${i}@kill.example,Member ${i},${pointsOf(i)},2031-03-31`);
  await writeFile(path, `${["id,email,name,points_approved,points_expire_at", ...rows].join("\n")}\n`);
  const args = ["import", path, "--from", "loyaltylion", "--yes", "--json"];

  for (const [table, moment] of Object.entries(KILLED_WHEN))
    expect((await killedWhen(moment, table)).code, moment).toBe(null);
  const last = await runCli(args, env);
  expect(last.code, last.stderr).toBe(0);
  expect(last.stderr).toContain("Going on with the import of this file");

  expect(await balances()).toEqual(
    members.flatMap((i) => (pointsOf(i) === 0 ? [] : [`m${i}@kill.example ${pointsOf(i)}`])).toSorted(),
  );
  expect((await runCli(args, env)).stdout).toContain("This file is in already");
  expect((await runCli(["verify"], env)).code).toBe(0);
  const undone = await runCli(["import", "--undo", JSON.parse(last.stdout).move], env);
  expect(undone.code, undone.stderr).toBe(0);
  expect(await balances()).toEqual([]);
  expect((await runCli(["verify"], env)).code).toBe(0);
  await used.remove();
  await folder.remove();

  async function killedWhen(moment: string, table: string) {
    const { child, ended } = spawnPointkeeper(args, env);
    let isOver = false;
    const finished = ended.finally(() => {
      isOver = true;
    });
    const look = lookInto(env.POINTKEEPER_DATA_DIR);
    await waitUntil(async () => isOver || (await look.holds(moment)), PATIENCE_MS, LOOK_EVERY_MS);
    child.kill("SIGKILL");
    await look.markKilled(table);
    await look.end();
    return finished;
  }

  /** E-mail and points of everybody who has any row, by the command. */
  async function balances(): Promise<string[]> {
    const { code, stdout, stderr } = await runCli(["export", "balances", "-"], env);
    expect(code, stderr).toBe(0);
    return rowsWithEmail(stdout);
  }
});

async function slowDown(dataDir: string): Promise<void> {
  const server = await startEmbeddedServer({ dataDir });
  const client = await connect(dataDir);
  for (const statement of SLOW_DOWN) await client.query(statement);
  await client.end();
  await server.stop();
}

async function connect(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: join(dataDir, "run"),
    port: 5432,
    user: "pointkeeper",
    database: "pointkeeper",
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}

interface Look {
  holds(moment: string): Promise<boolean>;
  markKilled(table: string): Promise<void>;
  end(): Promise<void>;
}

/** Queries the database that the command started, which may not be up yet: for a minute and more, so over one connection. */
function lookInto(dataDir: string): Look {
  let connected: pg.Client | undefined;
  async function end(): Promise<void> {
    await connected?.end().catch(() => {});
    connected = undefined;
  }
  return {
    async holds(moment) {
      try {
        connected ??= await connect(dataDir);
        const { rows } = await connected.query<{ holds: boolean }>(moment);
        return rows[0]?.holds === true;
      } catch {
        await end();
        return false;
      }
    },
    async markKilled(table) {
      await connected?.query("insert into killed values ($1)", [table]).catch(end); // the next one is slow then, too
    },
    end,
  };
}

function rowsWithEmail(text: string): string[] {
  const [header = "", ...lines] = text
    .replace(/^\uFEFF/, "")
    .trim()
    .split(/\r?\n/);
  const names = header.split(",");
  const [email, closing] = [names.indexOf("email"), names.indexOf("closing_balance")];
  const cells = lines.map((line) => line.split(","));
  return cells.flatMap((row) => (row[email] ? [`${row[email]} ${row[closing]}`] : [])).toSorted();
}
