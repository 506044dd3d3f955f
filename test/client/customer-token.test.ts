import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { customerToken } from "../../packages/client/src/customer-token.ts";
import { makeKey, type StorefrontKey } from "../support/customer-token.ts";
import { startTestService, type TestService } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const ID = "900719925474099312345";

let service: TestService;
let key: StorefrontKey;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pointkeeper-tokens-"));
  service = await startTestService({ worker: false });
  key = await makeKey(service.deps);
  await service.client.put(`/api/storefront/customers/${ID}`, {});
  await service.client.post("/api/storefront/point_allotments", { customer_id: ID, point_value: 55 });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const summary = async (token: string) => {
  const { status, body } = await service.client.as(`Bearer ${token}`).get("/api/customer/summary");
  return { status, points: body.data?.points, canRedeem: body.data?.redemption !== null };
};

describe("customerToken of the client", () => {
  test("signs what the service takes, with every digit of the id", async () => {
    const { kid: keyId, secret } = key;
    expect(await summary(await customerToken({ keyId, secret, customerId: ID }))).toEqual({
      status: 200,
      points: 55,
      canRedeem: false,
    });
    const token = await customerToken({
      keyId,
      secret,
      customerId: BigInt(ID),
      canRedeem: true,
      lifetimeSeconds: 3_600,
    });
    expect(await summary(token)).toEqual({ status: 200, points: 55, canRedeem: true });
    expect((await summary(await customerToken({ keyId, secret, customerId: "日本-é" }))).status).toBe(200);
  });

  test("throws for what the service would refuse", async () => {
    const { kid: keyId, secret } = key;
    const right = { keyId, secret, customerId: ID };
    for (const wrong of [
      { keyId: "pk_1" },
      { secret: "" },
      { customerId: "" },
      { customerId: "hanako@example.com" },
      { lifetimeSeconds: 3_601 },
      { lifetimeSeconds: 0.5 },
    ])
      await expect(customerToken({ ...right, ...wrong })).rejects.toThrow(TypeError);
  });
});

const PROGRAMS = {
  js: { file: "sign.mjs", command: process.execPath },
  python: { file: "sign.py", command: "python3" },
  php: { file: "sign.php", command: "php" },
  ruby: { file: "sign.rb", command: "ruby" },
};
const isInstalled = (command: string) => spawnSync(command, ["--version"]).status === 0;

/** The languages of this machine; Node is on every one. */
const installed = Object.entries(PROGRAMS).filter(([, { command }]) => isInstalled(command));

test.each(installed)(
  "the %s program of docs/widget.md signs what the service takes",
  async (language, { file, command }) => {
    const document = readFileSync(join(ROOT, "docs/widget.md"), "utf8");
    const code = document.split(`\n\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
    writeFileSync(join(folder, file), code);
    const env = { ...process.env, STOREFRONT_KEY_ID: key.kid, STOREFRONT_SECRET: key.secret };
    const token = execFileSync(command, [join(folder, file), ID], { env, encoding: "utf8" }).trim();
    expect(await summary(token)).toEqual({ status: 200, points: 55, canRedeem: true });
  },
);

test("the Python client signs the same token, where Python is", async () => {
  if (!isInstalled("python3")) return;
  const now = new Date();
  const args = `key_id="${key.kid}", secret="${key.secret}", customer_id=${ID}, can_redeem=True, now=${now.getTime() / 1_000}`;
  const code = `from pointkeeper._customer_token import customer_token; print(customer_token(${args}))`;
  const env = { ...process.env, PYTHONPATH: join(ROOT, "packages/python/src"), PYTHONDONTWRITEBYTECODE: "1" };
  const token = execFileSync("python3", ["-c", code], { env, encoding: "utf8" }).trim();
  expect(token).toBe(await customerToken({ keyId: key.kid, secret: key.secret, customerId: ID, canRedeem: true, now }));
  expect((await summary(token)).points).toBe(55);
});
