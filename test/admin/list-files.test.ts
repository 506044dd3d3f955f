import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { createClient } from "../support/client.ts";
import { upload } from "../support/csv.ts";
import { yen } from "../support/explain.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

// Every list is there as a file: the same rows by the same filters, all of them, and nothing in it that a spreadsheet would run.
const CUSTOMERS = 1_203; // more than two pages of a file
let service: TestService;
let manager: AdminClient;

beforeAll(async () => {
  const program = { staff: { approval_limit: 1_000 } };
  service = await startTestService({ now: "2026-03-01T00:00:00Z", worker: false, program });
  const { deps } = service;
  await deps.db.tx(async (tx) => {
    for (let n = 0; n < CUSTOMERS; n++)
      await upsertCustomer(tx, deps, { storefrontId: String(n), name: `Member ${n}`, email: `m${n}@example.com` });
    await upsertCustomer(tx, deps, {
      storefrontId: "7000",
      name: '=HYPERLINK("http://x","y")',
      email: "f@example.com",
    });
  });
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

interface File {
  readonly status: number;
  readonly name: string;
  readonly lines: string[];
}

async function fileOf(path: string, who: AdminClient = manager): Promise<File> {
  const answer = await createClient(`${service.url}/admin/api`, null).get(path, { cookie: who.cookie });
  const name = answer.headers.get("content-disposition") ?? "";
  return { status: answer.status, name, lines: answer.text.trimEnd().split("\r\n") };
}

test("customers: all of them, each once, by the filters of the list", async () => {
  const { status, name, lines } = await fileOf("/customers.csv");
  expect(status).toBe(200);
  expect(name).toBe('attachment; filename="customers-2026-03-01.csv"');
  expect(lines[0]).toBe("customer_id,name,email,tier,points,expires_at,last_activity_at,created_at");
  expect(lines).toHaveLength(CUSTOMERS + 2);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.find((line) => line.startsWith("7,"))).toMatch(/^7,Member 7,m7@example.com,\w+,0,,,2026-03-01T09:00:00/);
  const found = await fileOf("/customers.csv?q=m17@example.com");
  expect(found.lines.slice(1)).toEqual([expect.stringMatching(/^17,/)]);
  const few = await fileOf("/customers.csv?q=Member 12");
  const shown = (await manager.get("/customers?q=Member 12")).body.found;
  expect(few.lines.length - 1).toBe(shown.count);
});

test("no cell is a formula, and a byte order mark comes where it is asked for", async () => {
  const { lines } = await fileOf("/customers.csv?q=f@example.com");
  expect(lines[1]).toContain(`"'=HYPERLINK(""http://x"",""y"")"`);
  const marked = await fetch(`${service.url}/admin/api/customers.csv?q=f@example.com&encoding=utf-8-bom`, {
    headers: { cookie: manager.cookie },
  });
  expect(
    Buffer.from(await marked.arrayBuffer())
      .subarray(0, 3)
      .toString("hex"),
  ).toBe("efbbbf");
});

test("orders, deliveries, receipts and the audit log have their files, with the columns of the list", async () => {
  const { client, clock, deps } = service;
  const line = { line_id: "a", product_id: "P1", title: "玉露, 100g", quantity: 1, unit_price: yen(1_200) };
  const payload = {
    order_id: "1001",
    order_name: "#1001",
    customer_id: "7",
    processed_at: clock.now().toString(),
    shop_currency: "JPY",
    subtotal: yen(1_200),
    total: yen(1_200),
    lines: [line],
  };
  const event = { type: "OrderPlaced", occurred_at: clock.now().toString(), payload };
  expect((await client.post("/intake/events", [event])).status).toBe(202);
  await processAllReceipts(deps);
  expect((await fileOf("/orders.csv")).lines[1]).toMatch(
    /^1001,#1001,\w+,2026-03-01T09:00:00\.0+\+09:00,7,Member 7,m7@example.com,1200,JPY,/,
  );
  expect((await fileOf("/intake/receipts.csv")).lines).toHaveLength(2);
  for (const [path, first] of [
    ["/orders.csv", "order_id,name,state"],
    ["/webhooks/deliveries.csv", "uid,topic,state"],
    ["/intake/receipts.csv", "uid,adapter,topic"],
    ["/audit.csv", "id,at,actor_kind"],
  ] as const) {
    const { status, lines } = await fileOf(path);
    expect([path, status]).toEqual([path, 200]);
    expect(lines[0]?.startsWith(first)).toBe(true);
  }
  expect((await fileOf("/intake/receipts.csv?state=quarantined")).lines).toHaveLength(1);
});

test("a file is written down, without what was typed to find a person; a viewer gets none", async () => {
  await fileOf("/customers.csv?q=m3@example.com&sort=points&mail=m4@example.com&%00=null");
  const entries = (await manager.get("/audit?action=list.exported")).body.data;
  expect(entries[0].subject).toMatchObject({ kind: "list", id: "customers" });
  expect(entries[0].after).toEqual({ q: "given", sort: "points" });
  expect(JSON.stringify(entries)).not.toContain("example.com");
  const [viewer, support] = [await signIn(service, "viewer"), await signIn(service, "support")];
  expect((await fileOf("/customers.csv", viewer)).status).toBe(403);
  expect((await fileOf("/customers.csv", support)).status).toBe(200);
  expect((await fileOf("/audit.csv", support)).status).toBe(403);
});

test("approvals and imports have their files, by the filters of their lists", async () => {
  const request = { request_uid: randomUUID(), point_value: 1_200, reason_type: "compensation", note: "=1+1" };
  expect((await manager.post("/customers/7000/adjustments", request)).body.data.state).toBe("waiting");
  const [head, ...waiting] = (await fileOf("/approvals.csv")).lines;
  expect(head).toMatch(/^uid,kind,state,customer_id,customer_name,customer_email,merged_customer_id,points,/);
  expect(waiting).toEqual([
    expect.stringMatching(
      /^[\w-]{36},add,waiting,7000,"'=HYPERLINK.*",f@example.com,,1200,,,,,,compensation,'=1\+1,2026-03-01T/,
    ),
  ]);
  expect((await fileOf("/approvals.csv?list=decided")).lines).toHaveLength(1);

  for (const name of ["=gifts.csv", "more.csv"])
    expect(
      (await upload({ ...manager, url: service.url }, `customer_id,points\n7,${name.length}\n`, { name })).status,
    ).toBe(201);
  const [columns, ...imports] = (await fileOf("/imports.csv")).lines;
  expect(columns).toMatch(/^uid,kind,state,file_name,rows,faults,points_added,points_taken,created_at,created_by,/);
  expect(imports).toHaveLength(2);
  expect((await fileOf("/imports.csv?q=gifts")).lines.slice(1)).toEqual([
    expect.stringMatching(/^[\w-]{36},points,uploaded,'=gifts.csv,,,,,2026-03-01T/),
  ]);
  const viewer = await signIn(service, "viewer");
  for (const path of ["/approvals.csv", "/imports.csv"]) expect((await fileOf(path, viewer)).status).toBe(403);
});

test("a wrong filter is refused before the file begins", async () => {
  expect((await fileOf("/orders.csv?from=someday")).status).toBe(422);
  expect((await fileOf("/customers.csv?tier=gold")).status).toBe(422);
});

test("chosen customers: each once, in the columns of the list, by ids that name somebody", async () => {
  const customers = ["7", "7000", "7", "nobody"];
  const { status, body } = await manager.post("/customers/chosen", { customers });
  expect(status).toBe(200);
  expect(body.data.name).toBe("customers-2026-03-01.csv");
  const [head, ...lines] = body.data.text.trimEnd().split("\r\n");
  expect(head).toBe("\uFEFFcustomer_id,name,email,tier,points,expires_at,last_activity_at,created_at");
  expect(lines.toSorted()).toEqual([
    expect.stringMatching(/^7,Member 7,/),
    expect.stringMatching(/^7000,"'=HYPERLINK/),
  ]);
  const { body: log } = await (await signIn(service, "owner")).get("/audit?action=list.exported");
  expect(log.data[0]).toMatchObject({ subject: { kind: "list", id: "customers" }, after: { customers: 2 } });
  expect((await (await signIn(service, "viewer")).post("/customers/chosen", { customers })).status).toBe(403);
});
