import { isUniqueViolation } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import type { Scope } from "../wire/access.ts";
import { hashSecret, keyOf, secretOf } from "./credentials.ts";

/**
 * Creates a credential (program.md 2). `name` (1 to 100 characters) is the `app_reference` of what it posts and must be unique among active
 * credentials, else 422. The secret is shown only this once; only its SHA-256 is stored.
 */
export async function createCredential(
  deps: Pick<Deps, "db" | "clock" | "random">,
  input: { readonly name: string; readonly scopes: readonly Scope[] },
): Promise<{ key: string; secret: string }> {
  if (input.name === "" || input.name.length > 100) throw invalid("/name", "expected 1 to 100 characters");
  const key = keyOf(deps.random.bytes(8));
  const secret = secretOf(deps.random.bytes(32));
  try {
    await deps.db.execute(
      `insert into credential (uid, name, key, secret_sha256, scopes, created_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [deps.random.uid(), input.name, key, hashSecret(secret), input.scopes, deps.clock.now()],
    );
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid("/name", "another credential has this name: revoke it first");
    throw error;
  }
  return { key, secret };
}
