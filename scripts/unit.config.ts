import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "../test/support/longest-first.ts";

// The tests in the folders of the code and those of the architecture: no database, no browser, no service.
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    pool: "forks",
    maxWorkers: "100%", // Vitest leaves one core free, which is half of two
    sequence: { sequencer: LongestFirst },
    experimental: { viteModuleRunner: false },
    isolate: false,
    include: [
      "src/**/*.test.ts",
      "dashboard/**/*.test.ts",
      "test/architecture*.test.ts",
      "test/biome-rules.test.ts",
      "test/ledger-model/*.test.ts",
    ],
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 60_000,
  },
});
