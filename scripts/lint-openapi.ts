import { spawnSync } from "node:child_process";
import { join } from "node:path";

// Lints openapi.json by the rules of Spectral and Redocly. The linters are downloaded from the npm registry: they are larger than the project's
// dependencies, so they are not among them. Their rules are in scripts/openapi-rules.
const ROOT = join(import.meta.dirname, "..");
const RULES = join("scripts", "openapi-rules");
const LINTERS = [
  ["@stoplight/spectral-cli@6.16.3", "lint", "--fail-severity=warn", "--ruleset", join(RULES, "spectral.yaml")],
  ["@redocly/cli@2.77.0", "lint", "--config", join(RULES, "redocly.yaml"), "--max-problems=200"],
] as const;

for (const [linter, ...args] of LINTERS) {
  console.log(`\n--- ${linter}`);
  const { status } = spawnSync("npx", ["--yes", linter, ...args, "openapi.json"], { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
