import type { Tx } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import type { CsvImport, ImportState } from "./csv-import.ts";
import { lockImport } from "./queries.ts";

/**
 * Locks an import that stands where it is expected, until the transaction ends. Throws `import_not_found` (404) and, saying where
 * it is, `import_state` (409).
 */
export async function lockImportIn(tx: Tx, uid: string, expected: readonly ImportState[]): Promise<CsvImport> {
  const found = await lockImport(tx, uid);
  if (expected.includes(found.state)) return found;
  const detail = `expected an import that is ${expected.join(" or ")}; this one is ${found.state}`;
  throw new Problem("import_state", { faults: [{ detail }] });
}
