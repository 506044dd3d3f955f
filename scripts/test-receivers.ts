import { spawnSync } from "node:child_process";
import { join } from "node:path";

// npm run test:receivers: tests the receivers of docs/receivers.md in every language that this machine has.
const ROOT = join(import.meta.dirname, "..");
const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
const env = { ...process.env, POINTKEEPER_TEST_RECEIVERS: "all" };
const { status } = spawnSync(process.execPath, [vitest, "run", "test/client/receivers.test.ts"], {
  cwd: ROOT,
  env,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
