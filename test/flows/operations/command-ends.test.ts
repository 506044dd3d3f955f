import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { createLog } from "../../../src/log.ts";
import { openDatabase } from "../../../src/start/open-database.ts";
import { type Finished, makeFolder, makeUsedData } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { withDatabase } from "../../support/with-database.ts";

const COMMAND = fileURLToPath(new URL("../../../bin/pointkeeper", import.meta.url));
let folder: Awaited<ReturnType<typeof makeFolder>>;
let used: Awaited<ReturnType<typeof makeUsedData>>;
let dataDir: string;

beforeAll(async () => {
  folder = await makeFolder();
  used = await makeUsedData({});
  dataDir = join(folder.path, "data");
  await used.copyTo(dataDir);
});
afterAll(async () => {
  await used.remove();
  await folder.remove();
});

const hasServer = () => existsSync(join(dataDir, "pg", "postmaster.pid"));

/** A balance without an allotment: verify names it before it goes on to the other checks. */
async function breakLedger(): Promise<void> {
  const broken = "insert into balance (bucket, customer_uid, ledger_points) values (0, gen_random_uuid(), 5)";
  await withDatabase({ POINTKEEPER_DATA_DIR: dataDir }, (db) => db.execute(broken));
}

/** Locks a table so that nothing can read it. Returns a function that releases it. */
async function holdTable(): Promise<() => Promise<void>> {
  const log = createLog({ level: "silent", pretty: true });
  const database = await openDatabase(readConfig({ POINTKEEPER_DATA_DIR: dataDir }), log, "migration");
  const client = new pg.Client(database.migrationConnection);
  await client.connect();
  await client.query("begin");
  await client.query("lock table reservation in access exclusive mode");
  return async () => {
    await client.end();
    await database.close();
  };
}

/** A command whose input stays open, so that `reconcile -` has its database and waits. */
function begin(args: readonly string[]) {
  const child = spawn(COMMAND, args, {
    env: { PATH: process.env["PATH"] ?? "", POINTKEEPER_DATA_DIR: dataDir },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {}); // it ends while its input is open
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const ended = new Promise<Omit<Finished, "stdout">>((resolve) =>
    child.on("exit", (code) => resolve({ code, stderr })),
  );
  return { child, ended };
}

describe("a command that is broken off leaves no database running and no stack trace", () => {
  test.each([["help"], ["program", "show"], ["jobs"]])("nobody reads what %s prints at its end", async (...args) => {
    const { child, ended } = begin(args);
    child.stdout.destroy();
    expect(await ended).toEqual({ code: 0, stderr: "" });
    expect(hasServer()).toBe(false);
  });

  test("nobody reads what verify prints on its way: it ends", async () => {
    await breakLedger();
    const { child, ended } = begin(["verify"]);
    child.stdout.destroy();
    expect(await ended).toEqual({ code: 141, stderr: "" });
    expect(hasServer()).toBe(false);
  });

  test("export schema, whose reader goes, ends too", async () => {
    const { child, ended } = begin(["export", "schema"]);
    child.stdout.destroy();
    expect(await ended).toEqual({ code: 0, stderr: "" });
  });

  test("a backup that is interrupted leaves nothing at its place", async () => {
    const place = join(folder.path, "backups");
    const letGo = await holdTable();
    const { child, ended } = begin(["backup", join(place, "copy")]);
    await waitUntil(async () => existsSync(place) && (await readdir(place)).length > 0);
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 130, stderr: "" });
    expect(await readdir(place)).toEqual([]);
    await letGo();
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s", async (signal, code) => {
    const { child, ended } = begin(["reconcile", "-"]);
    await waitUntil(hasServer);
    child.kill(signal);
    expect(await ended).toEqual({ code, stderr: "" });
    expect(hasServer()).toBe(false);
  });
});
