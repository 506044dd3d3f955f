import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeFolder, makeUsedData, runCli, spawnPointkeeper } from "../support/service-process.ts";

// The command without a service, and the database that it starts, killed again and again: each member once, to the point.

const MEMBERS = 3_000;
const KILLS_MAX = 4;
const STEP_MS = 1_500;
const pointsOf = (i: number) => (i * 37) % 500;

test("killed in the middle and called again, the command brings in each member once, and undoes all of them", {
  timeout: 300_000,
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

  let kills = 0;
  let last = await killedAfter(STEP_MS);
  while (last.code === null && kills < KILLS_MAX) last = await killedAfter(STEP_MS * (++kills + 2));
  if (last.code === null) last = await runCli(args, env);
  expect(kills).toBeGreaterThan(0);
  expect(last.code, last.stderr).toBe(0);
  expect(last.stderr, "no kill came after the work had begun").toContain("Going on with the import of this file");

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

  async function killedAfter(ms: number) {
    const { child, ended } = spawnPointkeeper(args, env);
    const over = new AbortController();
    const killing = delay(ms, undefined, { signal: over.signal }).then(
      () => child.kill("SIGKILL"),
      () => {}, // it ended by itself
    );
    const finished = await ended;
    over.abort();
    await killing;
    return finished;
  }

  /** E-mail and points of everybody who has any row, by the command. */
  async function balances(): Promise<string[]> {
    const { code, stdout, stderr } = await runCli(["export", "balances", "-"], env);
    expect(code, stderr).toBe(0);
    return rowsWithEmail(stdout);
  }
});

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
