import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { selectImport, selectMoveImports } from "../../../src/imports/queries.ts";
import { workImports } from "../../../src/imports/work-imports.ts";
import { mergeClaimedMembers } from "../../../src/intake/merge-claimed-members.ts";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { columnsOf } from "../../../src/moving-in/member.ts";
import { type MemberMove, MOVE_KINDS, moveUidOf } from "../../../src/moving-in/move.ts";
import { moveKind } from "../../../src/moving-in/move-kind.ts";
import { undoMove } from "../../../src/moving-in/undo-move.ts";
import { pointkeeper } from "../../../src/moving-in/vendors/pointkeeper.ts";
import { reviewOrders } from "../../../src/orders/review/review-orders.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

// Orders that the other app gave points for, and that come here all the same: by the platform's history, or since they are refunded.

const API = "/api/storefront";
const MOVED_AT = "2026-03-10T00:00:00Z";
const BY = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };

let service: TestService;
beforeAll(async () => {
  const rules = [
    { name: "Bronze", currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
    { name: "Silver", currency_spent_requirement: 1_000_000, point_value: 2, currency_value: 100 },
  ];
  const program = {
    store: { currency: "JPY", time_zone: "UTC" },
    earning: { point_value: 1, currency_value: 100, award_on: "paid" },
    tiers: { spend_at: "paid", rules },
  };
  service = await startTestService({ worker: false, now: "2026-01-01T00:00:00Z", program });
});
afterAll(() => service.stop());

let n = 0;
let email: string;
let id: string;
beforeEach(() => {
  n++;
  email = `orders${n}@moved.example`;
  id = `98${n}`;
  service.clock.set(MOVED_AT);
});

/** Brings in a file of one member. */
async function moveIn(
  points: number,
  {
    spent = "",
    tier = "",
    asOf = null,
  }: { readonly spent?: string; readonly tier?: string; readonly asOf?: Temporal.Instant | null } = {},
): Promise<MemberMove> {
  const header = ["email", "points", "lifetime spend", "tier"];
  const bytes = Buffer.from(`${header.join(",")}\n${email},${points},${spent},${tier}\n`);
  const move: MemberMove = {
    file: {
      name: "members.csv",
      open: async function* () {
        yield bytes;
      },
    },
    head: {
      encoding: "utf-8",
      separator: ",",
      header,
      sha256: createHash("sha256").update(bytes).digest(),
      lineCount: 2,
    },
    ...{ vendor: pointkeeper, columns: columnsOf(pointkeeper, header) },
    ...{ setsBalance: false, again: false, keepTiersUntil: null, asOf, uploadedAt: service.clock.now() },
  };
  for (const kind of MOVE_KINDS) await moveKind(service.deps, move, kind, { by: BY, work, onLeftOut: async () => {} });
  return move;
}
async function work(uid: string) {
  await workImports(service.deps);
  return selectImport(service.deps.db, uid);
}
async function undo(move: MemberMove) {
  await undoMove(service.deps, moveUidOf(move), { by: BY, work });
  expect(await selectMoveImports(service.deps.db, moveUidOf(move))).toEqual([]);
}

/** An order of 1,000 yen, 10 points, that was paid when it was placed; known here from now on. `customerId` null: a guest's. */
async function order(
  orderId: string,
  placedAt: string,
  customerId: string | null = id,
  type: "OrderPaid" | "OrderPlaced" = "OrderPaid",
) {
  const line = { line_id: "1", quantity: 1 };
  const event = {
    type,
    delivery_key: `${type}-${orderId}-${service.clock.now()}`,
    occurred_at: placedAt,
    payload: {
      order_id: orderId,
      customer_id: customerId,
      ...(email === "" ? {} : { email }),
      shop_currency: "JPY",
      taxes_included: true,
      processed_at: placedAt,
      lines: [{ ...line, unit_price: { minor: 1_000, currency: "JPY" } }],
    },
  };
  const sent = await service.client.post("/intake/events", event);
  expect(sent.status, sent.text).toBe(202);
  await processAllReceipts(service.deps);
}
const balanceOf = async (of = id) => (await service.client.get(`${API}/point_balances/${of}`)).body.data.point_balance;
const tierOf = async (of = id) => {
  const { data } = (await service.client.get(`${API}/point_balances/${of}/tier/explanation`)).body;
  return [data.spent.raw_amount, data.spent_elsewhere?.raw_amount ?? 0];
};
async function expectSoundLedger() {
  const lines: string[] = [];
  expect((await verifyLedger(service.deps.db, (line) => lines.push(line))).ok, lines.join("\n")).toBe(true);
}

describe("an order that was placed before the file was brought in", () => {
  test("and comes later gives no points again, and its spend counts once; one that was placed later earns", async () => {
    await makeCustomer(service.deps, { storefrontId: id, email });
    await moveIn(500, { spent: "7000" });
    service.clock.advance({ hours: 1 });
    const preview = {
      customer_id: id,
      processed_at: "2026-03-09T00:00:00Z",
      lines: [{ unit_price: { minor: 1_000, currency: "JPY" }, quantity: 1 }],
    };
    expect((await service.client.post(`${API}/orders/preview`, preview)).body.data.points).toBe(0);
    await order(`old-${n}`, "2026-03-09T00:00:00Z");
    expect([await balanceOf(), await tierOf()]).toEqual([500, [7_000, 7_000]]);
    await order(`new-${n}`, "2026-03-10T00:30:00Z");
    expect([await balanceOf(), await tierOf()]).toEqual([510, [8_000, 7_000]]);
    await expectSoundLedger();
  });

  test("and was known here before stays as it was", async () => {
    await makeCustomer(service.deps, { storefrontId: id, email });
    service.clock.set("2026-03-05T00:00:00Z");
    await order(`known-${n}`, "2026-03-04T00:00:00Z");
    expect(await balanceOf()).toBe(10);
    service.clock.set(MOVED_AT);
    await moveIn(500);
    service.clock.advance({ hours: 1 });
    await order(`known-${n}`, "2026-03-04T00:00:00Z");
    await reviewOrders(service.deps);
    expect(await balanceOf()).toBe(510);
  });

  test("counts toward tiers where the file brought no spend", async () => {
    await makeCustomer(service.deps, { storefrontId: id, email });
    await moveIn(500);
    service.clock.advance({ hours: 1 });
    await order(`spend-${n}`, "2026-03-09T00:00:00Z");
    expect([await balanceOf(), await tierOf()]).toEqual([500, [1_000, 0]]);
  });

  test("earns for a customer who is not in the file, and for one whose file had 0 points it does not", async () => {
    await makeCustomer(service.deps, { storefrontId: id, email });
    await makeCustomer(service.deps, { storefrontId: `${id}-other` });
    await moveIn(0);
    service.clock.advance({ hours: 1 });
    const mine = email;
    await order(`zero-${n}`, "2026-03-09T00:00:00Z");
    email = "";
    await order(`other-${n}`, "2026-03-09T00:00:00Z", `${id}-other`);
    email = mine;
    expect([await balanceOf(), await balanceOf(`${id}-other`)]).toEqual([0, 10]);
  });

  test("keeps what it earned for a customer in no file who becomes one with a customer of a file", async () => {
    await makeCustomer(service.deps, { storefrontId: id, email });
    await makeCustomer(service.deps, { storefrontId: `${id}-other` });
    await moveIn(500);
    service.clock.advance({ hours: 1 });
    email = "";
    await order(`kept-${n}`, "2026-03-09T00:00:00Z", `${id}-other`);
    await mergeInto(service.deps, `${id}-other`, id);
    await reviewOrders(service.deps);
    expect(await balanceOf()).toBe(510);
    await expectSoundLedger();
  });

  test("is told from a later one by the time that is said, where the file was exported earlier", async () => {
    await makeCustomer(service.deps, { storefrontId: id, email });
    await moveIn(500, { asOf: Temporal.Instant.from("2026-03-01T00:00:00Z") });
    service.clock.advance({ hours: 1 });
    await order(`before-${n}`, "2026-02-28T00:00:00Z");
    await order(`after-${n}`, "2026-03-02T00:00:00Z");
    expect(await balanceOf()).toBe(510);
  });

  test("of a member known by e-mail only: the customer comes with the orders, and both become one", async () => {
    await moveIn(500, { spent: "7000" });
    service.clock.advance({ hours: 1 });
    await order(`merged-${n}`, "2026-03-09T00:00:00Z");
    expect(await balanceOf()).toBe(10); // nobody knows yet who the customer is
    await service.client.put(`${API}/customers/${id}`, { email });
    await mergeClaimedMembers(service.deps);
    await reviewOrders(service.deps);
    expect([await balanceOf(), await tierOf()]).toEqual([500, [7_000, 7_000]]);
    await expectSoundLedger();
  });

  test("of a member known by e-mail only, who was in a higher tier: what it earned there stays", async () => {
    await moveIn(500, { tier: "Silver" });
    service.clock.advance({ hours: 1 });
    await order(`silver-${n}`, "2026-03-10T00:30:00Z", null);
    service.clock.advance({ hours: 1 });
    await service.client.put(`${API}/customers/${id}`, { email });
    await mergeClaimedMembers(service.deps);
    await reviewOrders(service.deps);
    expect(await balanceOf()).toBe(520);
    expect(await service.deps.db.query("select from order_review")).toEqual([]);
    await expectSoundLedger();
  });

  test("earns and counts once the file is undone", async () => {
    await makeCustomer(service.deps, { storefrontId: id, email });
    const move = await moveIn(500, { spent: "7000" });
    service.clock.advance({ hours: 1 });
    await order(`undone-${n}`, "2026-03-09T00:00:00Z");
    expect(await balanceOf()).toBe(500);
    await undo(move);
    await reviewOrders(service.deps);
    expect([await balanceOf(), await tierOf()]).toEqual([10, [1_000, 0]]);
    await expectSoundLedger();
  });
});

describe("undoing after the member did something", () => {
  test("gives an order its points back where the file had none, also after the customer became part of another", async () => {
    const { storefrontId: removed } = await makeCustomer(service.deps, { storefrontId: `${id}-removed`, email });
    await makeCustomer(service.deps, { storefrontId: id });
    const move = await moveIn(0);
    service.clock.advance({ hours: 1 });
    await order(`zero-undone-${n}`, "2026-03-09T00:00:00Z", removed);
    await mergeInto(service.deps, removed, id);
    await reviewOrders(service.deps);
    expect(await balanceOf()).toBe(0);
    await undo(move);
    await reviewOrders(service.deps);
    expect(await balanceOf()).toBe(10);
    await expectSoundLedger();
  });

  test("keeps a member with an order, which then earns, also for the customer whom the member becomes", async () => {
    const move = await moveIn(500);
    service.clock.advance({ hours: 1 });
    await order(`unpaid-${n}`, "2026-03-10T00:30:00Z", null, "OrderPlaced");
    await undo(move);
    await order(`unpaid-${n}`, "2026-03-10T00:30:00Z", null);
    await service.client.put(`${API}/customers/${id}`, { email });
    await mergeClaimedMembers(service.deps);
    expect(await balanceOf()).toBe(10);
    await expectSoundLedger();
  });

  test("takes what is left and says what was spent; points that were earned since are taken for it, never below 0", async () => {
    await makeCustomer(service.deps, { storefrontId: id, email });
    const move = await moveIn(500);
    await service.client.post(`${API}/point_allotments`, { customer_id: id, point_value: -450 });
    await service.client.post(`${API}/point_allotments`, { customer_id: id, point_value: 30 });
    const [points] = (await selectMoveImports(service.deps.db, moveUidOf(move))).filter(
      ({ kind }) => kind === "points",
    );
    await undo(move);
    expect(await balanceOf()).toBe(0);
    const faults = await service.deps.db.query(
      "select code, value from import_fault where import_uid = $1 and phase = 'undo'",
      [points?.uid ?? null],
    );
    expect(faults).toEqual([{ code: "points_left", value: "420" }]);
    await expectSoundLedger();
  });
});
