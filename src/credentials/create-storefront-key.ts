import { isUniqueViolation } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { CUSTOMER_SCOPES, type CustomerScope } from "../wire/access.ts";
import { secretOf } from "./credentials.ts";
import { kidOf } from "./customer-token.ts";

const KEYS_MAX = 20;
const LOCK = "select pg_advisory_xact_lock(hashtextextended('pointkeeper storefront keys', 0))";

/**
 * Creates a storefront key, with which the store's server signs customer tokens (docs/widget.md). `name` (1 to 100 characters) must be unique among
 * active keys, else 422. The secret is shown only this once; it is stored encrypted, for verification. Several keys work at the same time, so that
 * one can be replaced without interruption.
 */
export async function createStorefrontKey(
  deps: Pick<Deps, "db" | "clock" | "random" | "secretBox">,
  input: { readonly name: string; readonly canRedeem: boolean },
): Promise<{ kid: string; secret: string }> {
  if (input.name === "" || input.name.length > 100) throw invalid("/name", "expected 1 to 100 characters");
  const kid = kidOf(deps.random.bytes(8));
  const secret = secretOf(deps.random.bytes(32));
  const scopes: readonly CustomerScope[] = input.canRedeem ? CUSTOMER_SCOPES : ["read"];
  try {
    await deps.db.tx(async (tx) => {
      await tx.query(LOCK);
      const active = await tx.query("select from storefront_key where revoked_at is null");
      if (active.length >= KEYS_MAX) throw invalid("", `expected at most ${KEYS_MAX} keys: revoke one first`);
      await tx.execute(
        `insert into storefront_key (uid, name, kid, secret_sealed, scopes, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [deps.random.uid(), input.name, kid, deps.secretBox.seal(secret), scopes, deps.clock.now()],
      );
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid("/name", "another storefront key has this name: revoke it first");
    throw error;
  }
  return { kid, secret };
}
