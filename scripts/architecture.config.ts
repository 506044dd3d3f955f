import { join } from "node:path";
import { defineConfig } from "vitest/config";

// The tests of the architecture only, without the database that the other tests start.
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: { include: ["test/architecture*.test.ts", "test/biome-rules.test.ts"] },
});
