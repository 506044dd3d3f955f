import type { Tx } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import { CAN_SIGN_IN } from "../queries.ts";

/** Checks, after a change and in its transaction, that a person can still sign in: 409 `last_way_in`. */
export async function requireSignInMethod(tx: Tx, uid: string): Promise<void> {
  const [left] = await tx.query(`select from staff s where s.uid = $1 and ${CAN_SIGN_IN}`, [uid]);
  if (left === undefined) throw new Problem("last_way_in");
}
