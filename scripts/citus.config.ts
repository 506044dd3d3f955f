import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Tests of the ledger, the intake, the webhooks and the interface on a Citus: a coordinator and two workers (docs/citus.md).
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
      "test/admin/**/*.test.ts",
      "test/spec/**/*.test.ts",
      "test/flows/**/*.test.ts",
    ],
    setupFiles: ["test/support/seed.ts"],
    globalSetup: ["test/support/citus-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
