import type { Deps } from "../deps.ts";

/** Encrypts the setup code, while there is one, with the current secret key. Returns 1 where another key had encrypted it, else 0. */
export async function resealSetupCode(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  const [row] = await deps.db.query<{ sealed: Buffer }>("select sealed from setup_code");
  const resealed = row === undefined ? null : deps.secretBox.resealed(row.sealed);
  if (row === undefined || resealed === null) return 0;
  return deps.db.execute("update setup_code set sealed = $1 where sealed = $2", [resealed, row.sealed]);
}
