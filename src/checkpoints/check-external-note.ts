import type { Deps } from "../deps.ts";
import { LOGS } from "./checkpoint-queries.ts";
import { LOG_END, openTree, TreeBroken } from "./open-tree.ts";
import { type Checkpoint, readCheckpoint } from "./signed-note.ts";

/** The newest note outside that this process wrote, by database: its own note need not be compared. */
const ownNotes = new WeakMap<Deps["db"], string>();

/**
 * Compares the note that is kept outside with the ledger before a newer note replaces it: a database that was reset to an earlier moment must not
 * overwrite the evidence. Returns what is wrong, as a sentence; null: `next` may replace `kept`.
 */
export async function checkExternalNote(
  deps: Pick<Deps, "db">,
  { kept, next }: { readonly kept: string | null; readonly next: string },
): Promise<string | null> {
  const found = kept === null || kept === ownNotes.get(deps.db) ? null : await compare(deps, kept);
  if (found === null) ownNotes.set(deps.db, next);
  return found;
}

async function compare({ db }: Pick<Deps, "db">, kept: string): Promise<string | null> {
  const rows = await db.query<{ publicKey: Buffer }>('select public_key as "publicKey" from ledger_key');
  const checkpoint = rows.map(({ publicKey }) => readCheckpoint(kept, publicKey)).find((read) => read !== null);
  if (checkpoint == null) return "the newest checkpoint kept outside is not one that a key of this database signed";
  return db.snapshot(async (tx) => {
    for (const name of ["allotments", "audit"] as const) {
      const { size, root } = checkpoint[name];
      const now = await openTree(tx, LOGS[name], LOG_END[name]).rootOver(0n, size).catch(asNone);
      if (now?.equals(root) !== true) return lacking(name, checkpoint);
    }
    return null;
  });
}

function asNone(error: unknown): null {
  if (error instanceof TreeBroken) return null;
  throw error;
}

function lacking(name: "allotments" | "audit", { time, [name]: { size } }: Checkpoint): string {
  return `${name}: the checkpoint of ${time} that is kept outside covers ${size}, and the database does not have them as they were signed`;
}
