import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyWebhook } from "../../packages/client/src/webhook.ts";
import { breakConnection } from "../support/break-connection.ts";
import { codeBlocks, runnableExample, startExample } from "../support/client-examples.ts";
import { freePort } from "../support/free-port.ts";
import { type Arrival, startReceiver, type TestReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";

const LARGE_ID = "900719925474099312345";
const README = "packages/client/README.md";
let service: TestService;
let receiver: TestReceiver;
let secret: string;
let arrival: Arrival;
let now: Date;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pointkeeper-client-"));
  service = await startTestService();
  receiver = await startReceiver();
  const wanted = { topic: "point_allotment/cascade", callback_url: receiver.url };
  secret = (await service.client.post("/api/storefront/webhooks", wanted)).body.data.secret;
  await service.client.put(`/api/storefront/customers/${LARGE_ID}`, {});
  await service.client.post("/api/storefront/point_allotments", { customer_id: LARGE_ID, point_value: 120 });
  await waitUntil(() => receiver.arrivals.length > 0);
  const [first] = receiver.arrivals;
  if (first === undefined) throw new Error("no delivery came");
  arrival = first;
  now = new Date(Number(arrival.headers["webhook-timestamp"]) * 1000);
});

afterAll(async () => {
  await service.stop();
  await receiver.close();
  rmSync(folder, { recursive: true });
});

const later = (seconds: number) => ({ now: new Date(now.getTime() + seconds * 1000) });

test("both signatures of a real delivery verify, with every digit of the id", async () => {
  for (const known of [
    secret,
    service.credential.secret,
    ["whsec_b2xkLXNlY3JldA==", secret],
    ["old key", service.credential.secret],
  ]) {
    const event = await verifyWebhook(arrival, known, { now });
    expect(event).toMatchObject({ topic: "point_allotment/cascade", customerId: LARGE_ID, version: 1, isTest: false });
    expect(event.id).toBe(arrival.headers["webhook-id"]);
    if (event.topic === "point_allotment/cascade") expect(event.data.point_value).toBe(120);
  }
});

test("a Request verifies as well", async () => {
  const headers = new Headers(Object.entries(arrival.headers).map(([name, value]) => [name, String(value)]));
  const request = new Request("http://127.0.0.1/", { method: "POST", headers, body: arrival.body });
  expect((await verifyWebhook(request, secret, { now })).customerId).toBe(LARGE_ID);
});

test("of two secrets the one whose header a proxy removed does not hide the other", async () => {
  const both = [service.credential.secret, secret];
  for (const name of ["authorization", "webhook-signature"]) {
    const { [name]: removed, ...headers } = arrival.headers;
    expect(removed).toBeDefined();
    expect((await verifyWebhook({ ...arrival, headers }, both, { now })).customerId).toBe(LARGE_ID);
  }
});

test("another body, another secret and an old delivery are refused", async () => {
  const body = arrival.body.replace("120", "121");
  for (const known of [secret, service.credential.secret]) {
    await expect(verifyWebhook({ ...arrival, body }, known, { now })).rejects.toMatchObject({ code: "bad_signature" });
    await expect(verifyWebhook(arrival, known, later(301))).rejects.toMatchObject({ code: "too_old" });
    await expect(verifyWebhook(arrival, known, later(-301))).rejects.toMatchObject({ code: "too_old" });
    await expect(verifyWebhook({ headers: {}, body }, known)).rejects.toMatchObject({ code: "missing_header" });
  }
  await expect(verifyWebhook(arrival, "another key", { now })).rejects.toMatchObject({ code: "bad_signature" });
  const headers = { ...arrival.headers, "webhook-timestamp": `${Number(arrival.headers["webhook-timestamp"]) + 1}` };
  await expect(verifyWebhook({ ...arrival, headers }, secret, { now })).rejects.toMatchObject({
    code: "bad_signature",
  });
});

test("a secret without a key and a body that was parsed are refused: both are faults of the program", async () => {
  for (const known of ["", "whsec_", "whsec_...", [], [secret, "whsec_..."]])
    await expect(verifyWebhook(arrival, known, { now })).rejects.toThrow("secret: expected");
  const parsed = { headers: arrival.headers, body: JSON.parse(arrival.body) };
  await expect(verifyWebhook(parsed, secret, { now })).rejects.toThrow("body: expected");
});

function start(code: string, name: string, env: Record<string, string>) {
  const file = join(folder, name);
  writeFileSync(file, runnableExample(code));
  return startExample([process.execPath, file], env);
}

test("the README's examples of requests run", async () => {
  const env = {
    POINTKEEPER_URL: service.url,
    POINTKEEPER_KEY: service.credential.key,
    POINTKEEPER_SECRET: service.credential.secret,
  };
  const blocks = codeBlocks(README, "ts");
  const expected = ["100", "120", "404", "date,account"];
  expect(blocks).toHaveLength(5);
  for (const [index, code] of blocks.slice(0, 4).entries()) {
    const { code: exit, output } = await start(code, `example-${index}.mts`, env).ended;
    expect([exit, output]).toEqual([0, expect.stringContaining(expected[index] ?? "")]);
  }
  expect((await service.client.get("/api/storefront/point_balances/4567")).body.data.point_balance).toBe(100);
});

test("the README's examples have the types of the client", async () => {
  const files = codeBlocks(README, "ts").map((code, index) => {
    writeFileSync(join(folder, `typed-${index}.mts`), runnableExample(code));
    return `typed-${index}.mts`;
  });
  const root = process.cwd();
  const compilerOptions = { typeRoots: [join(root, "node_modules/@types")], lib: ["es2022", "dom"] };
  const project = { extends: join(root, "tsconfig.json"), compilerOptions, include: files };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const command = [process.execPath, join(root, "node_modules/typescript/bin/tsc"), "-p", folder];
  const { code, output } = await startExample(command, {}).ended;
  expect([code, output]).toEqual([0, ""]);
});

test("the README's command that checks types has those of Node", async () => {
  const flags = /npx tsc (.*) points\.ts`/.exec(readFileSync(README, "utf8"))?.[1]?.split(" ") ?? [];
  expect(flags).toContain("--strict");
  writeFileSync(join(folder, "points.ts"), "console.log(process.env, Buffer.from([]));\n");
  const root = process.cwd();
  const tsc = [process.execPath, join(root, "node_modules/typescript/bin/tsc")];
  const found = ["--typeRoots", join(root, "node_modules/@types"), "--ignoreConfig", "points.ts"];
  const { code, output } = await startExample([...tsc, ...flags, ...found], {}, folder).ended;
  expect([code, output]).toEqual([0, ""]);
});

test("the README's receiver takes a delivery and refuses a changed one", async () => {
  const port = await freePort();
  const code = codeBlocks(README, "ts")[4] ?? "";
  const example = start(code, "receiver.mts", { PORT: `${port}`, WEBHOOK_SECRET: service.credential.secret });
  await example.waitFor("listening");
  await breakConnection(port, `POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nhalf`);
  const wanted = { topic: "point_balance/update", callback_url: `http://127.0.0.1:${port}/` };
  const created = await service.client.post("/api/storefront/webhooks", wanted);
  expect(created.status).toBe(200);
  const changed = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" });
  expect(changed.status).toBe(401);
  example.kill();
  await example.ended;
});
