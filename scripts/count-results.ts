import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Prints `N passed, N failed`: the tests of test-results/vitest.json and the checks of test-results/check.json. Each argument is `name=exit code` of
 * a step; a step that failed without a failed test or check counts as one failure. A test that was not run counts as failed.
 */
const RESULTS = join(import.meta.dirname, "..", "test-results");

interface Count {
  passed: number;
  failed: number;
}

function read(file: string, toCount: (report: Record<string, unknown>) => Count): Count | undefined {
  try {
    return toCount(JSON.parse(readFileSync(join(RESULTS, file), "utf8")));
  } catch {
    return undefined;
  }
}

const tests = read("vitest.json", (report) => {
  const passed = Number(report["numPassedTests"]);
  return { passed, failed: Number(report["numTotalTests"]) - passed };
});
const checks = read("check.json", (report) => ({ passed: Number(report["passed"]), failed: Number(report["failed"]) }));

const total: Count = { passed: 0, failed: 0 };
for (const step of process.argv.slice(2)) {
  const [name = "", code = "1"] = step.split("=");
  const count = name === "test" ? tests : name === "check" ? checks : { passed: 0, failed: 0 };
  const isUnexplained = code !== "0" && (count?.failed ?? 0) === 0;
  total.passed += count?.passed ?? 0;
  total.failed += (count?.failed ?? 0) + (count === undefined || isUnexplained ? 1 : 0);
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
