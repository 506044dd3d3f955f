import { join } from "node:path";
import { defineConfig } from "vitest/config";

// The tests beside the code and those of the architecture: no database, no browser, no service.
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    pool: "forks",
    experimental: { viteModuleRunner: false },
    isolate: false,
    include: [
      "src/**/*.test.ts",
      "dashboard/**/*.test.ts",
      "test/architecture.test.ts",
      "test/biome-rules.test.ts",
      "test/ledger-model/*.test.ts",
    ],
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 60_000,
  },
});
