import type { Tx } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import { formatInstant } from "../time/store-time.ts";
import { type CsvImport, type ImportState, isHeld } from "./csv-import.ts";
import { lockImport } from "./queries.ts";

/** The expected state of an import. */
export interface ExpectedImport {
  readonly states: readonly ImportState[];
  readonly now: Temporal.Instant;
  /** Whether a second person has approved it: otherwise an import that waits for approval stays unchanged. */
  readonly isApproved?: boolean;
}

/**
 * Locks an import in the expected state, until the transaction ends. Throws `import_not_found` (404), `import_waits` (409) and, naming its state,
 * `import_state` (409).
 */
export async function lockImportIn(
  tx: Tx,
  uid: string,
  { states, now, isApproved = false }: ExpectedImport,
): Promise<CsvImport> {
  const found = await lockImport(tx, uid);
  if (!isApproved && found.waitsUntil !== null && isHeld(found, now)) {
    const detail = `expected an import that nobody has to approve; this one waits until ${formatInstant(found.waitsUntil)}`;
    throw new Problem("import_waits", { faults: [{ detail }] });
  }
  if (states.includes(found.state)) return found;
  const detail = `expected an import that is ${states.join(" or ")}; this one is ${found.state}`;
  throw new Problem("import_state", { faults: [{ detail }] });
}
