import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Tests the service behind a PgBouncer, which is not an npm package and must be installed (apt-get install pgbouncer).
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    environment: "node",
    pool: "forks",
    experimental: { viteModuleRunner: false },
    include: ["test/pooler/**/*.test.ts"],
    setupFiles: ["test/support/seed.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
