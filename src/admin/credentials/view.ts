import type { ListedCredential } from "../../credentials/list-credentials.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { AddressFailures } from "./queries.ts";
import type { CredentialRow, ShownAuthFailures } from "./schema.ts";

const ADDRESSES_SHOWN = 10;

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

export function viewAuthFailures(rows: readonly AddressFailures[]): ShownAuthFailures {
  return {
    failures: rows.reduce((sum, { failures }) => sum + Number(failures), 0),
    addresses: rows.slice(0, ADDRESSES_SHOWN).map(({ address, failures, lastAt }) => ({
      address: address === "" ? null : address,
      failures: Number(failures),
      last_at: formatInstant(lastAt),
    })),
  };
}
