import type { Deps } from "../deps.ts";
import type { Scope } from "../wire/access.ts";

export interface ListedCredential {
  readonly name: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
  readonly isStore: boolean;
  readonly createdAt: Temporal.Instant;
  /** To the minute. */
  readonly lastUsedAt: Temporal.Instant | null;
  readonly revokedAt: Temporal.Instant | null;
}

/** Returns every credential, revoked ones last (program.md 2). Secrets are not stored and so not shown. */
export async function listCredentials(deps: Pick<Deps, "db">): Promise<ListedCredential[]> {
  return deps.db.query<ListedCredential>(
    `select name, key, scopes, is_store as "isStore", created_at as "createdAt", last_used_at as "lastUsedAt",
       revoked_at as "revokedAt"
     from credential
     order by revoked_at is not null, created_at, name`,
  );
}
