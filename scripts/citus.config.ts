import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Tests of the dashboard's interface, under the same condition as flows. */
const PAGES = ["customers", "ledger"];

/** Flows whose tests do not use statements on the tables that Citus refuses (docs/citus.md). */
const FLOWS = [
  "backpressure",
  "campaigns",
  "coupon-release",
  "coupons-deleted-customer",
  "coupons-expired-returns",
  "coupons-lifecycle",
  "customers",
  "debts",
  "deleted-holds",
  "expiry-sweep",
  "export",
  "figures",
  "hostile-bodies",
  "hostile-clients",
  "idempotency",
  "intake-*",
  "jobs",
  "ledger-proofs",
  "liability-close",
  "merge",
  "merge-*",
  "metrics-large-balance",
  "new-platform",
  "orders-customers",
  "orders-lost-awards",
  "orders-mixed",
  "orders-review-locks",
  "orders-set-off",
  "orders-verify",
  "page-then-cursor",
  "platform-coupons",
  "posting-queue",
  "posting-queue-faults",
  "preview",
  "privacy",
  "program",
  "reconcile",
  "reservations-model",
  "rules-in-any-order",
  "rules-of-their-time",
  "self-check",
  "tier-check",
  "one-event-a-change",
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
      ...PAGES.map((name) => `test/admin/${name}.test.ts`),
      ...FLOWS.map((name) => `test/flows/*/${name}.test.ts`),
    ],
    setupFiles: ["test/support/seed.ts"],
    globalSetup: ["test/support/citus-setup.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
