import { join } from "node:path";
import { defineConfig } from "vitest/config";

// npm run lighthouse: what Lighthouse says of the main pages; it is fetched by npx (176 MB), so that no one else has to install it.
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
