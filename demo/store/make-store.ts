import type { Deps } from "../../src/deps.ts";
import { dueWorkOf } from "../../src/jobs/schedule.ts";
import { aggregateCustomers } from "../../src/metrics/aggregate-customers.ts";
import { aggregateMetrics } from "../../src/metrics/aggregate-metrics.ts";
import { countStoreCustomers } from "../../src/metrics/count-store-customers.ts";
import { advanceSandboxClock } from "../../src/sandbox/advance-sandbox-clock.ts";
import { createStaff } from "../../src/staff/create-staff.ts";
import { madePassword } from "../../src/staff/staff.ts";
import { changeProgram } from "../../src/tiers/change-program.ts";
import { count, startProgress } from "../progress.ts";
import type { DemoStage } from "../run-demo.ts";
import { createDice } from "../season/dice.ts";
import { deliverToShop } from "./deliver-to-shop.ts";
import { openStore } from "./open-store.ts";
import { acceptEvents, runSlot, type Slot, type StoreInProgress } from "./run-slot.ts";
import { productEvents } from "./store-events.ts";
import { storeProgram, TIME_ZONE } from "./store-program.ts";

export interface StoreSize {
  readonly customers: number;
  readonly days: number;
  readonly ordersEach: number;
  readonly seed: number;
}

/** What a person needs to look around. */
export interface KeptStore {
  readonly dataDir: string;
  readonly email: string;
  readonly password: string;
}

/** The share of members at the opening, who bring points from an earlier system. */
const FIRST_PART = 0.25;
const HOURS = [12, 20] as const;
const OWNER = "owner@demo.example";
/** The last days, in which the shop receives balances: a delivery's retries end within them. */
const TOLD_DAYS = 14;

/**
 * Creates a store with a past, through the service's own verbs: members, orders, refunds, coupons, tier checks, expiries and adjustments of every day
 * up to today, under a clock that stops at everything that falls due. Returns how to sign in.
 */
export async function makeStore(
  { customers, days, ordersEach, seed }: StoreSize,
  dataDir: string,
  { print, onEnd }: Pick<DemoStage, "print" | "onEnd">,
): Promise<KeptStore> {
  const startedMs = performance.now();
  const until = Temporal.Now.instant();
  const today = until.toZonedDateTimeISO(TIME_ZONE).toPlainDate();
  const firstDay = today.subtract({ days });
  const startAt = firstDay.toZonedDateTime({ timeZone: TIME_ZONE, plainTime: "09:00" }).toInstant();
  const { deps, clock, wakes } = await openStore(dataDir, startAt, onEnd);
  await changeProgram(deps, {
    document: storeProgram(firstDay, today),
    author: OWNER,
    isDryRun: false,
    isNow: false,
  });
  await acceptEvents(deps, productEvents(startAt));
  const store: StoreInProgress = { deps, dice: createDice(seed), members: [], later: new Map(), orders: 0 };
  const slots = planSlots({ customers, days, orders: customers * ordersEach }, firstDay);
  const progress = startProgress("store", slots.length);
  const moving = { clock, dueWork: dueWorkOf(deps), log: deps.log };
  const toldFrom = until.subtract({ hours: 24 * TOLD_DAYS });
  let isTold = false;
  for (const slot of slots) {
    if (Temporal.Instant.compare(slot.at, until) > 0) break;
    if (!isTold && Temporal.Instant.compare(slot.at, toldFrom) >= 0) {
      isTold = true;
      await deliverToShop(deps, wakes, onEnd);
    }
    await advanceSandboxClock(moving, slot.at);
    await runSlot(store, slot);
    progress.tick();
  }
  progress.end();
  await advanceSandboxClock(moving, until);
  await finishFigures(deps);
  const password = await makeStaff(deps);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  print(
    `${count(store.members.length)} customers, ${count(store.orders)} orders in ${count(days)} days, after ${seconds} s.\n`,
  );
  return { dataDir, email: OWNER, password };
}

/** More members and orders over the years; more on weekends and in December. */
function planSlots(
  { customers, days, orders }: { customers: number; days: number; orders: number },
  firstDay: Temporal.PlainDate,
): (Slot & { readonly at: Temporal.Instant })[] {
  const atFirst = Math.round(customers * FIRST_PART);
  const dates = Array.from({ length: days + 1 }, (_, n) => firstDay.add({ days: n }));
  const weights = dates.map(({ month, dayOfWeek }, n) => {
    return (0.6 + (0.8 * n) / days) * (dayOfWeek >= 6 ? 1.35 : 1) * (month === 12 ? 1.5 : 1);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0) * HOURS.length;
  const share = { joins: 0, orders: 0 };
  return dates.flatMap((date, day) =>
    HOURS.map((hour, part) => {
      const weight = (weights[day] ?? 0) / total;
      const isImport = day === 0 && part === 0;
      share.joins += weight * (customers - atFirst);
      share.orders += weight * orders;
      const [joins, placed] = [Math.floor(share.joins), Math.floor(share.orders)];
      share.joins -= joins;
      share.orders -= placed;
      const at = date.toZonedDateTime({ timeZone: TIME_ZONE, plainTime: { hour } }).toInstant();
      return { n: day * HOURS.length + part, at, joins: joins + (isImport ? atFirst : 0), orders: placed, isImport };
    }),
  );
}

async function finishFigures(deps: Deps): Promise<void> {
  await countStoreCustomers(deps);
  for (;;) {
    const areDone = [await aggregateMetrics(deps), await aggregateCustomers(deps)];
    if (areDone.every(Boolean)) return;
  }
}

/** Creates one person per role, all with one password, so that requests for approval can be tried; returns it. */
async function makeStaff(deps: Deps): Promise<string> {
  const password = madePassword(deps.random.bytes(16)); // set like a chosen password, so that nobody has to change it
  await createStaff(deps, { email: OWNER, name: "若葉 店長", role: "owner", password });
  await createStaff(deps, { email: "manager@demo.example", name: "佐藤 美咲", role: "manager", password });
  await createStaff(deps, { email: "support@demo.example", name: "Anna Taylor", role: "support", password });
  await createStaff(deps, { email: "viewer@demo.example", name: "山本 健太", role: "viewer", password });
  return password;
}
