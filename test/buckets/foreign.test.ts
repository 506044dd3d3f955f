import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ObjectStoreAccess } from "../../src/object-store/object-place.ts";
import type { ObjectStore } from "../../src/object-store/open-object-store.ts";
import { openPlace } from "../../src/object-store/open-place.ts";
import { freePort } from "../support/free-port.ts";
import { makeFolder, runCli, spawnService } from "../support/service-process.ts";
import { waitUntil } from "../support/wait-until.ts";

const BUCKET = "of-the-tests";
const KEY = { accessKeyId: "AKIDOFTHETESTS", secretAccessKey: "secret/of+the=tests" };
const REGION = "us-east-1";

interface Foreign {
  readonly name: string;
  readonly isSigned: boolean;
  start(port: number, folder: string): ChildProcess;
}

const SERVERS: readonly Foreign[] = [
  {
    name: "versitygw",
    isSigned: true,
    start(port, folder) {
      mkdirSync(join(folder, BUCKET));
      const keys = ["--access", KEY.accessKeyId, "--secret", KEY.secretAccessKey, "--region", REGION];
      return spawn("versitygw", ["--port", `127.0.0.1:${port}`, ...keys, "posix", folder], { stdio: "ignore" });
    },
  },
  {
    name: "moto_server",
    isSigned: false,
    start: (port) => spawn("moto_server", ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" }),
  },
];

const installed = SERVERS.filter(({ name }) => spawnSync("which", [name]).status === 0);

test("a server of another maker is installed", () => {
  expect(installed.map(({ name }) => name)).not.toEqual([]);
});

describe.each(installed)("$name", (server) => {
  const folder = mkdtempSync(join(tmpdir(), "pointkeeper-buckets-"));
  let child: ChildProcess;
  let access: ObjectStoreAccess;
  let objects: ObjectStore;

  beforeAll(async () => {
    const port = await freePort();
    child = server.start(port, folder);
    access = { ...KEY, endpoint: `http://127.0.0.1:${port}`, region: REGION, sessionToken: null };
    await waitUntil(
      () =>
        fetch(access.endpoint ?? "").then(
          () => true,
          () => false,
        ),
      60_000,
    );
    if (!server.isSigned) await fetch(`${access.endpoint}/${BUCKET}`, { method: "PUT" });
    objects = openPlace(`s3://${BUCKET}/a/b`, access);
  });
  afterAll(() => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test("objects are put once, read, listed page by page, and removed", async () => {
    const names = Array.from({ length: 1_203 }, (_, n) => `f/${String(n).padStart(5, "0")}`);
    for (let n = 0; n < names.length; n += 50)
      await Promise.all(names.slice(n, n + 50).map((name) => objects.put(name, Buffer.from(name))));
    expect((await objects.list("f/")).map(({ name }) => name).sort()).toEqual(names);
    expect(await objects.names("")).toEqual(["f"]);
    expect((await objects.get("f/00007", 100))?.toString()).toBe("f/00007");
    expect(await objects.get("f/none", 100)).toBeNull();
    await expect(objects.get("f/00007", 3)).rejects.toThrow("longer than 3 bytes");
    await expect(objects.put("f/00007", Buffer.from("other"))).rejects.toThrow("is there already");
    await objects.put("f/00007", Buffer.from("f/00007")); // the same again: a try whose answer was lost
    await objects.replace("f/00007", Buffer.from("other"));
    expect((await objects.get("f/00007", 100))?.toString()).toBe("other");
    await objects.remove([...names.slice(0, 60), "f/none"]);
    expect(await objects.list("f/0000")).toEqual([]);
    await expect(openPlace("s3://no-such-bucket/x", access).list("")).rejects.toThrow("NoSuchBucket");
  });

  test("a large object goes and comes back", async () => {
    const bytes = Buffer.alloc(20 * 2 ** 20, "0123456789abcdef");
    await objects.put("large", bytes);
    expect((await objects.get("large", bytes.length))?.equals(bytes)).toBe(true);
  });

  test("another secret is refused where signatures are checked", async () => {
    const other = openPlace(`s3://${BUCKET}/a/b`, { ...access, secretAccessKey: "another" });
    if (server.isSigned) await expect(other.list("")).rejects.toThrow(/403, SignatureDoesNotMatch/);
    else expect(await other.list("none")).toEqual([]);
  });

  test("the commands back up, verify and restore", { timeout: 240_000 }, async () => {
    const place = await makeFolder();
    const env = {
      POINTKEEPER_DATA_DIR: join(place.path, "data"),
      AWS_ENDPOINT_URL: access.endpoint ?? "",
      AWS_ACCESS_KEY_ID: KEY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey,
    };
    try {
      const service = await spawnService({ ...env, LOG_LEVEL: "error" });
      service.child.kill("SIGTERM");
      await service.ended;
      for (const kind of [[], ["--physical"]]) {
        const to = `s3://${BUCKET}/by-hand/${kind.length}`;
        const made = await runCli(["backup", to, ...kind], env);
        expect(made, made.stderr).toMatchObject({ code: 0 });
        const verified = await runCli(["backup", "verify", to], env);
        expect(verified, verified.stderr).toMatchObject({ code: 0 });
      }
    } finally {
      await place.remove();
    }
  });
});
