import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { runCli } from "../support/service-process.ts";
import { cookieOf, STAFF_PASSWORD, signIn } from "../support/staff.ts";

const COMMAND = fileURLToPath(new URL("../../bin/pointkeeper", import.meta.url));
let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-11-21T00:00:00Z" });
  const { host, port, user, database } = service.connection;
  env = {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
    POINTKEEPER_DATA_DIR: "/nonexistent",
    POINTKEEPER_API_KEY: service.credential.key,
    POINTKEEPER_API_SECRET: service.credential.secret,
  };
});
afterAll(() => service.stop());

/** Runs a command that reads its password from the standard input. */
async function runWithPassword(args: readonly string[], password: string): Promise<number | null> {
  const child = spawn(COMMAND, [...args, "--password-stdin"], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(`${password}\n`);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  expect(await text(child.stdout)).not.toContain(password);
  return ended;
}

describe("pointkeeper users", () => {
  test("makes people, lists, disables and resets them, in the name of who runs it", async () => {
    const owner = ["users", "create", "--email", "Op@store.example", "--name", "Op", "--role", "owner"];
    expect(await runWithPassword(owner, STAFF_PASSWORD)).toBe(0);
    const email = "op@store.example";
    await cookieOf(service.url, { email, password: STAFF_PASSWORD });

    const made = await runCli(
      ["users", "create", "--email", "v@store.example", "--name", "V", "--role", "viewer"],
      env,
    );
    const password = /password {2}(\S+)/.exec(made.stdout)?.[1] ?? "";
    await cookieOf(service.url, { email: "v@store.example", password });
    expect((await runCli(["users", "create", "--email", "x@store.example", "--role", "boss"], env)).code).toBe(2);
    const { stdout } = await runCli(["users", "list"], env);
    expect(stdout).toBe("op@store.example  owner  Op  active  no\nv@store.example  viewer  V  active  no\n");

    expect((await runCli(["users", "disable", "v@store.example"], env)).code).toBe(0);
    await expect(cookieOf(service.url, { email: "v@store.example", password })).rejects.toThrow("refused");
    expect((await runCli(["users", "list"], env)).stdout).toContain("v@store.example  viewer  V  disabled  no\n");
    const last = await runCli(["users", "disable", email], env);
    expect(last.code).toBe(1);
    expect(last.stderr).toContain("without an owner");
    expect((await runCli(["users", "reset-password", "nobody@store.example"], env)).code).toBe(4);
    expect(await runWithPassword(["users", "reset-password", email], "another good password")).toBe(0);
    await cookieOf(service.url, { email, password: "another good password" });

    const entries = (await (await signIn(service, "manager")).get("/audit?actor=command")).body.data;
    expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
      "staff.changed",
      "staff.changed",
      "staff.created",
      "staff.created",
    ]);
    expect(entries[0].actor.id).toBeNull();
  });
});
