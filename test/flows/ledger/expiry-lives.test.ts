import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { changeProgram } from "../../../src/tiers/change-program.ts";
import {
  balanceOf,
  cancel,
  changeSettings,
  expiries,
  give,
  isBefore,
  issue,
  newWallet,
  type Settings,
  spend,
  type Terms,
  type Wallet,
  writeOff,
} from "../../lives/wallet-model.ts";
import { longExamples } from "../../support/example-runs.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const API = "/api/storefront";
const HOURS_MAX = 87_600;

// Clock changes at midnight, by half an hour, of the other hemisphere, and none; offsets of quarters of an hour.
const ZONES = [
  ...["Asia/Tokyo", "UTC", "America/New_York", "Africa/Cairo", "Asia/Beirut", "America/Havana", "America/Santiago"],
  ...["Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "Atlantic/Azores", "Pacific/Chatham"],
];

const settings: fc.Arbitrary<Settings> = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  delayMonths: fc.constantFrom(null, 1, 2, 6, 6, 12, 13),
  mode: fc.constantFrom("sliding", "sliding", "per_allotment"),
  sweep: fc.constantFrom("daily", "daily", "monthly", "yearly"),
  couponsExtend: fc.boolean(),
  returnedDays: fc.constantFrom(1, 30, 45),
  shorteningDays: fc.constantFrom(0, 1, 30, 90),
} as const);

const days = fc.integer({ min: 1, max: 400 });
const who = fc.nat(2);
const one = <Name extends string>(name: Name) => fc.constant(name);
const points = fc.bigInt(1n, 90n);
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: one("give"),
      who,
      points,
      ownDays: fc.option(days, { freq: 2 }),
      earnedDays: fc.option(days, { freq: 2 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: one("flow"), who, points, extends: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: one("spend"), who, part: fc.bigInt(1n, 100n) }) },
  { weight: 2, arbitrary: fc.record({ do: one("coupon"), who, part: fc.bigInt(1n, 100n) }) },
  { weight: 2, arbitrary: fc.record({ do: one("drop"), who, which: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: one("change"), to: settings }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: one("pass"),
      hours: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 100, max: 5_000 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: one("midnight"),
      days: fc.integer({ min: 1, max: 40 }),
      micros: fc.constantFrom(-1, 0, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: one("sweep") }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** Before month ends, leap days and clock changes. */
const starts = fc.constantFrom("01-30T22:30", "02-27T05:00", "03-27T12:00", "08-31T11:00", "10-30T23:59:59.999999");

/** What a life begins with: nothing expires, and no earlier change counts any more. */
const NEVER: Settings = {
  ...{ timeZone: "UTC", delayMonths: null, mode: "sliding", sweep: "yearly", couponsExtend: true },
  ...{ returnedDays: 30, shorteningDays: 0 },
};
const LONGEST_DAYS = 90;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:00:00Z" });
});
afterAll(() => service.stop());

/** Three customers of a store whose settings change, in the model and in the service. */
class Balances {
  readonly #terms: Terms;
  readonly #wallets: readonly Wallet[] = [newWallet(), newWallet(), newWallet()];
  readonly #codes = new Map<string, string>();
  #count = 0;

  readonly #run: string;

  private constructor(run: string) {
    this.#run = run;
    this.#terms = { settings: NEVER, promisedUntil: null };
  }

  /** Opens the balances at the next such time of a year. */
  static async open(run: string, start: string): Promise<Balances> {
    const { clock, client } = service;
    await apply(NEVER);
    const after = clock.now().add({ hours: 24 * (LONGEST_DAYS + 1) });
    const { year } = after.toZonedDateTimeISO("UTC");
    const times = [year, year + 1].map((each) => Temporal.Instant.from(`${each}-${start}Z`));
    clock.set(times.find((time) => isBefore(after, time)) ?? after);
    for (const n of [0, 1, 2]) await client.put(`${API}/customers/${run}-c${n}`, { name: `Customer ${n}` });
    return new Balances(run);
  }

  #now(): Temporal.Instant {
    return service.clock.now();
  }

  async #post(path: string, body: object) {
    const answer = await service.client.post(`${API}/${path}`, body);
    expect([path, body, answer.status, answer.text]).toEqual([path, body, 200, expect.any(String)]);
    return answer.body.data;
  }

  async does(doing: Action): Promise<void> {
    const now = this.#now();
    if (doing.do === "pass") return service.clock.advance({ hours: doing.hours });
    if (doing.do === "midnight") {
      const { timeZone } = this.#terms.settings;
      const midnight = now.toZonedDateTimeISO(timeZone).add({ days: doing.days }).startOfDay().toInstant();
      return service.clock.set(midnight.add({ microseconds: doing.micros }));
    }
    if (doing.do === "sweep") return this.#sweep();
    if (doing.do === "change") {
      service.clock.advance({ milliseconds: 1 });
      await apply(doing.to);
      for (const wallet of this.#wallets) writeOff(wallet, this.#terms, this.#now()); // it does not come back
      return changeSettings(this.#terms, doing.to, this.#now());
    }
    await this.#change(doing, now);
    service.clock.advance({ milliseconds: 1 });
  }

  async #change(
    doing: Exclude<Action, { do: "pass" | "midnight" | "sweep" | "change" }>,
    now: Temporal.Instant,
  ): Promise<void> {
    const wallet = this.#wallets[doing.who];
    if (wallet === undefined) return;
    const terms = this.#terms;
    const id = `${this.#run}-c${doing.who}`;
    const available = balanceOf(wallet, terms, now);
    if (doing.do === "give") {
      const ownDate = doing.ownDays === null ? null : now.add({ hours: 24 * doing.ownDays });
      const earnedAt = doing.earnedDays === null ? null : now.subtract({ hours: 24 * doing.earnedDays });
      const dates = {
        ...(ownDate === null ? {} : { expires_at: ownDate.toString() }),
        ...(earnedAt === null ? {} : { earned_at: earnedAt.toString() }),
      };
      const body = { customer_id: id, point_value: Number(doing.points), ...dates };
      const { status } = await service.client.post(`${API}/point_allotments`, body);
      if (status === 200) return give(wallet, terms, now, { points: doing.points, extends: true, ownDate, earnedAt });
      // points that would have expired already are refused
      expect([status, earnedAt === null]).toEqual([422, false]);
      const probe = newWallet();
      give(probe, terms, now, { points: 1n, extends: true, ownDate, earnedAt });
      return expect(balanceOf(probe, terms, now)).toBe(0n);
    }
    if (doing.do === "flow") {
      const payload = { run_id: `${this.#run}-${++this.#count}`, customer: { id }, point_value: Number(doing.points) };
      const event = { type: "FlowAdjustRequested", payload: { ...payload, extends_expiration: doing.extends } };
      expect((await service.client.post("/intake/events", [event])).status).toBe(202);
      await processAllReceipts(service.deps);
      return give(wallet, terms, now, { points: doing.points, extends: doing.extends });
    }
    if (doing.do === "drop") {
      const coupon = [...wallet.coupons.keys()][doing.which % Math.max(1, wallet.coupons.size)];
      if (coupon === undefined) return;
      expect((await service.client.delete(`${API}/coupons/${this.#codes.get(coupon)}`)).status).toBe(200);
      return cancel(wallet, terms, now, coupon);
    }
    const points = (available * doing.part) / 100n;
    if (points === 0n) return;
    if (doing.do === "spend") {
      await this.#post("point_allotments", { customer_id: id, point_value: Number(-points) });
      return void spend(wallet, terms, now, points);
    }
    const { id: coupon, code } = await this.#post("coupons", { customer_id: id, point_value: Number(points) });
    this.#codes.set(coupon, code);
    issue(wallet, terms, now, { id: coupon, points });
  }

  /** What the interface shows of each customer, beside the model. */
  async compare(doing: unknown): Promise<void> {
    const now = this.#now();
    for (const [n, wallet] of this.#wallets.entries()) {
      const { body: balance } = await service.client.get(`${API}/point_balances/${this.#run}-c${n}`);
      const { body: dated } = await service.client.get(`${API}/point_balances/${this.#run}-c${n}/expiries`);
      const wanted = [...expiries(wallet, this.#terms, now)].filter(([at]) => at !== "never").sort();
      const shown = dated.data.map((row: { expires_at: string; point_value: number }) => [
        Temporal.Instant.from(row.expires_at).toString(),
        BigInt(row.point_value),
      ]);
      const { point_balance, expires_at } = balance.data;
      const soonest = expires_at === null ? null : Temporal.Instant.from(expires_at).toString();
      expect({ doing, n, at: now.toString(), points: BigInt(point_balance), soonest, shown }).toEqual({
        ...{ doing, n, at: now.toString(), points: balanceOf(wallet, this.#terms, now) },
        ...{ soonest: wanted[0]?.[0] ?? null, shown: wanted },
      });
    }
  }

  /** After the sweep the ledger holds only what is shown. */
  async #sweep(): Promise<void> {
    await expirePoints(service.deps);
    const rows = await service.deps.db.query<{ id: string; points: bigint }>(
      `select a.storefront_id as id, b.ledger_points as points
from balance b join customer_alias a using (bucket, customer_uid)
where a.storefront_id like $1 order by 1`,
      [`${this.#run}-%`],
    );
    const now = this.#now();
    for (const wallet of this.#wallets) writeOff(wallet, this.#terms, now);
    expect(rows).toEqual(
      this.#wallets.map((wallet, n) => ({ id: `${this.#run}-c${n}`, points: balanceOf(wallet, this.#terms, now) })),
    );
  }
}

function apply(to: Settings) {
  return changeProgram(service.deps, { document: documentOf(to), author: "test", isDryRun: false, isNow: false });
}

function documentOf(to: Settings): object {
  return {
    store: { name: "Dates", currency: "JPY", time_zone: to.timeZone },
    expiration: {
      ...{ delay_months: to.delayMonths, mode: to.mode, sweep: to.sweep, coupons_extend: to.couponsExtend },
      ...{ returned_days: to.returnedDays, shortening_days: to.shorteningDays },
    },
    coupons: { lifetime_hours: HOURS_MAX },
  };
}

let runs = 0;

test("points expire as the model computes, whatever the settings become", { timeout: 3_600_000 }, async () => {
  const lives = fc.array(action, { minLength: 5, maxLength: 40, size: "max" });
  await fc.assert(
    fc.asyncProperty(starts, settings, lives, async (start, first, life) => {
      const balances = await Balances.open(`e${++runs}`, start);
      for (const doing of [{ do: "change", to: first } as const, ...life]) {
        await balances.does(doing);
        if (["change", "pass", "midnight"].includes(doing.do)) await balances.compare(doing);
      }
      await balances.compare("end");
      await balances.does({ do: "sweep" });
    }),
    longExamples(5),
  );
  const lines: string[] = [];
  await verifyLedger(service.deps.db, (line) => lines.push(line));
  expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
});
