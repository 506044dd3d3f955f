import { recordAction } from "../../audit/record-action.ts";
import { SecretBoxError } from "../../credentials/secret-box.ts";
import type { Queryable, Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { keyText, LEDGER_KEY_BYTES, type LedgerKey, ledgerKeyOf } from "./ledger-key.ts";

const READ = `select uid, material_sealed as sealed
from ledger_key
where retired_at is null`;

/** Reads and decrypts the current key; null: the store has none. Throws SecretBoxError if it cannot be decrypted. */
export async function readLedgerKey(queryable: Queryable, deps: Pick<Deps, "secretBox">): Promise<LedgerKey | null> {
  const [row] = await queryable.query<{ uid: string; sealed: Buffer | null }>(READ);
  if (row === undefined) return null;
  if (row.sealed === null) throw new SecretBoxError("The stored key of the ledger is gone.");
  return ledgerKeyOf(row.uid, deps.secretBox.open(row.sealed));
}

/** A lock that serialises everything that creates a ledger key. */
export const LOCK_LEDGER_KEY = "select pg_advisory_xact_lock(hashtextextended('pointkeeper ledger key', 0))";

const INSERT = `insert into ledger_key (uid, material_sealed, public_key, created_at)
values ($1, $2, $3, $4)`;

/** Creates and stores a key. `isLinked`: no customer has points from before the key. */
export async function insertLedgerKey(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "secretBox">,
  isLinked: boolean,
): Promise<void> {
  const { random, clock, secretBox } = deps;
  const uid = random.uid();
  const bytes = () => random.bytes(LEDGER_KEY_BYTES);
  const text = keyText({ uid, isLinked, chainKey: bytes(), seed: bytes() });
  const { publicKey } = ledgerKeyOf(uid, text);
  await tx.execute(INSERT, [uid, secretBox.seal(text), publicKey, clock.now()]);
  const after = { public_key: publicKey.toString("base64"), linked: isLinked };
  await recordAction(tx, deps, { action: "ledger_key.created", subject: { kind: "ledger_key", id: uid }, after });
}
