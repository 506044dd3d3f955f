import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { basic, createClient } from "../../support/client.ts";
import { makeFolder, makeUsedData, runCli, spawnPointkeeper, spawnService } from "../../support/service-process.ts";

let folder: Awaited<ReturnType<typeof makeFolder>>;
let env: Record<string, string>;
const CREDENTIAL = { key: "pk_flow", secret: "secret-of-the-flow-0123456789abcdef012345" };
const LONG_KEY = "a secret key of the tests, 0123456789";
const GIVEN = { POINTKEEPER_API_KEY: CREDENTIAL.key, POINTKEEPER_API_SECRET: CREDENTIAL.secret };

let used: Awaited<ReturnType<typeof makeUsedData>>;
beforeAll(async () => {
  used = await makeUsedData(GIVEN);
});
afterAll(() => used.remove());

beforeEach(async () => {
  folder = await makeFolder();
  env = { POINTKEEPER_DATA_DIR: join(folder.path, "data") };
});

/** For a test whose service starts: what is refused before needs no database, and a first start makes its own. */
const useUsed = () => used.copyTo(env["POINTKEEPER_DATA_DIR"] ?? "");

afterEach(() => folder.remove());

/** Waits until nothing listens at a URL any more. */
const closed = (url: string) =>
  expect
    .poll(() =>
      fetch(url).then(
        () => "open",
        () => "closed",
      ),
    )
    .toBe("closed");

const CLOCK = "/sandbox/clock";

describe("program.md 8: start and stop", () => {
  test("the first start without a terminal writes the credential into a file of its user, never into the log", async () => {
    env = { POINTKEEPER_DATA_DIR: join(folder.path, "new") };
    const first = await spawnService({ ...env, POINTKEEPER_PROXYS: "1", PUBLIC_URL: "https://shop.example/points" });
    expect(first.stdout()).toContain("Create the first owner at https://shop.example/points/admin with this code");
    expect(first.stdout().match(/"setting":"\w+"/g)).toEqual(['"setting":"POINTKEEPER_PROXYS"']);
    const file = join(folder.path, "new", "first-credential");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const [, key = "", secret = ""] = /key {5}(\S+)\s+secret {2}(\S+)/.exec(await readFile(file, "utf8")) ?? [];
    expect(secret).not.toBe("");
    expect(first.stdout()).not.toContain(secret);
    expect(first.stdout()).toContain(JSON.stringify(file));
    const status = async (url: string) => (await createClient(url, basic({ key, secret })).get(CLOCK)).status;
    expect(await status(first.url)).toBe(404); // known, and the sandbox is off
    expect((await stat(join(folder.path, "new", "secret.key"))).mode & 0o777).toBe(0o600);
    expect(await first.stop()).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(folder.path, "new", "pg", "postmaster.pid"))).toBe(false);

    const second = await spawnService(env);
    expect(second.stdout()).not.toContain("credential");
    expect(second.stdout()).toContain(`Create the first owner at ${second.url}/admin with this code`);
    expect(await status(second.url)).toBe(404);
    expect((await second.stop()).code).toBe(0);
  });

  test("SIGTERM finishes what is in flight", async () => {
    await useUsed();
    const service = await spawnService({ ...env, ...GIVEN, POINTKEEPER_SANDBOX: "1" });
    const sent = httpRequest(service.url + CLOCK, {
      method: "PUT",
      auth: `${CREDENTIAL.key}:${CREDENTIAL.secret}`,
      headers: { "content-type": "application/json", expect: "100-continue" },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      sent.on("response", (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on("error", reject);
    });
    const accepted = new Promise((resolve) => sent.on("continue", resolve));
    sent.flushHeaders();
    await accepted;
    service.child.kill("SIGTERM");
    await closed(service.url);
    sent.end('{"now":"2099-01-01T00:00:00Z"}');
    expect(await answered).toBe(200);
    expect((await service.ended).code).toBe(0);
  });

  test("a second signal ends it at once", async () => {
    await useUsed();
    const service = await spawnService({ ...env, ...GIVEN, POINTKEEPER_SANDBOX: "1" });
    const sent = httpRequest(service.url + CLOCK, {
      method: "PUT",
      auth: `${CREDENTIAL.key}:${CREDENTIAL.secret}`,
      headers: { expect: "100-continue" },
    });
    sent.on("error", () => {});
    const accepted = new Promise((resolve) => sent.on("continue", resolve));
    sent.flushHeaders();
    await accepted;
    service.child.kill("SIGTERM");
    await closed(service.url);
    const again = setInterval(() => service.child.kill("SIGTERM"), 100);
    expect((await service.ended).code).toBe(1);
    clearInterval(again);
  });

  test("roles: an API without worker, a command beside it", async () => {
    await useUsed();
    const service = await spawnService({ ...env, ...GIVEN }, ["--role", "api"]);
    const made = await runCli(["credentials", "create", "--name", "till", "--scopes", "admin"], env);
    const [, key = "", secret = ""] = /key {5}(\S+)\s+secret {2}(\S+)/.exec(made.stdout) ?? [];
    expect((await createClient(service.url, basic({ key, secret })).get(CLOCK)).status).toBe(404);
    expect((await runCli(["credentials", "list"], env)).stdout).toMatch(/^till +pk_\w+ +admin +active/m);
    expect(await runCli(["verify"], env)).toMatchObject({ code: 0, stderr: "" });
    expect((await createClient(service.url, null).get("/ready")).status).toBe(200);
    expect((await service.stop()).code).toBe(0);
  });

  test("a key and secret of the settings replace the stored ones", async () => {
    await useUsed();
    const before = await spawnService({ ...env, ...GIVEN });
    await before.stop();
    const other = { key: "pk_other", secret: "another-secret-0123456789abcdef0123456789" };
    const after = await spawnService({ ...env, POINTKEEPER_API_KEY: other.key, POINTKEEPER_API_SECRET: other.secret });
    expect((await createClient(after.url, basic(other)).get(CLOCK)).status).toBe(404);
    expect((await createClient(after.url, basic(CREDENTIAL)).get(CLOCK)).status).toBe(401);
    await after.stop();
  });
});

function listenLocally(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

describe("program.md 8: a start that fails says why in one line and exits with 1, or 3 where the database is away", () => {
  test.each([
    [{ PORT: "high" }, /^PORT must be a number/],
    [{ POINTKEEPER_SECOND_PERSON_DAYS: "soon" }, /^POINTKEEPER_SECOND_PERSON_DAYS must be a number from 0 to 365/],
    [{ POINTKEEPER_REQUIRE_TOTP: "owner, boss" }, /^POINTKEEPER_REQUIRE_TOTP names roles, .*not "boss"/],
    [{ POINTKEEPER_SANDBOX: "maybe" }, /^POINTKEEPER_SANDBOX must be 1 or 0/],
    [{ DATABASE_URL: "postgres://127.0.0.1:1/none" }, /^POINTKEEPER_SECRET_KEY must be set/],
    [
      {
        DATABASE_URL: "postgres://127.0.0.1:1/none",
        POINTKEEPER_SECRET_KEY: LONG_KEY,
        POINTKEEPER_DATABASE_WAIT_SECONDS: "1",
      },
      /^The database cannot be used/,
    ],
    [
      { POINTKEEPER_API_SECRET: "a" },
      /^POINTKEEPER_API_SECRET must have at least 32 characters, not 1\. .*openssl.*node -e/,
    ],
    [{ POINTKEEPER_API_SECRET: "x".repeat(31) }, /^POINTKEEPER_API_SECRET must have at least 32 characters/],
    [{ POINTKEEPER_SECRET_KEY: "a key for tests" }, /^POINTKEEPER_SECRET_KEY must have at least 32 characters, not 15/],
    [{ LOG_LEVEL: "verbose" }, /^LOG_LEVEL must be one of debug, info, warn, error, silent/],
    [{ POINTKEEPER_DRAIN_SECONDS: "soon" }, /^POINTKEEPER_DRAIN_SECONDS must be a number of seconds/],
  ])("%j", async (settings, line) => {
    const { code, stderr } = await spawnPointkeeper(["start"], { ...env, ...settings }).ended;
    expect(code).toBe(stderr.startsWith("The database cannot be used") ? 3 : 1);
    expect(stderr).toMatch(line);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("a database that takes the connection and says nothing", async () => {
    const silent = createServer((socket) => socket.on("error", () => {}));
    const port = await listenLocally(silent);
    const settings = {
      DATABASE_URL: `postgres://127.0.0.1:${port}/none`,
      POINTKEEPER_SECRET_KEY: LONG_KEY,
      POINTKEEPER_DATABASE_WAIT_SECONDS: "1",
    };
    const { code, stderr } = await spawnPointkeeper(["start"], { ...env, ...settings }).ended;
    silent.close();
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^The database cannot be used[^\n]*\n$/),
    });
  });

  test("a port in use, before anything is made", async () => {
    const taken = createServer();
    const port = String(await listenLocally(taken));
    const dataDir = join(folder.path, "new");
    env = { POINTKEEPER_DATA_DIR: dataDir, PORT: "0" };
    const ends = async (settings: Record<string, string>, ...args: string[]) => {
      const { code, stderr } = await spawnPointkeeper(["start", ...args], { ...env, ...settings }).ended;
      return [code, stderr];
    };
    const says = (setting: string) => [1, `Port ${port} of 127.0.0.1 is in use: set another with ${setting}.\n`];
    expect(await ends({ PORT: port })).toEqual(says("PORT"));
    expect(await ends({ POINTKEEPER_METRICS_PORT: port })).toEqual(says("POINTKEEPER_METRICS_PORT"));
    const ofWorker = await ends({ POINTKEEPER_HEALTH_PORT: port }, "--role", "worker");
    expect(ofWorker).toEqual(says("POINTKEEPER_HEALTH_PORT"));
    taken.close();
    const twice = { PORT: port, POINTKEEPER_METRICS_PORT: port };
    expect(await ends(twice)).toEqual(says("POINTKEEPER_METRICS_PORT"));
    expect(existsSync(dataDir)).toBe(false);
  });

  test.each([
    ["HOST", "203.0.113.7", "EADDRNOTAVAIL", "PORT"],
    ["HOST", "no-such-host.invalid", String.raw`\w+`, "PORT"], // its code depends on how the machine asks for names
    ["POINTKEEPER_METRICS_HOST", "203.0.113.7", "EADDRNOTAVAIL", "POINTKEEPER_METRICS_PORT"],
  ])("%s %s, which is no address of this machine", async (setting, host, code, portSetting) => {
    const dataDir = join(folder.path, "new");
    const settings = { POINTKEEPER_DATA_DIR: dataDir, PORT: "0", POINTKEEPER_METRICS_PORT: "0", [setting]: host };
    const ended = await spawnPointkeeper(["start"], settings).ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      new RegExp(
        `^The service cannot listen on port 0 of ${host} \\(${code}\\): check ${setting} and ${portSetting}\\.\n$`,
      ),
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  test("another secret key", async () => {
    env = { POINTKEEPER_DATA_DIR: join(folder.path, "new"), PORT: "0" };
    const first = await spawnService({ ...env, POINTKEEPER_SECRET_KEY: LONG_KEY });
    await first.stop();
    const other = { ...env, POINTKEEPER_SECRET_KEY: LONG_KEY.toUpperCase() };
    const { code, stderr } = await spawnPointkeeper(["start"], other).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The secret key does not open the secrets stored in the database/);
  });

  test("an unknown option or role", async () => {
    expect((await spawnPointkeeper(["start", "--rule", "api"], env).ended).stderr).toContain("--rule");
    expect((await spawnPointkeeper(["start", "--role", "king"], env).ended).stderr).toMatch(
      /--role .*king.*Expected all, api or worker/,
    );
  });
});

describe("program.md 8: the sandbox clock", () => {
  test("moves forward only, stands still, and is kept", async () => {
    await useUsed();
    const settings = { ...env, ...GIVEN, POINTKEEPER_SANDBOX: "1" };
    const first = await spawnService(settings);
    const client = createClient(first.url, basic(CREDENTIAL));
    expect((await client.get(CLOCK)).body.now).toMatch(/^\d{4}-.*\.\d{6}Z$/);
    const set = await client.put(CLOCK, { now: "2099-03-01T00:00:00+09:00" });
    expect([set.status, set.body]).toEqual([200, { now: "2099-02-28T15:00:00.000000Z" }]);
    expect((await client.get(CLOCK)).body).toEqual(set.body);
    const back = await client.put(CLOCK, { now: "2099-02-28T14:59:59Z" });
    expect([back.status, back.body.errors[0].source]).toEqual([422, { pointer: "/now" }]);
    expect((await client.put(CLOCK, { now: "soon" })).status).toBe(422);
    await first.stop();

    const second = await spawnService(settings);
    expect((await createClient(second.url, basic(CREDENTIAL)).get(CLOCK)).body).toEqual(set.body);
    await second.stop();
  });
});
