import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { startImport } from "../../src/imports/apply/start-import.ts";
import { pruneImports } from "../../src/imports/prune-imports.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { balanceOf, settingsOf, type UploadOptions, upload } from "../support/csv.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false, program: { staff: { approval_limit: 10_000 } } });
  manager = await signIn(service, "manager");
  for (const id of ["501", "502", "503"]) {
    await makeCustomer(service.deps, { storefrontId: id, email: `c${id}@example.com` });
  }
  await makeCustomer(service.deps, { storefrontId: "601", email: "two@example.com" });
  await makeCustomer(service.deps, { storefrontId: "602", email: "two@example.com" });
});
afterAll(() => service.stop());

const send = (content: string | Uint8Array<ArrayBuffer>, options?: UploadOptions) =>
  upload({ url: service.url, cookie: manager.cookie }, content, options);

/** Uploads a file and runs it dry; answers the import. */
async function check(content: string | Uint8Array<ArrayBuffer>, others: object = {}) {
  const sent = await send(content);
  expect(sent.status, sent.text).toBe(201);
  const { uid } = sent.body.data;
  const started = await manager.post(`/imports/${uid}/check`, settingsOf(sent.body.data, others));
  expect(started.status, started.text).toBe(200);
  expect(started.body.data.state).toBe("checking");
  await workImports(service.deps);
  return (await manager.get(`/imports/${uid}`)).body.data;
}

async function run(uid: string, verb: "start" | "undo", by: AdminClient = manager) {
  const started = await by.post(`/imports/${uid}/${verb}`);
  expect(started.status, started.text).toBe(200);
  await workImports(service.deps);
  return (await manager.get(`/imports/${uid}`)).body.data;
}

type Line = Record<string, unknown>;

const faultsOf = async (uid: string, phase: string) =>
  (await manager.get(`/imports/${uid}/faults?phase=${phase}`)).body.data.map(
    ({ line, code }: { line: number; code: string }) => `${line} ${code}`,
  );

describe("importing points", () => {
  test("every row's fault is told, good rows are imported once, and undone as a whole", async () => {
    const content = [
      "Points;Email or id;Note",
      "100;501;welcome",
      "0;501;",
      "ten;502;",
      "5;nobody@example.com;",
      "5;two@example.com;",
      ";503;",
      "-30;503;too much",
      "40;501;again",
      "7;502;a;b",
    ].join("\n");
    const data = await check(content);
    expect(await faultsOf(data.uid, "check")).toEqual([
      "3 points_zero",
      "4 points_not_integer",
      "5 customer_unknown",
      "6 customer_ambiguous",
      "7 points_missing",
      "10 too_many_cells",
    ]);
    expect(await faultsOf(data.uid, "warning")).toEqual(["8 above_balance", "9 customer_repeated"]);
    expect(data.check).toEqual({ row_count: 9, good_count: 3, fault_count: 6, points_added: 140, points_taken: 30 });
    const before = await balanceOf(service.deps, "501");

    const imported = await run(data.uid, "start");
    expect(imported).toMatchObject({
      state: "imported",
      started_by: expect.stringContaining("manager"),
      import: { row_count: 3, good_count: 2, fault_count: 1, points_added: 140, points_taken: 0 },
    });
    expect(await faultsOf(data.uid, "import")).toEqual(["8 negative_balance"]);
    expect(await balanceOf(service.deps, "501")).toBe(before + 140n);
    const ledger = await service.client.get("/api/storefront/point_allotments/501?direction=desc&per_page=2");
    expect(ledger.body.data).toMatchObject([
      { type: "csv", point_value: 40, action: `import-${data.uid}`, app_reference: "dashboard" },
      { type: "csv", point_value: 100 },
    ]);

    await service.client.post("/api/storefront/point_balances/501/set_balances", { balance: 30 });
    const undone = await run(data.uid, "undo");
    expect(undone).toMatchObject({ state: "undone", undo: { points_taken: 30, fault_count: 2 } });
    expect(await balanceOf(service.deps, "501")).toBe(0n);
    const file = await manager.get(`/imports/${data.uid}/faults.csv?phase=undo&language=ja`);
    expect(file.text).toMatch(/^Points,Email or id,Note,行,エラー内容\r\n100,501,welcome,2,100ポイントは/);
    const read = "select after from audit_entry where action = 'import.faults_downloaded' and subject_id = $1";
    expect(await service.deps.db.query(read, [data.uid])).toEqual([{ after: { phase: "undo" } }]);
    expect((await manager.post(`/imports/${data.uid}/undo`)).status).toBe(409);
    expect((await verifyLedger(service.deps.db, () => {})).ok).toBe(true);
  });
});

describe("what happens meanwhile", () => {
  const make = async (...ids: string[]) => {
    for (const storefrontId of ids) await makeCustomer(service.deps, { storefrontId });
  };
  const give = (id: string, points: number) =>
    service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: points });
  /** Sessions do not last so long: somebody signs in again. */
  const later = async (hours: number) => {
    service.clock.advance({ hours });
    manager = await signIn(service, "manager");
  };
  const merge = (removedId: string, keptId: string) => mergeInto(service.deps, removedId, keptId);

  test("customers that are merged or deleted between check, import and undoing", async () => {
    await make("a1", "a2", "a3", "a4", "kept");
    const { uid } = await check("id,points\na1,10\na2,20\na3,40\na4,80\na4,-3\n");
    await merge("a1", "kept");
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, "a3", "test"));
    const imported = await run(uid, "start");
    expect(imported.import).toMatchObject({ row_count: 5, good_count: 4, points_added: 110 });
    expect(await faultsOf(uid, "import")).toEqual(["4 customer_gone"]);
    await merge("a2", "kept");
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, "a4", "test"));
    expect(await balanceOf(service.deps, "kept")).toBe(30n);
    const undone = await run(uid, "undo");
    expect(undone.undo).toMatchObject({ points_taken: 30 });
    expect(await faultsOf(uid, "undo")).toEqual(["5 customer_gone", "6 customer_gone"]); // of the other nothing was given
    expect(await balanceOf(service.deps, "kept")).toBe(0n);
    await merge("a4", "kept"); // undoes the deletion, and with it what the import gave
    const { undo } = (await manager.get(`/imports/${uid}`)).body.data;
    expect(undo).toMatchObject({ points_added: 3, points_taken: 110, fault_count: 0 });
    expect(await balanceOf(service.deps, "kept")).toBe(0n);
    expect((await verifyLedger(service.deps.db, () => {})).ok).toBe(true);
  });

  test("the balance of a customer who was merged meanwhile is not set as the survivor's", async () => {
    await make("s1", "s2", "s3");
    await give("s2", 500);
    const options = { origin: "migration", extends: false, reason_type: null, note: null, sets_balance: true };
    const { uid } = await check("id,points\ns1,100\ns2,300\ns3,40\n", { options });
    await merge("s1", "s2");
    await service.deps.db.tx((tx) =>
      startImport(tx, service.deps, uid, { by: { uid: service.deps.random.uid(), name: "test" }, isApproved: true }),
    );
    await workImports(service.deps);
    expect(await faultsOf(uid, "import")).toEqual(["2 customer_merged", "3 customer_merged"]);
    expect(await balanceOf(service.deps, "s2")).toBe(500n); // 300 would not be that of both
    expect(await balanceOf(service.deps, "s3")).toBe(40n);
  });

  test("a customer who was merged into one who is deleted stops neither the import nor its undoing", async () => {
    await make("e1", "e2", "e3", "gone1", "gone2");
    const { uid } = await check("id,points\ne1,10\ne2,20\ne3,40\n");
    await merge("e1", "gone1");
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, "gone1", "test"));
    const imported = await run(uid, "start");
    expect(imported).toMatchObject({ state: "imported", import: { row_count: 3, good_count: 2, points_added: 60 } });
    expect(await faultsOf(uid, "import")).toEqual(["2 customer_gone"]);
    await merge("e2", "gone2");
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, "gone2", "test"));
    expect(await run(uid, "undo")).toMatchObject({ state: "undone", undo: { points_taken: 40 } });
    expect(await faultsOf(uid, "undo")).toEqual(["3 customer_gone"]); // of the other nothing was given
  });

  test("undoing after a merge takes what the import gave, not what the survivor had", async () => {
    await make("f1", "f2");
    await give("f2", 5);
    const { uid } = await check("id,points\nf1,7\n");
    await later(24);
    await run(uid, "start");
    await merge("f1", "f2");
    expect((await run(uid, "undo")).undo).toMatchObject({ points_taken: 7, fault_count: 0 });
    const lots = await service.deps.db.query(
      `select l.remaining::int, l.version::int
      from lot l
      join customer_alias a on a.bucket = l.bucket and a.customer_uid = l.customer_uid
      where a.storefront_id = 'f2'`,
    );
    expect(lots).toEqual([{ remaining: 5, version: 1 }]);
  });

  test("undoing takes an import's own lots first, and gives back what it took with its date", async () => {
    await make("b1", "b2");
    await give("b1", 100);
    await give("b2", 50);
    const lotsOf = (id: string) =>
      service.deps.db.query(
        `select l.version::int, l.remaining::int, l.since::text
        from lot l
        join customer_alias a on a.bucket = l.bucket and a.customer_uid = l.customer_uid
        where a.storefront_id = $1
        order by l.version`,
        [id],
      );
    const before = { b1: await lotsOf("b1"), b2: await lotsOf("b2") };
    await later(48);
    const { uid } = await check("id,points\nb1,7\nb2,-30\n");
    await run(uid, "start");
    const undone = await run(uid, "undo");
    expect(undone.undo).toMatchObject({ points_added: 30, points_taken: 7, fault_count: 0 });
    expect(await lotsOf("b1")).toEqual(before.b1);
    expect(await lotsOf("b2")).toMatchObject([{ remaining: 20 }, { remaining: 30, since: before.b2[0]?.["since"] }]);
  });

  test("undoing takes no other points for those that have expired, written off or due, here or after a merge", async () => {
    await make("x1", "x2", "x3", "x4", "x5");
    const until = service.clock.now().add({ hours: 48 }).toString();
    const later90 = service.clock
      .now()
      .add({ hours: 24 * 90 })
      .toString();
    const rows = [`x1,100,${until}`, `x2,100,${until}`, `x2,7,${later90}`, `x3,100,${until}`, `x5,100,${until}`];
    const { uid } = await check(["id,points,expires at", ...rows].join("\n"));
    await run(uid, "start");
    await give("x1", -30); // of the file's points, which expire first
    await merge("x3", "x4");
    const wanted = { customer_id: "x5", point_value: 60, ttl_seconds: 8 * 86_400 };
    expect((await service.client.post("/api/storefront/reservations", wanted)).status).toBe(200);
    await later(96);
    for (const id of ["x1", "x2", "x4", "x5"]) await give(id, 500);
    const { undo } = await run(uid, "undo");
    expect(undo).toMatchObject({ points_taken: 97, fault_count: 0 });
    expect(await balanceOf(service.deps, "x5")).toBe(500n); // 60 are held beyond their date, 40 have expired
    expect(await balanceOf(service.deps, "x1")).toBe(470n); // 30 were spent, 70 have expired
    expect(await balanceOf(service.deps, "x2")).toBe(500n);
    expect(await balanceOf(service.deps, "x4")).toBe(500n);
    expect((await verifyLedger(service.deps.db, () => {})).ok).toBe(true);
  });

  test("the rows with errors are fixed in their own file and sent again", async () => {
    await make("c1");
    const { uid } = await check('id,points,note\nc1,-5x,"=1+1"\nc1,12,fine\n');
    const file = await manager.get(`/imports/${uid}/faults.csv?phase=check&language=en`);
    expect(file.headers.get("content-disposition")).toMatch(/filename="[\w ]+-\d{4}-\d{2}-\d{2}-faulty-rows\.csv"/);
    expect(file.text).toBe(
      "id,points,note,Line,What is wrong\r\nc1,'-5x,'=1+1,2,\"Expected points as a whole number, such as 100 or -50.\"\r\n",
    );
    const fixed = await check(file.text.replace("'-5x", "9"));
    expect(fixed).toMatchObject({ check: { good_count: 1, fault_count: 0, points_added: 9 } });
    await run(fixed.uid, "start");
    const { data } = (await service.client.get("/api/storefront/point_allotments/c1")).body;
    expect(data).toMatchObject([{ type: "csv", point_value: 9 }]);
    const [note] = await service.deps.db.query("select note, actor from allotment_note where note = '=1+1'");
    expect(note).toEqual({ note: "=1+1", actor: expect.stringContaining("manager") });
  });

  test("each allotment says who started the import, and its undoing who undid it, with a note beside it or not", async () => {
    await make("noted");
    const { uid } = await check("id,points,note\nnoted,20,\nnoted,30,thanks\n");
    await run(uid, "start");
    const another = await signIn(service, "manager");
    await run(uid, "undo", another);
    const [first, second] = [await manager.get("/session"), await another.get("/session")].map(
      ({ body }) => body.data.staff.name,
    );
    const { data } = (await manager.get("/customers/noted/ledger")).body;
    expect(data.map((line: Line) => [line["point_value"], line["note"], line["actor"]])).toEqual([
      [-20, null, second],
      [-30, "thanks", second],
      [30, "thanks", first],
      [20, null, first],
    ]);
    const bySource = await manager.get(`/ledger?source=${encodeURIComponent(first)}`);
    expect(bySource.body.data.map((line: Line) => line["point_value"])).toEqual(expect.arrayContaining([30, 20]));
  });

  test("a shard that is worked through again, whatever the reason, counts no row twice", async () => {
    await make("again");
    const subscription = { topic: "point_balance/update", callback_url: "http://127.0.0.1:9/points" };
    expect((await service.client.post("/api/storefront/webhooks", subscription)).status).toBe(200);
    const { uid } = await check("id,points\nagain,5\nagain,6\n");
    await run(uid, "start");
    await service.deps.db.execute("update import_step set at_bucket = null, at_n = null where import_uid = $1", [uid]);
    await service.deps.db.execute("update import set state = 'importing' where uid = $1", [uid]);
    await workImports(service.deps);
    expect((await manager.get(`/imports/${uid}`)).body.data.state).toBe("imported");
    expect(await balanceOf(service.deps, "again")).toBe(11n);
    expect((await verifyLedger(service.deps.db, () => {})).ok).toBe(true);
  });

  test("files go after 30 days, what can be undone after 90; the lines of faults stay as long as the file", async () => {
    await make("d1");
    const { uid } = await check("id,points\nd1,5\nnobody,1\n");
    await run(uid, "start");
    await later(24 * 31);
    await pruneImports(service.deps);
    const file = await manager.get(`/imports/${uid}/faults.csv?phase=check`);
    expect(file.text).toBe("Line,What is wrong\r\n");
    await later(24 * 60);
    await pruneImports(service.deps);
    const late = await manager.post(`/imports/${uid}/undo`);
    expect([late.status, late.body.errors[0].detail]).toEqual([409, "expected an import of the last 90 days"]);
    expect((await manager.get(`/imports/${uid}`)).body.data.import.points_added).toBe(5);
  });
});
