import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../../support/client.ts";
import { makeFolder, makeUsedData, runCli, spawnService } from "../../support/service-process.ts";
import { CSRF, cookieOf, STAFF_PASSWORD } from "../../support/staff.ts";

let used: Awaited<ReturnType<typeof makeUsedData>>;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let dataDir: string;
let env: Record<string, string>;

beforeAll(async () => {
  used = await makeUsedData({});
});
afterAll(() => used.remove());
beforeEach(async () => {
  folder = await makeFolder();
  dataDir = join(folder.path, "data");
  env = { POINTKEEPER_DATA_DIR: dataDir };
  await used.copyTo(dataDir);
});
afterEach(() => folder.remove());

/** Several starts, one after the other. */
const LONG_MS = 300_000;
const OWNER = { email: "owner@store.example", name: "Owner", password: STAFF_PASSWORD };
const codeIn = (stdout: string) => /setup code {2}(\S+)/.exec(stdout)?.[1];
const setUp = (url: string, body: object) => createClient(url, null).post("/admin/api/setup", body, CSRF);

test("the started build serves the dashboard and its files, the widget and the reference", {
  timeout: LONG_MS,
}, async () => {
  const service = await spawnService(env);
  const get = (path: string) => fetch(new URL(path, service.url));
  const page = await (await get("/admin")).text();
  const files = [...page.matchAll(/(?:src|href)="(\/admin\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(files).toContainEqual(expect.stringMatching(/\.js$/));
  for (const path of [...files, "/admin/licenses.md", "/widget.js", "/docs"])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
  await service.stop();
});

describe("the first run", () => {
  test(
    "asks for the code that the start printed and wrote; a restart tells it again, the first owner ends it",
    async () => {
      const first = await spawnService(env);
      const code = codeIn(first.stdout());
      expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
      const file = join(dataDir, "setup-code");
      expect(await readFile(file, "utf8")).toBe(`${code}\n`);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await setUp(first.url, OWNER)).body.errors[0].source).toEqual({ pointer: "/code" });
      const wrong = await setUp(first.url, { ...OWNER, code: "aaaa-bbbb-cccc-dddd" });
      expect([wrong.status, wrong.body.errors[0].source]).toEqual([422, { pointer: "/code" }]);
      await first.stop();

      const second = await spawnService(env);
      expect(codeIn(second.stdout())).toBe(code);
      const typed = ` ${code?.toUpperCase().replaceAll("-", " ")} `;
      const made = await setUp(second.url, { ...OWNER, setup_code: typed });
      expect(made.status).toBe(200);
      await expect.poll(() => existsSync(file)).toBe(false);
      expect((await setUp(second.url, { ...OWNER, code })).status).toBe(409);
      expect((await second.stop()).stderr).toBe("");

      const third = await spawnService(env);
      expect(third.stdout()).not.toContain("setup code");
      await third.stop();
    },
    LONG_MS,
  );

  test(
    "is over with an owner whom a command made, beside the service",
    async () => {
      const service = await spawnService(env);
      const code = codeIn(service.stdout());
      const made = await runCli(["users", "create", "--email", OWNER.email, "--name", "O", "--role", "owner"], env);
      expect(made).toMatchObject({ code: 0, stderr: "" });
      expect(existsSync(join(dataDir, "setup-code"))).toBe(false);
      expect((await setUp(service.url, { ...OWNER, code })).status).toBe(409);

      const password = /password {2}(\S+)/.exec(made.stdout)?.[1] ?? "";
      const cookie = await cookieOf(service.url, { email: OWNER.email, password });
      const client = createClient(`${service.url}/admin/api`, null);
      const asked = await client.get("/people", { cookie });
      expect([asked.status, asked.body.errors[0].title]).toEqual([403, "Choose a password of your own first"]);
      await expect(cookieOf(service.url, { email: OWNER.email, password })).rejects.toThrow("refused");
      await service.stop();
    },
    LONG_MS,
  );
});
