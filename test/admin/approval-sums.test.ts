import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RequestRow } from "../../src/admin/approvals/schema.ts";
import type { AdjustmentBody } from "../../src/admin/customers/schema.ts";
import { SELECT_MOVED } from "../../src/allowance/queries.ts";
import { mergeCustomers } from "../../src/intake/merge-customers.ts";
import { customerWithPoints } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn, signInAs } from "../support/staff.ts";

let service: TestService;
let support: AdminClient;
let manager: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false, program: { staff: { approval_limit: 1_000 } } });
  manager = await signIn(service, "manager");
  support = await signIn(service, "support");
});
afterAll(() => service.stop());

const customerWith = (points: number) => customerWithPoints(service, points);

const ask = (id: string, wanted: Partial<AdjustmentBody>, by = support) =>
  by.post(`/customers/${id}/adjustments`, { request_uid: randomUUID(), ...wanted });
const stateOf = async (id: string, wanted: Partial<AdjustmentBody>, by = support): Promise<string> =>
  (await ask(id, wanted, by)).body.data.state;

async function waitingOf(id: string): Promise<RequestRow[]> {
  const rows: RequestRow[] = (await manager.get("/approvals")).body.data;
  return rows.filter((row) => row.customer?.id === id);
}

test("what one person gives a customer within 24 hours is added up", async () => {
  const [id, other] = [await customerWith(10), await customerWith(10)];
  expect(await stateOf(id, { point_value: 600 })).toBe("posted");
  expect(await stateOf(id, { point_value: 400 })).toBe("posted");
  const { body } = await support.get(`/customers/${id}/adjustment-preview?point_value=1`);
  expect(body.data).toMatchObject({ needs_approval: true, earlier_points: 1_000 });
  expect(await stateOf(id, { point_value: 1 })).toBe("waiting");
  expect(await waitingOf(id)).toMatchObject([{ point_value: 1, earlier_points: 1_000 }]);

  expect(await stateOf(other, { point_value: 1_000 })).toBe("posted");
  expect(await stateOf(id, { point_value: 1_000 }, manager)).toBe("posted");

  service.clock.advance({ hours: 23, minutes: 59 });
  support = await signInAs(service.url, support);
  expect(await stateOf(id, { point_value: 1 })).toBe("waiting");
  service.clock.advance({ minutes: 1 });
  expect(await stateOf(id, { point_value: 1_000 })).toBe("posted");
  manager = await signInAs(service.url, manager);
});

test("what is taken is added up for itself, be it by a balance to set or an undo", async () => {
  const id = await customerWith(5_000);
  const given = (await ask(id, { point_value: 500 })).body.data.allotment_uid;
  expect(await stateOf(id, { balance: 4_900 })).toBe("posted");
  expect(await stateOf(id, { balance: 4_899 })).toBe("posted");
  const undo = await support.post(`/customers/${id}/adjustments/${given}/undo`, { request_uid: randomUUID() });
  expect(undo.body.data).toMatchObject({ state: "waiting", point_value: -500 });
  expect(await waitingOf(id)).toMatchObject([{ earlier_points: 601 }]);
  expect(await stateOf(id, { point_value: -400 })).toBe("waiting");
  expect(await stateOf(id, { point_value: -399 })).toBe("posted");
  expect(await stateOf(id, { balance: 4_500 })).toBe("posted");
  expect(await stateOf(id, { point_value: 500 })).toBe("posted");
});

test("what a second person approved does not count, nor what is sent again", async () => {
  const id = await customerWith(10);
  const { request_uid } = (await ask(id, { point_value: 2_000 })).body.data;
  expect((await manager.post(`/approvals/${request_uid}/approve`, {})).status).toBe(200);
  const again = { request_uid: randomUUID(), point_value: 1_000 };
  for (let n = 0; n < 2; n++) expect(await stateOf(id, again)).toBe("posted");
  expect(await stateOf(id, { point_value: 1 })).toBe("waiting");
});

test("two at once pass it together no more than one after the other", async () => {
  const id = await customerWith(10);
  const states = await Promise.all([600, 600, 600].map((point_value) => stateOf(id, { point_value })));
  expect(states.sort()).toEqual(["posted", "waiting", "waiting"]);
});

test("what two customers got counts for whom they are merged into", async () => {
  const [kept, removed] = [await customerWith(10), await customerWith(10)];
  for (const id of [kept, removed]) expect(await stateOf(id, { point_value: 600 })).toBe("posted");
  const merge = { keptId: kept, removedId: removed, appReference: "test" };
  await service.deps.db.tx((tx) => mergeCustomers(tx, service.deps, merge));
  expect(await stateOf(removed, { point_value: 1 })).toBe("waiting");
  expect(await waitingOf(kept)).toMatchObject([{ earlier_points: 1_200 }]);
});

test("the sum is found by the index of a person and the time, and a file's rows by their import and bucket", async () => {
  const { db } = service.deps;
  await db.execute(
    `insert into staff_movement (staff_uid, at, bucket, customer_uid, given, taken)
select gen_random_uuid(), now(), 1, gen_random_uuid(), 1, 0
from generate_series(1, 20000) n`,
  );
  await db.execute(
    `insert into import_row (import_uid, bucket, n, line, customer_uid, point_value)
select ('00000000-0000-4000-8000-00000000000' || n % 4)::uuid, n % 256, n, n, gen_random_uuid(), 1
from generate_series(1, 40000) n`,
  );
  await db.execute("analyze staff_movement, import_row");
  const literals = [`'${randomUUID()}'`, "now() - interval '1 day'", "1", `'${randomUUID()}'`];
  const text = SELECT_MOVED.replace(/\$(\d)/g, (_, n: string) => literals[Number(n) - 1] ?? "");
  const plan = await db.query<{ "QUERY PLAN": string }>(`explain ${text}`);
  const lines = plan.map((row) => row["QUERY PLAN"]).join("\n");
  expect(lines).toContain("staff_movement_person");
  expect(lines).toContain("import_row_pkey");
  expect(lines).not.toMatch(/Seq Scan on (?:staff_movement|import_row|balance)/);
});
