import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PROBLEMS, type ProblemCode } from "../src/problems.ts";
import { MEANINGS } from "./problem-meanings.ts";

/** The path of the document of all error codes. */
export const ERRORS_DOCUMENT = fileURLToPath(new URL("../docs/errors.md", import.meta.url));

const HEAD = `# Error codes

<!-- Generated from src/problems.ts and scripts/problem-meanings.ts by npm run errors. -->

Every error of the interface and of the dashboard has a code in \`errors[].code\`, in both shapes ([interface.md](interface.md#7-errors)). A
program should compare the code: it is never renamed and never gets another meaning, while titles and details are for people. New codes are
added, so treat an unknown code by its status. An answer that was stored under an Idempotency-Key before codes existed is replayed without one.

| code | status | title | meaning | what to do |
|---|---|---|---|---|
`;

/** Returns docs/errors.md: every refusal by status and code. */
export function errorsDocument(): string {
  const entries = Object.entries(PROBLEMS) as [ProblemCode, readonly [number, string]][]; // cast: its own keys
  const rows = entries
    .sort(([a, [first]], [b, [second]]) => first - second || a.localeCompare(b))
    .map(([code, [status, title]]) => `| \`${code}\` | ${status} | ${title} | ${MEANINGS[code].join(" | ")} |`);
  return `${HEAD}${rows.join("\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(ERRORS_DOCUMENT, errorsDocument());
