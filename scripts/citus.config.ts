import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Flows of which no test reads or breaks the tables by statements of its own that Citus refuses (docs/citus.md). */
const FLOWS = [
  "backpressure",
  "campaigns",
  "coupon-release",
  "coupons-deleted-customer",
  "coupons-lifecycle",
  "customers",
  "debts",
  "deleted-holds",
  "expiry-sweep",
  "figures",
  "hostile-bodies",
  "hostile-clients",
  "idempotency",
  "intake-*",
  "merge",
  "merge-*",
  "metrics-large-balance",
  "new-platform",
  "posting-queue",
  "verify",
  "webhook-*",
];

// Tests of the ledger, the intake, the webhooks and the interface on a Citus: a coordinator and two workers.
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    experimental: { viteModuleRunner: false },
    isolate: false,
    include: [
      "test/citus/**/*.test.ts",
      "test/spec/**/*.test.ts",
      ...FLOWS.map((name) => `test/flows/${name}.test.ts`),
    ],
    setupFiles: ["test/support/seed.ts"],
    globalSetup: ["test/support/citus-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
