import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

if (!("Temporal" in globalThis)) {
  throw new Error(
    `The tests need the project's own Node 26, not ${process.version}: run them with "npm test" or "npx vitest".`,
  );
}

// What Node compiled is kept between its processes: of the tests, and of the service that tests start.
const NODE_COMPILE_CACHE = join(import.meta.dirname, "node_modules/.cache/node");
process.env.NODE_COMPILE_CACHE = NODE_COMPILE_CACHE;

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    maxWorkers: 4,
    // Fewer collections: of young objects, of which tests make many, and of all, since files of one worker share what they load and keep.
    execArgv: ["--max-semi-space-size=32", "--min-semi-space-size=16", "--heap-growing-percent=200"],
    // Sources run as the service runs them, by Node itself, and files of one worker share what they import: half the processor time.
    // Nothing is mocked, so no source is looked through for that.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    sequence: { sequencer: LongestFirst },
    include: ["src/**/*.test.ts", "dashboard/**/*.test.ts", "test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/buckets/**", "test/citus/**", "test/clients/**", "test/pooler/**"], // npm run test:citus and so on
    env: { NODE_COMPILE_CACHE },
    setupFiles: ["test/support/seed.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    reporters: ["default", "json"],
    outputFile: { json: "test-results/vitest.json" },
    expect: { poll: { timeout: 60_000 } }, // a page of a slow machine takes longer than the usual second
    // For what hangs. On a busy machine, four at a time, some property tests take minutes, and so does a start of the service.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
