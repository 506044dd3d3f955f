import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { settingsOf, upload } from "../support/csv.ts";
import {
  checkCustomers,
  customerCounts,
  customerLines,
  faultsOf,
  sendCustomers,
  startCustomers,
} from "../support/customer-import.ts";
import { mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { shiftJis } from "../support/shift-jis.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";

const API = "/api/storefront";

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    now: "2026-03-01T00:00:00Z",
    program: { rewards: { signup: 100, marketing_opt_in: 50 } },
  });
  manager = await signIn(service, "manager");
});
afterAll(() => stopVerified(service));

const check = (content: string | Uint8Array<ArrayBuffer>, others?: object) =>
  checkCustomers(service, manager, content, others);
const start = (uid: string) => startCustomers(service, manager, uid);
const put = (id: string, body: object) => service.client.put(`${API}/customers/${id}`, body);
const read = async (id: string) => (await service.client.get(`${API}/customers/${id}`)).body.data;
const send = (content: string, by: AdminClient = manager) => sendCustomers(service, by, content);
const remove = (id: string) => service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, id, "test"));
const merge = (removedId: string, keptId: string) => mergeInto(service.deps, removedId, keptId);

describe("importing customers", () => {
  test("makes those that nobody knows, changes others by what their cells say, and leaves the rest", async () => {
    await put("a1", { email: "a1@example.com", name: "Old", birthday: "--04-12", accepts_marketing: false });
    await put("a2", { name: "Same", account_enabled: true });
    const before = await service.deps.db.query("select * from customer order by storefront_id");
    const data = await check(
      customerLines(
        "a1,,New,1988-04-12,yes,",
        "a2,,Same,,,1",
        "a3,A3@Example.com,山田 花子,2000-02-29,いいえ,はい",
        "a4,,,,,",
      ),
    );
    expect(data).toMatchObject({
      kind: "customers",
      state: "checked",
      columns: { id: 0, email: 1, name: 2, birthday: 3, accepts_marketing: 4, account_enabled: 5 },
      check: { row_count: 4, good_count: 4, fault_count: 0, customers: customerCounts(2, 1, 1) },
      customer_count: 4,
      warning_count: 0,
      needs_another: false,
    });
    expect(await service.deps.db.query("select * from customer order by storefront_id")).toEqual(before);

    const imported = await start(data.uid);
    expect(imported).toMatchObject({
      state: "imported",
      undo_until: "2026-05-30T00:00:00.000000Z",
      import: { row_count: 4, good_count: 4, fault_count: 0, customers: customerCounts(2, 1, 1) },
    });
    const known = { email: "a1@example.com", name: "New", birthday: "1988-04-12" };
    expect(await read("a1")).toMatchObject({ ...known, accepts_marketing: true, account_enabled: null });
    const made = { email: "a3@example.com", name: "山田 花子", birthday: "2000-02-29" };
    expect(await read("a3@example.com")).toMatchObject({ id: "a3", ...made, accepts_marketing: false });
    expect(await read("a4")).toMatchObject({ email: null, name: null, birthday: null, accepts_marketing: null });
    expect(await service.deps.db.query("select from import_profile")).toEqual([]);
    expect(await service.deps.db.query("select from allotment")).toEqual([]); // a file rewards nothing
    const entries = await service.deps.db.query<{ action: string; after: object }>(
      "select action, after from audit_entry where subject_id = $1 order by id",
      [data.uid],
    );
    expect(entries.map(({ action }) => action)).toEqual(["import.uploaded", "import.check_started", "import.started"]);
    expect(entries[2]?.after).toEqual({ kind: "customers", rows: 4, created: 2, updated: 1 });
    expect(JSON.stringify(entries)).not.toContain("example.com");
  });

  test("the content of a file of customers comes once at a time, and again when it is imported", async () => {
    const content = customerLines("b1,,Bee,,,");
    const { uid } = await check(content);
    expect((await send(content)).status).toBe(409);
    await start(uid);
    expect((await manager.get(`/imports/${uid}`)).body.data.state).toBe("imported");
    await put("b1", { name: "Bo" });
    const again = await check(content);
    expect(again.check.customers).toEqual(customerCounts(0, 1, 0));
    await start(again.uid);
    expect(await read("b1")).toMatchObject({ name: "Bee" });
  });

  test("a file of customers may be one of points and of tiers too, once each", async () => {
    const content = customerLines("m1,,Em,,,");
    await check(content);
    const kinds = ["points", "tiers", "customers", "points"] as const;
    const by = { url: service.url, cookie: manager.cookie };
    const answers = [];
    for (const kind of kinds) answers.push((await upload(by, content, { kind })).status);
    expect(answers).toEqual([201, 201, 409, 409]);
  });

  test("every row's fault is told, in a file too, and the good rows are imported", async () => {
    await put("c1", { name: "Gone" });
    await remove("c1");
    const data = await check(
      customerLines(
        ",c@example.com,,,,",
        "c@example.com,,,,,",
        `${"9".repeat(1_001)},,,,,`,
        "c2,not an address,,,,",
        `c3,,${"長".repeat(256)},,,`,
        "c4,,,04/12/1988,,",
        "c5,,,2023-02-29,perhaps,?",
        "c1,,Back,,,",
        "c6,,Hana,,,,more",
        "c7,,A\0B,,,",
        "c8,,Fine,,,",
        `${"長".repeat(867)},,,,,`,
        "4.56789E+12,,,,,",
        '"4,56789E+12",,,,,',
      ),
    );
    expect(data.check).toMatchObject({
      row_count: 14,
      good_count: 1,
      fault_count: 13,
      customers: customerCounts(1, 0, 0),
    });
    expect(await faultsOf(manager, data.uid, "check")).toEqual([
      "2 id_missing null",
      "3 id_is_email c@example.com",
      `4 id_too_long ${"9".repeat(100)}`,
      "5 email_unclear not an address",
      `6 name_too_long ${"長".repeat(100)}`,
      "7 birthday_unclear 04/12/1988",
      "8 account_unclear ?",
      "8 birthday_unclear 2023-02-29",
      "8 marketing_unclear perhaps",
      "9 customer_deleted c1",
      "10 too_many_cells more",
      "11 text_unclean A\uFFFDB",
      `13 id_too_long ${"長".repeat(100)}`,
      "14 id_rounded 4.56789E+12",
      "15 id_rounded 4,56789E+12",
    ]);
    const file = await manager.get(`/imports/${data.uid}/faults.csv?phase=check&language=ja`);
    expect(file.text).toContain(
      "c1,,Back,,,,9,このIDまたはメールアドレスの会員は削除されています。ファイルでは元に戻せません。",
    );
    expect((await start(data.uid)).import).toMatchObject({
      row_count: 1,
      fault_count: 0,
      customers: customerCounts(1, 0, 0),
    });
    expect((await service.client.get(`${API}/customers/c1`)).status).toBe(404);
    expect((await service.client.get(`${API}/customers/c7`)).status).toBe(404);
  });

  test("a file without the id is not checked", async () => {
    const sent = await send("Email,Name\nd@example.com,D\n");
    const refused = await manager.post(`/imports/${sent.body.data.uid}/check`, settingsOf(sent.body.data));
    expect([refused.status, refused.body.errors[0].source]).toEqual([422, { pointer: "/columns/id" }]);
  });

  const japanese =
    "顧客ID,メールアドレス,名前,誕生日,マーケティング同意,アカウント有効\r\ne,E@example.com,髙島 花,--04-12,○,無効\r\n";
  test.each([
    ["Shift_JIS", shiftJis(japanese), {}],
    ["UTF-16", Buffer.from(`\uFEFF${japanese}`, "utf16le"), {}],
    ["no header", Buffer.from("e,E@example.com,髙島 花,--04-12,yes,off\n"), { has_header: false }],
    [
      "other names, mapped",
      Buffer.from("when;who;what\n--04-12;e;e@example.com"),
      { has_header: true, separator: ";", columns: { birthday: 0, id: 1, email: 2 } },
    ],
  ])("is read as it comes: %s", async (_name, bytes, others) => {
    const data = await check(bytes, others);
    expect(data.check).toMatchObject({ row_count: 1, good_count: 1 });
    await start(data.uid);
    const person = { email: "e@example.com", name: "髙島 花", birthday: "--04-12" };
    expect(await read("e")).toMatchObject({ ...person, accepts_marketing: true, account_enabled: false });
  });
});

describe("several rows of one customer", () => {
  test("count in their order, under merged ids too; the dry run counts as the import does", async () => {
    await put("f1", { name: "One" });
    await put("f2", { name: "Two" });
    await merge("f2", "f1");
    const data = await check(
      customerLines(
        "f1,,A,,,",
        "f2,,B,,,", // the same person
        "f1,,B,,,",
        "f1,,,1990-01-01,,",
        "f3,,A,,,",
        "f3,,A,,,",
        "f3,,,,yes,",
        "f2,,One,,,",
      ),
    );
    const expected = customerCounts(1, 5, 2);
    expect(data).toMatchObject({ customer_count: 2, warning_count: 6, check: { good_count: 8, customers: expected } });
    expect(await faultsOf(manager, data.uid, "warning")).toEqual(
      ["3 f2", "4 f1", "5 f1", "7 f3", "8 f3", "9 f2"].map((at) => at.replace(" ", " customer_repeated ")),
    );
    expect((await start(data.uid)).import).toMatchObject({ good_count: 8, customers: expected });
    expect(await read("f2")).toMatchObject({ id: "f1", name: "One", birthday: "1990-01-01" });
    expect(await read("f3")).toMatchObject({ name: "A", accepts_marketing: true });
  });

  test("in many batches the last one holds", async () => {
    const data = await check(customerLines(...Array.from({ length: 2_500 }, (_, n) => `g,,Name ${n},,,`)));
    expect(data.check.customers).toEqual(customerCounts(1, 2_499, 0));
    expect((await start(data.uid)).import.customers).toEqual(customerCounts(1, 2_499, 0));
    expect(await read("g")).toMatchObject({ name: "Name 2499" });
  });
});

test("only roles that may import upload, see rows and start; everybody sees that it was done", async () => {
  const support = await signIn(service, "support");
  expect((await send(customerLines("l1,,Ell,,,"), support)).status).toBe(403);
  const { uid } = await check(customerLines("l1,,Ell,,,", "l2,bad,,,,"));
  for (const path of ["faults?phase=check", "faults.csv?phase=check", "sample"]) {
    expect((await support.get(`/imports/${uid}/${path}`)).status).toBe(403);
  }
  expect((await support.post(`/imports/${uid}/start`)).status).toBe(403);
  expect((await support.get(`/imports/${uid}`)).body.data).toMatchObject({ kind: "customers", state: "checked" });
});
