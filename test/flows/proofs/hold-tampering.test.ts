import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkLedger, type LedgerFault } from "../../../src/ledger/verify/check-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { mergeInto } from "../../support/customers.ts";
import { DEBT_TAMPERINGS, HOLD_TAMPERINGS } from "../../support/hold-tamperings.ts";
import { body, cancelled, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

const RESERVATIONS = "/api/storefront/reservations";
const SALE = [body(1, [line("a", { price: 10_000 })]), shipped(2, "f1", { a: 1 })];

let flow: OrderFlow;
let after: readonly LedgerFault[];
const uidOf = new Map<string, string>();

async function reserve(id: string, points: number): Promise<string> {
  const answer = await flow.client.post(RESERVATIONS, { customer_id: id, point_value: points, ttl_seconds: 3_600 });
  expect(answer.status).toBe(200);
  return answer.body.data.id;
}

async function makeHolder(id: string): Promise<void> {
  await flow.customer(id);
  await flow.give(id, 500);
  const captured = await reserve(id, 100);
  await flow.client.post(`${RESERVATIONS}/${captured}/capture`, { point_value: 80 });
  await flow.client.post(`${RESERVATIONS}/${await reserve(id, 50)}/release`);
  await reserve(id, 120);
}

/** Who has spent what a cancelled order took back, and paid a part of it since. */
async function makeDebtor(id: string): Promise<void> {
  await flow.customer(id);
  await flow.take(...ofOrder(`o-${id}`, id, SALE));
  await flow.give(id, -100);
  await flow.take(...ofOrder(`o-${id}`, id, [cancelled(9)]));
  await flow.give(id, 60);
}

async function check(): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  await checkLedger(flow.deps.db, { onFault: (fault) => faults.push(fault), more: ORDER_CHECKS });
  return faults;
}

describe("holds and debts changed by hand", () => {
  beforeAll(async () => {
    flow = await startOrderFlow({ program: { refunds: { shortfall: "owe" } } });
    for (const [i] of HOLD_TAMPERINGS.entries()) await makeHolder(`h${i}`);
    for (const [i] of DEBT_TAMPERINGS.entries()) await makeDebtor(`d${i}`);
    for (const id of ["debtor", "friend"]) await makeDebtor(id);
    await makeHolder("holder");
    await mergeInto(flow.deps, "debtor", "friend");
    await mergeInto(flow.deps, "holder", "friend");
    const rows = await flow.owner.query<{ id: string; uid: string }>(
      "select storefront_id as id, customer_uid as uid from customer_alias",
    );
    for (const { id, uid } of rows) uidOf.set(id, uid);
  });
  afterAll(() => flow.stop());

  test("nothing is found before, with debts and holds of merged customers", async () => {
    expect(await check()).toEqual([]);
    const shown = (await flow.client.get("/api/storefront/point_balances/friend")).body.data;
    expect(shown).toMatchObject({ point_balance: 300, points_owed: 80 });
  });

  test("every change was made, and is looked for", async () => {
    const victims = [
      ...HOLD_TAMPERINGS.map(([, , statements], i) => [`h${i}`, statements] as const),
      ...DEBT_TAMPERINGS.map(([, , statements], i) => [`d${i}`, statements] as const),
    ];
    for (const [id, statements] of victims)
      for (const statement of statements)
        expect(await flow.owner.execute(statement, [uidOf.get(id) ?? ""])).toBeGreaterThan(0);
    after = await check();
    expect(after.filter(({ customerUid }) => customerUid === uidOf.get("friend"))).toEqual([]);
  });

  test.each([
    ...HOLD_TAMPERINGS.map(([what, name], i) => [what, name, `h${i}`] as const),
    ...DEBT_TAMPERINGS.map(([what, name], i) => [what, name, `d${i}`] as const),
  ])("%s: found by %s", (_what, name, id) => {
    const own = after.filter(({ customerUid }) => customerUid === uidOf.get(id));
    expect([...new Set(own.map(({ check: found }) => found))]).toEqual(name === null ? [] : [name]);
  });
});
