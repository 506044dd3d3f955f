import { parseArgs } from "node:util";
import type { Deps } from "../src/deps.ts";
import { readProgram } from "../src/program/read-program.ts";
import { rewardBirthdays } from "../src/rewards/reward-birthdays.ts";
import { changeProgram } from "../src/tiers/change-program.ts";
import { evaluateTiers } from "../src/tiers/evaluate-tiers.ts";
import { seedCustomers } from "./seed-customers.ts";
import { seedSpend } from "./seed-spend.ts";
import { watchMemory } from "./watch-memory.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

const STARTED_AT = Temporal.Instant.from("2026-01-01T00:00:00Z");
const CHECK_AT = Temporal.Instant.from("2026-01-31T15:00:00Z");

/**
 * Measures a tier check over customers who all spent something, half of them above the default tier, most of whom it moves; also a preview of new
 * rules and a day of birthdays. Prints the process's peak memory.
 * `node bench/tier-check.ts [--customers 1000000] [--orders 3]`
 */
const { values } = parseArgs({
  options: { customers: { type: "string", default: "1000000" }, orders: { type: "string", default: "3" } },
});
const customers = Number(values.customers);
let now = STARTED_AT;
await withBenchFolder((dataDir) => withBenchDeps(dataDir, { now: () => now }, bench));

async function bench(deps: Deps): Promise<void> {
  const { db } = deps;
  await change(deps, [0, 30_000, 90_000], { isDryRun: false });
  say(`making ${customers} customers with ${values.orders} orders each`);
  await seedCustomers(db, customers);
  const tierUid = (await readProgram(db)).tiers.rules[1]?.uid ?? "";
  await seedSpend(db, { from: STARTED_AT, orders: Number(values.orders), tierUid });
  const birthdays =
    "update customer set created_at = $1, birthday = '1990-02-' || lpad((1 + storefront_id::bigint % 28)::text, 2, '0')";
  await db.execute(birthdays, [STARTED_AT]);
  await db.execute("vacuum analyze customer");

  now = CHECK_AT;
  await measure("a check", () => evaluateTiers(deps));
  await measure("a preview of new rules, customers who would move", async () => {
    const { preview } = await change(deps, [0, 25_000, 80_000], { isDryRun: true });
    return preview?.now.count ?? 0;
  });
  now = CHECK_AT.add({ hours: 48 });
  await measure("three days of birthdays, 3 of 28 customers", () => rewardBirthdays(deps));
}

function change(deps: Deps, requirements: readonly number[], { isDryRun }: { readonly isDryRun: boolean }) {
  const rules = requirements.map((requirement, rank) => ({
    name: `Tier ${rank}`,
    currency_spent_requirement: requirement,
    point_value: 1,
    currency_value: 100,
  }));
  const document = {
    tiers: { period_months: 1, window_months: 1, rules },
    rewards: { signup: 0, marketing_opt_in: 0, birthday: 100 },
  };
  return changeProgram(deps, { document, author: "bench", isDryRun, isNow: isDryRun });
}

async function measure(what: string, work: () => Promise<number>): Promise<void> {
  const memory = watchMemory();
  const startedMs = performance.now();
  const count = await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  const { before, peak } = memory.stop();
  say(`${what}: ${count} in ${seconds.toFixed(1)} s; memory ${before} MB before, ${peak} MB at its peak`);
}
