import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { makeFolder, makeUsedData, runCli, spawnPointkeeper } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

// The command without a service, and the database that it starts, killed again and again: each member once, to the point.

const MEMBERS = 1_800;
/** How far the import is when it is killed, in each of its parts. The next process waits a minute, until the lease is over. */
const KILLED_WHEN = [
  "select count(*) >= 600 as holds from customer where email like '%@kill.example'",
  "select count(*) >= 300 as holds from allotment where type = 'csv'",
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
  const path = join(folder.path, "members.csv");
  const members = Array.from({ length: MEMBERS }, (_, i) => i);
  const rows = members.map((i) => `${i},m${i}@kill.example,Member ${i},${pointsOf(i)},2031-03-31`);
  await writeFile(path, `${["id,email,name,points_approved,points_expire_at", ...rows].join("\n")}\n`);
  const args = ["import", path, "--from", "loyaltylion", "--yes", "--json"];

  for (const moment of KILLED_WHEN) expect((await killedWhen(moment)).code, moment).toBe(null);
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

  async function killedWhen(moment: string) {
    const { child, ended } = spawnPointkeeper(args, env);
    let isOver = false;
    const finished = ended.finally(() => {
      isOver = true;
    });
    const look = lookInto(env.POINTKEEPER_DATA_DIR);
    await waitUntil(async () => isOver || (await look.holds(moment)), PATIENCE_MS, LOOK_EVERY_MS);
    child.kill("SIGKILL");
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

/** Queries the database that the command started, which may not be up yet: for a minute and more, so over one connection. */
function lookInto(dataDir: string): { holds(moment: string): Promise<boolean>; end(): Promise<void> } {
  let connected: pg.Client | undefined;
  async function connect(): Promise<pg.Client> {
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
  async function end(): Promise<void> {
    await connected?.end().catch(() => {});
    connected = undefined;
  }
  return {
    async holds(moment) {
      try {
        connected ??= await connect();
        const { rows } = await connected.query<{ holds: boolean }>(moment);
        return rows[0]?.holds === true;
      } catch {
        await end();
        return false;
      }
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
