import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memberIdOf } from "../../../src/customers/member-id.ts";
import { mergeClaimedMembers } from "../../../src/intake/merge-claimed-members.ts";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { balancePath, type MoveStore, startMoveStore } from "../../support/move-store.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { runCli } from "../../support/service-process.ts";

let store: MoveStore;
beforeAll(async () => {
  store = await startMoveStore();
});
afterAll(() => store.stop());

const importLines = (from: string, lines: readonly string[], ...options: string[]) =>
  store.importFile(from, `${lines.join("\n")}\n`, ...options);

const balanceOf = async (named: string) => {
  const { body, status } = await store.client.get(balancePath(named));
  return status === 200 ? [body.data.point_balance, body.data.expires_at] : [status];
};

describe("pointkeeper import --from", () => {
  test("a file of LoyaltyLion is brought in by e-mail, with its dates; a second time it counts nothing, and it is undone as a whole", async () => {
    await store.client.put("/api/storefront/customers/900101", { email: "known@example.com", name: "Known Here" });
    const lines = [
      "id,email,name,points_approved,points_expire_at",
      "501,Known@Example.com,Other Name,120,2031-03-31T00:00:00Z",
      '502,new@example.com,"Nguyen, Anh","1,300",2032-01-01 00:00:00 UTC',
      "503,none@example.com,No Points,0,",
    ];
    const dry = await importLines("loyaltylion", lines, "--dry-run");
    expect(dry.code, dry.stderr).toBe(0);
    expect(dry.said).toMatchObject({
      ...{ from: "loyaltylion", rows: 3, valid_rows: 3, points: 1420, found_by_email: 1, created: 2, fault_count: 0 },
      points_by_expiry: { "2031-03": 120, "2032-01": 1300 },
    });
    // a day is in its own month, although the points of its last day expire at midnight, when the next one begins
    const days = [
      "email,points_approved,points_expire_at",
      "a@days.example,7,2031-03-31",
      "b@days.example,8,2031-04-01",
    ];
    const ofDays = (await importLines("loyaltylion", days, "--dry-run")).said;
    expect(ofDays).toMatchObject({ valid_rows: 2, points_by_expiry: { "2031-03": 7, "2031-04": 8 } });
    expect(await balanceOf("new@example.com")).toEqual([404]);
    expect((await importLines("loyaltylion", lines)).code).toBe(2);
    expect(await balanceOf("new@example.com")).toEqual([404]);

    const done = await importLines("loyaltylion", lines, "--yes");
    expect([done.code, done.said.message], done.stderr).toEqual([0, expect.stringContaining("was imported")]);
    // points expire at midnight of the store, in Tokyo
    expect(await balanceOf("900101")).toEqual([120, "2031-03-31T15:00:00.000000Z"]);
    expect(await balanceOf("new@example.com")).toEqual([1300, "2032-01-01T15:00:00.000000Z"]);
    expect(await balanceOf("none@example.com")).toEqual([0, null]);
    const { body } = await store.client.get("/api/storefront/customers/900101");
    expect(body.data.name).toBe("Known Here");

    const again = await importLines("loyaltylion", lines, "--yes");
    expect([again.code, again.said.message]).toEqual([0, "This file is in already: nothing was changed."]);
    expect((await balanceOf("900101"))[0]).toBe(120);

    const undone = await store.undo(done.said.move);
    expect(undone.code, undone.stderr).toBe(0);
    expect(await balanceOf("900101")).toEqual([0, null]);
    expect(await balanceOf("new@example.com")).toEqual([404]);
    expect(await balanceOf("none@example.com")).toEqual([404]);
    const verified = await runCli(["verify"], store.env);
    expect(verified.code, verified.stdout).toBe(0);
  });

  test("faults name line and field, and nothing is imported unless the others are asked for", async () => {
    const lines = [
      "Email,Points Balance,Points expiry",
      "good@faults.example,10,",
      "no address,10,",
      "minus@faults.example,-5,",
      "half@faults.example,1.5,",
      "huge@faults.example,1e400,",
      "past@faults.example,10,2020-01-01",
      "odd@faults.example,10,31.31.2031",
      "gone@faults.example,0,2020-01-01",
      `long@faults.example,10,${"9".repeat(5_000)}`,
    ];
    const refused = await importLines("smile", lines, "--yes");
    expect(refused.code).toBe(1);
    expect(refused.said.faults.map((fault: { line: number; field: string }) => `${fault.line} ${fault.field}`)).toEqual(
      ["3 email", "4 points", "5 points", "6 points", "7 expires_at", "8 expires_at", "10 expires_at"],
    );
    const details = refused.said.faults.map(({ detail }: { detail: string }) => detail);
    expect(details[2]).toBe("Expected a balance as a whole number, 0 or more, such as 100.");
    expect(await balanceOf("good@faults.example")).toEqual([404]);
    const rest = await importLines("smile", lines, "--yes", "--skip-faults");
    expect(rest.code, rest.stderr).toBe(0);
    expect((await balanceOf("good@faults.example"))[0]).toBe(10);
    expect(await balanceOf("gone@faults.example")).toEqual([0, null]);
    expect(await balanceOf("minus@faults.example")).toEqual([404]);
  });

  test("balances are set to what the file says; a member of two rows is a fault there, and two lots otherwise", async () => {
    await store.client.put("/api/storefront/customers/900201", { email: "set@example.com" });
    await store.client.post("/api/storefront/point_allotments", { customer_id: "900201", point_value: 50 });
    const set = await importLines("rivo", ["Email,Points Balance", "set@example.com,20"], "--yes", "--set");
    expect(set.code, set.stderr).toBe(0);
    expect((await balanceOf("900201"))[0]).toBe(20);
    const lots = ["email,points,points expiry", "lots@example.com,5,2031-01-01", "lots@example.com,7,2030-01-01"];
    expect((await importLines("bon", lots, "--yes", "--set")).code).toBe(1);
    const both = await importLines("bon", lots, "--yes");
    expect(both.code, both.stderr).toBe(0);
    expect(await balanceOf("lots@example.com")).toEqual([12, "2030-01-01T15:00:00.000000Z"]);
  });

  test("an id that has two addresses in the file belongs to the first one; nobody's points are lost without a word", async () => {
    const lines = [
      "Shopify ID,Email,Points",
      "900301,First@ids.example,10",
      "900301,second@ids.example,20",
      "900301,,5",
    ];
    const dry = await importLines("bon", lines, "--dry-run");
    expect(dry.said).toMatchObject({ valid_rows: 2, members: 1, created: 1, points: 15 });
    expect(dry.said.faults).toMatchObject([{ line: 3, field: "id", code: "id_of_another", value: "900301" }]);
    const done = await importLines("bon", lines, "--yes", "--skip-faults");
    expect([done.code, done.said.rows_left_out], done.stderr).toEqual([0, 0]);
    expect((await balanceOf("first@ids.example"))[0]).toBe(15);
    expect(await balanceOf("second@ids.example")).toEqual([404]);
  });

  test("a file of another app, of no app, or of no rows is refused in words", async () => {
    const other = await importLines("loyaltylion", ["colour,size", "red,5"], "--yes");
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("no file of LoyaltyLion")]);
    expect((await importLines("nobody", ["email,points"], "--yes")).code).toBe(2);
    expect((await importLines("smile", [""], "--yes")).code).toBe(2);
    const quote = await importLines("smile", ["email,points", '"never closed,5'], "--yes");
    expect([quote.code, quote.stderr]).toEqual([2, expect.stringContaining("opened in line 2 is never closed")]);
    const long = await importLines("smile", [`email,${"x".repeat(300_000)},points`, "a@b.example,5"], "--yes");
    expect([long.code, long.stderr]).toEqual([2, expect.stringContaining("the row at line 1 is too long")]);
    const open = await importLines("smile", ['"email,points', "a@b.example,5"], "--yes");
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining("opened in line 1 is never closed")]);
  });
});

describe("pointkeeper import --undo", () => {
  test("says which rows could not be undone and why, also later, and writes all of them as a file", async () => {
    await store.client.put("/api/storefront/customers/900401", { email: "spender@left.example" });
    const lines = ["Email,Points Balance", "spender@left.example,50", "whole@left.example,10"];
    const { move } = (await importLines("smile", lines, "--yes")).said;
    await store.client.post("/api/storefront/point_allotments", { customer_id: "900401", point_value: -30 });
    const undo = (...more: string[]) => runCli(["import", "--undo", move, ...more], store.env);
    const row = {
      ...{ customer_id: "900401", email: "spender@left.example", code: "points_left", value: "30" },
      detail: "30 points could not be taken back: they were gone.",
    };
    const first = await undo("--json");
    expect(JSON.parse(first.stdout), first.stderr).toMatchObject({
      imports: [
        { kind: "points", left: 1, rows_left: [row] },
        { kind: "customers", left: 0, rows_left: [] },
      ],
    });
    const later = await undo();
    expect(later.code, later.stderr).toBe(0);
    expect(later.stdout).toContain(
      "1 row could not be undone\nspender@left.example  30 points could not be taken back",
    );
    expect(later.stdout).toContain(`pointkeeper import --undo ${move} --left rows-left.csv`);
    expect(later.stdout).toMatch(/The move was undone at .*: nothing was changed\./);
    const { stdout } = await undo("--left", "-");
    expect(stdout.split("\r\n").slice(1)).toEqual([
      expect.stringMatching(/^Points,900401,spender@left.example,points_left,30 points could/),
      "",
    ]);
    expect((await undo("--left", `${store.folder}/left.csv`)).stdout).toContain("rows were written to");
    expect(await readFile(`${store.folder}/left.csv`, "utf8")).toBe(stdout);
    expect((await runCli(["import", "--undo", "00000000-0000-7000-8000-000000000000"], store.env)).code).toBe(4);
  });
});

describe("members who are known by e-mail only", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ worker: false });
  });
  afterAll(() => service.stop());

  let n = 0;
  let email: string;
  let platformId: string;
  beforeEach(async () => {
    n++;
    email = `member${n}@example.com`;
    platformId = `8100${n}`;
    await service.client.put(`/api/storefront/customers/${memberIdOf(email, "n")}`, { email, name: "A Member" });
    await service.client.post("/api/storefront/point_allotments", {
      customer_id: memberIdOf(email, "n"),
      point_value: 300,
    });
  });
  const pointsOf = async (id: string) => (await service.client.get(balancePath(id))).body.data.point_balance;

  test("whoever turns up at the platform with the address gets the points, once", async () => {
    await service.client.put(`/api/storefront/customers/${platformId}`, { email, name: "From the platform" });
    expect(await Promise.all([mergeClaimedMembers(service.deps), mergeClaimedMembers(service.deps)])).toContain(1);
    expect(await mergeClaimedMembers(service.deps)).toBe(0);
    expect(await pointsOf(platformId)).toBe(300);
    expect(await pointsOf(memberIdOf(email, "n"))).toBe(300); // the id leads to the same customer from now on
    await service.client.put(`/api/storefront/customers/${platformId}`, { email: "changed@example.com" });
    await service.client.put(`/api/storefront/customers/${platformId}`, { email });
    expect(await mergeClaimedMembers(service.deps)).toBe(0);
    expect(await pointsOf(platformId)).toBe(300);
  });

  test("by an event of the platform, and by an address that becomes known later", async () => {
    await service.client.put(`/api/storefront/customers/${platformId}`, { name: "No address yet" });
    expect(await mergeClaimedMembers(service.deps)).toBe(0);
    const event = {
      type: "CustomerUpserted",
      delivery_key: `claim-${n}`,
      occurred_at: "2026-03-01T00:00:00Z",
      payload: { customer_id: platformId, email },
    };
    expect((await service.client.post("/intake/events", event)).status).toBe(202);
    await processAllReceipts(service.deps);
    expect(await mergeClaimedMembers(service.deps)).toBe(1);
    expect(await pointsOf(platformId)).toBe(300);
  });

  test("the member and the customer at the same moment: both orders end in one customer", async () => {
    const both = Array.from({ length: 6 }, (_, i) => ({ email: `race${n}-${i}@example.com`, id: `race${n}-${i}` }));
    await Promise.all(
      both.flatMap(({ email: of, id }) => [
        service.client.put(`/api/storefront/customers/${memberIdOf(of, "n")}`, { email: of }),
        service.client.put(`/api/storefront/customers/${id}`, { email: of }),
      ]),
    );
    expect(await mergeClaimedMembers(service.deps)).toBe(both.length);
  });

  test("a customer who was deleted meanwhile gets nothing, and the points stay for the next one", async () => {
    await service.client.put(`/api/storefront/customers/${platformId}`, { email });
    const event = {
      type: "CustomerDeleted",
      delivery_key: `gone-${n}`,
      payload: { customer_id: platformId, reason: "deleted" },
    };
    expect((await service.client.post("/intake/events", event)).status).toBe(202);
    await processAllReceipts(service.deps);
    expect(await mergeClaimedMembers(service.deps)).toBe(0);
    expect(await pointsOf(memberIdOf(email, "n"))).toBe(300);
    await service.client.put(`/api/storefront/customers/${platformId}-next`, { email });
    expect(await mergeClaimedMembers(service.deps)).toBe(1);
    expect(await pointsOf(`${platformId}-next`)).toBe(300);
  });
});
