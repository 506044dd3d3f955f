import type { Deps } from "../deps.ts";
import { hasStaff, LOCK_OWNERS } from "./queries.ts";
import { hashSetupCode, setupCode } from "./setup-code.ts";

/**
 * The code that the setup page asks for, generated where there is none. It is the same for every node of a database and at every start, until
 * the first owner is created. Null: there is a person already. A code that the present secret key does not decrypt is replaced.
 */
export async function ensureSetupCode(
  deps: Pick<Deps, "db" | "clock" | "random" | "secretBox">,
): Promise<string | null> {
  if (await hasStaff(deps.db)) return null;
  return deps.db.tx(async (tx) => {
    await tx.query(LOCK_OWNERS);
    if (await hasStaff(tx)) return null;
    const [row] = await tx.query<{ sealed: Buffer }>("select sealed from setup_code");
    const kept = row === undefined ? null : opened(deps, row.sealed);
    if (kept !== null) return kept;
    const code = setupCode(deps.random.bytes(16));
    await tx.execute(
      `insert into setup_code (code_sha256, sealed, created_at)
       values ($1, $2, $3)
       on conflict (only_one) do update
       set code_sha256 = excluded.code_sha256, sealed = excluded.sealed, created_at = excluded.created_at`,
      [hashSetupCode(code), deps.secretBox.seal(code), deps.clock.now()],
    );
    return code;
  });
}

function opened({ secretBox }: Pick<Deps, "secretBox">, sealed: Buffer): string | null {
  try {
    return secretBox.open(sealed);
  } catch {
    return null;
  }
}
