import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Backups in buckets of third-party servers that are not npm packages: versitygw, which checks every signature (go install
// github.com/versity/versitygw/cmd/versitygw@latest), and moto (pip install 'moto[s3,server]'). Those found in PATH are tested.
export default defineConfig({
  root: join(import.meta.dirname, ".."),
  test: {
    environment: "node",
    pool: "forks",
    experimental: { viteModuleRunner: false },
    include: ["test/buckets/**/*.test.ts"],
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
