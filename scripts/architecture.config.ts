import { join } from "node:path";
import { defineConfig } from "vitest/config";

// The tests of the architecture only, without the database that the other tests start.
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    pool: "forks",
    maxWorkers: 1, // the sources are read once
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    include: ["test/architecture*.test.ts", "test/biome-rules.test.ts"],
  },
});
