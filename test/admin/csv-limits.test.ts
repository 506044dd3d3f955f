import { afterAll, beforeAll, expect, test } from "vitest";
import { openPool } from "../../src/db/pool.ts";
import { checkImport } from "../../src/imports/check/check-import.ts";
import { type ImportLease, importLeases } from "../../src/imports/lease-queries.ts";
import { selectImport } from "../../src/imports/queries.ts";
import { storeUpload } from "../../src/imports/store-upload.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { balanceOf, settingsOf, upload } from "../support/csv.ts";
import { makeCustomer } from "../support/customers.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
  for (const id of ["501", "502"]) await makeCustomer(service.deps, { storefrontId: id });
});
afterAll(() => service.stop());

const send = (content: string | ReadableStream<Uint8Array>) =>
  upload({ url: service.url, cookie: manager.cookie }, content);
const read = async (uid: string) => (await manager.get(`/imports/${uid}`)).body.data;

async function startCheck(content: string) {
  const sent = await send(content);
  expect(sent.status, sent.text).toBe(201);
  const { uid } = sent.body.data;
  expect((await manager.post(`/imports/${uid}/check`, settingsOf(sent.body.data))).status).toBe(200);
  return uid as string; // cast: what the service names an import by
}

async function check(content: string) {
  const uid = await startCheck(content);
  await workImports(service.deps);
  return read(uid);
}

/** Nodes that take the work and die of it, one after the other, each lease long over. */
async function dieOf(uid: string, times: number): Promise<ImportLease> {
  let lease: ImportLease | undefined;
  for (let n = 0; n < times; n++) {
    lease = await importLeases.claim(service.deps.db, service.deps.random.uid());
    expect(lease?.uid).toBe(uid);
    await service.deps.db.execute("update import set lease_until = null where uid = $1", [uid]);
  }
  if (lease === undefined) throw new Error("nothing was claimed");
  return lease;
}

test("sums beyond any balance are told, and the rows that are too much are refused", async () => {
  const most = "7012345678901234";
  const data = await check(`id,points\n${`501,${most}\n`.repeat(1_400)}502,1\n502,-1\n`);
  expect(data).toMatchObject({ state: "checked", check: { good_count: 1_402, points_taken: 1 } });
  expect(data.check.points_added).toBe(Number(1_400n * BigInt(most) + 1n));
  expect((await manager.post(`/imports/${data.uid}/start`)).status).toBe(200);
  await workImports(service.deps);
  expect(await read(data.uid)).toMatchObject({ state: "imported", import: { good_count: 3, fault_count: 1_399 } });
  expect(await balanceOf(service.deps, "501")).toBe(BigInt(most));
});

test("more points than a bigint holds may move in all", async () => {
  const most = "7012345678901234";
  const rows = `502,${most}\n502,-${most}\n`.repeat(1_400);
  const data = await check(`id,points\n${rows}`);
  expect((await manager.post(`/imports/${data.uid}/start`)).status).toBe(200);
  await workImports(service.deps);
  expect(await read(data.uid)).toMatchObject({ state: "imported", import: { good_count: 2_800, fault_count: 0 } });
  expect((await manager.get("/imports")).status).toBe(200);
});

test("large rows come in small batches, and a row beyond measure is told", async () => {
  const large = "x".repeat(60_000);
  const data = await check(`id,points,other\n${`501,1,${large}\n`.repeat(40)}`);
  expect(data.check).toMatchObject({ row_count: 40, good_count: 40 });
  const steps = await service.deps.db.query("select row_count::int from import_step where import_uid = $1 order by n", [
    data.uid,
  ]);
  expect(steps).toEqual([{ row_count: 17 }, { row_count: 17 }, { row_count: 6 }]);
  const wide = await check(`id,points\n501,1${",".repeat(1_000)}\n`);
  expect(wide).toMatchObject({ state: "uploaded", error: { code: "row_too_long", line: 2 } });
});

test("a check that kills every node is ended with the reason", async () => {
  const uid = await startCheck("id,points\n501,11\n");
  await dieOf(uid, 5);
  await workImports(service.deps);
  expect(await read(uid)).toMatchObject({ state: "uploaded", error: { code: "could_not_be_read" } });
  expect((await manager.post(`/imports/${uid}/check`, settingsOf(await read(uid)))).status).toBe(200);
  await workImports(service.deps);
  expect(await read(uid)).toMatchObject({ state: "checked", error: null });
});

test("an import that kills every node is tried on, and tells so", async () => {
  const { uid } = await check("id,points\n501,12\n");
  await manager.post(`/imports/${uid}/start`);
  await dieOf(uid, 5);
  expect((await read(uid)).error).toBeNull();
  await dieOf(uid, 1);
  expect((await read(uid)).error).toEqual({ code: "interrupted", line: 0 });
  await workImports(service.deps);
  expect(await read(uid)).toMatchObject({ state: "imported", error: null });
});

test("a node that lost its lease writes nothing into a check with other settings", async () => {
  const uid = await startCheck("id,points,other\n501,1,1000\n501,2,2000\n");
  const late = await dieOf(uid, 1);
  const before = await selectImport(service.deps.db, uid);
  await workImports(service.deps);
  const others = { columns: { customer: 0, points: 2 } };
  const again = await manager.post(`/imports/${uid}/check`, settingsOf(await read(uid), others));
  expect(again.body.data.state).toBe("checking");
  await checkImport(service.deps, before, late, new AbortController().signal);
  await workImports(service.deps);
  expect((await read(uid)).check).toMatchObject({ row_count: 2, points_added: 3_000 });
});

test("an upload whose commit was not answered is whole", async () => {
  const proxy = await startCuttingProxy(service.connection);
  const db = openPool({ connection: proxy.connection });
  proxy.cutCommits(1);
  async function* bytes() {
    yield Buffer.from("id,points\n501,13\n");
  }
  const by = { uid: manager.uid, name: "manager" };
  const wanted = { kind: "points", fileName: "cut.csv", bytes: bytes(), by } as const;
  await expect(storeUpload({ ...service.deps, db }, wanted)).rejects.toThrow();
  expect(proxy.cuts()).toBe(1);
  await db.close();
  await proxy.close();
  const [kept] = (await manager.get("/imports")).body.data;
  expect(kept).toMatchObject({ file_name: "cut.csv", state: "uploaded" });
  const sample = await manager.get(`/imports/${kept.uid}/sample`);
  expect(sample.body.data.rows).toEqual([
    ["id", "points"],
    ["501", "13"],
  ]);
});

test("four files are taken at once; the next one is told when to come again", async () => {
  const ends: (() => void)[] = [];
  const slow = (n: number) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(`id,points\n501,${n}\n`));
        ends.push(() => controller.close());
      },
    });
  const running = [1, 2, 3, 4].map((n) => send(slow(2_000 + n)));
  const begun = "select from import where state = 'uploading'";
  await waitUntil(async () => (await service.deps.db.query(begun)).length === 4);
  const fifth = await send("id,points\n501,2005\n");
  expect(fifth.status).toBe(503);
  expect(Number(fifth.headers.get("retry-after"))).toBeGreaterThan(0);
  for (const end of ends) end();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect((await send("id,points\n501,2006\n")).status).toBe(201);
});

test("a check that adds its warnings keeps its lease: the renewal does not wait for them", async () => {
  const uid = await startCheck("id,points\n501,8\n501,8\n502,-999999\n");
  const lease = await importLeases.claim(service.deps.db, service.deps.random.uid());
  if (lease === undefined) throw new Error("nothing was claimed");
  const file = await selectImport(service.deps.db, uid);
  const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const checking = await service.owner.tx(async (tx) => {
    await tx.execute("lock table import_fault in share mode"); // warnings take as long as this lock
    const running = checkImport(service.deps, file, lease, new AbortController().signal);
    await waitUntil(async () => (await service.deps.db.query(waits)).length > 0);
    expect(await importLeases.renew(service.deps.db, lease)).toBe(true);
    return { running };
  });
  expect(await checking.running).toBe(true);
  const data = await read(uid);
  expect(data).toMatchObject({ state: "checked", customer_count: 2, largest_points: 999_999, warning_count: 2 });
});

test("warnings of a check that was interrupted after them are added again", async () => {
  const uid = await startCheck("id,points\n501,9\n501,9\n502,-999998\n");
  const lost = await importLeases.claim(service.deps.db, service.deps.random.uid());
  if (lost === undefined) throw new Error("nothing was claimed");
  const file = await selectImport(service.deps.db, uid);
  await checkImport(service.deps, file, lost, new AbortController().signal);
  await service.deps.db.execute("update import set state = 'checking', warning_count = null where uid = $1", [uid]);
  await workImports(service.deps);
  expect(await read(uid)).toMatchObject({ state: "checked", customer_count: 2, warning_count: 2 });
});
