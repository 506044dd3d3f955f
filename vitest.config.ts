import { join } from "node:path";
import { defineConfig } from "vitest/config";

if (!("Temporal" in globalThis)) {
  throw new Error(
    `The tests need the project's own Node 26, not ${process.version}: run them with "npm test" or "npx vitest".`,
  );
}

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    maxWorkers: 3,
    include: ["src/**/*.test.ts", "dashboard/**/*.test.ts", "test/**/*.test.ts"],
    // processes that tests start need not strip and compile the same sources again
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/node") },
    setupFiles: ["test/support/seed.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    reporters: ["default", "json"],
    outputFile: { json: "test-results/vitest.json" },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
