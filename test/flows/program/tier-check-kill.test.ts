import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomers } from "../../../src/customers/upsert-customers.ts";
import { evaluateTiers } from "../../../src/tiers/evaluate-tiers.ts";
import { updateTier } from "../../../src/tiers/update-tier.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

const CHECKER = fileURLToPath(new URL("../../support/check-until-killed.ts", import.meta.url));
const CUSTOMERS = 3_000;
const PART = 100;
const KILLS = 20;
const KILL_AFTER_MS_MAX = 30;
/** Two checks are due: each drops everybody one tier. */
const DUE_AT = "2026-05-10T00:00:00Z";

const rule = (name: string, requirement: number) => ({
  name,
  currency_spent_requirement: requirement,
  point_value: 1,
  currency_value: 100,
});

let service: TestService;
beforeAll(async () => {
  const rules = [rule("Bronze", 0), rule("Silver", 100), rule("Gold", 200)];
  service = await startTestService({
    worker: false,
    now: "2026-03-10T00:00:00Z",
    program: { store: { time_zone: "UTC" }, tiers: { period_months: 1, window_months: 1, rules } },
  });
  const { deps } = service;
  const gold = { update: { tier: "Gold" }, cause: { cause: "manual", actor: "test" } } as const;
  const ids = Array.from({ length: CUSTOMERS }, (_, n) => `66${n}`);
  const patches = ids.map((storefrontId) => ({ storefrontId }));
  await deps.db.tx((tx) => upsertCustomers(tx, deps, patches));
  // in parts: as long as a transaction writes, nothing settles in the other databases of the server
  for (let n = 0; n < CUSTOMERS; n += PART)
    await deps.db.tx((tx) => Promise.all(ids.slice(n, n + PART).map((id) => updateTier(tx, deps, id, gold))));
});
afterAll(() => service.stop());

async function movedCount(): Promise<number> {
  const [row] = await service.deps.db.query<{ count: bigint }>(
    "select count(*) from tier_change where cause = 'check'",
  );
  return Number(row?.count);
}

/** Starts a node of its own process and kills it at some moment after the checks went on. */
async function killInTheMiddle(): Promise<void> {
  const child = spawn(process.execPath, [CHECKER, JSON.stringify(service.connection), DUE_AT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  const before = await movedCount();
  await waitUntil(async () => (await movedCount()) > before);
  await delay(Math.random() * KILL_AFTER_MS_MAX);
  child.kill("SIGKILL");
  const [, signal] = await closed;
  expect(signal).toBe("SIGKILL");
}

test("20 kills of two nodes that make the same checks: nobody is moved twice, nobody is missed", async () => {
  const progress: number[] = [];
  const node = async () => {
    for (let kill = 0; kill < KILLS / 2; kill++) {
      await killInTheMiddle();
      progress.push(await movedCount());
    }
  };
  await Promise.all([node(), node()]);
  expect(progress).toHaveLength(KILLS);
  expect(progress.every((count) => count > 0 && count < 2 * CUSTOMERS)).toBe(true);

  service.clock.set(DUE_AT);
  await evaluateTiers(service.deps);
  expect(await evaluateTiers(service.deps)).toBe(0);
  const rows = await service.deps.db.query(
    `select check_at::date as at,
      from_name || ' -> ' || to_name as move,
      count(*)::int as count,
      count(distinct customer_uid)::int as customers
    from tier_change
    where cause = 'check'
    group by 1, 2
    order by 1`,
  );
  const count = { count: CUSTOMERS, customers: CUSTOMERS };
  expect(rows).toEqual([
    { at: "2026-04-01", move: "Gold -> Silver", ...count },
    { at: "2026-05-01", move: "Silver -> Bronze", ...count },
  ]);
  const runs = await service.deps.db.query("select moved from designation where finished_at is not null order by at");
  expect(runs).toEqual([{ moved: BigInt(CUSTOMERS) }, { moved: BigInt(CUSTOMERS) }]);
});
