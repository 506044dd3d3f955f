import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EmbeddedServerError } from "../../../src/db/embedded/embedded-server-error.ts";
import { shutDownServer } from "../../../src/db/embedded/shut-down-server.ts";
import { type EmbeddedServer, startEmbeddedServer } from "../../../src/db/embedded/start-embedded-server.ts";
import { type ServerUser, startServerUser } from "../../support/server-user.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** A data folder whose server ran and was stopped: `initdb` takes long, and one test of it is enough. */
let pristine: string;
let folder: string;
let dataDir: string;
let servers: EmbeddedServer[];
let users: ServerUser[];

beforeAll(async () => {
  pristine = await mkdtemp(join(tmpdir(), "pointkeeper-pristine-"));
  await (await startEmbeddedServer({ dataDir: pristine })).stop();
});

afterAll(() => rm(pristine, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pointkeeper-flow-"));
  dataDir = join(folder, "data");
  servers = [];
  users = [];
});

async function usePristine(): Promise<void> {
  await cp(pristine, dataDir, { recursive: true });
}

afterEach(async () => {
  await Promise.all(users.map((user) => user.end("SIGTERM")));
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function start(dir = dataDir, options: { archiveSeconds?: number } = {}): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer({ dataDir: dir, ...options });
  servers.push(server);
  return server;
}

function startUser(kind: "service" | "command"): ServerUser {
  const user = startServerUser(dataDir, kind);
  users.push(user);
  return user;
}

async function query(server: EmbeddedServer, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(server.connection);
  client.on("error", () => {}); // a server killed on purpose
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows;
  } finally {
    await client.end();
  }
}

async function isAlive(pid: number | undefined): Promise<boolean> {
  try {
    process.kill(pid ?? 0, 0);
  } catch {
    return false;
  }
  if (!existsSync("/proc/self")) return true; // macOS has no /proc
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z "); // gone since, as a zombie is once it was waited for
  return !state.includes(") Z ");
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbeddedServerError);
  return String(error);
}

describe("starting and stopping", () => {
  test("a stopped server leaves no process, and the next start has the data", async () => {
    await usePristine();
    const first = await start();
    await query(first, "create table kept as select 42 as n");
    const pid = first.pid();
    await first.stop();
    await waitUntil(async () => !(await isAlive(pid))); // its memory is gone; the kernel takes the process away in a moment
    expect(await query(await start(), "select n from kept")).toEqual([{ n: 42 }]);
  });

  test("one that hangs as it is shut down is ended, and nothing is lost", async () => {
    await usePristine();
    const first = await start();
    await query(first, "create table kept as select 42 as n");
    await first.stop();
    const user = startUser("command");
    const pid = await user.ready;
    const [checkpointer] = await query(first, "select pid from pg_stat_activity where backend_type = 'checkpointer'");
    await user.end("SIGKILL"); // the server of a command lives on
    process.kill(Number(checkpointer?.["pid"]), "SIGSTOP"); // a fast shutdown waits for it
    const warnings: string[] = [];
    const log = { ...console, warn: (_: object, text: string) => warnings.push(text) };
    await shutDownServer({ pgDir: join(dataDir, "pg"), log }, { pid, socketDir: folder }, 300);
    expect(warnings).toEqual(["the embedded database does not stop: it is shut down without a checkpoint"]);
    await waitUntil(async () => !(await isAlive(pid))); // a process that ends is no server any more, and is there for a moment
    expect(await query(await start(), "select n from kept")).toEqual([{ n: 42 }]);
  });

  test("reads its settings again once it is ready, where it archives: else its checkpointer may sleep through archive_timeout", async () => {
    await usePristine();
    const server = await start(dataDir, { archiveSeconds: 1 });
    const isRead = "select pg_conf_load_time() > pg_postmaster_start_time() as again";
    await waitUntil(async () => (await query(server, isRead))[0]?.["again"] === true);
  });

  test("is durable, checked, and reached by nobody else", async () => {
    const server = await start();
    const names = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums", "listen_addresses"];
    const rows = await query(server, `select name, setting from pg_settings where name in ('${names.join("', '")}')`);
    expect(Object.fromEntries(rows.map((row) => [row["name"], row["setting"]]))).toEqual({
      fsync: "on",
      synchronous_commit: "on",
      full_page_writes: "on",
      data_checksums: "on",
      listen_addresses: "",
    });
    for (const dir of [dataDir, join(dataDir, "pg"), String(server.connection.host)]) {
      expect((await stat(dir)).mode & 0o777).toBe(0o700);
    }
  });

  test("its log tells of no statement and of no value that a statement carried", async () => {
    await usePristine();
    const server = await start();
    await query(server, "create table person (email text primary key, born date, age int check (age < 200))");
    const insert = (values: string) => query(server, `insert into person values (${values})`).catch(() => []);
    await insert("'known@store.example', null, 1");
    await insert("'known@store.example', null, 1"); // duplicate key: its detail names the value
    await insert("'checked@store.example', null, 300"); // a check: its detail has the whole row
    await insert("'cast@store.example'::date::text, null, 1"); // a cast: its message has the value
    await query(server, "do $$ begin raise warning 'warned@store.example'; end $$");
    await server.stop();
    expect(await readFile(join(dataDir, "postgres.log"), "utf8")).not.toContain("store.example");
    expect(await readFile(join(dataDir, "postgres.log"), "utf8")).toContain("shut down");
  });

  test("sorts by bytes and sees the trigrams of Japanese", async () => {
    await usePristine();
    const server = await start();
    await query(server, "create extension pg_trgm");
    expect(await query(server, "select cardinality(show_trgm('東京都')) > 0 as sees, 'Z' < 'a' as by_bytes")).toEqual([
      { sees: true, by_bytes: true },
    ]);
  });

  test.each([
    ["too deep for a socket's path", join("deep".repeat(20), "deeper".repeat(20))],
    ["whose name has spaces, quotes and commas", `a "b", c'd`],
  ])("a folder %s works", async (_, name) => {
    dataDir = join(folder, name);
    await usePristine();
    const server = await start();
    expect(Buffer.byteLength(String(server.connection.host))).toBeLessThan(93);
    expect(await query(server, "select 1 as n")).toEqual([{ n: 1 }]);
  });
});

describe("users of one folder", () => {
  test("first starts at once end with one server, which the last user stops", async () => {
    const [first, second] = [startUser("command"), startUser("command")];
    const pid = await first.ready;
    expect(await second.ready).toBe(pid);
    await first.end("SIGTERM");
    expect(await isAlive(pid)).toBe(true);
    await second.end("SIGTERM");
    await waitUntil(async () => !(await isAlive(pid)));
  });

  test("a command's server serves the service after the command ended", async () => {
    await usePristine();
    const command = startUser("command");
    const pid = await command.ready;
    const server = await start();
    expect(server.pid()).toBe(pid);
    await command.end("SIGTERM");
    expect(await query(server, "select 1 as n")).toEqual([{ n: 1 }]);
  });

  test("a second service is refused and leaves the first one alone", async () => {
    await usePristine();
    const first = await start();
    await first.claimService();
    const second = startUser("service");
    await expect(second.ready).rejects.toThrow(`Another Pointkeeper service already uses ${dataDir}`);
    expect(await second.ended).toBe(1);
    expect(await query(first, "select 1 as n")).toEqual([{ n: 1 }]);
  });
});

describe("after kill -9", () => {
  test("of the service: the next service starts and has the data", async () => {
    await usePristine();
    const killed = startUser("service");
    await killed.ready;
    const observer = await start();
    await query(observer, "create table kept as select 7 as n");
    await killed.end("SIGKILL");
    await observer.stop();
    const next = await start();
    await next.claimService();
    expect(await query(next, "select n from kept")).toEqual([{ n: 7 }]);
  });

  test("of a command: its server is found and used, never started twice", async () => {
    await usePristine();
    const killed = startUser("command");
    const pid = await killed.ready;
    await killed.end("SIGKILL");
    const server = await start();
    expect(server.pid()).toBe(pid);
    await server.stop();
    await waitUntil(async () => !(await isAlive(pid)));
  });

  test("of the server: it is started again, with every committed row", async () => {
    await usePristine();
    const server = await start();
    await server.claimService();
    await query(server, "create table kept as select 1 as n");
    const pid = server.pid() ?? 0;
    process.kill(pid, "SIGKILL");
    await waitUntil(() => server.pid() !== undefined && server.pid() !== pid);
    expect(await query(server, "select n from kept")).toEqual([{ n: 1 }]);
    const second = startUser("service");
    await expect(second.ready).rejects.toThrow("Another Pointkeeper service");
  });

  test("of the server and the service at once: the next start recovers", async () => {
    await usePristine();
    const service = startUser("service");
    const pid = await service.ready;
    process.kill(pid, "SIGKILL");
    await service.end("SIGKILL");
    expect(await query(await start(), "select 1 as n")).toEqual([{ n: 1 }]);
  });

  test("a pid file that names another living process is not believed", async () => {
    await usePristine();
    const first = await start();
    const file = join(dataDir, "pg", "postmaster.pid");
    const text = await readFile(file, "utf8");
    await first.stop();
    await writeFile(file, text.replace(/^\d+/, String(process.pid)));
    expect(await query(await start(), "select 1 as n")).toEqual([{ n: 1 }]);
  });

  test("what a killed first start left is removed", async () => {
    const left = join(dataDir, "pg.new-4194305-00000000"); // beyond the highest pid
    await mkdir(left, { recursive: true });
    await writeFile(join(left, "PG_VERSION"), "18\n");
    await start();
    await expect(stat(left)).rejects.toThrow("ENOENT");
  });
});

describe("folders that cannot be used", () => {
  test.each<[what: string, damage: (file: (...path: string[]) => string) => Promise<void>, words: RegExp]>([
    [
      "one of a newer PostgreSQL",
      (file) => writeFile(file("PG_VERSION"), "19\n"),
      / by PostgreSQL 19; .* brings PostgreSQL 18/,
    ],
    ["a broken one: the server's own words are quoted", (file) => rm(file("global", "1262")), /ends with:\n.*FATAL/s],
    ["one whose control file is gone", (file) => rm(file("global", "pg_control")), /is not a whole database/],
  ])("%s", async (_, damage, words) => {
    await usePristine();
    await damage((...path) => join(dataDir, "pg", ...path));
    expect(await refusalOf(start())).toMatch(words);
  });

  test("one with files and no PG_VERSION, which stay untouched", async () => {
    await mkdir(join(dataDir, "pg"), { recursive: true });
    await writeFile(join(dataDir, "pg", "precious"), "kept");
    expect(await refusalOf(start())).toContain("is not a whole database");
    expect(await readFile(join(dataDir, "pg", "precious"), "utf8")).toBe("kept");
  });

  test("a file in the folder's place", async () => {
    await writeFile(dataDir, "");
    expect(await refusalOf(start())).toContain("POINTKEEPER_DATA_DIR");
  });
});
