import { Problem } from "../problems.ts";
import type { CsvImport } from "./csv-import.ts";

/**
 * The refusal to check or start an import by itself that something else checks and starts: a part of another app's file only with that file, in the
 * order of the parts, and only for rows that the file's check accepted; a file of orders or history of the command by the command.
 */
export function partOfMove(
  { kind, options }: Pick<CsvImport, "kind" | "options">,
  step: "checked" | "started",
): Problem {
  const isActivity = kind === "history" || (kind === "spend" && options.move?.uploadedAt === undefined);
  const which = isActivity
    ? `the command pointkeeper import began this one and has it ${step}: run the command again with the same file`
    : `this one is a part of a file of another app, which is ${step} as a whole`;
  return new Problem("import_state", { faults: [{ detail: `expected an import of its own: ${which}` }] });
}
