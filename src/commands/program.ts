import { readFile } from "node:fs/promises";
import { ConfigError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { showProgramDocument } from "../shop/program-document.ts";
import { completeProgramDocument } from "../shop/program-merge.ts";
import { selectProgramVersion } from "../shop/program-queries.ts";
import { type ChangedProgram, changeProgram } from "../tiers/change-program.ts";
import type { Given } from "./command-line.ts";
import { previewLines } from "./preview-lines.ts";
import { withDeps } from "./with-deps.ts";

/**
 * `pointkeeper program show`, `pointkeeper program apply <file.json> [--dry-run] [--now]` (program.md 6 and 9): a dry run tells
 * who would move; `--now` lets new tier rules place customers at once instead of at the next check.
 */
export async function program({ action, operands: [file = ""], options }: Given): Promise<number> {
  if (action === "show") {
    process.stdout.write(`${JSON.stringify(await withDeps(readDocument), null, 2)}\n`);
    return 0;
  }
  const isDryRun = options.has("dry-run");
  const document = await readDocumentFile(file);
  const input = { document, author: options.get("author") ?? "command line", isDryRun, isNow: options.has("now") };
  const lines = linesOf(await withDeps((deps) => changeProgram(deps, input)), isDryRun);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return 0;
}

function linesOf({ changes, version, preview, moved }: ChangedProgram, isDryRun: boolean): string[] {
  if (changes.length === 0) return [`Nothing changes: version ${version} says the same.`];
  const lines = changes.map(
    ({ pointer, before, after }) => `${pointer}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
  );
  if (preview !== null) lines.push(...previewLines(preview));
  if (moved > 0) lines.push(`${moved} customers were moved to another tier.`);
  return [...lines, isDryRun ? `It would be version ${version}.` : `Version ${version} is valid from now on.`];
}

async function readDocument(deps: Deps): Promise<object> {
  const row = await selectProgramVersion(deps.db);
  if (row === undefined) throw new Error("there is no version of the program");
  return showProgramDocument(completeProgramDocument(row.document));
}

async function readDocumentFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
