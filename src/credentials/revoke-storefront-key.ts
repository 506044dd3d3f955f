import type { Deps } from "../deps.ts";
import { notFound } from "../problems.ts";

const REVOKE = `update storefront_key
set revoked_at = $2, secret_sealed = null
where uid = (
  select uid
  from storefront_key
  where (kid = $1 or name = $1) and revoked_at is null
  order by kid = $1 desc
  limit 1)`;

/** Revokes the storefront key with a kid or name: every node refuses its tokens within two seconds. 404 if there is none. */
export async function revokeStorefrontKey(deps: Pick<Deps, "db" | "clock">, kidOrName: string): Promise<void> {
  const revoked = await deps.db.execute(REVOKE, [kidOrName, deps.clock.now()]);
  if (revoked === 0) throw notFound(`no storefront key has the id or name "${kidOrName}"`);
}
