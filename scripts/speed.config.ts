import { join } from "node:path";
import { defineConfig } from "vitest/config";

// npx vitest run --config scripts/speed.config.ts: how soon the built dashboard can be used on a slow machine.
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    pool: "forks",
    experimental: { viteModuleRunner: false },
    isolate: false,
    include: ["test/browser/support/measure-speed.ts"],
    setupFiles: ["test/support/seed.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    hookTimeout: 120_000,
  },
});
