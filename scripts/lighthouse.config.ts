import { join } from "node:path";
import { defineConfig } from "vitest/config";

// npm run lighthouse: Lighthouse results of the main pages. npx downloads it (176 MB), so that nobody else has to install it.
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    pool: "forks",
    experimental: { viteModuleRunner: false },
    isolate: false,
    include: ["test/browser/support/measure-lighthouse.ts"],
    setupFiles: ["test/support/seed.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    hookTimeout: 120_000,
  },
});
