import type { Tx } from "../db/pool.ts";
import { emailHash } from "./lockout.ts";

/** Ends a person's sessions, link and known browsers, and what failures of their e-mail were counted. */
export async function endAccess(
  tx: Tx,
  { uid, email }: { readonly uid: string; readonly email: string },
): Promise<void> {
  await tx.execute("delete from staff_session where staff_uid = $1", [uid]);
  await tx.execute("delete from staff_link where staff_uid = $1", [uid]);
  await tx.execute("delete from staff_device where staff_uid = $1", [uid]);
  const hash = emailHash(email);
  await tx.execute("delete from sign_in_failure where key = $1 or starts_with(key, $2)", [
    `email/${hash}`,
    `pair/${hash}/`,
  ]);
}
