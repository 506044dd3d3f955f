import { type ChildProcess, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS_DOCUMENT, commandsDocument } from "../../../scripts/commands-document.ts";
import { COMMANDS } from "../../../src/commands/command-table.ts";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { type Finished, makeFolder, runCli } from "../../support/service-process.ts";
import { type AdminClient, signIn } from "../../support/staff.ts";
import { waitUntil } from "../../support/wait-until.ts";

const COMMAND = fileURLToPath(new URL("../../../bin/pointkeeper", import.meta.url));
const API = "/api/storefront";
const begun: ChildProcess[] = [];
let service: TestService;
let owner: AdminClient;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await makeFolder();
  service = await startTestService({
    config: { allowPrivateCallbacks: true },
    now: Temporal.Now.instant().toString(), // as the commands have it
  });
  owner = await signIn(service, "owner");
  const { host, port, user, database } = service.connection;
  env = {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: TEST_SECRET_KEY,
    POINTKEEPER_DATA_DIR: join(folder.path, "none"),
  };
  await service.client.put(`${API}/customers/4567890123`, { email: "hanako@example.com", name: "山田 花子" });
  for (const points of [500, -188]) await give(points);
});
afterAll(async () => {
  for (const child of begun) child.kill("SIGKILL"); // one that a failed test left
  await service.stop();
  await folder.remove();
});

const give = (points: number) =>
  service.client.post(`${API}/point_allotments`, { customer_id: "4567890123", point_value: points });
const run = (...args: string[]): Promise<Finished> => runCli(args, env);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);

/** A command that goes on: what it prints so far, and its end by Ctrl-C. */
function begin(...args: string[]) {
  const child = spawn(COMMAND, args, { env: { PATH: process.env["PATH"] ?? "", ...env } });
  begun.push(child);
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    said.stdout += text;
  });
  child.stderr.on("data", (text) => {
    said.stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const interrupt = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { said, interrupt };
}

test("docs/commands.md is what npm run commands makes of the table", async () => {
  expect(await readFile(COMMANDS_DOCUMENT, "utf8")).toBe(commandsDocument(COMMANDS));
});

describe("pointkeeper customer", () => {
  test("shows by id, uid and e-mail what the dashboard shows", async () => {
    const { data: head } = (await owner.get("/customers/4567890123")).body;
    const { data: ledger } = (await owner.get("/customers/4567890123/ledger")).body;
    for (const named of ["4567890123", "Hanako@example.com", head.uid]) {
      const shown = await json("customer", named);
      expect(shown).toMatchObject({ ...head, ledger, holds: [] });
      expect(shown.explanation[0]).toContain("you can use 312 points");
    }
    const { stdout } = await run("customer", "4567890123", "--last", "1");
    expect(stdout).toMatch(/^山田 花子 <hanako@example.com>\n/);
    expect(stdout).toContain("available     312 points\n");
    expect(stdout).toMatch(/Last allotments\n {2}\S+Z {2}-188 {2}= 312 {2}api/);
    expect(stdout).not.toContain("+500  =");
  });

  test("says which is not there, with 4", async () => {
    const { code, stdout, stderr } = await run("customer", "nobody", "--json");
    expect([code, stdout]).toEqual([4, ""]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "not_found", exit_code: 4 });
    expect((await run("customer", "nobody", "--last", "51")).code).toBe(2);
  });
});

describe("pointkeeper tail", () => {
  test("shows the ledger's newest rows, oldest first, and then each one that comes once", async () => {
    const { data: rows } = (await owner.get("/ledger")).body;
    const known = (await run("tail", "--json")).stdout.trim().split("\n");
    expect(known.map((line) => JSON.parse(line))).toEqual(rows.toReversed());
    const tail = begin("tail", "ledger", "--follow", "--last", "1", "--json");
    await waitUntil(async () => tail.said.stdout.includes(rows[0].uid));
    await Promise.all(Array.from({ length: 40 }, (_, n) => give(n + 1)));
    const written = (await owner.get("/ledger")).body.data.slice(0, 41).map(({ uid }: { uid: string }) => uid);
    await waitUntil(async () => tail.said.stdout.includes(written[0]));
    expect(await tail.interrupt()).toBe(130);
    const shown = tail.said.stdout.trim().split("\n");
    expect(shown.map((line) => JSON.parse(line).uid)).toEqual(written.toReversed());
    expect(tail.said.stderr).toBe("");
  });

  test("shows received events, and refuses what it cannot read", async () => {
    const event = {
      type: "CustomerUpserted",
      delivery_key: "t1",
      payload: { customer_id: "88", email: "j@example.com" },
    };
    expect((await service.client.post("/intake/events", event, { prefer: "wait=10" })).status).toBeLessThan(300);
    const since = Temporal.Now.instant().subtract({ hours: 1 }).toString();
    await waitUntil(async () => (await run("tail", "receipts", "--since", since)).stdout.includes("customer/88"));
    const unknown = await run("tail", "orders\u001b[2J");
    expect(unknown).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining('not "orders\ufffd[2J"') });
    expect((await run("tail", "--since", "soon")).stderr).toContain("expected an ISO 8601 date");
  });
});

describe("pointkeeper webhooks listen", () => {
  test("verifies and prints a real delivery with the secrets given to it, and tail shows it as done", async () => {
    const port = 20_000 + (process.pid % 20_000);
    const made = await service.client.post(`${API}/webhooks`, {
      topic: "point_allotment/cascade",
      callback_url: `http://127.0.0.1:${port}/`,
    });
    const secrets = ["--secret", made.body.data.secret, "--api-secret", service.credential.secret];
    const listener = begin("webhooks", "listen", "--port", String(port), ...secrets, "--json");
    await waitUntil(async () => listener.said.stderr.includes(`http://127.0.0.1:${port}/`));
    await give(7);
    await waitUntil(async () => listener.said.stdout.includes("\n"));
    expect(await listener.interrupt()).toBe(130);
    const shown = JSON.parse(listener.said.stdout.split("\n")[0] ?? "");
    expect(shown).toMatchObject({
      topic: "point_allotment/cascade",
      signature: "valid",
      token: "valid",
      answered: 200,
    });
    expect(JSON.parse(shown.body)).toMatchObject({ point_value: 7 });
    await waitUntil(async () => {
      const line = (await run("tail", "deliveries", "--json")).stdout.split("\n").find((row) => row.includes(shown.id));
      return line !== undefined && JSON.parse(line).state === "done";
    });
  });
});

test("pointkeeper webhooks listen names its option where the port is in use", async () => {
  const { port } = new URL(service.url);
  expect(await run("webhooks", "listen", "--port", port, "--api-secret", "none")).toEqual({
    code: 1,
    stdout: "",
    stderr: `Port ${port} of 127.0.0.1 is in use: set another with --port.\n`,
  });
});

describe("pointkeeper export", () => {
  test("writes the dashboard's file of the ledger, whole or not at all", async () => {
    const file = join(folder.path, "ledger.csv");
    expect(await run("export", "allotments", file)).toMatchObject({ code: 0, stderr: "" });
    const shown = await fetch(`${service.url}/admin/api/ledger.csv`, { headers: { cookie: owner.cookie } });
    expect(await readFile(file, "utf8")).toBe(await shown.text());
    const refused = await run("export", "allotments", join(folder.path, "absent", "x.csv"));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/x\.csv cannot be written: ENOENT/)]);
  });

  test("writes balances that add up to the ledger's", async () => {
    const [header = "", line = ""] = (await run("export", "balances", "-")).stdout.split("\n");
    const cells = Object.fromEntries(header.split(",").map((name, i) => [name.trim(), line.split(",")[i]?.trim()]));
    const { points } =
      (
        await service.deps.db.query<{ points: bigint }>("select sum(point_value)::bigint as points from allotment")
      )[0] ?? {};
    expect(cells).toMatchObject({
      storefront_id: "4567890123",
      closing_balance: String(points),
      current_balance: String(points),
    });
    expect(await service.deps.db.query("select from audit_entry where action = 'balances.exported'")).toHaveLength(1);
  });
});

describe("pointkeeper import", () => {
  const points = async () => (await json("customer", "4567890123")).balance.available;

  test("is a dry run with its faults, then imports the other rows once, in a person's name", async () => {
    const file = join(folder.path, "points.csv");
    await writeFile(file, "customer,points,note\n4567890123,100,bonus\nnobody,5,x\n");
    const args = ["import", "points", file, "--as", owner.email];
    const before = await points();
    const dry = await run(...args);
    expect(dry.code).toBe(1);
    expect(dry.stdout).toMatch(
      /^line 3 {2}No customer has this e-mail address or id\.\n2 rows: 1 valid, 1 with faults/,
    );
    expect((await run(...args, "--apply")).code).toBe(1);
    expect(await points()).toBe(before);
    const done = await run(...args, "--apply", "--skip-faults", "--json");
    expect([done.code, JSON.parse(done.stdout)]).toMatchObject([
      0,
      { state: "imported", import: { points_added: 100 } },
    ]);
    expect(await points()).toBe(before + 100);
    const again = await run(...args, "--apply", "--skip-faults");
    expect([again.code, again.stdout]).toEqual([1, ""]);
    expect(again.stderr).toContain("uploaded this content as points.csv");
    expect(await points()).toBe(before + 100);
    const [listed] = (await owner.get("/imports")).body.data;
    expect(listed).toMatchObject({ started_by: expect.stringContaining("owner"), file_name: "points.csv" });
  });

  test("is done for nobody who may not, and refuses what is no file or kind", async () => {
    const viewer = await signIn(service, "viewer");
    const file = join(folder.path, "points.csv");
    expect(await run("import", "points", file, "--as", viewer.email)).toMatchObject({ code: 1, stdout: "" });
    expect((await run("import", "points", file, "--as", "nobody@example.com")).code).toBe(4);
    expect((await run("import", "coupons", file, "--as", owner.email)).code).toBe(2);
    for (const command of [
      ["import", "points", `${file}.absent`, "--as", owner.email],
      ["import", `${file}.absent`, "--from", "smile"],
      ["reconcile", `${file}.absent`],
      ["program", "apply", `${file}.absent`],
    ])
      expect(await run(...command)).toMatchObject({ code: 4, stderr: expect.stringContaining("cannot be read") });
  });
});

test("pointkeeper config shows every setting and no secret", async () => {
  const { stdout, code } = await runCli(["config"], { ...env, POINTKEEPER_PROXYS: "1", PORT: "4321" });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^PORT +4321 +environment$/m);
  expect(stdout).toMatch(/^HOST +127\.0\.0\.1 +default$/m);
  expect(stdout).toMatch(/^POINTKEEPER_SECRET_KEY +\*{8} +environment$/m);
  expect(stdout).toContain("POINTKEEPER_PROXYS is set, but nothing reads it");
  expect(stdout).not.toContain("a key for tests");
  expect(await runCli(["config", "--json"], { PORT: "high" })).toMatchObject({ code: 1, stderr: "" });
});

test("pointkeeper figures rebuild --wait ends when the workers have rebuilt them", async () => {
  expect(await run("figures", "rebuild", "--wait")).toMatchObject({ code: 0, stdout: "The figures are rebuilt.\n" });
  expect(await json("figures", "verify")).toEqual({ ok: true, faults: [] });
});

test("webhooks replay all sends all again, however many failed, and says what nobody is subscribed to", async () => {
  const topic = "point_balance/update";
  await service.client.post(`${API}/webhooks`, { topic, callback_url: "http://127.0.0.1:9/nobody" });
  // another node serves the receiver: what is to be sent again stays where it can be counted
  await service.owner.execute(
    "update subscription set lease_uid = gen_random_uuid(), lease_until = now() + interval '50 seconds' where topic = $1",
    [topic],
  );
  const fail = `with told as (
      insert into outbox_event (bucket, uid, topic, payload)
      select 3, gen_random_uuid(), $1, '{}'
      from generate_series(1, $2::integer)
      returning bucket, uid)
    insert into delivery (bucket, uid, subscription_uid, state, attempts, due_at)
    select bucket, uid, coalesce((select uid from subscription where topic = $1), gen_random_uuid()), 'failed', 21, now()
    from told`;
  await service.owner.execute(fail, [topic, 1_201]);
  await service.owner.execute(fail, ["point_balances/export", 1]);
  const listed = await run("webhooks", "failed");
  expect([listed.code, listed.stdout.trim().split("\n").length]).toEqual([0, 1_000]);
  expect(listed.stderr).toBe("There are more: the first 1,000 are shown.\n");
  expect(await json("webhooks", "replay", "all")).toEqual({ replayed: 1_201, left_topics: ["point_balances/export"] });
  expect((await run("webhooks", "replay", "all")).stdout).toBe(
    "0 deliveries will be sent again.\nNobody is subscribed to point_balances/export any more: what failed of it stays.\n",
  );
});

test.for([
  ["credentials", "revoke", "nobody"],
  ["credentials", "set-scopes", "nobody", "read"],
  ["storefront", "revoke-key", "nobody"],
  ["storefront", "remove-origin", "https://nobody.example"],
  ["users", "disable", "nobody@example.com"],
  ["webhooks", "replay", "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884"],
  ["intake", "reprocess", "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884"],
  ["privacy", "data", "nobody"],
])("what %j names is not there: 4, and one line", async (args) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([4, ""]);
  expect(stderr).toMatch(/^[^/\n][^\n]+\n$/);
});

test("a database that is away ends a command with 3, as JSON where that is asked for", async () => {
  const { code, stderr } = await runCli(["users", "list", "--json"], {
    ...env,
    DATABASE_URL: "postgres://127.0.0.1:1/x",
  });
  expect([code, JSON.parse(stderr).error.code]).toEqual([3, "database_away"]);
});
