import { join } from "node:path";
import { defineConfig } from "vitest/config";

// The service behind a PgBouncer, which no package of npm brings: needs one installed (apt-get install pgbouncer).
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
