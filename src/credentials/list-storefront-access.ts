import type { Deps } from "../deps.ts";
import type { CustomerScope } from "../wire/access.ts";

export interface ListedStorefrontKey {
  readonly name: string;
  readonly kid: string;
  readonly scopes: readonly CustomerScope[];
  readonly createdAt: Temporal.Instant;
  /** To the minute. */
  readonly lastUsedAt: Temporal.Instant | null;
  readonly revokedAt: Temporal.Instant | null;
}

export interface StorefrontAccess {
  /** Revoked ones last. */
  readonly keys: readonly ListedStorefrontKey[];
  readonly origins: readonly string[];
}

/** Returns every storefront key, without its secret, and the origins whose pages may use tokens. */
export async function listStorefrontAccess(deps: Pick<Deps, "db">): Promise<StorefrontAccess> {
  const [keys, origins] = await Promise.all([
    deps.db.query<ListedStorefrontKey>(
      `select name, kid, scopes, created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"
       from storefront_key
       order by revoked_at is not null, created_at, name`,
    ),
    deps.db.query<{ origin: string }>("select origin from storefront_origin order by origin"),
  ]);
  return { keys, origins: origins.map(({ origin }) => origin) };
}
