import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ConfigError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { applyProgram } from "../shop/apply-program.ts";
import { showProgramDocument } from "../shop/program-document.ts";
import { completeProgramDocument } from "../shop/program-merge.ts";
import { selectProgramVersion } from "../shop/program-queries.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper program show`, `pointkeeper program apply <file.json> [--dry-run]` (program.md 9). */
export async function program(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { "dry-run": { type: "boolean" }, author: { type: "string" } },
  });
  const [action, file] = positionals;
  if (action === "show") {
    process.stdout.write(`${JSON.stringify(await withDeps(readDocument), null, 2)}\n`);
    return 0;
  }
  if (action !== "apply" || file === undefined) {
    throw new ConfigError(
      "Say what to do: pointkeeper program show, or pointkeeper program apply <file.json> [--dry-run]",
    );
  }
  const document = await readDocumentFile(file);
  const isDryRun = values["dry-run"] ?? false;
  const input = { document, author: values.author ?? "command line", isDryRun };
  const { version, changes } = await withDeps((deps) => applyProgram(deps, input));
  for (const change of changes) {
    process.stdout.write(`${change.pointer}: ${JSON.stringify(change.before)} -> ${JSON.stringify(change.after)}\n`);
  }
  if (changes.length === 0) process.stdout.write(`Nothing changes: version ${version} says the same.\n`);
  else
    process.stdout.write(isDryRun ? `It would be version ${version}.\n` : `Version ${version} is valid from now on.\n`);
  return 0;
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
