import type { ListedCredential } from "../../credentials/list-credentials.ts";
import type { StorefrontAccess } from "../../credentials/list-storefront-access.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { AddressFailures, LoggedRequest } from "./queries.ts";
import type { CredentialRow, LoggedRequestRow, ShownAuthFailures, ShownStorefront } from "./schema.ts";

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

export function storefrontView({ keys, origins }: StorefrontAccess): ShownStorefront {
  return {
    keys: keys.map((key) => ({
      name: key.name,
      key_id: key.kid,
      can_redeem: key.scopes.includes("redeem"),
      created_at: formatInstant(key.createdAt),
      last_used_at: key.lastUsedAt === null ? null : formatInstant(key.lastUsedAt),
      revoked_at: key.revokedAt === null ? null : formatInstant(key.revokedAt),
    })),
    origins: [...origins],
  };
}

export function viewRequest({ uid, at, route, status, durationUs, requestId }: LoggedRequest): LoggedRequestRow {
  return { uid, at: formatInstant(at), route, status, ms: durationUs / 1_000, request_id: requestId };
}
