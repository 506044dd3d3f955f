import type { ListedCredential } from "../../shop/list-credentials.ts";
import { formatInstant } from "../../shop/store-time.ts";
import type { CredentialRow } from "./schema.ts";

export function credentialView(credential: ListedCredential): CredentialRow {
  return {
    name: credential.name,
    key: credential.key,
    scopes: [...credential.scopes],
    is_store: credential.isStore,
    created_at: formatInstant(credential.createdAt),
    last_used_at: credential.lastUsedAt === null ? null : formatInstant(credential.lastUsedAt),
    revoked_at: credential.revokedAt === null ? null : formatInstant(credential.revokedAt),
  };
}
