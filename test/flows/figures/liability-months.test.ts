import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selectImport } from "../../../src/imports/queries.ts";
import { workImports } from "../../../src/imports/work-imports.ts";
import { columnsOf } from "../../../src/moving-in/member.ts";
import { type MemberMove, MOVE_KINDS, moveUidOf } from "../../../src/moving-in/move.ts";
import { moveKind } from "../../../src/moving-in/move-kind.ts";
import { undoMove } from "../../../src/moving-in/undo-move.ts";
import { pointkeeper } from "../../../src/moving-in/vendors/pointkeeper.ts";
import { ADDING_KINDS, MOVEMENT_KINDS } from "../../../src/wire/liability.ts";
import { aggregateLiabilityAll } from "../../support/aggregate-liability-all.ts";
import { body, type Currency, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { sale } from "../../support/order-sale.ts";
import { type AdminClient, signIn } from "../../support/staff.ts";

// Five months of a store, with what meets an accountant at their edges. Each line has to add up to the unit, and each month has to continue the one before.

const MONTHS = ["2026-03", "2026-04", "2026-05", "2026-06", "2026-07"];
const BY = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };

interface Store {
  readonly currency: Currency;
  readonly zone: string;
  readonly places: number;
  /** What an order costs, in minor units. */
  readonly price: number;
  readonly pointPrice: string;
}

const STORES: readonly Store[] = [
  { currency: "JPY", zone: "Asia/Tokyo", places: 0, price: 99_999, pointPrice: "0.937" },
  { currency: "BHD", zone: "America/New_York", places: 3, price: 123_457, pointPrice: "0.010937" },
];

describe.each(STORES)("a store in $currency, in $zone", ({ currency, zone, places, price, pointPrice }) => {
  let flow: OrderFlow;
  let move: MemberMove;
  let orders = 0;

  beforeAll(async () => {
    flow = await startOrderFlow({
      now: "2026-03-10T00:00:00Z",
      program: {
        store: { name: "Tea", currency, time_zone: zone },
        earning: { point_value: 1, currency_value: 100 },
        expiration: { delay_months: 24, mode: "per_allotment" },
      },
    });
    for (const id of ["anna", "ben"]) await flow.customer(id, { email: `${id}@months.example` });
  });
  afterAll(async () => {
    expect(await flow.faults()).toEqual([]);
    await flow.stop();
  });

  const setClock = (local: string) =>
    flow.clock.set(Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant());
  const manager = (): Promise<AdminClient> => signIn(flow, "manager");

  async function order(customer: string): Promise<void> {
    const events = [body(1, [line("a", { price, currency })]), shipped(2, "f", { a: 1 })];
    await flow.take(...ofOrder(`${currency}-${++orders}`, customer, events));
  }

  async function estimate(month: string, redemption: string): Promise<void> {
    const given = { month, redemption, point_price: pointPrice };
    expect((await (await manager()).put("/liability/estimate", given)).status).toBe(200);
  }

  async function report(month: string) {
    const { status, body: answer } = await flow.client.get(`/api/storefront/reports/liability?month=${month}`);
    expect({ month, status }).toEqual({ month, status: 200 });
    return answer.data;
  }

  const work = async (uid: string) => {
    await workImports(flow.deps);
    return selectImport(flow.deps.db, uid);
  };

  /** Brings in a member whose points were earned in April, or undoes that. */
  async function moveIn(): Promise<void> {
    const header = ["email", "points", "earned_at"];
    const bytes = Buffer.from(`${header.join(",")}\nben@months.example,777,2026-04-20\n`);
    const head = { encoding: "utf-8", separator: ",", header, lineCount: 2 } as const;
    move = {
      file: {
        name: "members.csv",
        open: async function* () {
          yield bytes;
        },
      },
      head: { ...head, sha256: createHash("sha256").update(bytes).digest() },
      ...{ vendor: pointkeeper, columns: columnsOf(pointkeeper, header) },
      ...{ setsBalance: false, again: false, keepTiersUntil: null, asOf: null, uploadedAt: flow.deps.clock.now() },
    };
    for (const kind of MOVE_KINDS) await moveKind(flow.deps, move, kind, { by: BY, work, onLeftOut: async () => {} });
  }

  test("an order in a month's last microsecond and one in the next month's first count in one each", async () => {
    setClock("2026-03-31T23:59:59.999999");
    await order("anna");
    setClock("2026-04-01T00:00:00");
    await order("anna");
    await aggregateLiabilityAll(flow);
    const points = Math.ceil(price / 100); // a value of currency is in minor units
    const [march, april] = [await report("2026-03"), await report("2026-04")];
    expect([march.total.issued, march.total.closing]).toEqual([points, points]);
    expect([april.total.opening, april.total.issued, april.total.closing]).toEqual([points, points, 2 * points]);
    await estimate("2026-03", "90");
  });

  test("months without issued points, a changed estimate, a move, its undoing after the close, and late events", async () => {
    setClock("2026-05-02T12:00:00");
    await moveIn();
    await flow.coupon("anna", 5);
    setClock("2026-06-10T12:00:00"); // nothing is issued in June
    await aggregateLiabilityAll(flow);
    expect((await (await manager()).post("/liability/close", { month: "2026-05" })).body.data.months).toHaveLength(3);
    const closed = await Promise.all(["2026-03", "2026-04", "2026-05"].map(figuresOf));
    expect((await report("2026-05")).origins).toContainEqual(
      expect.objectContaining({ origin: "migration", issued: 777 }),
    );
    await estimate("2026-06", "70.5");
    await undoMove(flow.deps, moveUidOf(move), { by: BY, work });
    setClock("2026-07-01T00:00:00");
    await order("ben");
    await flow.client.post("/api/storefront/point_allotments", {
      ...{ customer_id: "anna", point_value: 33, earned_at: "2026-04-11T00:00:00Z" },
    });
    await flow.remove("anna");
    await aggregateLiabilityAll(flow);
    expect(await Promise.all(["2026-03", "2026-04", "2026-05"].map(figuresOf))).toEqual(closed);
    const [june, july] = [await report("2026-06"), await report("2026-07")];
    expect(june.total).toMatchObject({ issued: 0, corrected: 777 });
    expect(june.cohorts).toContainEqual(expect.objectContaining({ month: "2026-04", corrected: 777 }));
    expect(june.revenue.total.reestimate).not.toBe(june.revenue.total.additions);
    expect(july.late).toContainEqual({ month: "2026-04", kind: "issued", points: 33, movements: 1 });
  });

  const figuresOf = async (month: string) => {
    const { total, origins, cohorts, late, revenue } = await report(month);
    return { total, origins, cohorts, late, revenue, journal: await journal(month) };
  };

  const minorOf = (text: string): bigint => {
    const [whole = "", decimals = ""] = text.replace("-", "").split(".");
    expect(decimals).toHaveLength(places);
    return BigInt(whole + decimals) * (text.startsWith("-") ? -1n : 1n);
  };

  test("each line goes from opening to closing, months continue one another, and parts make the whole", async () => {
    let before: { total: Sums; deferred: bigint } | undefined;
    for (const month of MONTHS) {
      const { total, origins, cohorts, revenue } = await report(month);
      for (const one of [total, ...origins, ...cohorts])
        expect({ month, closing: closingOf(one) }).toEqual({ month, closing: one.closing });
      for (const field of ["opening", "closing", ...MOVEMENT_KINDS] as const)
        for (const parts of [origins, cohorts])
          expect({ month, field, sum: parts.reduce((sum: number, part: Sums) => sum + part[field], 0) }).toEqual({
            month,
            field,
            sum: total[field],
          });
      const deferrals = [revenue.total, ...revenue.cohorts].map((one: Record<string, string>) => {
        const at = (name: string) => minorOf(one[name] ?? "");
        const closing =
          at("opening") + at("additions") - at("taken_back") - at("redemption") - at("breakage") - at("reestimate");
        expect({ month, closing }).toEqual({ month, closing: at("closing") });
        return { opening: at("opening"), closing: at("closing") };
      });
      const [whole, ...parts] = deferrals;
      expect(parts.reduce((sum, { closing }) => sum + closing, 0n)).toBe(whole?.closing);
      expect([total.opening, whole?.opening]).toEqual([before?.total.closing ?? 0, before?.deferred ?? 0n]);
      await expectBalanced(month, (whole?.closing ?? 0n) - (whole?.opening ?? 0n));
      before = { total, deferred: whole?.closing ?? 0n };
    }
    expect(before?.deferred).toBeGreaterThan(0n);
  });

  async function journal(month: string): Promise<string[][]> {
    const { text } = await flow.client.get(`/api/storefront/reports/liability/journal?month=${month}`);
    return text
      .trim()
      .split("\r\n")
      .slice(1)
      .map((row: string) => row.split(","));
  }

  /** Debits and credits of a month are equal, as a whole and by reference, and change the deferred revenue as the report does. */
  async function expectBalanced(month: string, change: bigint): Promise<void> {
    const byReference = new Map<string, bigint>();
    let deferred = 0n;
    for (const [, account = "", debit = "", credit = "", of, , , reference = ""] of await journal(month)) {
      const amount = debit === "" ? -minorOf(credit) : minorOf(debit);
      byReference.set(reference, (byReference.get(reference) ?? 0n) + amount);
      if (account.startsWith("Deferred revenue")) deferred -= amount;
      expect(of).toBe(currency);
    }
    expect([...byReference.values()].every((sum) => sum === 0n)).toBe(true);
    expect({ month, deferred }).toEqual({ month, deferred: change });
  }
});

describe("a month that was closed", () => {
  let flow: OrderFlow;
  const closeMonth = async (month: string) => {
    const closed = await (await signIn(flow, "manager")).post("/liability/close", { month });
    expect(closed.status).toBe(200);
  };
  const estimate = async (month: string, redemption: string) => {
    const given = { month, redemption, point_price: "0.5" };
    expect((await (await signIn(flow, "manager")).put("/liability/estimate", given)).status).toBe(200);
  };
  const revenueOf = async (month: string) =>
    (await flow.client.get(`/api/storefront/reports/liability?month=${month}`)).body.data.revenue;

  beforeAll(async () => {
    flow = await startOrderFlow({ now: "2026-03-10T00:00:00Z" });
    await flow.customer("anna");
    await flow.take(...sale("1", "anna", 10_000));
  });
  afterAll(() => flow.stop());

  test("without an estimate has none later; by the estimate of a later month it keeps that when it is set again", async () => {
    flow.clock.set("2026-04-10T00:00:00Z");
    await aggregateLiabilityAll(flow);
    await closeMonth("2026-03");
    await estimate("2026-08", "90");
    expect(await revenueOf("2026-03")).toBeNull();
    await flow.take(...sale("2", "anna", 10_000));
    flow.clock.set("2026-05-10T00:00:00Z");
    await aggregateLiabilityAll(flow);
    await closeMonth("2026-04");
    const april = await revenueOf("2026-04");
    expect(april).toMatchObject({ expected_redemption: "90", cohorts: [{ month: "2026-04" }] });
    await estimate("2026-08", "40");
    await estimate("2026-05", "60");
    expect(await revenueOf("2026-04")).toEqual(april);
    expect(await revenueOf("2026-03")).toBeNull();
    expect((await revenueOf("2026-05")).expected_redemption).toBe("60");
  });
});

type Sums = Readonly<Record<(typeof MOVEMENT_KINDS)[number] | "opening" | "closing", number>>;

function closingOf(line: Sums): number {
  return MOVEMENT_KINDS.reduce((sum, kind) => sum + (ADDING_KINDS.includes(kind) ? 1 : -1) * line[kind], line.opening);
}
