import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Generates clients from openapi.json and tests the service with each. Needs the npm registry, the Python registry and Python 3.10.
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    environment: "node",
    pool: "forks",
    experimental: { viteModuleRunner: false },
    include: ["test/clients/**/*.test.ts"],
    setupFiles: ["test/support/seed.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
